// SPDX-License-Identifier: MIT
// Decks of Abaqus and CalculiX (.inp): lines that begin with a star are keywords with parameters, the lines below are their data. Nodes,
// elements, sets and surfaces are read; other keywords are passed over with one remark each. Numbers may be used before they are defined, so
// they are looked up at the end (inp_sets.c).
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "mesh/inp.h"
#include "mesh/read.h"

enum { DEPTH_MAX = 8, INCLUDES_MAX = 256, PARAMETERS_MAX = 16, KEYWORD_MAX = 1024 };

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

static bool read_deck(carom_inp *inp);

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
        scan->status = carom_fail(scan->error, CAROM_BAD_INPUT, "%s:%lld: %s", inp->files[file], (long long)line, message);
    return false;
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
    // a comma at the end of the line continues it
    do {
        if (!carom_scan_rest(scan, &text, &length))
            break;
        if (size + length >= sizeof k->text)
            return carom_scan_fail(scan, k->place, "this keyword has more than %d characters", KEYWORD_MAX - 1);
        memcpy(k->text + size, text, length);
        size += length;
    } while (size && k->text[size - 1] == ',' && data_line(scan));

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
    int set = carom_inp_find_set(inp, name->text, name->size, cells, true);
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
        (carom_inp_block){true, CAROM_CELL_POINT, reader->draft.node_count, inp->file, carom_scan_line(scan, k->place)};
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

typedef struct element_type {
    carom_cell_type cell;
    int nodes, corners[CAROM_CELL_NODES_MAX];
} element_type;

// "C3D10M": the letters tell the family, the number the nodes, the rest the formulation.
static bool find_type(words name, element_type *type) {
    static const struct {
        const char *prefix;
        int dimension;
    } families[] = {{"C3D", 3}, {"DC3D", 3}, {"AC3D", 3}, {"F3D", 3}, {"SC", 3},  {"CPEG", 2},  {"CPS", 2},  {"CPE", 2},
                    {"CAX", 2}, {"DCAX", 2}, {"DC2D", 2}, {"M3D", 2}, {"R3D", 2}, {"SFM3D", 2}, {"STRI", 2}, {"DS", 2},
                    {"S", 2},   {"T3D", 1},  {"T2D", 1},  {"B3", 1},  {"B2", 1},  {"MASS", 0}};
    static const struct {
        int dimension, nodes;
        carom_cell_type cell;
    } shapes[] = {{0, 1, CAROM_CELL_POINT}, {1, 2, CAROM_CELL_LINE2}, {1, 3, CAROM_CELL_LINE2}, {2, 3, CAROM_CELL_TRI3},
                  {2, 6, CAROM_CELL_TRI3},  {2, 7, CAROM_CELL_TRI3},  {2, 4, CAROM_CELL_QUAD4}, {2, 8, CAROM_CELL_QUAD4},
                  {2, 9, CAROM_CELL_QUAD4}, {3, 4, CAROM_CELL_TET4},  {3, 10, CAROM_CELL_TET4}, {3, 8, CAROM_CELL_HEX8},
                  {3, 20, CAROM_CELL_HEX8}, {3, 27, CAROM_CELL_HEX8}};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        size_t size = strlen(families[f].prefix);
        if (name.size < size || strncasecmp(name.text, families[f].prefix, size) != 0)
            continue;
        int nodes = 0, dimension = families[f].dimension;
        for (size_t i = size; i < name.size && name.text[i] >= '0' && name.text[i] <= '9' && nodes < 100; i++)
            nodes = 10 * nodes + (name.text[i] - '0');
        // STRI65 has six nodes, B32 three, B31 and B33 two
        if (nodes == 65)
            nodes = 6;
        if (dimension == 1 && families[f].prefix[0] == 'B')
            nodes = nodes == 2 ? 3 : 2;
        if (dimension == 0)
            nodes = 1;
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            if (shapes[s].dimension != dimension || shapes[s].nodes != nodes)
                continue;
            *type = (element_type){.cell = shapes[s].cell, .nodes = nodes};
            for (int i = 0; i < carom_cell_size(type->cell); i++)
                type->corners[i] = i;
            // the middle of a line comes between its ends
            if (dimension == 1 && nodes == 3)
                type->corners[1] = 2;
            return true;
        }
    }
    return false;
}

static bool read_element(carom_inp *inp, const element_type *type) {
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
        reader->draft.reduced++;
    return true;
}

