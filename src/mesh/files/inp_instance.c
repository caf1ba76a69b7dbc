// SPDX-License-Identifier: MIT
// Reads parts and instances of an Abaqus deck. A part is a mesh with numbers and names of its own; *INSTANCE puts a copy of it
// into the assembly, moved and then rotated. The text of a part is stored and read when an instance uses it. Numbers of the
// first instance stay as they are; those of later ones are raised by a multiple of a power of ten: node 17 of the second
// instance of a part of 812 nodes is node 1017. With several instances the sets of each are called INSTANCE.SET. Nodes of the
// assembly itself (reference points) have numbers above 10^9. In a deck that has parts but no instance, every part is one.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/platform.h"
#include "math/functions.h"
#include "mesh/files/inp.h"
#include "mesh/files/inp_keyword.h"

enum { ASSEMBLY = 1000000000 }; // added to numbers of the assembly

// Counts the lines that begin with a keyword.
static int count_keyword(const carom_scan *scan, const char *keyword) {
    int count = 0;
    size_t size = strlen(keyword);
    for (const unsigned char *at = scan->at; at && at < scan->end;) {
        if ((size_t)(scan->end - at) >= size && strncasecmp((const char *)at, keyword, size) == 0)
            count += (size_t)(scan->end - at) == size || strchr(", \t\r\n", at[size]) != NULL;
        at = memchr(at, '\n', (size_t)(scan->end - at));
        at = at ? at + 1 : NULL;
    }
    return count;
}

void carom_inp_count_instances(carom_inp *inp) {
    int instances = count_keyword(&inp->reader->scan, "*INSTANCE"), parts = count_keyword(&inp->reader->scan, "*PART");
    inp->has_instances = instances > 0;
    inp->several = (instances ? instances : parts) > 1;
    inp->instance = -1;
}

// The present offset of numbers.
static int64_t offset_of(const carom_inp *inp) {
    if (inp->instance >= 0)
        return inp->instances[inp->instance].offset;
    // Numbers of the assembly. Hand-written decks with one instance refer to its nodes as if there were no instance.
    return inp->instance_count && (inp->several || inp->assembly_nodes) ? ASSEMBLY : 0;
}

bool carom_inp_read_number(carom_inp *inp, const char *what, int64_t *number) {
    carom_scan *scan = &inp->reader->scan;
    const unsigned char *place = scan->at;
    if (!carom_inp_read_id(scan, what, number))
        return false;
    *number += offset_of(inp);
    if (*number > INT_MAX || (inp->instance >= 0 && inp->instance_count > 1 && *number >= ASSEMBLY))
        return carom_scan_fail(scan, place, "the numbers of all instances together exceed %d", ASSEMBLY);
    if (inp->instance >= 0 && *number > inp->top)
        inp->top = *number;
    return true;
}

int carom_inp_find_instance(const carom_inp *inp, carom_words name) {
    for (int i = 0; i < (int)inp->instance_count; i++)
        if (carom_scan_same(name, inp->instances[i].name))
            return i;
    return -1;
}

// The offset of the next instance: a multiple of a power of ten above all numbers so far. The power is that of the largest
// instance, not of all numbers: 1000, 2000, ... instead of 1000, 10000.
static int64_t next_offset(const carom_inp *inp) {
    int64_t largest = 0, power = 10;
    for (int64_t i = 0; i < inp->instance_count; i++) {
        int64_t end = i + 1 < inp->instance_count ? inp->instances[i + 1].offset : inp->top;
        largest = end - inp->instances[i].offset > largest ? end - inp->instances[i].offset : largest;
    }
    while (power < largest)
        power *= 10;
    return (inp->top + power - 1) / power * power;
}

// From here on numbers and names are those of an instance.
static bool begin_instance(carom_inp *inp, carom_words name, const unsigned char *place) {
    carom_scan *scan = &inp->reader->scan;
    if (carom_inp_find_instance(inp, name) >= 0)
        return carom_scan_fail(scan, place, "a second instance has the name '%.*s'", CAROM_INP_SHOWN(name));
    if (!carom_reader_grow(inp->reader, (void **)&inp->instances, inp->instance_count, &inp->instance_capacity,
                           sizeof *inp->instances))
        return false;
    carom_inp_instance instance = {.name = strndup(name.text, name.size), .offset = next_offset(inp), .place = inp->moving};
    if (!instance.name)
        return carom_scan_no_memory(scan);
    instance.line = carom_scan_line(scan, place);
    inp->instances[inp->instance_count] = instance;
    inp->instance = (int)inp->instance_count++;
    return true;
}

