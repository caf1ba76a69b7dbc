// SPDX-License-Identifier: MIT
// Reads Gmsh MSH 4.1: nodes and elements are in blocks, one for each entity of the geometry, and entities belong to physical
// groups. Files without $Entities have no groups.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/cell.h"
#include "mesh/files/msh.h"

enum { VOLUMES_MAX = 1000 }; // volumes of the geometry that become groups if there are no physical groups

// A count of items that take at least so many bytes in text or binary form. The message points at the number.
static bool read_count(carom_msh *msh, const char *what, int64_t text_bytes, int64_t binary_bytes, int64_t *count) {
    carom_scan *scan = &msh->reader->scan;
    if (!msh->binary)
        return carom_scan_count(scan, what, text_bytes, count);
    // Sizes are those of size_t, numbers of entities and their groups those of int.
    const unsigned char *place = scan->at;
    if (!carom_scan_next_whole(scan, CAROM_INT64, what, count))
        return false;
    // The cursor goes back for the check, so that a message points at the number, and then on.
    const unsigned char *after = scan->at;
    scan->at = place;
    if (!carom_scan_check_count(scan, what, binary_bytes, *count))
        return false;
    scan->at = after;
    return true;
}

static bool read_dimension(carom_msh *msh, int64_t *dimension) {
    carom_scan *scan = &msh->reader->scan;
    const unsigned char *place = scan->at;
    if (!carom_scan_next_whole(scan, CAROM_INT32, "the dimension of an entity", dimension))
        return false;
    // Dimensions index arrays of four.
    if (*dimension < 0 || *dimension > 3)
        return carom_scan_fail(scan, msh->binary ? place : NULL, "expected the dimension of an entity, 0 to 3, found %lld",
                               (long long)*dimension);
    return true;
}

static int compare_entities(const void *a_, const void *b_) {
    const carom_msh_entity *a = a_, *b = b_;
    if (a->dimension != b->dimension)
        return a->dimension < b->dimension ? -1 : 1;
    return a->tag < b->tag ? -1 : a->tag > b->tag;
}

// tag, position or box, number of physical groups and their tags, number of bounding entities and their tags
static bool read_entity(carom_msh *msh, int dimension, int64_t *tag_capacity) {
    carom_scan *scan = &msh->reader->scan;
    carom_msh_entity *entity = &msh->entities[msh->entity_count];
    double skipped;
    entity->dimension = dimension;
    if (!carom_scan_next_whole(scan, CAROM_INT32, "the tag of an entity", &entity->tag))
        return false;
    // The position of a point, or the bounding box of a curve, surface or volume.
    for (int i = 0; i < (dimension == 0 ? 3 : 6); i++)
        if (!carom_scan_next_real(scan, CAROM_FLOAT64, "a coordinate of an entity", &skipped))
            return false;
    if (!read_count(msh, "the number of physical groups of an entity", 2, 4, &entity->count))
        return false;
    entity->begin = msh->entity_tag_count;
    for (int64_t i = 0; i < entity->count; i++) {
        if (!carom_reader_grow(msh->reader, (void **)&msh->entity_tags, msh->entity_tag_count, tag_capacity,
                               sizeof *msh->entity_tags))
            return false;
        // Signed: a negative tag means the reversed orientation.
        if (!carom_scan_next_whole(scan, CAROM_INT32, "the tag of a physical group",
                                   &msh->entity_tags[msh->entity_tag_count++]))
            return false;
    }
    msh->entity_count++;
    if (dimension == 0)
        return true;
    // The entities that bound this one are not needed.
    int64_t bounds, tag;
    if (!read_count(msh, "the number of bounding entities", 2, 4, &bounds))
        return false;
    for (int64_t i = 0; i < bounds; i++)
        if (!carom_scan_next_whole(scan, CAROM_INT32, "the tag of a bounding entity", &tag))
            return false;
    return true;
}

