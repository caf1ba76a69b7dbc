// SPDX-License-Identifier: MIT
// Decks of Abaqus and CalculiX (.inp): lines that begin with a star are keywords with parameters, the lines below are their data. Nodes,
// elements, sets and surfaces are read; other keywords are passed over with one remark each. Numbers may be used before they are defined, so
// they are looked up at the end (inp_sets.c).
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "mesh/files/inp.h"

enum { REMARKS_MAX = 256, PARAMETERS_MAX = 16, KEYWORD_MAX = 1024 };

typedef struct words {
    const char *text;
    size_t size;
} words;

typedef struct keyword {
    const unsigned char *place;
    char text[KEYWORD_MAX]; // the whole line, continued lines joined
    words name;
    int count;
    words keys[PARAMETERS_MAX], values[PARAMETERS_MAX];
} keyword;

bool carom_inp_grow(carom_inp *inp, void **array, int64_t count, int64_t *capacity, size_t size) {
    if (count < *capacity)
        return true;
    int64_t larger = count + count / 2 + 16;
    void *moved = realloc(*array, (size_t)larger * size);
    if (!moved)
        return carom_scan_no_memory(&inp->reader->scan);
    *array = moved;
    *capacity = larger;
    return true;
}

bool carom_inp_fail(carom_inp *inp, int file, int64_t line, const char *format, ...) {
    carom_scan *scan = &inp->reader->scan;
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!scan->status)
        scan->status = carom_fail(scan->error, CAROM_BAD_INPUT, "%s:%lld: %s", inp->files[file].name, (long long)line, message);
    return false;
}

void carom_inp_warn(carom_inp *inp, int file, int64_t line, const char *format, ...) {
    const carom_mesh_read_def *def = inp->reader->def;
    if (!def->warn)
        return;
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    carom_error whole;
    carom_fail(&whole, CAROM_OK, "%s:%lld: %s", inp->files[file].name, (long long)line, message);
    def->warn(def->context, whole.message);
}

// ---- lines ----

static bool at_end_of_line(carom_scan *scan) {
    carom_scan_blank(scan);
    return scan->at >= scan->end || *scan->at == '\n';
}

static void next_line(carom_scan *scan) {
    const unsigned char *stop = memchr(scan->at, '\n', (size_t)carom_scan_left(scan));
    scan->at = stop ? stop + 1 : scan->end;
}

// To the next line with something on it that is no comment.
static void skip_comments(carom_scan *scan) {
    for (carom_scan_space(scan); carom_scan_left(scan) >= 2 && scan->at[0] == '*' && scan->at[1] == '*'; carom_scan_space(scan))
        next_line(scan);
}

// True at the begin of a line of data; false at a keyword or the end.
static bool data_line(carom_scan *scan) {
    skip_comments(scan);
    return scan->at < scan->end && *scan->at != '*';
}

static bool is_number(const carom_scan *scan) {
    return scan->at < scan->end && ((*scan->at >= '0' && *scan->at <= '9') || *scan->at == '-' || *scan->at == '+');
}

// A comma, or the end of the line.
static bool end_field(carom_scan *scan) {
    if (at_end_of_line(scan) || carom_scan_accept(scan, ","))
        return true;
    return carom_scan_expected(scan, "a comma");
}

static words trim(const char *text, size_t size) {
    while (size && (*text == ' ' || *text == '\t'))
        text++, size--;
    while (size && (text[size - 1] == ' ' || text[size - 1] == '\t'))
        size--;
    if (size >= 2 && text[0] == '"' && text[size - 1] == '"')
        text++, size -= 2;
    return (words){text, size};
}

static bool read_keyword(carom_scan *scan, keyword *k) {
    *k = (keyword){.place = scan->at};
    size_t size = 0;
    const char *text;
    size_t length;
    // a comma at the end of the line continues it, but no parameter begins like a number
    do {
        if (!carom_scan_rest(scan, &text, &length))
            break;
        if (size + length >= sizeof k->text)
            return carom_scan_fail(scan, k->place, "this keyword has more than %d characters", KEYWORD_MAX - 1);
        memcpy(k->text + size, text, length);
        size += length;
    } while (size && k->text[size - 1] == ',' && data_line(scan) && !is_number(scan));

    const char *at = k->text + 1, *end = k->text + size;
    for (int i = 0; at <= end; i++) {
        const char *comma = memchr(at, ',', (size_t)(end - at)), *last = comma ? comma : end;
        const char *equal = memchr(at, '=', (size_t)(last - at));
        words key = trim(at, (size_t)((equal ? equal : last) - at));
        words value = equal ? trim(equal + 1, (size_t)(last - equal - 1)) : (words){"", 0};
        if (i == 0) {
            k->name = key;
        } else if (key.size && k->count < PARAMETERS_MAX) {
            k->keys[k->count] = key;
            k->values[k->count++] = value;
        }
        at = last + 1;
    }
    return true;
}

