// SPDX-License-Identifier: MIT
// Last stage of reading an Abaqus input file (deck): numbers of nodes and elements become indices, and sets and surfaces become
// groups of the mesh. A `part` is one piece of a set (inp.h), not an Abaqus *PART.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/files/inp.h"
#include "mesh/mesh.h"

carom_inp_part *carom_inp_add_part(carom_inp *inp, int set, carom_inp_part_kind kind) {
    if (!carom_reader_grow(inp->reader, (void **)&inp->parts, inp->part_count, &inp->part_capacity, sizeof *inp->parts))
        return NULL;
    carom_scan *scan = &inp->reader->scan;
    // Parts refer to each other by int.
    if (inp->part_count == INT_MAX) {
        carom_scan_fail(scan, NULL, "more than %d lines of sets", INT_MAX);
        return NULL;
    }
    int index = (int)inp->part_count++;
    carom_inp_part *part = &inp->parts[index];
    *part = (carom_inp_part){.next = -1, .kind = (unsigned char)kind, .file = (short)inp->file};
    part->line = (int)carom_scan_line(scan, scan->at);
    // Numbers of a part are consecutive in the common list, from here on.
    if (kind == CAROM_INP_NUMBERS)
        part->begin = inp->number_count;
    // Parts of a set form a list in the order of the deck.
    if (inp->sets[set].tail >= 0)
        inp->parts[inp->sets[set].tail].next = index;
    else
        inp->sets[set].head = index;
    inp->sets[set].tail = index;
    return part;
}

// A number that is defined twice; the message names the line of the keyword above it.
static bool fail_twice(carom_inp *inp, bool nodes, carom_draft_type type, int64_t index, const char *what, int64_t number) {
    const carom_inp_block *found = &inp->blocks[0];
    // Blocks begin in rising order; the last one that begins at or before the index holds it.
    for (int64_t b = 0; b < inp->block_count; b++)
        if (inp->blocks[b].nodes == nodes && inp->blocks[b].type == type && inp->blocks[b].begin <= index)
            found = &inp->blocks[b];
    return carom_inp_fail(inp, found->file, found->line, "%s %lld is defined twice", what, (long long)number);
}

static bool map_nodes(carom_inp *inp) {
    carom_draft *draft = &inp->reader->draft;
    int64_t twice;
    if (!carom_id_map_create(&inp->node_map, draft->node_ids, draft->node_count, &twice))
        return carom_scan_no_memory(&inp->reader->scan);
    return twice < 0 || fail_twice(inp, true, CAROM_CELL_POINT, twice, "node", draft->node_ids[twice]);
}

// Cells hold numbers of nodes up to here; each *ELEMENT stores its line for messages.
static bool resolve_block(carom_inp *inp, const carom_inp_block *block, int64_t end) {
    carom_draft_block *cells = &inp->reader->draft.blocks[block->type];
    int size = carom_draft_size(block->type);
    for (int64_t i = block->begin * size; i < end * size; i++) {
        int node = carom_id_map_find(&inp->node_map, cells->nodes[i]);
        if (node < 0)
            return carom_inp_fail(inp, block->file, block->line, "element %lld has node %d, which no *NODE defines",
                                  (long long)cells->ids[i / size], cells->nodes[i]);
        cells->nodes[i] = node;
    }
    return true;
}

static bool resolve_cells(carom_inp *inp) {
    carom_draft *draft = &inp->reader->draft;
    for (int64_t b = 0; b < inp->block_count; b++) {
        if (inp->blocks[b].nodes)
            continue;
        int64_t end = draft->blocks[inp->blocks[b].type].count;
        // Elements of a block end where the next block of the same type begins.
        for (int64_t later = b + 1; later < inp->block_count; later++)
            if (!inp->blocks[later].nodes && inp->blocks[later].type == inp->blocks[b].type) {
                end = inp->blocks[later].begin;
                break;
            }
        if (!resolve_block(inp, &inp->blocks[b], end))
            return false;
    }
    return true;
}

