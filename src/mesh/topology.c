// SPDX-License-Identifier: MIT
// Facets that are equal have the same smallest node. So they are first counted into one bucket per node, and only within a
// bucket compared: time grows as the number of facets, however they are numbered.
#include "mesh/topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/mesh.h"

static const int tri_edges[3][4] = {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 0, -1, -1}};
static const int quad_edges[4][4] = {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 3, -1, -1}, {3, 0, -1, -1}};
static const int tet_faces[4][4] = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 3, 2, -1}};
static const int hex_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static const int (*facet_table(carom_cell_type type, int *count))[4] {
    switch (type) {
    case CAROM_CELL_TRI3: *count = 3; return tri_edges;
    case CAROM_CELL_QUAD4: *count = 4; return quad_edges;
    case CAROM_CELL_TET4: *count = 4; return tet_faces;
    case CAROM_CELL_HEX8: *count = 6; return hex_faces;
    default: *count = 0; return NULL;
    }
}

int carom_cell_facet_count(carom_cell_type type) {
    int count;
    facet_table(type, &count);
    return count;
}

void carom_cell_facet(carom_cell_type type, const int *cell, int facet, int nodes[4]) {
    int count;
    const int(*table)[4] = facet_table(type, &count);
    for (int i = 0; i < 4; i++)
        nodes[i] = table[facet][i] < 0 ? -1 : cell[table[facet][i]];
}

int carom_facet_size(const int nodes[4]) {
    int size = 0;
    while (size < 4 && nodes[size] >= 0)
        size++;
    return size;
}

// ---- equal items stand together ----

// An item by its nodes, ascending (-1 first where there are fewer than four), and its place in the list.
typedef struct keyed {
    int key[4];
    int item;
} keyed;

static keyed make_key(const int nodes[4], int item) {
    keyed k = {.item = item};
    memcpy(k.key, nodes, sizeof k.key);
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && k.key[j] < k.key[j - 1]; j--) {
            int swap = k.key[j];
            k.key[j] = k.key[j - 1];
            k.key[j - 1] = swap;
        }
    return k;
}

static int compare_keys(const keyed *x, const keyed *y) {
    for (int i = 0; i < 4; i++)
        if (x->key[i] != y->key[i])
            return x->key[i] < y->key[i] ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    int order = compare_keys(x, y);
    return order ? order : (x->item > y->item) - (x->item < y->item);
}

static void sort_bucket(keyed *items, int count) {
    if (count > 24) {
        qsort(items, (size_t)count, sizeof *items, compare);
        return;
    }
    for (int i = 1; i < count; i++) {
        keyed moving = items[i];
        int j = i;
        for (; j > 0 && compare(&moving, &items[j - 1]) < 0; j--)
            items[j] = items[j - 1];
        items[j] = moving;
    }
}

// Sorts keys by their smallest node, then as a whole. NULL if memory is short; frees what it is given.
static keyed *sort_keys(keyed *items, int count, int node_count) {
    keyed *sorted = carom_allocate(count, sizeof *sorted);
    int *begin = carom_allocate((int64_t)node_count + 1, sizeof *begin);
    if (!sorted || !begin) {
        free(items);
        free(sorted);
        free(begin);
        return NULL;
    }
    // the smallest node is behind the fillers
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (items[i].key[k] < 0)
            k++;
        begin[items[i].key[k] + 1]++;
    }
    for (int k = 0; k < node_count; k++)
        begin[k + 1] += begin[k];
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (items[i].key[k] < 0)
            k++;
        sorted[begin[items[i].key[k]]++] = items[i];
    }
    free(items);
    for (int k = 0, from = 0; k < node_count; from = begin[k++])
        sort_bucket(&sorted[from], begin[k] - from);
    free(begin);
    return sorted;
}

// ---- the surface ----

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the faces of a mesh");
}

static int highest_dimension(const carom_mesh *mesh) {
    int highest = 0;
    for (int b = 0; b < mesh->block_count; b++)
        if (mesh->blocks[b].count && carom_cell_dimension(mesh->blocks[b].type) > highest)
            highest = carom_cell_dimension(mesh->blocks[b].type);
    return highest;
}

// All faces of solid cells, or the plane cells.
static carom_facet *list_facets(const carom_mesh *mesh, int dimension, int64_t count) {
    carom_facet *facets = carom_allocate(count, sizeof *facets);
    int64_t f = 0;
    for (int b = 0; facets && b < mesh->block_count; b++) {
        const carom_cell_block *block = &mesh->blocks[b];
        int size = carom_cell_size(block->type), sides = carom_cell_facet_count(block->type);
        if (carom_cell_dimension(block->type) != dimension || dimension < 2)
            continue;
        for (int e = 0; e < block->count; e++) {
            const int *cell = &block->nodes[(int64_t)e * size];
            for (int s = 0; dimension == 3 && s < sides; s++, f++) {
                facets[f] = (carom_facet){.block = b, .cell = e};
                carom_cell_facet(block->type, cell, s, facets[f].nodes);
            }
            if (dimension == 3)
                continue;
            facets[f] = (carom_facet){{cell[0], cell[1], cell[2], size == 4 ? cell[3] : -1}, b, e};
            f++;
        }
    }
    return facets;
}

// True if two facets with the same nodes turn the same way: their cells are on the same side.
static bool same_turn(const int a[4], const int b[4]) {
    int size = carom_facet_size(a), at = 0;
    while (at < size && b[at] != a[0])
        at++;
    return at < size && b[(at + 1) % size] == a[1];
}