static const words *parameter(const keyword *k, const char *key) {
    for (int i = 0; i < k->count; i++)
        if (carom_scan_same(k->keys[i].text, k->keys[i].size, key))
            return &k->values[i];
    return NULL;
}

static bool is(words w, const char *word) {
    return carom_scan_same(w.text, w.size, word);
}

// A number of a node or element: positive, within an int.
static bool read_id(carom_scan *scan, const char *what, int64_t *id) {
    if (at_end_of_line(scan))
        return carom_scan_expected(scan, what);
    const unsigned char *place = scan->at;
    if (!carom_scan_whole(scan, what, id))
        return false;
    if (*id < 1 || *id > INT_MAX)
        return carom_scan_fail(scan, place, "expected %s, a number from 1 to %d, found %lld", what, INT_MAX, (long long)*id);
    return true;
}

// The set that a keyword puts its data into; -1: none, -2 after a failure.
static int named_set(carom_inp *inp, const keyword *k, const char *key, bool cells) {
    const words *name = parameter(k, key);
    if (!name)
        return -1;
    if (name->size == 0) {
        carom_scan_fail(&inp->reader->scan, k->place, "expected a name after %s=", key);
        return -2;
    }
    int set = carom_inp_find_set(inp, name->text, name->size, cells, true, k->place);
    return set < 0 ? -2 : set;
}

static bool no_input(carom_inp *inp, const keyword *k) {
    return !parameter(k, "INPUT") ||
           carom_scan_fail(&inp->reader->scan, k->place, "data in another file (INPUT=) is not read; use *INCLUDE");
}

// ---- nodes ----

static bool add_number(carom_inp *inp, int64_t number) {
    if (!carom_inp_grow(inp, (void **)&inp->numbers, inp->number_count, &inp->number_capacity, sizeof *inp->numbers))
        return false;
    inp->numbers[inp->number_count++] = (int)number;
    return true;
}

static bool read_nodes(carom_inp *inp, const keyword *k) {
    carom_reader *reader = inp->reader;
    carom_scan *scan = &reader->scan;
    int set = named_set(inp, k, "NSET", false);
    carom_inp_part *part = set >= 0 ? carom_inp_add_part(inp, set, CAROM_INP_NUMBERS) : NULL;
    int64_t index = part ? part - inp->parts : -1;
    if (set == -2 || (set >= 0 && !part) || !no_input(inp, k) ||
        !carom_inp_grow(inp, (void **)&inp->blocks, inp->block_count, &inp->block_capacity, sizeof *inp->blocks))
        return false;
    inp->blocks[inp->block_count++] =
        (carom_inp_block){true, CAROM_CELL_POINT, reader->draft.node_count, inp->file, carom_scan_line(scan, k->place), 0, 0};
    while (data_line(scan)) {
        int64_t id;
        double x[3] = {0, 0, 0};
        if (!read_id(scan, "the number of a node", &id) || !end_field(scan))
            return false;
        // what is left out is zero
        for (int i = 0; i < 3 && !at_end_of_line(scan); i++) {
            if (*scan->at != ',' && !carom_scan_number(scan, "a coordinate", &x[i]))
                return false;
            if (!end_field(scan))
                return false;
        }
        if (!carom_reader_node_id(reader, id) || !carom_reader_node(reader, NULL, x))
            return false;
        if (index >= 0 && !add_number(inp, id))
            return false;
        if (index >= 0)
            inp->parts[index].count++;
        next_line(scan);
    }
    return true;
}

// ---- elements ----

