// SPDX-License-Identifier: MIT
// Finds the names of sets and surfaces of an Abaqus deck by a hash table without regard to case, large enough for all groups
// that a file may have.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "base/platform.h"
#include "mesh/files/inp.h"

enum { SLOTS = 1 << 15 }; // a power of two above twice CAROM_GROUPS_MAX

_Static_assert(CAROM_GROUPS_MAX < SLOTS / 2, "the table of names stays half empty");

static uint64_t hash_name(carom_words name) {
    uint64_t hash = CAROM_HASH_START;
    for (size_t i = 0; i < name.size; i++) {
        // ASCII only: other letters of names keep their case.
        char small = name.text[i] >= 'A' && name.text[i] <= 'Z' ? (char)(name.text[i] + 32) : name.text[i];
        hash = carom_hash(hash, &small, 1);
    }
    return hash;
}

static bool make_table(carom_inp *inp) {
    inp->slots = carom_allocate(SLOTS, sizeof *inp->slots);
    if (!inp->slots)
        return carom_scan_no_memory(&inp->reader->scan);
    // -1 in every slot.
    memset(inp->slots, 0xff, SLOTS * sizeof *inp->slots);
    return true;
}

// Linear probing. The text belongs to the table, since the scan of an included file is freed.
int carom_inp_find_name(carom_inp *inp, carom_words name, bool make, const unsigned char *place) {
    if (!inp->slots && !make_table(inp))
        return -1;
    uint64_t slot = hash_name(name) % SLOTS;
    for (; inp->slots[slot] >= 0; slot = (slot + 1) % SLOTS)
        if (carom_scan_same(name, inp->names[inp->slots[slot]].text))
            return inp->slots[slot];
    if (!make)
        return -1;
    int group = carom_reader_group(inp->reader, place, name);
    if (group < 0 ||
        !carom_reader_grow(inp->reader, (void **)&inp->names, inp->name_count, &inp->name_capacity, sizeof *inp->names))
        return -1;
    char *text = strndup(name.text, name.size);
    if (!text) {
        carom_scan_no_memory(&inp->reader->scan);
        return -1;
    }
    // Neither a node set nor an element set yet.
    inp->names[inp->name_count] = (carom_inp_name){text, group, {-1, -1}};
    return inp->slots[slot] = (int)inp->name_count++;
}

static int add_set(carom_inp *inp, carom_inp_name *name, bool cells) {
    if (!carom_reader_grow(inp->reader, (void **)&inp->sets, inp->set_count, &inp->set_capacity, sizeof *inp->sets))
        return -1;
    inp->sets[inp->set_count] =
        (carom_inp_set){.name = name->text, .cells = cells, .group = name->group, .head = -1, .tail = -1};
    return name->sets[cells] = (int)inp->set_count++;
}

int carom_inp_find_set(carom_inp *inp, carom_words name, bool cells, bool make, const unsigned char *place) {
    char buffer[CAROM_INP_KEYWORD_MAX];
    carom_words whole = carom_inp_qualify(inp, name, buffer);
    int entry = carom_inp_find_name(inp, whole, make, place);
    if (entry < 0)
        return -1;
    int set = inp->names[entry].sets[cells];
    return set >= 0 || !make ? set : add_set(inp, &inp->names[entry], cells);
}

// The new set includes the old one and gets its name; the old one stays as a part.
int carom_inp_renew_set(carom_inp *inp, int set) {
    int entry = carom_inp_find_name(inp, carom_words_of(inp->sets[set].name), false, NULL), renewed = -1;
    if (entry >= 0)
        renewed = add_set(inp, &inp->names[entry], inp->sets[set].cells);
    // The old set becomes the first part of the new one.
    carom_inp_part *part = renewed < 0 ? NULL : carom_inp_add_part(inp, renewed, CAROM_INP_SET);
    if (!part)
        return -1;
    part->set = set;
    inp->sets[set].replaced = true;
    return renewed;
}