// The least sizes of points and of other entities bound the counts by the size of the file.
bool carom_msh4_entities(carom_msh *msh) {
    carom_scan *scan = &msh->reader->scan;
    static const char *const names[] = {"the number of points", "the number of curves", "the number of surfaces",
                                        "the number of volumes"};
    int64_t counts[4], total = 0, tag_capacity = 0;
    for (int d = 0; d < 4; d++) {
        // Least sizes: tag, coordinates and counts. In text every number takes a digit and a blank.
        if (!read_count(msh, names[d], d ? 18 : 10, d ? 68 : 36, &counts[d]))
            return false;
        total += counts[d];
    }
    if (!carom_scan_check_count(scan, "the number of entities", msh->binary ? 36 : 10, total))
        return false;
    msh->entities = carom_allocate(total, sizeof *msh->entities);
    if (!msh->entities)
        return carom_scan_no_memory(scan);
    for (int d = 0; d < 4; d++)
        for (int64_t i = 0; i < counts[d]; i++)
            if (!read_entity(msh, d, &tag_capacity))
                return false;
    // Without any physical group, several volumes are groups by their tags, so that each can be a body.
    msh->volumes = msh->entity_tag_count == 0 && counts[3] > 1 && counts[3] <= VOLUMES_MAX;
    // Elements find their entity by bisection.
    qsort(msh->entities, (size_t)msh->entity_count, sizeof *msh->entities, compare_entities);
    return true;
}

// Reverses cells of curves and surfaces whose groups all have negative tags; in format 2.2 they are written reversed.
static void turn_block(carom_msh *msh, const carom_msh_entity *entity, carom_draft_type type, int64_t count) {
    // Volumes have no orientation to reverse.
    bool turn = entity->count > 0 && entity->dimension < 3;
    for (int64_t i = 0; i < entity->count; i++)
        turn = turn && msh->entity_tags[entity->begin + i] < 0;
    const carom_draft_block *block = &msh->reader->draft.blocks[type];
    int size = carom_draft_size(type);
    for (int64_t c = block->count - count; turn && c < block->count; c++)
        carom_cell_reverse(type, block->nodes + c * size);
}

// Adds the cells of a block to the groups of its entity, which may be several.
static bool group_block(carom_msh *msh, int64_t dimension, int64_t tag, carom_draft_type type, int64_t count) {
    carom_msh_entity key = {.dimension = (int)dimension, .tag = tag};
    const carom_msh_entity *entity =
        msh->entity_count ? bsearch(&key, msh->entities, (size_t)msh->entity_count, sizeof *msh->entities, compare_entities)
                          : NULL;
    // An entity that $Entities does not list belongs to no group.
    if (entity)
        turn_block(msh, entity, type, count);
    for (int64_t i = 0; entity && i < entity->count; i++)
        if (!carom_msh_group_cells(msh, (int)dimension, msh->entity_tags[entity->begin + i], type, count))
            return false;
    if (entity && msh->volumes && dimension == 3) {
        char name[40];
        snprintf(name, sizeof name, "volume_%lld", (long long)tag);
        int group = carom_reader_group(msh->reader, NULL, carom_words_of(name));
        return group >= 0 &&
               carom_reader_group_cells(msh->reader, group, type, msh->reader->draft.blocks[type].count - count, count);
    }
    return true;
}

static bool read_node_block(carom_msh *msh, int64_t total) {
    carom_reader *reader = msh->reader;
    carom_scan *scan = &reader->scan;
    int64_t dimension, tag, parametric, count;
    if (!read_dimension(msh, &dimension) || !carom_scan_next_whole(scan, CAROM_INT32, "the tag of an entity", &tag) ||
        !carom_scan_next_whole(scan, CAROM_INT32, "0 or 1 (parametric)", &parametric))
        return false;
    if (parametric != 0 && parametric != 1)
        return carom_scan_fail(scan, NULL, "expected 0 or 1 (parametric), found %lld", (long long)parametric);
    // Parametric nodes carry their coordinates on the entity after x, y, z: u of a curve, u and v of a surface.
    int width = 3 + (parametric ? (int)dimension : 0);
    if (!read_count(msh, "the number of nodes in the block", 8, 8 + 8 * width, &count))
        return false;
    carom_draft *draft = &reader->draft;
    // Memory was reserved for the announced number.
    if (draft->node_count + count > total)
        return carom_scan_fail(scan, NULL, "the blocks hold more nodes than the %lld that $Nodes announces", (long long)total);

    // All tags of the block come first, then all coordinates.
    int64_t first = draft->node_count, id;
    // The end of a binary block is checked once.
    const unsigned char *tags = scan->at;
    if (msh->binary && !carom_scan_take(scan, 8 * count, "the node tags"))
        return false;
    scan->at = tags;
    for (int64_t i = 0; i < count; i++) {
        if (!carom_scan_next_whole(scan, CAROM_INT64, "a node tag", &id))
            return false;
        // carom_reader_reserve_nodes has allocated all ids, so they can be written ahead of the nodes.
        draft->node_ids[first + i] = id;
    }
    for (int64_t i = 0; i < count; i++) {
        double x[6];
        const unsigned char *place = scan->at;
        for (int j = 0; j < width; j++)
            if (!carom_scan_next_real(scan, CAROM_FLOAT64, "a coordinate", &x[j]))
                return false;
        if (!carom_reader_node(reader, msh->binary ? place : NULL, x))
            return false;
    }
    return true;
}