static bool read_element(carom_inp *inp, const carom_inp_type *type) {
    carom_reader *reader = inp->reader;
    carom_scan *scan = &reader->scan;
    int64_t id, nodes[27];
    const unsigned char *place = scan->at;
    if (!read_id(scan, "the number of an element", &id) || !end_field(scan))
        return false;
    for (int i = 0; i < type->nodes; i++) {
        if (at_end_of_line(scan) && !data_line(scan))
            return carom_scan_fail(scan, place, "element %lld has %d nodes, expected %d", (long long)id, i, type->nodes);
        if (!read_id(scan, "the number of a node", &nodes[i]) || !end_field(scan))
            return false;
    }
    if (!at_end_of_line(scan))
        return carom_scan_fail(scan, NULL, "element %lld has more than %d nodes", (long long)id, type->nodes);
    int *corners = carom_reader_cell(reader, type->cell), size = carom_cell_size(type->cell);
    if (!corners || !carom_reader_cell_id(reader, type->cell, id))
        return false;
    // numbers for now; their indices are known at the end
    for (int i = 0; i < size; i++) {
        corners[i] = (int)nodes[type->corners[i]];
        nodes[type->corners[i]] = 0;
    }
    for (int i = 0; i < type->nodes; i++) {
        if (nodes[i] == 0)
            continue;
        if (!carom_inp_grow(inp, (void **)&inp->extra, inp->extra_count, &inp->extra_capacity, sizeof *inp->extra))
            return false;
        inp->extra[inp->extra_count++] = (int)nodes[i];
    }
    if (type->nodes > size)
        reader->draft.blocks[type->cell].reduced++;
    return true;
}

// Elements that carom has no cell for: sets may name them all the same. A comma at the end of a line continues it.
static bool skip_elements(carom_inp *inp, const keyword *k, words type, int dimension, int set) {
    carom_scan *scan = &inp->reader->scan;
    carom_inp_use *use = carom_inp_count_type(inp, type.text, type.size, dimension, false, carom_scan_line(scan, k->place));
    bool continued = false;
    while (data_line(scan)) {
        int64_t id;
        const char *text;
        size_t size;
        if (!continued) {
            if (!read_id(scan, "the number of an element", &id) ||
                !carom_inp_grow(inp, (void **)&inp->skipped, inp->skipped_count, &inp->skipped_capacity, sizeof *inp->skipped))
                return false;
            inp->skipped[inp->skipped_count++] = (int)id;
            use->count++;
            if (set >= 0)
                inp->sets[set].lacking = true;
        }
        continued = carom_scan_rest(scan, &text, &size) && size && text[size - 1] == ',';
    }
    return true;
}

static bool read_elements(carom_inp *inp, const keyword *k) {
    carom_scan *scan = &inp->reader->scan;
    const words *name = parameter(k, "TYPE");
    carom_inp_type type;
    if (!name)
        return carom_scan_fail(scan, k->place, "expected TYPE= after *ELEMENT");
    int set = named_set(inp, k, "ELSET", true);
    if (set == -2 || !no_input(inp, k))
        return false;
    int dimension;
    if (!carom_inp_find_type(name->text, name->size, &type, &dimension))
        return skip_elements(inp, k, *name, dimension, set);
    if (!carom_inp_grow(inp, (void **)&inp->blocks, inp->block_count, &inp->block_capacity, sizeof *inp->blocks))
        return false;
    int64_t begin = inp->reader->draft.blocks[type.cell].count;
    inp->blocks[inp->block_count++] = (carom_inp_block){.type = type.cell,
                                                        .begin = begin,
                                                        .file = inp->file,
                                                        .line = carom_scan_line(scan, k->place),
                                                        .extra = inp->extra_count,
                                                        .extras = type.nodes - carom_cell_size(type.cell)};
    while (data_line(scan)) {
        if (!read_element(inp, &type))
            return false;
        next_line(scan);
    }
    int64_t count = inp->reader->draft.blocks[type.cell].count - begin;
    carom_inp_count_type(inp, name->text, name->size, dimension, true, carom_scan_line(scan, k->place))->count += count;
    if (set < 0 || count == 0)
        return true;
    // cells that stand together; other sets may include them by name
    carom_inp_part *part = carom_inp_add_part(inp, set, CAROM_INP_NUMBERS);
    if (!part)
        return false;
    int64_t index = part - inp->parts;
    for (int64_t c = begin; c < begin + count; c++) {
        if (!add_number(inp, inp->reader->draft.blocks[type.cell].ids[c]))
            return false;
        inp->parts[index].count++;
    }
    return true;
}

// ---- sets and surfaces ----

