// SPDX-License-Identifier: MIT
// Reads decks of Abaqus and CalculiX (.inp). Nodes, elements, sets and surfaces are read; other keywords are skipped with one
// remark each. Numbers may be used before they are defined, so they are resolved at the end (inp_sets.c). The keywords follow
// the Abaqus Keywords Reference Guide; Abaqus/CAE, Gmsh and most preprocessors write them.
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/inp.h"
#include "mesh/files/inp_keyword.h"

enum { REMARKS_MAX = 256 }; // different ignored keywords that are recorded for a remark

// Failures and remarks found after reading, when the cursor is no longer at the line.
bool carom_inp_fail(carom_inp *inp, int file, int64_t line, const char *format, ...) {
    carom_scan *scan = &inp->reader->scan;
    carom_error message;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.message, sizeof message.message, format, arguments);
    va_end(arguments);
    if (!scan->status)
        scan->status =
            carom_fail(scan->error, CAROM_BAD_INPUT, "%s:%lld: %s", inp->files[file].name, (long long)line, message.message);
    return false;
}

void carom_inp_warn(carom_inp *inp, int file, int64_t line, const char *format, ...) {
    const carom_mesh_read_def *def = inp->reader->def;
    carom_error message, whole;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.message, sizeof message.message, format, arguments);
    va_end(arguments);
    carom_fail(&whole, CAROM_OK, "%s:%lld: %s", inp->files[file].name, (long long)line, message.message);
    if (def->warn)
        def->warn(def->context, whole.message);
}

// The set that a keyword adds its data to; -1 if there is none, -2 after a failure.
static int named_set(carom_inp *inp, const carom_inp_keyword *k, const char *key, bool cells) {
    const carom_words *name = carom_inp_parameter(k, key);
    if (!name)
        return -1;
    if (name->size == 0) {
        carom_scan_fail(&inp->reader->scan, k->place, "expected a name after %s=", key);
        return -2;
    }
    // In Abaqus a set of nodes and a set of elements may have the same name.
    int set = carom_inp_find_set(inp, *name, cells, true, k->place);
    return set < 0 ? -2 : set;
}

// Fails for a keyword with INPUT=file, whose data lines are in another file.
static bool no_input(carom_inp *inp, const carom_inp_keyword *k) {
    return !carom_inp_parameter(k, "INPUT") ||
           carom_scan_fail(&inp->reader->scan, k->place, "data in another file (INPUT=) is not read; use *INCLUDE");
}

static bool add_number(carom_inp *inp, int64_t number) {
    if (!carom_reader_grow(inp->reader, (void **)&inp->numbers, inp->number_count, &inp->number_capacity, sizeof *inp->numbers))
        return false;
    inp->numbers[inp->number_count++] = (int)number;
    return true;
}

// *NODE: a number and up to three coordinates per line; those left out are zero.
static bool read_nodes(carom_inp *inp, const carom_inp_keyword *k) {
    carom_reader *reader = inp->reader;
    carom_scan *scan = &reader->scan;
    int set = named_set(inp, k, "NSET", false);
    carom_inp_part *part = set >= 0 ? carom_inp_add_part(inp, set, CAROM_INP_NUMBERS) : NULL;
    // The array of parts may move while the file is read, so the part is kept by index.
    int64_t index = part ? part - inp->parts : -1;
    if (set == -2 || (set >= 0 && !part) || !no_input(inp, k) ||
        !carom_reader_grow(inp->reader, (void **)&inp->blocks, inp->block_count, &inp->block_capacity, sizeof *inp->blocks))
        return false;
    inp->blocks[inp->block_count++] =
        (carom_inp_block){true, CAROM_CELL_POINT, reader->draft.node_count, inp->file, carom_scan_line(scan, k->place), 0, 0};
    inp->assembly_nodes = inp->assembly_nodes || (inp->instance_count && inp->instance < 0);
    while (carom_inp_data_line(scan)) {
        int64_t id;
        double x[3] = {0, 0, 0};
        if (!carom_inp_read_number(inp, "the number of a node", &id) || !carom_inp_end_field(scan))
            return false;
        // Coordinates that are left out are zero, and so are empty fields between commas.
        for (int i = 0; i < 3 && !carom_inp_at_end_of_line(scan); i++) {
            if (*scan->at != ',' && !carom_scan_number(scan, "a coordinate", &x[i]))
                return false;
            if (!carom_inp_end_field(scan))
                return false;
        }
        carom_inp_place_node(inp, x);
        if (!carom_reader_node_id(reader, id) || !carom_reader_node(reader, NULL, x))
            return false;
        // Numbers, not indices: a set may name nodes that come later in the deck.
        if (index >= 0 && !add_number(inp, id))
            return false;
        if (index >= 0)
            inp->parts[index].count++;
        carom_scan_next_line(scan);
    }
    return true;
}