// The nodes in the middle of edges and faces, which only refine the shape. `extra` holds them cell after cell for each
// *ELEMENT.
static bool resolve_extra(carom_inp *inp) {
    for (int64_t b = 0, i = 0; b < inp->block_count; b++) {
        const carom_inp_block *block = &inp->blocks[b];
        if (block->nodes || block->extras == 0)
            continue;
        int64_t end = inp->extra_count;
        // Only blocks of higher order have extra nodes, and they are in the order of the deck.
        for (int64_t later = b + 1; later < inp->block_count && end == inp->extra_count; later++)
            if (inp->blocks[later].extras)
                end = inp->blocks[later].extra;
        for (; i < end; i++) {
            int node = carom_id_map_find(&inp->node_map, inp->extra[i]);
            if (node < 0) {
                // The element of an extra node, for the message.
                int64_t cell = block->begin + (i - block->extra) / block->extras;
                return carom_inp_fail(inp, block->file, block->line, "element %lld has node %d, which no *NODE defines",
                                      (long long)inp->reader->draft.blocks[block->type].ids[cell], inp->extra[i]);
            }
            if (!carom_reader_extra_node(inp->reader, node))
                return false;
        }
    }
    return true;
}

// Elements of all types share one numbering in Abaqus.
static bool map_cells(carom_inp *inp) {
    int64_t twice, index;
    if (!carom_reader_map_cells(inp->reader, &inp->cell_map, inp->first, &twice))
        return false;
    carom_draft_type type = carom_draft_type_at(inp->first, twice, &index);
    return twice < 0 || fail_twice(inp, false, type, index, "element", inp->reader->draft.blocks[type].ids[index]);
}

// Marks the numbers of a range that exist, by stepping through it or through all existing numbers, whichever is shorter: a
// range of a few bytes may span 10^9 numbers.
static void mark_range(const carom_id_map *map, const carom_inp_part *part, unsigned char *marks) {
    // Numbers above the highest one need not be tested.
    int64_t first = part->first, last = part->last < map->high ? part->last : map->high;
    if (map->table || (last - first) / part->step < map->count) {
        for (int64_t id = first; id <= last; id += part->step) {
            int index = carom_id_map_find(map, id);
            if (index >= 0)
                marks[index] = 1;
        }
        return;
    }
    for (int64_t i = 0; i < map->count; i++)
        if (map->sorted[i] >= first && map->sorted[i] <= last && (map->sorted[i] - first) % part->step == 0)
            marks[map->index[i]] = 1;
}

static bool is_skipped(const carom_inp *inp, int64_t number) {
    int key = (int)number;
    return inp->skipped_count &&
           bsearch(&key, inp->skipped, (size_t)inp->skipped_count, sizeof *inp->skipped, carom_mesh_compare) != NULL;
}

// True if a range names elements that have no cell. The numbers are sorted, so the search begins at the first one of the range.
static bool range_skips(const carom_inp *inp, const carom_inp_part *part) {
    int64_t low = 0, high = inp->skipped_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (inp->skipped[middle] < part->first)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < inp->skipped_count && inp->skipped[low] <= part->last && (inp->skipped[low] - part->first) % part->step != 0)
        low++;
    return low < inp->skipped_count && inp->skipped[low] <= part->last;
}

// Only the corners that the cells keep: middle nodes are no nodes of the body.
static void mark_nodes_of(const carom_inp *inp, const carom_inp_set *cells, unsigned char *marks) {
    for (int64_t i = 0; i < cells->count; i++) {
        int64_t index;
        carom_draft_type type = carom_draft_type_at(inp->first, cells->members[i], &index);
        int size = carom_draft_size(type);
        for (int j = 0; j < size; j++)
            marks[inp->reader->draft.blocks[type].nodes[index * size + j]] = 1;
    }
}

// Marks the members of one piece of a set. Numbers that no element has are an error, but those of elements without a cell only
// leave the set incomplete.
static bool mark_part(carom_inp *inp, carom_inp_set *set, const carom_inp_part *part, unsigned char *marks) {
    const carom_id_map *map = set->cells ? &inp->cell_map : &inp->node_map;
    if (part->kind == CAROM_INP_RANGE) {
        mark_range(map, part, marks);
        set->lacking = set->lacking || (set->cells && range_skips(inp, part));
        return true;
    }
    if (part->kind == CAROM_INP_SET) {
        // Sets include only sets before them, so the members of the other one are complete.
        const carom_inp_set *other = &inp->sets[part->set];
        for (int64_t i = 0; i < other->count; i++)
            marks[other->members[i]] = 1;
        // Incompleteness is inherited.
        set->lacking = set->lacking || other->lacking;
        return true;
    }
    if (part->kind == CAROM_INP_NODES_OF) {
        mark_nodes_of(inp, &inp->sets[part->set], marks);
        if (inp->sets[part->set].lacking)
            carom_inp_warn(inp, part->file, part->line, "set '%.60s' has no nodes of elements of '%.60s' that are left out",
                           set->name, inp->sets[part->set].name);
        return true;
    }
    for (int64_t i = part->begin; i < part->begin + part->count; i++) {
        int index = carom_id_map_find(map, inp->numbers[i]);
        // An element that was skipped exists in the deck, so naming it is no error.
        if (index < 0 && set->cells && is_skipped(inp, inp->numbers[i])) {
            set->lacking = true;
            continue;
        }
        if (index < 0)
            return carom_inp_fail(inp, part->file, part->line, "set '%.60s' has %s %d, which is not defined", set->name,
                                  set->cells ? "element" : "node", inp->numbers[i]);
        marks[index] = 1;
    }
    return true;
}