static bool read_range(carom_inp *inp, int set) {
    carom_scan *scan = &inp->reader->scan;
    int64_t first, last, step = 1;
    const unsigned char *place = scan->at;
    if (!read_id(scan, "the first number of a range", &first) || !end_field(scan) ||
        !read_id(scan, "the last number of a range", &last) || !end_field(scan))
        return false;
    if (!at_end_of_line(scan) && (!read_id(scan, "the step of a range", &step) || !end_field(scan)))
        return false;
    if (last < first)
        return carom_scan_fail(scan, place, "expected a range that goes up, found %lld to %lld", (long long)first,
                               (long long)last);
    carom_inp_part *part = carom_inp_add_part(inp, set, CAROM_INP_RANGE);
    if (part)
        part->first = (int)first, part->last = (int)last, part->step = (int)step;
    return part;
}

static words read_word(carom_scan *scan) {
    const char *start = (const char *)scan->at;
    while (scan->at < scan->end && *scan->at != ',' && *scan->at != '\n')
        scan->at++;
    words w = trim(start, (size_t)((const char *)scan->at - start));
    while (w.size && w.text[w.size - 1] == '\r')
        w = trim(w.text, w.size - 1);
    return w;
}

// Numbers and names of sets, in any order.
static bool read_members(carom_inp *inp, int *set, bool cells) {
    carom_scan *scan = &inp->reader->scan;
    int64_t numbers = -1, number;
    while (!at_end_of_line(scan)) {
        if (*scan->at == ',') {
            scan->at++;
            continue;
        }
        if (is_number(scan)) {
            carom_inp_part *part = numbers < 0 ? carom_inp_add_part(inp, *set, CAROM_INP_NUMBERS) : &inp->parts[numbers];
            if (!part)
                return false;
            numbers = part - inp->parts;
            if (!read_id(scan, cells ? "the number of an element" : "the number of a node", &number) ||
                !add_number(inp, number))
                return false;
            inp->parts[numbers].count++;
        } else {
            words name = read_word(scan);
            int other = carom_inp_find_set(inp, name.text, name.size, cells, false, NULL);
            if (scan->status)
                return false;
            if (other < 0)
                return carom_scan_fail(scan, NULL, "there is no set '%.*s' above", name.size > 60 ? 60 : (int)name.size,
                                       name.text);
            // a set is made of those before it
            if (other > *set && (*set = carom_inp_renew_set(inp, *set)) < 0)
                return false;
            carom_inp_part *part = other == *set ? NULL : carom_inp_add_part(inp, *set, CAROM_INP_SET);
            if (part)
                part->set = other;
            else if (other != *set)
                return false;
            numbers = -1;
        }
        if (!end_field(scan))
            return false;
    }
    return true;
}

// The nodes of a set of elements.
static bool add_nodes_of(carom_inp *inp, const keyword *k, int set, words name) {
    int other = carom_inp_find_set(inp, name.text, name.size, true, false, NULL);
    if (other < 0)
        return carom_scan_fail(&inp->reader->scan, k->place, "there is no set of elements '%.*s' above",
                               name.size > 60 ? 60 : (int)name.size, name.text);
    carom_inp_part *part = carom_inp_add_part(inp, set, CAROM_INP_NODES_OF);
    if (part)
        part->set = other;
    return part;
}

static bool read_set(carom_inp *inp, const keyword *k, const char *key, bool cells) {
    carom_scan *scan = &inp->reader->scan;
    int set = named_set(inp, k, key, cells);
    if (set == -1)
        return carom_scan_fail(scan, k->place, "expected %s= after *%s", key, key);
    if (set < 0)
        return false;
    // a comma at the end of a keyword takes in the line below, which may have been meant as data
    for (int i = 0; i < k->count; i++)
        if (k->values[i].size == 0 && !is(k->keys[i], "GENERATE") && !is(k->keys[i], "UNSORTED") && !is(k->keys[i], "INTERNAL"))
            return carom_scan_fail(scan, k->place, "'%.*s' is no parameter of *%s",
                                   k->keys[i].size > 60 ? 60 : (int)k->keys[i].size, k->keys[i].text, key);
    const words *source = cells ? NULL : parameter(k, "ELSET");
    if (source && !add_nodes_of(inp, k, set, *source))
        return false;
    bool generate = parameter(k, "GENERATE");
    while (data_line(scan)) {
        if (!(generate ? read_range(inp, set) : read_members(inp, &set, cells)))
            return false;
        next_line(scan);
    }
    return true;
}