// All elements of an instance are a set under its name, unless that name is taken.
bool carom_inp_end_instance(carom_inp *inp) {
    if (inp->instance < 0)
        return true;
    carom_inp_instance *instance = &inp->instances[inp->instance];
    inp->instance = -1;
    inp->moving = (carom_inp_motion){0};
    if (inp->top <= instance->offset)
        return true;
    const char *group = inp->reader->def->group;
    if (instance->offset && !(group && *group))
        carom_inp_warn(inp, inp->file, instance->line, "instance '%.60s': its numbers are those of the part plus %lld",
                       instance->name, (long long)instance->offset);
    carom_words name = carom_words_of(instance->name);
    if (name.size == 0 || carom_inp_find_set(inp, name, true, false, NULL) >= 0)
        return true;
    int set = carom_inp_find_set(inp, name, true, true, inp->reader->scan.at);
    carom_inp_part *part = set < 0 ? NULL : carom_inp_add_part(inp, set, CAROM_INP_RANGE);
    if (!part)
        return false;
    part->first = (int)instance->offset + 1, part->last = (int)inp->top, part->step = 1;
    return true;
}

// The name by which a set is known in the whole deck.
carom_words carom_inp_qualify(const carom_inp *inp, carom_words name, char buffer[CAROM_INP_KEYWORD_MAX]) {
    if (inp->instance >= 0 && inp->several) {
        int length = snprintf(buffer, CAROM_INP_KEYWORD_MAX, "%.200s.%.*s", inp->instances[inp->instance].name,
                              name.size > 800 ? 800 : (int)name.size, name.text);
        return (carom_words){buffer, (size_t)length};
    }
    // "Instance.Set" where there is one instance, whose sets have plain names.
    const char *dot = memchr(name.text, '.', name.size);
    size_t before = dot ? (size_t)(dot - name.text) : 0;
    if (dot && !inp->several && carom_inp_find_instance(inp, (carom_words){name.text, before}) >= 0)
        return (carom_words){dot + 1, name.size - before - 1};
    return name;
}

// *PART: stored up to *END PART, or read as an instance.
bool carom_inp_read_part(carom_inp *inp, const carom_inp_keyword *k) {
    carom_scan *scan = &inp->reader->scan;
    const carom_words *name = carom_inp_parameter(k, "NAME");
    if (inp->instance >= 0)
        return carom_scan_fail(scan, k->place, "*PART within another part or an instance");
    carom_words called = name ? *name : (carom_words){"", 0};
    if (!inp->has_instances)
        return begin_instance(inp, called, k->place);
    if (!carom_reader_grow(inp->reader, (void **)&inp->regions, inp->region_count, &inp->region_capacity, sizeof *inp->regions))
        return false;
    carom_inp_region region = {.name = strndup(called.text, called.size), .file = inp->file, .begin = scan->at};
    if (!region.name)
        return carom_scan_no_memory(scan);
    inp->regions[inp->region_count] = region;
    carom_inp_region *kept = &inp->regions[inp->region_count++];
    while (scan->at < scan->end) {
        carom_inp_keyword inner;
        kept->end = scan->at;
        if (*scan->at == '*' && carom_scan_left(scan) > 1 && scan->at[1] != '*') {
            if (!carom_inp_read_keyword(scan, &inner))
                return false;
            if (carom_scan_same(inner.name, "END PART"))
                return true;
        } else {
            carom_scan_next_line(scan);
        }
    }
    return carom_scan_fail(scan, k->place, "*PART is not closed by *END PART");
}