// One element, whose nodes may continue on the next lines.
static bool read_element(carom_inp *inp, const carom_inp_type *type) {
    carom_reader *reader = inp->reader;
    carom_scan *scan = &reader->scan;
    int64_t id, nodes[27];
    const unsigned char *place = scan->at;
    if (!carom_inp_read_number(inp, "the number of an element", &id) || !carom_inp_end_field(scan))
        return false;
    for (int i = 0; i < type->nodes; i++) {
        // An element may continue on the next line, after a comma or not. A keyword or the end of the
        // file within it is an error.
        if (carom_inp_at_end_of_line(scan) && !carom_inp_data_line(scan))
            return carom_scan_fail(scan, place, "element %lld has %d nodes, expected %d", (long long)id, i, type->nodes);
        if (!carom_inp_read_number(inp, "the number of a node", &nodes[i]) || !carom_inp_end_field(scan))
            return false;
    }
    if (!carom_inp_at_end_of_line(scan))
        return carom_scan_fail(scan, NULL, "element %lld has more than %d nodes", (long long)id, type->nodes);
    int *corners = carom_reader_cell(reader, type->cell), size = carom_draft_size(type->cell);
    if (!corners || !carom_reader_cell_id(reader, type->cell, id))
        return false;
    // The cell holds numbers of nodes for now; inp_sets.c replaces them by indices.
    for (int i = 0; i < size; i++) {
        corners[i] = (int)nodes[type->corners[i]];
        // Corners are struck out of the list; the nodes that remain only refine the shape.
        nodes[type->corners[i]] = 0;
    }
    for (int i = 0; i < type->nodes; i++) {
        if (nodes[i] == 0)
            continue;
        if (!carom_reader_grow(inp->reader, (void **)&inp->extra, inp->extra_count, &inp->extra_capacity, sizeof *inp->extra))
            return false;
        inp->extra[inp->extra_count++] = (int)nodes[i];
    }
    if (type->nodes > size)
        reader->draft.blocks[type->cell].reduced++;
    return true;
}

// Elements for which carom has no cell: their numbers are kept, because sets may contain them. A comma at the end of a line
// continues it.
static bool skip_elements(carom_inp *inp, const carom_inp_keyword *k, carom_words type, int dimension, int set) {
    carom_scan *scan = &inp->reader->scan;
    // A remark for each type, not for each element; the count is part of it.
    carom_inp_use *use = carom_inp_count_type(inp, type, dimension, false, carom_scan_line(scan, k->place));
    bool continued = false;
    while (carom_inp_data_line(scan)) {
        int64_t id;
        carom_words text;
        if (!continued) {
            if (!carom_inp_read_number(inp, "the number of an element", &id) ||
                !carom_reader_grow(inp->reader, (void **)&inp->skipped, inp->skipped_count, &inp->skipped_capacity,
                                   sizeof *inp->skipped))
                return false;
            inp->skipped[inp->skipped_count++] = (int)id;
            use->count++;
            if (set >= 0)
                // The set is then incomplete, which is a fault if it is requested as a body.
                inp->sets[set].lacking = true;
        }
        continued = carom_scan_rest(scan, &text) && text.size && text.text[text.size - 1] == ',';
    }
    return true;
}