// S1 ... S6, SPOS, SNEG; 0 if it is none.
static int face_label(words w) {
    if (is(w, "SPOS"))
        return CAROM_INP_SPOS;
    if (is(w, "SNEG"))
        return CAROM_INP_SNEG;
    return w.size == 2 && (w.text[0] == 'S' || w.text[0] == 's') && w.text[1] >= '1' && w.text[1] <= '6' ? w.text[1] - '0' : 0;
}

// The set or number that a line of a surface begins with; false: a remark says that the line is passed over, or there is a failure.
static bool read_owner(carom_inp *inp, carom_inp_surface *s, words name) {
    carom_scan *scan = &inp->reader->scan;
    if (is_number(scan))
        return read_id(scan, s->nodes ? "the number of a node" : "the number of an element", &s->number);
    words set = read_word(scan);
    s->set = carom_inp_find_set(inp, set.text, set.size, !s->nodes, false, NULL);
    if (s->set >= 0)
        return true;
    int shown = set.size > 60 ? 60 : (int)set.size;
    if (!memchr(set.text, '.', set.size))
        return carom_scan_fail(scan, NULL, "there is no set '%.*s' above", shown, set.text);
    carom_inp_warn(inp, inp->file, s->line, "surface '%.*s': '%.*s' of an instance is not read",
                   name.size > 60 ? 60 : (int)name.size, name.text, shown, set.text);
    return false;
}

static bool skip_surface(carom_inp *inp, const keyword *k, words name, const char *why) {
    carom_scan *scan = &inp->reader->scan;
    carom_reader_warn(inp->reader, k->place, "surface '%.*s' is not read: %s", name.size > 60 ? 60 : (int)name.size, name.text,
                      why);
    while (data_line(scan))
        next_line(scan);
    return true;
}

static bool read_surface(carom_inp *inp, const keyword *k) {
    carom_scan *scan = &inp->reader->scan;
    const words *name = parameter(k, "NAME"), *type = parameter(k, "TYPE");
    if (!name || name->size == 0)
        return carom_scan_fail(scan, k->place, "expected NAME= after *SURFACE");
    bool nodes = type && is(*type, "NODE");
    if (type && !nodes && !is(*type, "ELEMENT"))
        return skip_surface(inp, k, *name, "it is neither of elements nor of nodes");
    if (parameter(k, "COMBINE") || parameter(k, "CROP"))
        return skip_surface(inp, k, *name, "it is made of other surfaces");
    int entry = carom_inp_find_name(inp, name->text, name->size, true, k->place);
    if (entry < 0)
        return false;
    while (data_line(scan)) {
        carom_inp_surface s = {.group = inp->names[entry].group, .nodes = nodes, .number = -1, .file = inp->file};
        s.line = carom_scan_line(scan, scan->at);
        bool owned = read_owner(inp, &s, *name);
        if (scan->status || !end_field(scan))
            return false;
        carom_scan_blank(scan);
        words label = nodes || !owned ? (words){"", 0} : read_word(scan);
        if (owned && !nodes && label.size == 0) {
            carom_inp_warn(inp, inp->file, s.line,
                           "surface '%.*s': the free surface of elements is not read, name faces (S1 to S6)",
                           name->size > 60 ? 60 : (int)name->size, name->text);
            owned = false;
        }
        if (owned && !nodes && !(s.label = face_label(label)))
            return carom_scan_fail(scan, NULL, "expected a face of the elements (S1 to S6, SPOS, SNEG)");
        if (owned && !carom_inp_grow(inp, (void **)&inp->surfaces, inp->surface_count, &inp->surface_capacity, sizeof s))
            return false;
        if (owned)
            inp->surfaces[inp->surface_count++] = s;
        next_line(scan);
    }
    return true;
}

// ---- other keywords ----

// One instance that stays where its part is can be read as the part itself.
static bool read_instance(carom_inp *inp, const keyword *k) {
    carom_scan *scan = &inp->reader->scan;
    if (inp->have_instance)
        return carom_scan_fail(scan, k->place, "a second *INSTANCE: carom reads decks with one instance");
    inp->have_instance = true;
    bool stays = true;
    for (int line = 0; data_line(scan); line++) {
        stays = stays && line == 0;
        for (int i = 0; line == 0 && i < 3 && !at_end_of_line(scan); i++) {
            double x = 0;
            if ((*scan->at != ',' && !carom_scan_number(scan, "a component of a translation", &x)) || !end_field(scan))
                return false;
            stays = stays && x == 0;
        }
        next_line(scan);
    }
    return stays ||
           carom_scan_fail(scan, k->place,
                           "this *INSTANCE moves or turns its part, which carom does not read (place the body in the scene)");
}