// Marks the facets that no other equals. Of those that are equal, notes pairs that turn the same way.
static bool *find_single(const carom_facet *facets, int count, int node_count, carom_clash *clashes, int *clash_count) {
    keyed *keys = carom_allocate(count, sizeof *keys);
    for (int f = 0; keys && f < count; f++)
        keys[f] = make_key(facets[f].nodes, f);
    keys = keys ? sort_keys(keys, count, node_count) : NULL;
    bool *single = keys ? carom_allocate(count, sizeof *single) : NULL;
    for (int i = 0, end; single && i < count; i = end) {
        end = i + 1;
        while (end < count && compare_keys(&keys[i], &keys[end]) == 0)
            end++;
        single[keys[i].item] = end - i == 1;
        for (int k = i + 1; k < end; k++) {
            const carom_facet *a = &facets[keys[i].item], *b = &facets[keys[k].item];
            if (k > i + 1 || same_turn(a->nodes, b->nodes))
                clashes[(*clash_count)++] = (carom_clash){{a->block, b->block}, {a->cell, b->cell}};
        }
    }
    free(keys);
    return single;
}

static int compare_clashes(const void *a, const void *b) {
    const carom_clash *x = a, *y = b;
    const int order[4] = {x->block[0] - y->block[0], x->cell[0] - y->cell[0], x->block[1] - y->block[1],
                          x->cell[1] - y->cell[1]};
    for (int i = 0; i < 4; i++)
        if (order[i])
            return order[i];
    return 0;
}

// Each pair once, in the order of the cells.
static int sort_clashes(carom_clash *clashes, int count) {
    if (count)
        qsort(clashes, (size_t)count, sizeof *clashes, compare_clashes);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (kept == 0 || compare_clashes(&clashes[kept - 1], &clashes[i]) != 0)
            clashes[kept++] = clashes[i];
    return kept;
}

carom_status carom_mesh_surface(const carom_mesh *mesh, carom_facet **facets, int *count, carom_error *error) {
    carom_clash *clashes;
    int clash_count;
    carom_status status = carom_mesh_surface_clashes(mesh, facets, count, &clashes, &clash_count, error);
    free(clashes);
    return status;
}

carom_status carom_mesh_surface_clashes(const carom_mesh *mesh, carom_facet **facets, int *count, carom_clash **clashes,
                                        int *clash_count, carom_error *error) {
    *facets = NULL;
    *count = 0;
    *clashes = NULL;
    *clash_count = 0;
    int dimension = highest_dimension(mesh);
    int64_t all = 0;
    for (int b = 0; b < mesh->block_count && dimension > 1; b++)
        if (carom_cell_dimension(mesh->blocks[b].type) == dimension)
            all += (int64_t)mesh->blocks[b].count * (dimension == 3 ? carom_cell_facet_count(mesh->blocks[b].type) : 1);
    if (all > INT_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%lld faces are too many", (long long)all);
    carom_facet *list = list_facets(mesh, dimension, all);
    if (!list)
        return no_memory(error);
    *facets = list;
    *count = (int)all;
    if (dimension < 3)
        return CAROM_OK;

    carom_clash *pairs = carom_allocate(all, sizeof *pairs);
    bool *single = pairs ? find_single(list, *count, mesh->node_count, pairs, clash_count) : NULL;
    if (!single) {
        free(list);
        free(pairs);
        *facets = NULL;
        *count = *clash_count = 0;
        return no_memory(error);
    }
    *clashes = pairs;
    *clash_count = sort_clashes(pairs, *clash_count);
    int kept = 0;
    for (int f = 0; f < *count; f++)
        if (single[f])
            list[kept++] = list[f];
    *count = kept;
    free(single);
    return CAROM_OK;
}

carom_status carom_facet_edges(const carom_facet *facets, int count, carom_edge **edges, int *edge_count, carom_error *error) {
    *edges = NULL;
    *edge_count = 0;
    int64_t all = 0;
    int node_count = 0;
    for (int f = 0; f < count; f++) {
        int size = carom_facet_size(facets[f].nodes);
        all += size;
        for (int i = 0; i < size; i++)
            if (facets[f].nodes[i] >= node_count)
                node_count = facets[f].nodes[i] + 1;
    }
    if (all > INT_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%lld edges are too many", (long long)all);

    carom_edge *list = carom_allocate(all, sizeof *list);
    keyed *keys = carom_allocate(all, sizeof *keys);
    int e = 0;
    for (int f = 0; list && keys && f < count; f++) {
        int size = carom_facet_size(facets[f].nodes);
        for (int i = 0; i < size; i++, e++) {
            int from = facets[f].nodes[i], to = facets[f].nodes[(i + 1) % size];
            keys[e] = make_key((const int[]){from, to, -1, -1}, e);
            list[e] = (carom_edge){from, to, f};
        }
    }
    if (keys && list)
        keys = sort_keys(keys, (int)all, node_count);
    carom_edge *sorted = keys && list ? carom_allocate(all, sizeof *sorted) : NULL;
    for (int i = 0; sorted && i < all; i++)
        sorted[i] = list[keys[i].item];
    free(list);
    free(keys);
    if (!sorted)
        return no_memory(error);
    *edges = sorted;
    *edge_count = (int)all;
    return CAROM_OK;
}

int carom_edge_run(const carom_edge *edges, int edge_count, int begin) {
    const carom_edge *first = &edges[begin];
    int end = begin + 1;
    while (end < edge_count && ((edges[end].from == first->from && edges[end].to == first->to) ||
                                (edges[end].from == first->to && edges[end].to == first->from)))
        end++;
    return end;
}