// numEntityBlocks numNodes minNodeTag maxNodeTag; the range of tags is ignored.
bool carom_msh4_nodes(carom_msh *msh) {
    carom_reader *reader = msh->reader;
    carom_scan *scan = &reader->scan;
    int64_t blocks, count, low, high;
    if (!read_count(msh, "the number of node blocks", 8, 20, &blocks) ||
        !read_count(msh, "the number of nodes", 8, 32, &count) ||
        !carom_scan_next_whole(scan, CAROM_INT64, "the smallest node tag", &low) ||
        !carom_scan_next_whole(scan, CAROM_INT64, "the largest node tag", &high) ||
        !carom_reader_reserve_nodes(reader, count, true))
        return false;
    for (int64_t b = 0; b < blocks; b++)
        if (!read_node_block(msh, count))
            return false;
    // Too few nodes mean that the file was truncated or written incompletely.
    if (reader->draft.node_count != count)
        return carom_scan_fail(scan, NULL, "$Nodes announces %lld nodes, but its blocks hold %lld", (long long)count,
                               (long long)reader->draft.node_count);
    return true;
}

static bool read_element_block(carom_msh *msh, int64_t *left) {
    carom_reader *reader = msh->reader;
    carom_scan *scan = &reader->scan;
    int64_t dimension, tag, number, count;
    if (!read_dimension(msh, &dimension) || !carom_scan_next_whole(scan, CAROM_INT32, "the tag of an entity", &tag))
        return false;
    const unsigned char *place = scan->at;
    if (!carom_scan_next_whole(scan, CAROM_INT32, "the type of elements", &number))
        return false;
    carom_msh_type type;
    if (!carom_msh_find_type(number, &type))
        return carom_scan_fail(scan, msh->binary ? place : NULL, "element type %lld is unknown", (long long)number);
    // The tag of the element and its nodes.
    int row = 1 + type.nodes;
    if (!read_count(msh, "the number of elements in the block", 2 * row, 8 * row, &count))
        return false;
    if (count > *left)
        return carom_scan_fail(scan, NULL, "the blocks hold more elements than $Elements announces");
    *left -= count;
    // Types without a cell are an error only if there are such elements.
    if (type.unread && count)
        return carom_scan_fail(scan, msh->binary ? place : NULL, "carom has no cell for a %s (element type %lld)", type.unread,
                               (long long)number);

    int64_t values[1 + CAROM_MSH_NODES_MAX];
    if (!carom_reader_reserve_cells(reader, type.cell, count, true))
        return false;
    for (int64_t e = 0; e < count; e++) {
        const unsigned char *start = scan->at;
        if (msh->binary && !carom_scan_take(scan, 8 * row, "an element"))
            return false;
        scan->at = start;
        for (int i = 0; i < row; i++)
            if (!carom_scan_next_whole(scan, CAROM_INT64, i ? "a node tag" : "an element tag", &values[i]))
                return false;
        // In text the message names the line that has just been read.
        if (!carom_msh_cell(msh, &type, values[0], values + 1, msh->binary ? start : scan->at))
            return false;
    }
    return count == 0 || group_block(msh, dimension, tag, type.cell, count);
}

// numEntityBlocks numElements minElementTag maxElementTag
bool carom_msh4_elements(carom_msh *msh) {
    carom_scan *scan = &msh->reader->scan;
    int64_t blocks, count, low, high;
    if (!read_count(msh, "the number of element blocks", 8, 20, &blocks) ||
        !read_count(msh, "the number of elements", 4, 16, &count) ||
        !carom_scan_next_whole(scan, CAROM_INT64, "the smallest element tag", &low) ||
        !carom_scan_next_whole(scan, CAROM_INT64, "the largest element tag", &high))
        return false;
    int64_t left = count;
    for (int64_t b = 0; b < blocks; b++)
        if (!read_element_block(msh, &left))
            return false;
    if (left)
        return carom_scan_fail(scan, NULL, "$Elements announces %lld elements, but its blocks hold %lld", (long long)count,
                               (long long)(count - left));
    return true;
}