// Adds the members of a set of cells to its group; runs of one type are joined there.
static bool group_cells(carom_inp *inp, const carom_inp_set *set) {
    for (int64_t i = 0; i < set->count; i++) {
        int64_t index;
        carom_draft_type type = carom_draft_type_at(inp->first, set->members[i], &index);
        if (!carom_reader_group_cells(inp->reader, set->group, type, index, 1))
            return false;
    }
    return true;
}

static bool resolve_set(carom_inp *inp, carom_inp_set *set, unsigned char *marks, int64_t count) {
    for (int p = set->head; p >= 0; p = inp->parts[p].next)
        if (!mark_part(inp, set, &inp->parts[p], marks))
            return false;
    int64_t members = 0;
    // Marks drop repetitions and sort the members.
    for (int64_t i = 0; i < count; i++)
        members += marks[i];
    inp->reader->draft.budget -= members * (int64_t)sizeof *set->members;
    if (inp->reader->draft.budget < 0)
        return carom_scan_fail(&inp->reader->scan, NULL, "the sets hold far more than a file of this size can name");
    set->members = carom_allocate(members, sizeof *set->members);
    if (!set->members)
        return carom_scan_no_memory(&inp->reader->scan);
    for (int64_t i = 0; i < count; i++)
        if (marks[i])
            set->members[set->count++] = (int)i;
    memset(marks, 0, (size_t)count);
    // A set that was replaced exists only as a part of its successor.
    if (set->replaced)
        return true;
    // A body that was requested by name must be complete.
    if (set->cells && set->lacking && carom_reader_is_group(inp->reader, set->group, inp->reader->def->group))
        return carom_inp_fail(inp, 0, 1, "group '%.60s' has elements that carom has no cell for", set->name);
    if (set->cells)
        return group_cells(inp, set);
    return carom_reader_group_nodes(inp->reader, set->group, set->members, set->count);
}

static bool resolve_sets(carom_inp *inp) {
    int64_t cells = inp->cell_map.count, nodes = inp->node_map.count;
    unsigned char *marks = carom_allocate(cells > nodes ? cells : nodes, 1);
    bool good = marks || carom_scan_no_memory(&inp->reader->scan);
    // Sets of cells first, since sets of nodes may be made of them.
    for (int turn = 0; turn < 2; turn++)
        for (int64_t s = 0; good && s < inp->set_count; s++)
            if (inp->sets[s].cells == (turn == 0))
                good = resolve_set(inp, &inp->sets[s], marks, turn == 0 ? cells : nodes);
    free(marks);
    return good;
}

