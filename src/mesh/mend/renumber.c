// SPDX-License-Identifier: MIT
// Renumbers nodes, and the cells of each block, in the order of a Hilbert curve through the bounding box: neighbours in space
// become neighbours in memory. The index on the curve is computed bit by bit (J. Skilling, "Programming the Hilbert curve", AIP
// Conf. Proc. 707 (2004) 381-387: axes to transposed index).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "mesh/mesh.h"

enum { BITS = 21 }; // of each coordinate: 63 bits of key

static uint64_t hilbert(const double s[3]) {
    uint32_t x[3];
    for (int i = 0; i < 3; i++)
        x[i] = (uint32_t)(fmin(fmax(s[i], 0), 1) * ((1 << BITS) - 1));

    // Undo the excess rotations of each level.
    for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1) {
        uint32_t p = q - 1;
        for (int i = 0; i < 3; i++) {
            // If the bit is set, the lower bits of the first axis are inverted; otherwise they are
            // exchanged with those of this axis.
            if (x[i] & q) {
                x[0] ^= p;
            } else {
                uint32_t t = (x[0] ^ x[i]) & p;
                x[0] ^= t;
                x[i] ^= t;
            }
        }
    }
    // Gray encode
    for (int i = 1; i < 3; i++)
        x[i] ^= x[i - 1];
    uint32_t t = 0;
    for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1)
        if (x[2] & q)
            t ^= q - 1;
    // The transposed index holds every third bit in each coordinate; here they are interleaved.
    uint64_t key = 0;
    for (int bit = BITS - 1; bit >= 0; bit--)
        for (int i = 0; i < 3; i++)
            key = key << 1 | ((x[i] ^ t) >> bit & 1);
    return key;
}

// The order of items by key, equal ones as they were: a radix sort by eleven bits. NULL if memory is short; frees the keys.
static int *sort(uint64_t *keys, int count) {
    enum { DIGIT = 11, DIGIT_VALUES = 1 << DIGIT };
    uint64_t *other_keys = carom_allocate(count, sizeof *other_keys), *key = keys, *to_key = other_keys;
    int *items = carom_allocate(count, sizeof *items), *other = carom_allocate(count, sizeof *other);
    int *item = items, *to = other;
    bool good = keys && other_keys && items && other;
    for (int i = 0; good && i < count; i++)
        items[i] = i;
    // An even number of passes, six of eleven bits for a key of 63, leaves the result in `items`. Each pass is stable, so the
    // lowest digit comes first.
    for (int shift = 0; good && shift < 3 * BITS; shift += DIGIT) {
        int begin[DIGIT_VALUES + 1] = {0};
        for (int i = 0; i < count; i++)
            begin[(key[i] >> shift & (DIGIT_VALUES - 1)) + 1]++;
        for (int d = 0; d < DIGIT_VALUES; d++)
            begin[d + 1] += begin[d];
        for (int i = 0; i < count; i++) {
            int place = begin[key[i] >> shift & (DIGIT_VALUES - 1)]++;
            to_key[place] = key[i];
            to[place] = item[i];
        }
        uint64_t *swap_key = key;
        key = to_key, to_key = swap_key;
        int *swap = item;
        item = to, to = swap;
    }
    free(keys);
    free(other_keys);
    free(other);
    if (good)
        return items;
    free(items);
    return NULL;
}

typedef struct frame {
    double low[3], scale;
} frame;

// The cube around the mesh that the curve fills.
static frame frame_of(const carom_mesh *mesh) {
    frame f;
    double high[3], size = 0;
    carom_mesh_bounds(mesh, f.low, high);
    for (int i = 0; i < 3; i++)
        size = fmax(size, high[i] - f.low[i]);
    // One scale for all axes: stretching the box would distort what is near.
    f.scale = size > 0 ? 1 / size : 0;
    return f;
}

static uint64_t key_at(const frame *f, const double x[3]) {
    double s[3];
    for (int i = 0; i < 3; i++)
        s[i] = (x[i] - f->low[i]) * f->scale;
    return hilbert(s);
}

