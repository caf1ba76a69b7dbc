// SPDX-License-Identifier: MIT
// Reads Gmsh MSH 2.2: one list of nodes, one of elements, each element with the tag of its physical group. An element of
// several groups occurs in the file several times in a row, with different numbers.
#include <string.h>

#include "mesh/files/msh.h"

enum {
    TAGS_MAX = 64,   // of an element: physical group, geometric entity, partitions
    NODE_BYTES = 28, // an int and three doubles
};

// $Nodes: their number, then number and coordinates of each.
bool carom_msh2_nodes(carom_msh *msh) {
    carom_reader *reader = msh->reader;
    carom_scan *scan = &reader->scan;
    int64_t count, id;
    // In text at least four numbers of a digit, with separators.
    if (!carom_scan_count(scan, "the number of nodes", msh->binary ? NODE_BYTES : 8, &count))
        return false;
    carom_scan_next_line(scan);
    if (!carom_reader_reserve_nodes(reader, count, true))
        return false;
    for (int64_t k = 0; k < count; k++) {
        double x[3];
        const unsigned char *place = scan->at;
        if (msh->binary && !carom_scan_take(scan, NODE_BYTES, "a node"))
            return false;
        // Version 2.2 has 32-bit numbers of nodes in binary files.
        scan->at = place;
        if (!carom_scan_next_whole(scan, CAROM_INT32, "a node number", &id) ||
            !carom_scan_next_point(scan, CAROM_FLOAT64, "a coordinate", x))
            return false;
        if (!carom_reader_node_id(reader, id) || !carom_reader_node(reader, msh->binary ? place : NULL, x))
            return false;
    }
    return true;
}

// True if the last cell of a type equals the one before but belongs to another group. A cell that occurs twice in one group, or
// without a group, was given twice and remains: the check of the mesh reports it.
static bool repeats(carom_msh *msh, carom_draft_type type, int64_t physical) {
    const carom_draft_block *block = &msh->reader->draft.blocks[type];
    int size = carom_draft_size(type);
    const int *last = block->nodes + (block->count - 1) * size;
    // Only the cell right before is compared: Gmsh writes the repetitions of an element in a row.
    bool same = block->count > 1 && memcmp(last, last - size, (size_t)size * sizeof *last) == 0 && physical != 0 &&
                msh->last_type == type;
    for (int i = 0; i < msh->last_group_count; i++)
        same = same && msh->last_groups[i] != physical && msh->last_groups[i] != 0;
    if (!same)
        msh->last_group_count = 0;
    if (msh->last_group_count < CAROM_MSH_GROUPS_MAX)
        msh->last_groups[msh->last_group_count++] = physical;
    msh->last_type = type;
    return same;
}

// Physical group 0 means none.
static bool add_element(carom_msh *msh, const carom_msh_type *type, int64_t id, int64_t physical, const int64_t *nodes,
                        const unsigned char *place) {
    carom_draft_block *block = &msh->reader->draft.blocks[type->cell];
    if (!carom_msh_cell(msh, type, id, nodes, place))
        return false;
    // The repetition only adds a group to the cell before.
    if (repeats(msh, type->cell, physical)) {
        // The cell is dropped again; its groups go to the one before, which is now the last.
        block->count--;
        block->reduced -= type->nodes > carom_draft_size(type->cell);
    }
    return physical == 0 || carom_msh_group_cells(msh, carom_draft_dimension(type->cell), physical, type->cell, 1);
}

// Types without a cell in carom are refused by name.
static bool find_type(carom_msh *msh, int64_t number, const unsigned char *place, carom_msh_type *type) {
    carom_scan *scan = &msh->reader->scan;
    if (!carom_msh_find_type(number, type))
        return carom_scan_fail(scan, place, "element type %lld is unknown", (long long)number);
    return !type->unread ||
           carom_scan_fail(scan, place, "carom has no cell for a %s (element type %lld)", type->unread, (long long)number);
}

static bool check_tags(carom_scan *scan, const unsigned char *place, int64_t tags) {
    // Geometric entity, partitions and ghost cells come after the physical group; 64 is far above what Gmsh writes.
    if (tags >= 0 && tags <= TAGS_MAX)
        return true;
    return carom_scan_fail(scan, place, "expected the number of tags, 0 to %d, found %lld", TAGS_MAX, (long long)tags);
}

// number, type, number of tags, tags, nodes
static bool read_text_element(carom_msh *msh) {
    carom_scan *scan = &msh->reader->scan;
    int64_t id, number, tags, physical = 0, nodes[CAROM_MSH_NODES_MAX];
    if (!carom_scan_whole(scan, "an element number", &id) || !carom_scan_whole(scan, "the type of an element", &number))
        return false;
    carom_msh_type type;
    if (!find_type(msh, number, NULL, &type) || !carom_scan_whole(scan, "the number of tags", &tags) ||
        !check_tags(scan, NULL, tags))
        return false;
    for (int64_t i = 0; i < tags; i++) {
        int64_t tag;
        if (!carom_scan_whole(scan, "a tag", &tag))
            return false;
        // The first tag is the physical group; the second one, the geometric entity, is not needed.
        if (i == 0)
            physical = tag;
    }
    for (int i = 0; i < type.nodes; i++)
        if (!carom_scan_whole(scan, "a node number", &nodes[i]))
            return false;
    return add_element(msh, &type, id, physical, nodes, scan->at);
}

// Binary elements come in batches: a head (type, number of elements, number of tags), then the elements as ints.
static bool read_binary_elements(carom_msh *msh, int64_t *left) {
    carom_scan *scan = &msh->reader->scan;
    const unsigned char *head = carom_scan_take(scan, 12, "the head of elements");
    if (!head)
        return false;
    carom_msh_type type;
    int64_t count = carom_scan_whole_at(scan, head + 4, CAROM_INT32), tags = carom_scan_whole_at(scan, head + 8, CAROM_INT32);
    if (!find_type(msh, carom_scan_whole_at(scan, head, CAROM_INT32), head, &type) || !check_tags(scan, head, tags))
        return false;
    // A batch of no elements would never end the loop.
    if (count < 1 || count > *left)
        return carom_scan_fail(scan, head, "expected 1 to %lld elements, found %lld", (long long)*left, (long long)count);
    *left -= count;
    int64_t nodes[CAROM_MSH_NODES_MAX], id, physical = 0, tag, row = 4 * (1 + tags + type.nodes);
    for (int64_t e = 0; e < count; e++) {
        const unsigned char *bytes = carom_scan_take(scan, row, "an element");
        if (!bytes)
            return false;
        scan->at = bytes;
        carom_scan_next_whole(scan, CAROM_INT32, "an element number", &id);
        // The group is the first tag, if there are tags.
        for (int64_t i = 0; i < tags; i++)
            carom_scan_next_whole(scan, CAROM_INT32, "a tag", i ? &tag : &physical);
        for (int i = 0; i < type.nodes; i++)
            carom_scan_next_whole(scan, CAROM_INT32, "a node number", &nodes[i]);
        if (!add_element(msh, &type, id, physical, nodes, bytes))
            return false;
    }
    return true;
}

bool carom_msh2_elements(carom_msh *msh) {
    carom_scan *scan = &msh->reader->scan;
    int64_t count;
    if (!carom_scan_count(scan, "the number of elements", 8, &count))
        return false;
    carom_scan_next_line(scan);
    while (count > 0) {
        if (msh->binary) {
            if (!read_binary_elements(msh, &count))
                return false;
        } else {
            if (!read_text_element(msh))
                return false;
            count--;
        }
    }
    return true;
}