// Corners of the faces S1, S2, ... of a cell, in the numbering of Abaqus, which differs from that of VTK.
static bool face_corners(carom_draft_type type, int label, int corners[4]) {
    static const int tet[4][4] = {{0, 1, 2, -1}, {0, 3, 1, -1}, {1, 3, 2, -1}, {2, 3, 0, -1}};
    static const int prism[5][4] = {{0, 1, 2, -1}, {3, 5, 4, -1}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}};
    static const int pyramid[5][4] = {{0, 1, 2, 3}, {0, 4, 1, -1}, {1, 4, 2, -1}, {2, 4, 3, -1}, {3, 4, 0, -1}};
    static const int hex[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
    int size = carom_draft_size(type), dimension = carom_draft_dimension(type);
    // SPOS is the side of a shell to which its normal points, SNEG the other one, with the nodes reversed from the same first
    // node.
    if (dimension == 2 && label >= CAROM_INP_SPOS) {
        for (int i = 0; i < 4; i++)
            // Backwards from the first node: 0, n - 1, ..., 1.
            corners[i] = i >= size ? -1 : label == CAROM_INP_SPOS ? i : (size - i) % size;
        return true;
    }
    if (dimension == 2 && label <= size) {
        // Edge S_i of a plane element goes from node i to the next one.
        memcpy(corners, (const int[4]){label - 1, label % size, -1, -1}, 4 * sizeof *corners);
        return true;
    }
    const int(*table)[4] = type == CAROM_CELL_TET4       ? tet
                           : type == CAROM_DRAFT_PRISM   ? prism
                           : type == CAROM_DRAFT_PYRAMID ? pyramid
                                                         : hex;
    if (dimension < 3 || label > (type == CAROM_CELL_TET4 ? 4 : type == CAROM_CELL_HEX8 ? 6 : 5))
        return false;
    memcpy(corners, table[label - 1], 4 * sizeof *corners);
    return true;
}

static bool add_face(carom_inp *inp, const carom_inp_surface *surface, int64_t cell) {
    int64_t index;
    int corners[4], face[4];
    carom_draft_type type = carom_draft_type_at(inp->first, cell, &index);
    const carom_draft_block *block = &inp->reader->draft.blocks[type];
    if (!face_corners(type, surface->label, corners))
        return carom_inp_fail(inp, surface->file, surface->line, "element %lld, a %s, has no such face",
                              (long long)block->ids[index], carom_draft_name(type));
    for (int i = 0; i < 4; i++)
        face[i] = corners[i] < 0 ? -1 : block->nodes[index * carom_draft_size(type) + corners[i]];
    return carom_reader_group_face(inp->reader, surface->group, face);
}

// A node set with the name of a surface of nodes must hold the nodes of that surface: the mesh has one node set of that name.
static bool check_name(carom_inp *inp, const carom_inp_surface *surface, const int *nodes, int64_t count) {
    for (int64_t s = 0; s < inp->set_count; s++) {
        const carom_inp_set *set = &inp->sets[s];
        if (set->cells || set->group != surface->group)
            continue;
        for (int64_t i = 0; i < count; i++)
            if (!set->count || !bsearch(&nodes[i], set->members, (size_t)set->count, sizeof *nodes, carom_mesh_compare))
                return carom_inp_fail(inp, surface->file, surface->line,
                                      "surface '%.60s' has node %lld, but node set '%.60s' does not; rename one", set->name,
                                      (long long)inp->reader->draft.node_ids[nodes[i]], set->name);
    }
    return true;
}

// Elements without a cell have no faces in the mesh, so their part of a surface is left out.
static bool resolve_surface(carom_inp *inp, const carom_inp_surface *surface) {
    // A single element or node instead of a set.
    if (surface->number >= 0) {
        if (!surface->nodes && is_skipped(inp, surface->number))
            return true;
        int index = carom_id_map_find(surface->nodes ? &inp->node_map : &inp->cell_map, surface->number);
        if (index < 0)
            return carom_inp_fail(inp, surface->file, surface->line, "%s %lld is not defined",
                                  surface->nodes ? "node" : "element", (long long)surface->number);
        if (!surface->nodes)
            return add_face(inp, surface, index);
        return check_name(inp, surface, &index, 1) && carom_reader_group_nodes(inp->reader, surface->group, &index, 1);
    }
    const carom_inp_set *set = &inp->sets[surface->set];
    if (surface->nodes)
        return check_name(inp, surface, set->members, set->count) &&
               carom_reader_group_nodes(inp->reader, surface->group, set->members, set->count);
    for (int64_t i = 0; i < set->count; i++)
        if (!add_face(inp, surface, set->members[i]))
            return false;
    return true;
}

// The order matters: nodes before cells, cells before sets, sets before surfaces.
bool carom_inp_resolve(carom_inp *inp) {
    if (inp->skipped_count)
        qsort(inp->skipped, (size_t)inp->skipped_count, sizeof *inp->skipped, carom_mesh_compare);
    if (!carom_inp_mention_types(inp) || !map_nodes(inp) || !resolve_cells(inp) || !resolve_extra(inp) || !map_cells(inp) ||
        !resolve_sets(inp))
        return false;
    for (int64_t s = 0; s < inp->surface_count; s++)
        if (!resolve_surface(inp, &inp->surfaces[s]))
            return false;
    return true;
}