// Rodrigues' formula for a rotation about the axis from a to b: x' = a + r cos + (e x r) sin + e (e . r)(1 - cos), r = x - a.
void carom_inp_place_node(const carom_inp *inp, double x[3]) {
    if (inp->instance < 0)
        return;
    const carom_inp_motion *m = &inp->instances[inp->instance].place;
    double r[3], across[3], along = 0;
    for (int i = 0; i < 3; i++)
        x[i] += m->translation[i];
    if (!m->turns)
        return;
    for (int i = 0; i < 3; i++) {
        r[i] = x[i] - m->point[i];
        along += m->axis[i] * r[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        across[i] = m->axis[j] * r[k] - m->axis[k] * r[j];
    }
    for (int i = 0; i < 3; i++)
        x[i] = m->point[i] + r[i] * m->cosine + across[i] * m->sine + m->axis[i] * along * (1 - m->cosine);
}

// Quarter turns are exact.
static void set_angle(carom_inp_motion *m, double degrees) {
    double quarters = degrees / 90;
    static const double sines[4] = {0, 1, 0, -1};
    if (quarters == (double)(int64_t)quarters && quarters > -1e6 && quarters < 1e6) {
        int turn = (int)(((int64_t)quarters % 4 + 4) % 4);
        m->sine = sines[turn];
        m->cosine = sines[(turn + 1) % 4];
        return;
    }
    double angle = degrees * (3.14159265358979323846 / 180);
    m->sine = carom_sin(angle);
    m->cosine = carom_cos(angle);
}

// Up to `count` numbers of a data line; those left out are zero.
static bool read_row(carom_scan *scan, const char *what, double *row, int count) {
    for (int i = 0; i < count && !carom_inp_at_end_of_line(scan); i++)
        if ((*scan->at != ',' && !carom_scan_number(scan, what, &row[i])) || !carom_inp_end_field(scan))
            return false;
    return true;
}

// The first data line is a translation; the second one two points of an axis and an angle in degrees.
static bool read_motion(carom_inp *inp, carom_inp_motion *m) {
    carom_scan *scan = &inp->reader->scan;
    *m = (carom_inp_motion){0};
    for (int line = 0; line < 2 && carom_inp_data_line(scan); line++) {
        const unsigned char *place = scan->at;
        double row[7] = {0}, length = 0;
        if (!read_row(scan, line ? "a number of a rotation" : "a component of a translation", row, line ? 7 : 3))
            return false;
        if (line == 0)
            memcpy(m->translation, row, sizeof m->translation);
        for (int i = 0; line == 1 && i < 3; i++) {
            m->point[i] = row[i];
            m->axis[i] = row[3 + i] - row[i];
            length += m->axis[i] * m->axis[i];
        }
        if (line == 1 && !(length > 0))
            return carom_scan_fail(scan, place, "expected two points of an axis of rotation, found the same point twice");
        for (int i = 0; line == 1 && i < 3; i++)
            m->axis[i] /= sqrt(length);
        m->turns = line == 1;
        if (line == 1)
            set_angle(m, row[6]);
        carom_scan_next_line(scan);
    }
    return true;
}

// Reads the text of a part, as part of the instance that has begun.
static bool read_region(carom_inp *inp, const carom_inp_region *region) {
    carom_scan *scan = &inp->reader->scan, outer = *scan;
    int file = inp->file;
    const unsigned char *begin = region->begin, *end = region->end;
    // The part may be in a file that was included; its bytes are kept for this.
    if (region->file != file) {
        const carom_inp_file *from = &inp->files[region->file];
        *scan = carom_scan_start(from->name, from->bytes, from->size, outer.error);
    }
    scan->at = begin, scan->end = end;
    inp->file = region->file;
    bool good = carom_inp_read_deck(inp);
    inp->file = file;
    outer.status = scan->status;
    *scan = outer;
    return good;
}

bool carom_inp_read_instance(carom_inp *inp, const carom_inp_keyword *k) {
    carom_scan *scan = &inp->reader->scan;
    const carom_words *name = carom_inp_parameter(k, "NAME"), *part = carom_inp_parameter(k, "PART");
    if (!name || name->size == 0)
        return carom_scan_fail(scan, k->place, "expected NAME= after *INSTANCE");
    if (inp->instance >= 0)
        return carom_scan_fail(scan, k->place, "*INSTANCE within a part or another instance");
    int found = -1;
    for (int i = 0; part && i < inp->region_count; i++)
        if (carom_scan_same(*part, inp->regions[i].name))
            found = i;
    if (part && found < 0)
        return carom_scan_fail(scan, k->place, "there is no *PART '%.*s' above", CAROM_INP_SHOWN(*part));
    carom_inp_motion motion;
    if (!read_motion(inp, &motion))
        return false;
    inp->moving = motion;
    return begin_instance(inp, *name, k->place) && (found < 0 || read_region(inp, &inp->regions[found]));
}