static bool include(carom_inp *inp, const keyword *k) {
    const words *input = parameter(k, "INPUT");
    if (!input || input->size == 0)
        return carom_scan_fail(&inp->reader->scan, k->place, "expected INPUT= after *INCLUDE");
    return carom_inp_include(inp, input->text, input->size, k->place);
}

static bool ignore(carom_inp *inp, const keyword *k) {
    static const char *const silent[] = {"HEADING", "PREPRINT", "PART", "END PART", "ASSEMBLY", "END ASSEMBLY", "END INSTANCE"};
    static const char *const needed[] = {"NGEN", "NFILL", "NCOPY", "ELGEN", "ELCOPY", "SYSTEM", "SUBSTRUCTURE GENERATE"};
    carom_scan *scan = &inp->reader->scan;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (is(k->name, needed[i]))
            return carom_scan_fail(scan, k->place, "*%s makes part of the mesh, but carom does not read it", needed[i]);
    bool mention = true;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        mention = mention && !is(k->name, silent[i]);
    char name[40] = {0};
    for (size_t i = 0; i < k->name.size && i < sizeof name - 1; i++)
        name[i] = k->name.text[i] >= 'a' && k->name.text[i] <= 'z'   ? (char)(k->name.text[i] - 32)
                  : k->name.text[i] >= ' ' && k->name.text[i] <= '~' ? k->name.text[i]
                                                                     : '?';
    uint64_t hash = carom_hash(CAROM_HASH_START, name, sizeof name);
    for (int64_t i = 0; mention && i < inp->warned_count; i++)
        mention = inp->warned[i] != hash;
    if (mention && inp->warned_count < REMARKS_MAX) {
        if (!carom_inp_grow(inp, (void **)&inp->warned, inp->warned_count, &inp->warned_capacity, sizeof *inp->warned))
            return false;
        inp->warned[inp->warned_count++] = hash;
        carom_reader_warn(inp->reader, k->place, "*%s is ignored", name);
    }
    while (data_line(scan))
        next_line(scan);
    return true;
}

bool carom_inp_read_deck(carom_inp *inp) {
    carom_scan *scan = &inp->reader->scan;
    for (skip_comments(scan); scan->at < scan->end; skip_comments(scan)) {
        keyword k;
        if (*scan->at != '*')
            return carom_scan_expected(scan, "a keyword (*NODE, *ELEMENT, ...)");
        if (!read_keyword(scan, &k))
            return false;
        bool good = is(k.name, "NODE")       ? read_nodes(inp, &k)
                    : is(k.name, "ELEMENT")  ? read_elements(inp, &k)
                    : is(k.name, "NSET")     ? read_set(inp, &k, "NSET", false)
                    : is(k.name, "ELSET")    ? read_set(inp, &k, "ELSET", true)
                    : is(k.name, "SURFACE")  ? read_surface(inp, &k)
                    : is(k.name, "INCLUDE")  ? include(inp, &k)
                    : is(k.name, "INSTANCE") ? read_instance(inp, &k)
                                             : ignore(inp, &k);
        if (!good)
            return false;
    }
    return true;
}

bool carom_read_inp(carom_reader *reader) {
    carom_inp inp = {.reader = reader, .node_map = {.high = -1}, .cell_map = {.high = -1}};
    bool good =
        carom_inp_add_file(&inp, reader->scan.name, reader->path) && carom_inp_read_deck(&inp) && carom_inp_resolve(&inp);
    for (int64_t i = 0; i < inp.file_count; i++)
        free(inp.files[i].name);
    for (int64_t i = 0; i < inp.name_count; i++)
        free(inp.names[i].text);
    for (int64_t i = 0; i < inp.set_count; i++)
        free(inp.sets[i].members);
    free(inp.files);
    free(inp.blocks);
    free(inp.extra);
    free(inp.skipped);
    free(inp.names);
    free(inp.slots);
    free(inp.sets);
    free(inp.parts);
    free(inp.numbers);
    free(inp.surfaces);
    free(inp.warned);
    carom_id_map_release(&inp.node_map);
    carom_id_map_release(&inp.cell_map);
    return good;
}