// *ELEMENT, TYPE=..., ELSET=...: a number and the nodes of each element.
static bool read_elements(carom_inp *inp, const carom_inp_keyword *k) {
    carom_scan *scan = &inp->reader->scan;
    const carom_words *name = carom_inp_parameter(k, "TYPE");
    carom_inp_type type;
    if (!name)
        return carom_scan_fail(scan, k->place, "expected TYPE= after *ELEMENT");
    int set = named_set(inp, k, "ELSET", true);
    if (set == -2 || !no_input(inp, k))
        return false;
    int dimension;
    // A type that is not known may be of the highest dimension: carom_inp_mention_types decides whether it can be left out.
    if (!carom_inp_find_type(*name, &type, &dimension))
        return skip_elements(inp, k, *name, dimension, set);
    if (!carom_reader_grow(inp->reader, (void **)&inp->blocks, inp->block_count, &inp->block_capacity, sizeof *inp->blocks))
        return false;
    int64_t begin = inp->reader->draft.blocks[type.cell].count;
    // Elements of one type are kept together, whatever *ELEMENT they come from; the block remembers
    // its beginning for messages.
    inp->blocks[inp->block_count++] = (carom_inp_block){.type = type.cell,
                                                        .begin = begin,
                                                        .file = inp->file,
                                                        .line = carom_scan_line(scan, k->place),
                                                        .extra = inp->extra_count,
                                                        .extras = type.nodes - carom_draft_size(type.cell)};
    while (carom_inp_data_line(scan)) {
        if (!read_element(inp, &type))
            return false;
        carom_scan_next_line(scan);
    }
    int64_t count = inp->reader->draft.blocks[type.cell].count - begin;
    carom_inp_count_type(inp, *name, dimension, true, carom_scan_line(scan, k->place))->count += count;
    if (set < 0 || count == 0)
        return true;
    // these cells are the set; other sets may include it by name
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

// GENERATE: first, last, step.
static bool read_range(carom_inp *inp, int set) {
    carom_scan *scan = &inp->reader->scan;
    int64_t first, last, step = 1;
    const unsigned char *place = scan->at;
    if (!carom_inp_read_number(inp, "the first number of a range", &first) || !carom_inp_end_field(scan) ||
        !carom_inp_read_number(inp, "the last number of a range", &last) || !carom_inp_end_field(scan))
        return false;
    // The step may be left out.
    if (!carom_inp_at_end_of_line(scan) &&
        (!carom_inp_read_id(scan, "the step of a range", &step) || !carom_inp_end_field(scan)))
        return false;
    // Ranges are not expanded here: 1, 1000000000 takes a few bytes in the deck.
    if (last < first)
        return carom_scan_fail(scan, place, "expected an ascending range, found %lld to %lld", (long long)first,
                               (long long)last);
    carom_inp_part *part = carom_inp_add_part(inp, set, CAROM_INP_RANGE);
    if (part)
        part->first = (int)first, part->last = (int)last, part->step = (int)step;
    return part;
}

// Numbers and names of other sets, in any order.
static bool read_members(carom_inp *inp, int *set, bool cells) {
    carom_scan *scan = &inp->reader->scan;
    int64_t numbers = -1, number;
    while (!carom_inp_at_end_of_line(scan)) {
        if (*scan->at == ',') {
            scan->at++;
            continue;
        }
        if (carom_inp_is_number(scan)) {
            // Consecutive numbers of a line share one part.
            carom_inp_part *part = numbers < 0 ? carom_inp_add_part(inp, *set, CAROM_INP_NUMBERS) : &inp->parts[numbers];
            if (!part)
                return false;
            numbers = part - inp->parts;
            if (!carom_inp_read_number(inp, cells ? "the number of an element" : "the number of a node", &number) ||
                !add_number(inp, number))
                return false;
            inp->parts[numbers].count++;
        } else {
            carom_words name = carom_inp_read_word(scan);
            int other = carom_inp_find_set(inp, name, cells, false, NULL);
            if (scan->status)
                return false;
            if (other < 0)
                return carom_scan_fail(scan, NULL, "there is no set '%.*s' above", CAROM_INP_SHOWN(name));
            // A set is made of those before it. If it includes a later one, it is moved behind that one.
            if (other > *set && (*set = carom_inp_renew_set(inp, *set)) < 0)
                return false;
            // A set that contains itself adds nothing.
            carom_inp_part *part = other == *set ? NULL : carom_inp_add_part(inp, *set, CAROM_INP_SET);
            if (part)
                part->set = other;
            else if (other != *set)
                return false;
            numbers = -1;
        }
        if (!carom_inp_end_field(scan))
            return false;
    }
    return true;
}

// *NSET, ELSET=...: the nodes of a set of elements.
static bool add_nodes_of(carom_inp *inp, const carom_inp_keyword *k, int set, carom_words name) {
    int other = carom_inp_find_set(inp, name, true, false, NULL);
    if (other < 0)
        return carom_scan_fail(&inp->reader->scan, k->place, "there is no set of elements '%.*s' above", CAROM_INP_SHOWN(name));
    carom_inp_part *part = carom_inp_add_part(inp, set, CAROM_INP_NODES_OF);
    if (part)
        part->set = other;
    return part;
}

// *NSET and *ELSET: numbers and names of sets, or ranges with GENERATE. A set may be given in several pieces.
static bool read_set(carom_inp *inp, const carom_inp_keyword *k, const char *key, bool cells) {
    carom_scan *scan = &inp->reader->scan;
    int set = named_set(inp, k, key, cells);
    if (set == -1)
        return carom_scan_fail(scan, k->place, "expected %s= after *%s", key, key);
    if (set < 0)
        return false;
    // A comma at the end of a keyword continues it on the next line, which may have been intended as data. A parameter that
    // *NSET does not have reveals this.
    for (int i = 0; i < k->count; i++)
        if (k->values[i].size == 0 && !carom_scan_same(k->keys[i], "GENERATE") && !carom_scan_same(k->keys[i], "UNSORTED") &&
            !carom_scan_same(k->keys[i], "INTERNAL"))
            return carom_scan_fail(scan, k->place, "'%.*s' is not a parameter of *%s", CAROM_INP_SHOWN(k->keys[i]), key);
    const carom_words *source = cells ? NULL : carom_inp_parameter(k, "ELSET");
    if (source && !add_nodes_of(inp, k, set, *source))
        return false;
    bool generate = carom_inp_parameter(k, "GENERATE");
    // A set of the assembly has a name of its own, but numbers and sets of one instance.
    const carom_words *instance = carom_inp_parameter(k, "INSTANCE");
    int outside = inp->instance;
    if (instance && (inp->instance = carom_inp_find_instance(inp, *instance)) < 0)
        return carom_scan_fail(scan, k->place, "there is no *INSTANCE '%.*s' above", CAROM_INP_SHOWN(*instance));
    bool good = true;
    while (good && carom_inp_data_line(scan)) {
        good = generate ? read_range(inp, set) : read_members(inp, &set, cells);
        if (good)
            carom_scan_next_line(scan);
    }
    inp->instance = outside;
    return good;
}

// A face label of Abaqus: S1 ... S6 of a solid or plane element, SPOS or SNEG of a shell; 0 for anything else.
static int face_label(carom_words w) {
    if (carom_scan_same(w, "SPOS"))
        return CAROM_INP_SPOS;
    if (carom_scan_same(w, "SNEG"))
        return CAROM_INP_SNEG;
    return w.size == 2 && (w.text[0] == 'S' || w.text[0] == 's') && w.text[1] >= '1' && w.text[1] <= '6' ? w.text[1] - '0' : 0;
}

// The set or number at the beginning of a line of a surface. False if the line is skipped with a remark, or after a failure.
static bool read_owner(carom_inp *inp, carom_inp_surface *s, carom_words name) {
    carom_scan *scan = &inp->reader->scan;
    if (carom_inp_is_number(scan))
        return carom_inp_read_number(inp, s->nodes ? "the number of a node" : "the number of an element", &s->number);
    carom_words set = carom_inp_read_word(scan);
    s->set = carom_inp_find_set(inp, set, !s->nodes, false, NULL);
    if (s->set >= 0)
        return true;
    int shown = set.size > 60 ? 60 : (int)set.size;
    // "Instance.Set" names a set of an assembly, which is skipped; any other unknown name is a mistake.
    if (!memchr(set.text, '.', set.size))
        return carom_scan_fail(scan, NULL, "there is no set '%.*s' above", shown, set.text);
    carom_inp_warn(inp, inp->file, s->line, "surface '%.*s': '%.*s' of an instance is not read", CAROM_INP_SHOWN(name), shown,
                   set.text);
    return false;
}

// Surfaces of kinds that are not read: cutting surfaces, revolutions, combinations of others.
static bool skip_surface(carom_inp *inp, const carom_inp_keyword *k, carom_words name, const char *why) {
    carom_scan *scan = &inp->reader->scan;
    carom_reader_warn(inp->reader, k->place, "surface '%.*s' is not read: %s", CAROM_INP_SHOWN(name), why);
    while (carom_inp_data_line(scan))
        carom_scan_next_line(scan);
    return true;
}

// *SURFACE, TYPE=ELEMENT: a set or element and a face label per line; TYPE=NODE: a set or node per line.
static bool read_surface(carom_inp *inp, const carom_inp_keyword *k) {
    carom_scan *scan = &inp->reader->scan;
    const carom_words *name = carom_inp_parameter(k, "NAME"), *type = carom_inp_parameter(k, "TYPE");
    if (!name || name->size == 0)
        return carom_scan_fail(scan, k->place, "expected NAME= after *SURFACE");
    bool nodes = type && carom_scan_same(*type, "NODE");
    if (type && !nodes && !carom_scan_same(*type, "ELEMENT"))
        return skip_surface(inp, k, *name, "it is neither of elements nor of nodes");
    if (carom_inp_parameter(k, "COMBINE") || carom_inp_parameter(k, "CROP"))
        return skip_surface(inp, k, *name, "it is made of other surfaces");
    char buffer[CAROM_INP_KEYWORD_MAX];
    carom_words whole = carom_inp_qualify(inp, *name, buffer);
    int entry = carom_inp_find_name(inp, whole, true, k->place);
    if (entry < 0)
        return false;
    while (carom_inp_data_line(scan)) {
        carom_inp_surface s = {.group = inp->names[entry].group, .nodes = nodes, .number = -1, .file = inp->file};
        s.line = carom_scan_line(scan, scan->at);
        bool owned = read_owner(inp, &s, *name);
        if (scan->status || !carom_inp_end_field(scan))
            return false;
        carom_scan_blank(scan);
        // Node surfaces may give an area after the node; it is not read.
        carom_words label = nodes || !owned ? (carom_words){"", 0} : carom_inp_read_word(scan);
        if (owned && !nodes && label.size == 0) {
            carom_inp_warn(inp, inp->file, s.line,
                           "surface '%.*s': the free surface of elements is not read, name faces (S1 to S6)",
                           CAROM_INP_SHOWN(*name));
            owned = false;
        }
        if (owned && !nodes && !(s.label = face_label(label)))
            return carom_scan_fail(scan, NULL, "expected a face of the elements (S1 to S6, SPOS, SNEG)");
        if (owned &&
            !carom_reader_grow(inp->reader, (void **)&inp->surfaces, inp->surface_count, &inp->surface_capacity, sizeof s))
            return false;
        if (owned)
            inp->surfaces[inp->surface_count++] = s;
        carom_scan_next_line(scan);
    }
    return true;
}

// *INCLUDE, INPUT=file.
static bool include(carom_inp *inp, const carom_inp_keyword *k) {
    const carom_words *input = carom_inp_parameter(k, "INPUT");
    if (!input || input->size == 0)
        return carom_scan_fail(&inp->reader->scan, k->place, "expected INPUT= after *INCLUDE");
    return carom_inp_include(inp, input->text, input->size, k->place);
}

// Keywords that would generate nodes or elements must not be ignored: the mesh would have holes. Those of structure and titles
// are skipped in silence, all others with one remark.
static bool ignore(carom_inp *inp, const carom_inp_keyword *k) {
    static const char *const silent[] = {"HEADING", "PREPRINT", "ASSEMBLY", "END ASSEMBLY", "END STEP"};
    static const char *const needed[] = {"NGEN", "NFILL", "NCOPY", "ELGEN", "ELCOPY", "SYSTEM", "SUBSTRUCTURE GENERATE"};
    carom_scan *scan = &inp->reader->scan;
    enum { NEEDED = sizeof needed / sizeof *needed, SILENT = sizeof silent / sizeof *silent };
    size_t part = carom_scan_find(k->name, needed, NEEDED);
    if (part < NEEDED)
        return carom_scan_fail(scan, k->place, "*%s makes part of the mesh, but carom does not read it", needed[part]);
    bool mention = carom_scan_find(k->name, silent, SILENT) == SILENT;
    char name[40];
    carom_inp_capitals(k->name, name, sizeof name);
    for (int64_t i = 0; mention && i < inp->ignored_count; i++)
        mention = strcmp(inp->ignored[i].name, name) != 0;
    if (mention && inp->ignored_count < REMARKS_MAX) {
        if (!carom_reader_grow(inp->reader, (void **)&inp->ignored, inp->ignored_count, &inp->ignored_capacity,
                               sizeof *inp->ignored))
            return false;
        carom_inp_ignored *entry = &inp->ignored[inp->ignored_count++];
        *entry = (carom_inp_ignored){.file = inp->file, .line = carom_scan_line(scan, k->place)};
        memcpy(entry->name, name, sizeof name);
    }
    // Data lines of a keyword that is not known end at the next keyword.
    while (carom_inp_data_line(scan))
        carom_scan_next_line(scan);
    return true;
}

// One remark for all: "*STEP, *STATIC (line 67), *CLOAD (71) are ignored". Those of a whole analysis would hide other remarks.
static void mention_ignored(carom_inp *inp) {
    char text[440];
    size_t size = 0;
    int64_t i = 0;
    for (; i < inp->ignored_count && size < sizeof text - 80; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "%s*%s", i ? ", " : "", inp->ignored[i].name);
        if (i)
            size += (size_t)snprintf(text + size, sizeof text - size, i == 1 ? " (line %lld)" : " (%lld)",
                                     (long long)inp->ignored[i].line);
    }
    if (i < inp->ignored_count)
        snprintf(text + size, sizeof text - size, " and %lld more", (long long)(inp->ignored_count - i));
    if (inp->ignored_count)
        carom_inp_warn(inp, inp->ignored[0].file, inp->ignored[0].line, "%s %s ignored", text,
                       inp->ignored_count == 1 ? "is" : "are");
}

