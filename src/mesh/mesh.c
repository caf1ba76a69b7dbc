// SPDX-License-Identifier: MIT
// The arrays of a mesh: types of cells, blocks, and sets.
#include "mesh/mesh.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/topology.h"

static const struct {
    int size, dimension;
    const char *name;
    uint8_t vtk; // vtkCellType
} cells[CAROM_CELL_TYPE_COUNT] = {
    [CAROM_CELL_POINT] = {1, 0, "point", 1},    [CAROM_CELL_LINE2] = {2, 1, "line2", 3}, [CAROM_CELL_TRI3] = {3, 2, "tri3", 5},
    [CAROM_CELL_QUAD4] = {4, 2, "quad4", 9},    [CAROM_CELL_TET4] = {4, 3, "tet4", 10},  [CAROM_CELL_HEX8] = {8, 3, "hex8", 12},
    [CAROM_CELL_WEDGE6] = {6, 3, "wedge6", 13},
};

int carom_cell_size(carom_cell_type type) {
    return cells[type].size;
}

uint8_t carom_cell_vtk_type(carom_cell_type type) {
    return cells[type].vtk;
}

int carom_cell_dimension(carom_cell_type type) {
    return cells[type].dimension;
}

const char *carom_cell_name(carom_cell_type type) {
    return cells[type].name;
}

void carom_mesh_drop_cells(carom_mesh *mesh) {
    for (int b = 0; b < mesh->block_count; b++) {
        free(mesh->blocks[b].nodes);
        free(mesh->blocks[b].ids);
    }
    for (int s = 0; s < mesh->cell_set_count; s++)
        free(mesh->cell_sets[s].cells);
    for (int s = 0; s < mesh->face_set_count; s++)
        free(mesh->face_sets[s].nodes);
    mesh->block_count = mesh->cell_set_count = mesh->face_set_count = 0;
}

// Also releases an incomplete mesh: arrays that are not set are NULL, and counts zero.
void carom_mesh_release(carom_mesh *mesh) {
    carom_mesh_drop_cells(mesh);
    for (int s = 0; s < mesh->set_count; s++)
        free(mesh->sets[s].nodes);
    void *const arrays[] = {mesh->nodes,  mesh->node_ids, mesh->frames,    mesh->velocities, mesh->spins,
                            mesh->blocks, mesh->sets,     mesh->cell_sets, mesh->face_sets};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    *mesh = (carom_mesh){0};
}

const carom_node_set *carom_mesh_set(const carom_mesh *mesh, const char *name) {
    for (int s = 0; s < mesh->set_count; s++)
        if (strcmp(mesh->sets[s].name, name) == 0)
            return &mesh->sets[s];
    return NULL;
}

const carom_cell_set *carom_mesh_cell_set(const carom_mesh *mesh, const char *name) {
    for (int s = 0; s < mesh->cell_set_count; s++)
        if (strcmp(mesh->cell_sets[s].name, name) == 0)
            return &mesh->cell_sets[s];
    return NULL;
}

const carom_face_set *carom_mesh_face_set(const carom_mesh *mesh, const char *name) {
    for (int s = 0; s < mesh->face_set_count; s++)
        if (strcmp(mesh->face_sets[s].name, name) == 0)
            return &mesh->face_sets[s];
    return NULL;
}

int64_t carom_mesh_node_id(const carom_mesh *mesh, int node) {
    return mesh->node_ids ? mesh->node_ids[node] : node;
}

int64_t carom_mesh_cell_id(const carom_mesh *mesh, int block, int cell) {
    // Cells without ids are numbered through all blocks from 0.
    if (mesh->blocks[block].ids)
        return mesh->blocks[block].ids[cell];
    int64_t place = cell;
    for (int b = 0; b < block; b++)
        place += mesh->blocks[b].count;
    return place;
}

int64_t carom_mesh_cell_id_at(const carom_mesh *mesh, int place) {
    int block = 0;
    while (place >= mesh->blocks[block].count)
        place -= mesh->blocks[block++].count;
    return carom_mesh_cell_id(mesh, block, place);
}

int carom_mesh_dimension(const carom_mesh *mesh) {
    int highest = 0;
    for (int b = 0; b < mesh->block_count; b++)
        if (mesh->blocks[b].count && carom_cell_dimension(mesh->blocks[b].type) > highest)
            highest = carom_cell_dimension(mesh->blocks[b].type);
    return highest;
}