// Puts an array of one item per node, which may be absent, in the new order.
static bool order_array(void **array, const int *order, int count, size_t size) {
    if (!*array)
        return true;
    char *sorted = carom_allocate(count, size);
    if (!sorted)
        return false;
    for (int k = 0; k < count; k++)
        memcpy(sorted + (size_t)k * size, (const char *)*array + (size_t)order[k] * size, size);
    free(*array);
    *array = sorted;
    return true;
}

// Ids of the file, or indices from `first` on if there are none, in the new order.
static bool order_ids(int64_t **ids, const int *order, int count, int first) {
    int64_t *sorted = carom_allocate(count, sizeof *sorted);
    for (int k = 0; sorted && k < count; k++)
        sorted[k] = *ids ? (*ids)[order[k]] : first + order[k];
    if (!sorted)
        return false;
    free(*ids);
    *ids = sorted;
    return true;
}

// Arrays are reordered one after another, so that at most one exists twice.
static bool order_nodes(carom_mesh *mesh, const frame *f) {
    int count = mesh->node_count;
    uint64_t *keys = carom_allocate(count, sizeof *keys);
    for (int k = 0; keys && k < count; k++)
        keys[k] = key_at(f, mesh->nodes[k]);
    int *order = sort(keys, count);
    int *to = order ? carom_allocate(count, sizeof *to) : NULL;
    // If memory runs out in the middle some arrays have the new order and others the old one: the
    // caller must release the mesh.
    bool good = to && order_array((void **)&mesh->nodes, order, count, sizeof *mesh->nodes) &&
                order_array((void **)&mesh->frames, order, count, sizeof *mesh->frames) &&
                order_array((void **)&mesh->velocities, order, count, sizeof *mesh->velocities) &&
                order_array((void **)&mesh->spins, order, count, sizeof *mesh->spins) &&
                order_ids(&mesh->node_ids, order, count, 0);
    for (int k = 0; good && k < count; k++)
        to[order[k]] = k;
    free(order);
    if (good)
        carom_mesh_rename_nodes(mesh, to, false);
    free(to);
    return good;
}

// `to` receives the new index of the cells of this block, counted from `begin` through all blocks.
static bool order_cells(const carom_mesh *mesh, const frame *f, int b, int begin, int *to) {
    carom_cell_block *block = &mesh->blocks[b];
    int size = carom_cell_size(block->type);
    uint64_t *keys = carom_allocate(block->count, sizeof *keys);
    for (int e = 0; keys && e < block->count; e++) {
        double middle[3] = {0, 0, 0};
        for (int i = 0; i < size; i++)
            for (int d = 0; d < 3; d++)
                // Divided before the sum, so that large coordinates do not overflow.
                middle[d] += mesh->nodes[block->nodes[(int64_t)e * size + i]][d] / size;
        keys[e] = key_at(f, middle);
    }
    int *order = sort(keys, block->count);
    bool good = order && order_array((void **)&block->nodes, order, block->count, (size_t)size * sizeof *block->nodes) &&
                order_ids(&block->ids, order, block->count, begin);
    for (int e = 0; good && e < block->count; e++)
        to[begin + order[e]] = begin + e;
    free(order);
    return good;
}

// The ids keep the numbers of the file, so that messages and results still name its nodes and cells.
carom_status carom_mesh_renumber(carom_mesh *mesh, carom_error *error) {
    frame f = frame_of(mesh);
    int *to = carom_allocate(carom_mesh_cell_count(mesh), sizeof *to);
    bool good = to && order_nodes(mesh, &f);
    for (int b = 0, begin = 0; good && b < mesh->block_count; begin += mesh->blocks[b++].count)
        good = order_cells(mesh, &f, b, begin, to);
    if (good)
        carom_mesh_rename_cells(mesh, to);
    free(to);
    return good ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory to renumber a mesh");
}
