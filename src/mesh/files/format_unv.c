// SPDX-License-Identifier: MIT
// Reads universal files of I-DEAS (.unv), as Salome, NX and Gmsh write them. A dataset is enclosed by lines with -1; its number
// defines the content: nodes (2411, 781, 15), elements (2412), groups (2429, 2430, 2432, 2435, 2452, 2467, 2477). Others are
// skipped (SDRC, "I-DEAS Master Series, Exploring Universal Files"; University of Cincinnati, Structural Dynamics Research
// Laboratory). Numbers are separated by blanks; an exponent may begin with D instead of E.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/files/draft.h"

enum { NODES_MAX = 32 };

// The elements of a descriptor: the cell that their corners make, and where these are among their nodes.
typedef struct shape {
    carom_draft_type cell;
    int nodes, corners[8];
} shape;

static const shape shapes[] = {
    {CAROM_CELL_LINE2, 2, {0, 1}},
    {CAROM_CELL_LINE2, 3, {0, 2}},
    {CAROM_CELL_TRI3, 3, {0, 1, 2}},
    {CAROM_CELL_TRI3, 6, {0, 2, 4}},
    {CAROM_CELL_QUAD4, 4, {0, 1, 2, 3}},
    {CAROM_CELL_QUAD4, 8, {0, 2, 4, 6}},
    {CAROM_CELL_TET4, 4, {0, 1, 2, 3}},
    {CAROM_CELL_TET4, 10, {0, 2, 4, 9}},
    {CAROM_DRAFT_PRISM, 6, {0, 1, 2, 3, 4, 5}},
    {CAROM_DRAFT_PRISM, 15, {0, 2, 4, 9, 11, 13}},
    {CAROM_CELL_HEX8, 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    {CAROM_CELL_HEX8, 20, {0, 2, 4, 6, 12, 14, 16, 18}},
    {CAROM_DRAFT_PYRAMID, 5, {0, 1, 2, 3, 4}},
    {CAROM_DRAFT_PYRAMID, 13, {0, 2, 4, 6, 12}},
};

// A member of a group, which is resolved at the end.
typedef struct member {
    int group;
    bool node;
    int64_t number;
    int64_t line;
} member;

typedef struct unv {
    carom_reader *reader;
    bool mapped; // the map of nodes exists
    carom_id_map nodes, cells;
    member *members;
    int64_t member_count, member_capacity;
    int64_t first[CAROM_DRAFT_TYPE_COUNT];
    int64_t skipped; // elements without a cell
} unv;

// Which shape the number of an element type stands for: dimension by its range, the rest by the number of nodes.
static const shape *find_shape(int64_t descriptor, int64_t nodes) {
    int dimension = descriptor >= 11 && descriptor <= 32     ? 1
                    : descriptor >= 41 && descriptor <= 95   ? 2
                    : descriptor >= 101 && descriptor <= 119 ? 3
                                                             : -1;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        if (carom_draft_dimension(shapes[s].cell) == dimension && shapes[s].nodes == nodes)
            return &shapes[s];
    return NULL;
}

// True at the line that closes a dataset; the cursor goes behind it.
static bool at_end(carom_scan *scan) {
    const unsigned char *start = scan->at;
    carom_scan_space(scan);
    carom_words word;
    if (carom_scan_word(scan, &word) && carom_scan_same(word, "-1")) {
        carom_scan_blank(scan);
        if (scan->at >= scan->end || *scan->at == '\n')
            return true;
    }
    scan->at = start;
    return false;
}

static bool read_row(carom_scan *scan, const char *what, int64_t *row, int count) {
    for (int i = 0; i < count; i++)
        if (!carom_scan_whole(scan, what, &row[i]))
            return false;
    return true;
}

// number, coordinate systems, colour; then three coordinates, on the next line or (15) on the same.
static bool read_nodes(unv *u) {
    carom_reader *reader = u->reader;
    carom_scan *scan = &reader->scan;
    if (u->mapped)
        return carom_scan_fail(scan, NULL, "expected all nodes before the elements");
    while (!at_end(scan)) {
        int64_t row[4];
        double x[3];
        if (!read_row(scan, "the number of a node or -1", row, 1) ||
            !read_row(scan, "a number of a coordinate system", row + 1, 3))
            return false;
        if (!carom_scan_next_point(scan, CAROM_NUMBER_TYPES, "a coordinate", x) || !carom_reader_node_id(reader, row[0]) ||
            !carom_reader_node(reader, NULL, x))
            return false;
    }
    return true;
}

static bool map_nodes(unv *u) {
    carom_draft *draft = &u->reader->draft;
    int64_t twice;
    u->mapped = true;
    if (!carom_id_map_create(&u->nodes, draft->node_ids, draft->node_count, &twice))
        return carom_scan_no_memory(&u->reader->scan);
    return twice < 0 ||
           carom_scan_fail(&u->reader->scan, NULL, "node %lld is defined twice", (long long)draft->node_ids[twice]);
}

static bool add_cell(unv *u, const shape *s, int64_t id, const int64_t *numbers, const unsigned char *place) {
    carom_reader *reader = u->reader;
    int found[NODES_MAX];
    for (int i = 0; i < s->nodes; i++) {
        found[i] = carom_id_map_find(&u->nodes, numbers[i]);
        if (found[i] < 0)
            return carom_scan_fail(&reader->scan, place, "element %lld has node %lld, which is not defined", (long long)id,
                                   (long long)numbers[i]);
    }
    return carom_reader_reduce(reader, s->cell, found, s->nodes, s->corners) && carom_reader_cell_id(reader, s->cell, id);
}

// number, descriptor, property, material, colour, number of nodes; for rods and beams a line with their orientation; then the
// nodes.
static bool read_elements(unv *u) {
    carom_scan *scan = &u->reader->scan;
    if (!u->mapped && !map_nodes(u))
        return false;
    while (!at_end(scan)) {
        int64_t row[6], orientation[3], nodes[NODES_MAX];
        carom_scan_space(scan);
        const unsigned char *place = scan->at;
        if (!read_row(scan, "the number of an element or -1", row, 1) || !read_row(scan, "a number of an element", row + 1, 5))
            return false;
        if (row[5] < 1 || row[5] > NODES_MAX)
            return carom_scan_fail(scan, place, "expected 1 to %d nodes of element %lld, found %lld", NODES_MAX,
                                   (long long)row[0], (long long)row[5]);
        // Rods (11, 12) and beams (21 to 24) have a row with an orientation.
        bool beam = row[1] == 21 || row[1] == 22 || row[1] == 23 || row[1] == 24;
        if ((beam || (row[1] >= 11 && row[1] <= 12)) && !read_row(scan, "the orientation of a beam", orientation, 3))
            return false;
        if (!read_row(scan, "the number of a node", nodes, (int)row[5]))
            return false;
        const shape *s = find_shape(row[1], row[5]);
        if (!s && row[1] >= 101 && row[1] <= 119)
            return carom_scan_fail(scan, place,
                                   "element %lld is a solid of type %lld with %lld nodes, which carom does not read",
                                   (long long)row[0], (long long)row[1], (long long)row[5]);
        u->skipped += !s;
        if (s && !add_cell(u, s, row[0], nodes, place))
            return false;
    }
    return true;
}

static bool add_member(unv *u, member m) {
    if (!carom_reader_grow(u->reader, (void **)&u->members, u->member_count, &u->member_capacity, sizeof m))
        return false;
    u->members[u->member_count++] = m;
    return true;
}

// Seven numbers and the count of members; the name on a line of its own; then type (7: node, 8: element) and number of each
// member, with two more numbers in newer datasets.
static bool read_groups(unv *u, int width) {
    carom_scan *scan = &u->reader->scan;
    while (!at_end(scan)) {
        int64_t head[8], row[4];
        carom_words name;
        if (!read_row(scan, "the number of a group or -1", head, 1) || !read_row(scan, "a number of a group", head + 1, 7) ||
            !carom_scan_check_count(scan, "the members of the group", 4, head[7]))
            return false;
        carom_scan_next_line(scan);
        const unsigned char *place = scan->at;
        if (!carom_scan_rest(scan, &name) || name.size == 0)
            return carom_scan_fail(scan, place, "expected the name of group %lld", (long long)head[0]);
        int group = carom_reader_group(u->reader, place, name);
        if (group < 0)
            return false;
        for (int64_t i = 0; i < head[7]; i++) {
            if (!read_row(scan, "a member of the group", row, width))
                return false;
            if ((row[0] == 7 || row[0] == 8) &&
                !add_member(u, (member){group, row[0] == 7, row[1], carom_scan_line(scan, scan->at)}))
                return false;
        }
    }
    return true;
}

static bool skip_dataset(unv *u, int64_t number, const unsigned char *place) {
    carom_scan *scan = &u->reader->scan;
    // Header, units and coordinate systems.
    if (number != 151 && number != 164 && number != 2420 && number != 2400)
        carom_reader_warn(u->reader, place, "dataset %lld is ignored", (long long)number);
    for (; !at_end(scan); carom_scan_next_line(scan))
        if (scan->at == scan->end)
            return carom_scan_fail(scan, place, "dataset %lld is not closed by -1", (long long)number);
    return true;
}

static bool map_cells(unv *u) {
    int64_t twice, index;
    if (!carom_reader_map_cells(u->reader, &u->cells, u->first, &twice))
        return false;
    carom_draft_type type = carom_draft_type_at(u->first, twice, &index);
    return twice < 0 || carom_scan_fail(&u->reader->scan, NULL, "element %lld is defined twice",
                                        (long long)u->reader->draft.blocks[type].ids[index]);
}

static bool resolve(unv *u) {
    if ((!u->mapped && !map_nodes(u)) || !map_cells(u))
        return false;
    for (int64_t i = 0; i < u->member_count; i++) {
        const member *m = &u->members[i];
        int index = carom_id_map_find(m->node ? &u->nodes : &u->cells, m->number);
        // Elements that were skipped may be members.
        if (index < 0 && !m->node && u->skipped)
            continue;
        if (index < 0) {
            carom_scan *scan = &u->reader->scan;
            scan->status = carom_fail(scan->error, CAROM_BAD_INPUT, "%s:%lld: group '%.60s' has %s %lld, which is not defined",
                                      scan->name, (long long)m->line, u->reader->draft.groups[m->group].name,
                                      m->node ? "node" : "element", (long long)m->number);
            return false;
        }
        int64_t cell;
        carom_draft_type type = carom_draft_type_at(u->first, index, &cell);
        if (!(m->node ? carom_reader_group_nodes(u->reader, m->group, &index, 1)
                      : carom_reader_group_cells(u->reader, m->group, type, cell, 1)))
            return false;
    }
    return true;
}

static bool read_datasets(unv *u) {
    carom_scan *scan = &u->reader->scan;
    for (carom_scan_space(scan); scan->at < scan->end; carom_scan_space(scan)) {
        int64_t number;
        if (!at_end(scan))
            return carom_scan_expected(scan, "-1, which begins a dataset");
        carom_scan_space(scan);
        const unsigned char *place = scan->at;
        if (!carom_scan_whole(scan, "the number of a dataset", &number))
            return false;
        bool good = number == 2411 || number == 781 || number == 15                        ? read_nodes(u)
                    : number == 2412                                                       ? read_elements(u)
                    : number == 2429 || number == 2430 || number == 2432                   ? read_groups(u, 2)
                    : number == 2435 || number == 2452 || number == 2467 || number == 2477 ? read_groups(u, 4)
                                                                                           : skip_dataset(u, number, place);
        if (!good)
            return false;
    }
    return true;
}

bool carom_read_unv(carom_reader *reader) {
    unv u = {.reader = reader, .nodes = {.high = -1}, .cells = {.high = -1}};
    bool good = read_datasets(&u) && resolve(&u);
    if (good && u.skipped)
        carom_reader_warn(reader, NULL, "%lld elements are left out: carom has no cell for them", (long long)u.skipped);
    carom_id_map_release(&u.nodes);
    carom_id_map_release(&u.cells);
    free(u.members);
    return good;
}