static bool is_end(carom_words name) {
    return carom_scan_same(name, "END PART") || carom_scan_same(name, "END INSTANCE");
}

// Also called for included files and for parts, which continue the deck.
bool carom_inp_read_deck(carom_inp *inp) {
    carom_scan *scan = &inp->reader->scan;
    for (carom_inp_skip_comments(scan); scan->at < scan->end; carom_inp_skip_comments(scan)) {
        carom_inp_keyword k;
        if (*scan->at != '*')
            return carom_scan_expected(scan, "a keyword (*NODE, *ELEMENT, ...)");
        if (!carom_inp_read_keyword(scan, &k))
            return false;
        bool good = carom_scan_same(k.name, "NODE")       ? read_nodes(inp, &k)
                    : carom_scan_same(k.name, "ELEMENT")  ? read_elements(inp, &k)
                    : carom_scan_same(k.name, "NSET")     ? read_set(inp, &k, "NSET", false)
                    : carom_scan_same(k.name, "ELSET")    ? read_set(inp, &k, "ELSET", true)
                    : carom_scan_same(k.name, "SURFACE")  ? read_surface(inp, &k)
                    : carom_scan_same(k.name, "INCLUDE")  ? include(inp, &k)
                    : carom_scan_same(k.name, "PART")     ? carom_inp_read_part(inp, &k)
                    : carom_scan_same(k.name, "INSTANCE") ? carom_inp_read_instance(inp, &k)
                    : is_end(k.name)                      ? carom_inp_end_instance(inp)
                                                          : ignore(inp, &k);
        if (!good)
            return false;
    }
    return true;
}

bool carom_read_inp(carom_reader *reader) {
    carom_inp inp = {.reader = reader, .node_map = {.high = -1}, .cell_map = {.high = -1}};
    carom_inp_count_instances(&inp);
    bool good =
        carom_inp_add_file(&inp, reader->scan.name, reader->path) && carom_inp_read_deck(&inp) && carom_inp_end_instance(&inp);
    mention_ignored(&inp);
    good = good && carom_inp_resolve(&inp);
    for (int64_t i = 0; i < inp.file_count; i++) {
        free(inp.files[i].name);
        free(inp.files[i].bytes);
    }
    for (int64_t i = 0; i < inp.instance_count; i++)
        free(inp.instances[i].name);
    for (int64_t i = 0; i < inp.region_count; i++)
        free(inp.regions[i].name);
    free(inp.instances);
    free(inp.regions);
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
    free(inp.ignored);
    carom_id_map_release(&inp.node_map);
    carom_id_map_release(&inp.cell_map);
    return good;
}