void carom_mesh_bounds(const carom_mesh *mesh, double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = HUGE_VAL, high[i] = -HUGE_VAL;
        for (int k = 0; k < mesh->node_count; k++) {
            low[i] = fmin(low[i], mesh->nodes[k][i]);
            high[i] = fmax(high[i], mesh->nodes[k][i]);
        }
    }
}

bool *carom_mesh_used(const carom_mesh *mesh) {
    bool *used = carom_allocate(mesh->node_count, sizeof *used);
    for (int b = 0; used && b < mesh->block_count; b++) {
        int64_t slots = (int64_t)mesh->blocks[b].count * carom_cell_size(mesh->blocks[b].type);
        for (int64_t i = 0; i < slots; i++)
            used[mesh->blocks[b].nodes[i]] = true;
    }
    return used;
}

int64_t carom_mesh_cell_count(const carom_mesh *mesh) {
    int64_t count = 0;
    for (int b = 0; b < mesh->block_count; b++)
        count += mesh->blocks[b].count;
    return count;
}

static carom_status no_memory(const char *what, int64_t count, carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for a mesh of %lld %s", (long long)count, what);
}

carom_status carom_mesh_add_block(carom_mesh *mesh, carom_cell_type type, int64_t cell_count, carom_error *error) {
    // Indices into `nodes` are ints throughout the library.
    if (cell_count > INT_MAX / CAROM_CELL_NODES_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%lld cells are too many", (long long)cell_count);
    // The array of blocks may have moved even if there is no memory for the nodes of the new block: it is kept in both cases.
    carom_cell_block *blocks = realloc(mesh->blocks, ((size_t)mesh->block_count + 1) * sizeof *blocks);
    if (blocks)
        mesh->blocks = blocks;
    int *nodes = carom_allocate(cell_count * carom_cell_size(type), sizeof *nodes);
    if (!blocks || !nodes) {
        free(nodes);
        return no_memory("cells", cell_count, error);
    }
    mesh->blocks[mesh->block_count++] = (carom_cell_block){.type = type, .count = (int)cell_count, .nodes = nodes};
    return CAROM_OK;
}

// The limit keeps the number of all entries of a block within an int.
carom_status carom_mesh_allocate(carom_mesh *mesh, int64_t node_count, carom_cell_type type, int64_t cell_count,
                                 carom_error *error) {
    *mesh = (carom_mesh){0};
    if (node_count > INT_MAX / CAROM_CELL_NODES_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%lld nodes are too many", (long long)node_count);
    mesh->nodes = carom_allocate(node_count, sizeof *mesh->nodes);
    if (!mesh->nodes)
        return no_memory("nodes", node_count, error);
    mesh->node_count = (int)node_count;
    carom_status status = carom_mesh_add_block(mesh, type, cell_count, error);
    if (status)
        carom_mesh_release(mesh);
    return status;
}

int carom_mesh_compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Sorts items and drops repetitions; returns how many are left.
static int sort_unique(int *items, int count) {
    bool ascending = true;
    for (int i = 1; i < count && ascending; i++)
        ascending = items[i - 1] < items[i];
    // Most sets of files and generators are sorted already.
    if (ascending)
        return count;
    qsort(items, (size_t)count, sizeof *items, carom_mesh_compare);
    int kept = 1;
    for (int i = 1; i < count; i++)
        if (items[i] != items[kept - 1])
            items[kept++] = items[i];
    return kept;
}

// A sorted copy without repetitions, and its length; NULL if memory is short.
static int *sorted(const int *items, int *count) {
    int *copy = carom_allocate(*count, sizeof *copy);
    if (!copy || *count == 0)
        return copy;
    memcpy(copy, items, (size_t)*count * sizeof *copy);
    *count = sort_unique(copy, *count);
    return copy;
}

static void rename_set(int *items, int *count, const int *to) {
    int kept = 0;
    for (int i = 0; i < *count; i++)
        if (to[items[i]] >= 0)
            items[kept++] = to[items[i]];
    // Entries that were different before may be equal now.
    *count = sort_unique(items, kept);
}

void carom_mesh_rename_cells(carom_mesh *mesh, const int *to) {
    for (int s = 0; s < mesh->cell_set_count; s++)
        rename_set(mesh->cell_sets[s].cells, &mesh->cell_sets[s].count, to);
}

void carom_mesh_rename_nodes(carom_mesh *mesh, const int *to, bool welded) {
    for (int b = 0; b < mesh->block_count; b++) {
        int64_t slots = (int64_t)mesh->blocks[b].count * carom_cell_size(mesh->blocks[b].type);
        for (int64_t i = 0; i < slots; i++)
            mesh->blocks[b].nodes[i] = to[mesh->blocks[b].nodes[i]];
    }
    for (int s = 0; s < mesh->set_count; s++)
        rename_set(mesh->sets[s].nodes, &mesh->sets[s].count, to);
    for (int s = 0; s < mesh->face_set_count; s++) {
        carom_face_set *set = &mesh->face_sets[s];
        int kept = 0;
        for (int f = 0; f < set->count; f++) {
            int face[4] = {-1, -1, -1, -1}, size = carom_facet_size(set->nodes[f]);
            bool whole = true;
            for (int i = 0; i < size; i++) {
                // A face that has lost a node, or whose nodes have been welded together, is no face any more.
                face[i] = to[set->nodes[f][i]];
                whole = whole && face[i] >= 0;
                for (int j = 0; j < i; j++)
                    whole = whole && !(welded && face[i] == face[j]);
            }
            if (whole)
                memcpy(set->nodes[kept++], face, sizeof face);
        }
        set->count = kept;
    }
}

static carom_status no_memory_for_set(const char *name, carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for set '%s'", name);
}

// Adds a set, whose members are freed if that fails, to one of the lists of a mesh.
static carom_status add_set(void **sets, int *count, const void *set, size_t size, const char *name, void *members,
                            carom_error *error) {
    char *moved = members ? realloc(*sets, ((size_t)*count + 1) * size) : NULL;
    if (!moved) {
        free(members);
        return no_memory_for_set(name, error);
    }
    *sets = moved;
    memcpy(moved + (size_t)(*count)++ * size, set, size);
    return CAROM_OK;
}

// A name that is too long is truncated; strncpy leaves the last byte zero.
carom_status carom_mesh_add_set(carom_mesh *mesh, const char *name, const int *nodes, int count, carom_error *error) {
    carom_node_set set = {.count = count};
    strncpy(set.name, name, CAROM_NAME_MAX - 1);
    set.nodes = sorted(nodes, &set.count);
    return add_set((void **)&mesh->sets, &mesh->set_count, &set, sizeof set, name, set.nodes, error);
}

carom_status carom_mesh_add_cell_set(carom_mesh *mesh, const char *name, const int *items, int count, carom_error *error) {
    carom_cell_set set = {.count = count};
    strncpy(set.name, name, CAROM_NAME_MAX - 1);
    set.cells = sorted(items, &set.count);
    return add_set((void **)&mesh->cell_sets, &mesh->cell_set_count, &set, sizeof set, name, set.cells, error);
}

// Faces keep their order and orientation.
carom_status carom_mesh_add_face_set(carom_mesh *mesh, const char *name, const int (*nodes)[4], int count, carom_error *error) {
    carom_face_set set = {.count = count, .nodes = carom_allocate(count, sizeof *set.nodes)};
    strncpy(set.name, name, CAROM_NAME_MAX - 1);
    if (set.nodes && count)
        memcpy(set.nodes, nodes, (size_t)count * sizeof *set.nodes);
    return add_set((void **)&mesh->face_sets, &mesh->face_set_count, &set, sizeof set, name, set.nodes, error);
}

// Each node once, in ascending order.
carom_status carom_mesh_cell_set_nodes(const carom_mesh *mesh, const carom_cell_set *set, int **nodes, int *count,
                                       carom_error *error) {
    *nodes = NULL;
    *count = 0;
    // The number of nodes of a set is an int.
    if (set->count > INT_MAX / CAROM_CELL_NODES_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "set '%s' has too many cells", set->name);
    int *found = carom_allocate((int64_t)set->count * CAROM_CELL_NODES_MAX, sizeof *found);
    if (!found)
        return no_memory_for_set(set->name, error);
    // Cells of a set ascend and blocks follow each other, so one pass over both meets them all.
    int all = 0, begin = 0, i = 0;
    for (int b = 0; b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type);
        for (; i < set->count && set->cells[i] < begin + block->count; i++, all += size)
            memcpy(found + all, &block->nodes[(int64_t)(set->cells[i] - begin) * size], (size_t)size * sizeof *found);
        begin += block->count;
    }
    *nodes = sorted(found, &all);
    free(found);
    *count = *nodes ? all : 0;
    return *nodes ? CAROM_OK : no_memory_for_set(set->name, error);
}