static bool read_elements(carom_inp *inp, const keyword *k) {
    carom_scan *scan = &inp->reader->scan;
    const words *name = parameter(k, "TYPE");
    element_type type;
    if (!name)
        return carom_scan_fail(scan, k->place, "expected TYPE= after *ELEMENT");
    if (!find_type(*name, &type))
        return carom_scan_fail(scan, k->place, "carom has no cell for elements of type %.*s",
                               name->size > 24 ? 24 : (int)name->size, name->text);
    int set = named_set(inp, k, "ELSET", true);
    if (set == -2 || !no_input(inp, k) ||
        !carom_inp_grow(inp, (void **)&inp->blocks, inp->block_count, &inp->block_capacity, sizeof *inp->blocks))
        return false;
    int64_t begin = inp->reader->draft.blocks[type.cell].count;
    inp->blocks[inp->block_count++] = (carom_inp_block){false, type.cell, begin, inp->file, carom_scan_line(scan, k->place)};
    while (data_line(scan)) {
        if (!read_element(inp, &type))
            return false;
        next_line(scan);
    }
    int64_t count = inp->reader->draft.blocks[type.cell].count - begin;
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

static bool is_number(const carom_scan *scan) {
    return scan->at < scan->end && ((*scan->at >= '0' && *scan->at <= '9') || *scan->at == '-' || *scan->at == '+');
}

// Numbers and names of sets, in any order.
static bool read_members(carom_inp *inp, int set, bool cells) {
    carom_scan *scan = &inp->reader->scan;
    int64_t numbers = -1, number;
    while (!at_end_of_line(scan)) {
        if (*scan->at == ',') {
            scan->at++;
            continue;
        }
        if (is_number(scan)) {
            carom_inp_part *part = numbers < 0 ? carom_inp_add_part(inp, set, CAROM_INP_NUMBERS) : &inp->parts[numbers];
            if (!part)
                return false;
            numbers = part - inp->parts;
            if (!read_id(scan, cells ? "the number of an element" : "the number of a node", &number) ||
                !add_number(inp, number))
                return false;
            inp->parts[numbers].count++;
        } else {
            words name = read_word(scan);
            int other = carom_inp_find_set(inp, name.text, name.size, cells, false);
            if (scan->status)
                return false;
            if (other < 0 || other >= set)
                return carom_scan_fail(scan, NULL, "there is no set '%.*s' above", name.size > 60 ? 60 : (int)name.size,
                                       name.text);
            carom_inp_part *part = carom_inp_add_part(inp, set, CAROM_INP_SET);
            if (!part)
                return false;
            part->set = other;
            numbers = -1;
        }
        if (!end_field(scan))
            return false;
    }
    return true;
}

static bool read_set(carom_inp *inp, const keyword *k, const char *key, bool cells) {
    carom_scan *scan = &inp->reader->scan;
    int set = named_set(inp, k, key, cells);
    if (set == -1)
        return carom_scan_fail(scan, k->place, "expected %s= after *%s", key, key);
    if (set < 0)
        return false;
    bool generate = parameter(k, "GENERATE");
    while (data_line(scan)) {
        if (!(generate ? read_range(inp, set) : read_members(inp, set, cells)))
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

static bool read_surface(carom_inp *inp, const keyword *k) {
    carom_scan *scan = &inp->reader->scan;
    const words *name = parameter(k, "NAME"), *type = parameter(k, "TYPE");
    if (!name || name->size == 0)
        return carom_scan_fail(scan, k->place, "expected NAME= after *SURFACE");
    bool nodes = type && is(*type, "NODE");
    int group = carom_reader_group(inp->reader, name->text, name->size);
    if (group < 0)
        return false;
    while (data_line(scan)) {
        carom_inp_surface s = {.group = group, .nodes = nodes, .number = -1, .file = inp->file};
        s.line = carom_scan_line(scan, scan->at);
        if (is_number(scan)) {
            if (!read_id(scan, nodes ? "the number of a node" : "the number of an element", &s.number))
                return false;
        } else {
            words set = read_word(scan);
            s.set = carom_inp_find_set(inp, set.text, set.size, !nodes, false);
            if (scan->status)
                return false;
            if (s.set < 0)
                return carom_scan_fail(scan, NULL, "there is no set '%.*s' above", set.size > 60 ? 60 : (int)set.size,
                                       set.text);
        }
        if (!end_field(scan))
            return false;
        carom_scan_blank(scan);
        if (!nodes && !(s.label = face_label(read_word(scan))))
            return carom_scan_fail(scan, NULL, "expected a face of the elements (S1 to S6, SPOS, SNEG)");
        if (!carom_inp_grow(inp, (void **)&inp->surfaces, inp->surface_count, &inp->surface_capacity, sizeof s))
            return false;
        inp->surfaces[inp->surface_count++] = s;
        next_line(scan);
    }
    return true;
}

// ---- files ----

static bool add_file(carom_inp *inp, const char *name) {
    if (!carom_inp_grow(inp, (void **)&inp->files, inp->file_count, &inp->file_capacity, sizeof *inp->files))
        return false;
    char *copy = strdup(name);
    if (!copy)
        return carom_scan_no_memory(&inp->reader->scan);
    inp->files[inp->file_count++] = copy;
    return true;
}

static bool include(carom_inp *inp, const keyword *k) {
    carom_reader *reader = inp->reader;
    carom_scan *scan = &reader->scan;
    const words *input = parameter(k, "INPUT");
    if (!input || input->size == 0)
        return carom_scan_fail(scan, k->place, "expected INPUT= after *INCLUDE");
    if (!reader->path)
        return carom_scan_fail(scan, k->place, "*INCLUDE needs a deck that is read from a file");
    if (inp->depth == DEPTH_MAX || inp->file_count == INCLUDES_MAX)
        return carom_scan_fail(scan, k->place,
                               inp->depth == DEPTH_MAX ? "files include each other more than %d deep"
                                                       : "more than %d files are included",
                               inp->depth == DEPTH_MAX ? DEPTH_MAX : INCLUDES_MAX);

    // beside the deck itself, whoever includes
    const char *slash = strrchr(reader->path, '/');
    int folder = slash && input->text[0] != '/' ? (int)(slash + 1 - reader->path) : 0;
    char path[CAROM_TEXT_MAX + KEYWORD_MAX];
    if (snprintf(path, sizeof path, "%.*s%.*s", folder, reader->path, (int)input->size, input->text) >= (int)sizeof path)
        return carom_scan_fail(scan, k->place, "the path of the included file is too long");
    unsigned char *bytes;
    size_t size;
    carom_error reason;
    if (carom_read_bytes(path, &bytes, &size, &reason))
        return carom_scan_fail(scan, k->place, "%s", reason.message);

    carom_scan outer = *scan;
    int outer_file = inp->file;
    bool good = add_file(inp, path);
    if (good) {
        inp->file = (int)inp->file_count - 1;
        inp->depth++;
        *scan = carom_scan_start(inp->files[inp->file], bytes, size, outer.error);
        good = read_deck(inp);
        outer.status = scan->status;
        inp->depth--;
        inp->file = outer_file;
    }
    if (!good && !outer.status)
        outer.status = scan->status;
    *scan = outer;
    free(bytes);
    return good;
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
    if (mention && inp->warned_count < INCLUDES_MAX) {
        if (!carom_inp_grow(inp, (void **)&inp->warned, inp->warned_count, &inp->warned_capacity, sizeof *inp->warned))
            return false;
        inp->warned[inp->warned_count++] = hash;
        carom_reader_warn(inp->reader, k->place, "*%s is ignored", name);
    }
    while (data_line(scan))
        next_line(scan);
    return true;
}

static bool read_deck(carom_inp *inp) {
    carom_scan *scan = &inp->reader->scan;
    for (skip_comments(scan); scan->at < scan->end; skip_comments(scan)) {
        keyword k;
        if (*scan->at != '*')
            return carom_scan_expected(scan, "a keyword (*NODE, *ELEMENT, ...)");
        if (!read_keyword(scan, &k))
            return false;
        bool good = is(k.name, "NODE")      ? read_nodes(inp, &k)
                    : is(k.name, "ELEMENT") ? read_elements(inp, &k)
                    : is(k.name, "NSET")    ? read_set(inp, &k, "NSET", false)
                    : is(k.name, "ELSET")   ? read_set(inp, &k, "ELSET", true)
                    : is(k.name, "SURFACE") ? read_surface(inp, &k)
                    : is(k.name, "INCLUDE") ? include(inp, &k)
                                            : ignore(inp, &k);
        if (!good)
            return false;
    }
    return true;
}

bool carom_read_inp(carom_reader *reader) {
    carom_inp inp = {.reader = reader, .node_map = {.high = -1}, .cell_map = {.high = -1}};
    bool good = add_file(&inp, reader->scan.name) && read_deck(&inp) && carom_inp_resolve(&inp);
    for (int64_t i = 0; i < inp.file_count; i++)
        free(inp.files[i]);
    for (int64_t i = 0; i < inp.set_count; i++)
        free(inp.sets[i].members);
    free(inp.files);
    free(inp.blocks);
    free(inp.extra);
    free(inp.sets);
    free(inp.parts);
    free(inp.numbers);
    free(inp.surfaces);
    free(inp.warned);
    carom_id_map_release(&inp.node_map);
    carom_id_map_release(&inp.cell_map);
    return good;
}
