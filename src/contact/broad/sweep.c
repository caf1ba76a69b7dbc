// SPDX-License-Identifier: MIT
// Decides which listed pairs may touch in a step: boxes around the paths of their vertices must overlap (sweep.h). The test is
// made for every pair in every step: it must be cheap and must not miss a contact. Four lanes hold x, y, z and a zero, so that
// one comparison tests all axes.
#include "contact/broad/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/platform.h"

enum {
    PARALLEL_VERTICES = 4096, // least number for threads: about 3 ns each, and the loops before keep the threads awake
    PARTS = 64,               // portions of all vertices, distributed to threads
    PARALLEL_PAIRS = 16384,   // least number of pairs for threads: 3 ns each
    CHUNK = 256               // pairs tested by one thread at a time
};

// Mapped coordinates beyond this overflow the precision of the map: such boxes overlap everything.
#define BEYOND 1e30f
// Relative enlargement of boxes: covers rounding to single precision and the rounding of later operations.
#define LOOSE 0x1p-21f

carom_status carom_sweep_create(const carom_surface *surface, carom_sweep *sweep, carom_error *error) {
    *sweep = (carom_sweep){.surface = surface};
    size_t bytes = ((size_t)surface->node_count + 1) * sizeof *sweep->boxes;
    sweep->boxes = carom_platform_allocate_aligned(64, (bytes + 63) / 64 * 64);
    return sweep->boxes ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the pairs of contact");
}

void carom_sweep_release(carom_sweep *sweep) {
    carom_platform_release_aligned(sweep->boxes);
    *sweep = (carom_sweep){0};
}

// Boxes of vertices [begin, end). `axes` is a constant where this is called, so that the loop is unrolled.
static inline void set_range(carom_sweep *sweep, const carom_tree *tree, const double (*x)[3], const double (*w)[3], double h,
                             float out, int axes, int begin, int end) {
    const int *vertices = sweep->surface->vertices;
    const double centre[3] = {tree->centre[0], tree->centre[1], tree->centre[2]}, scale = tree->scale;
    for (int v = begin; v < end; v++) {
        int node = vertices[v];
        float *box = sweep->boxes[node];
        // unused lanes always overlap
        box[2] = box[3] = box[6] = box[7] = 0;
        for (int i = 0; i < axes; i++) {
            double from = x[node][i] - centre[i];
            float a = (float)(from * scale), b = (float)((from + h * w[node][i]) * scale);
            float low = a < b ? a : b, high = a < b ? b : a;
            // rounding is relative to the coordinates themselves
            float more = out + LOOSE * (fabsf(a) + fabsf(b));
            bool known = more < BEYOND;
            box[i] = known ? low - more : -BEYOND;
            box[4 + i] = known ? high + more : BEYOND;
        }
    }
}

static void set_part(carom_sweep *sweep, const carom_tree *tree, const double (*x)[3], const double (*w)[3], double h,
                     float out, int begin, int end) {
    if (sweep->surface->corners == 3)
        set_range(sweep, tree, x, w, h, out, 3, begin, end);
    else
        set_range(sweep, tree, x, w, h, out, sweep->surface->corners, begin, end);
}

void carom_sweep_set(carom_sweep *sweep, const carom_tree *tree, const double (*x)[3], const double (*w)[3], double h,
                     double reach) {
    // enlargement by the reach, rounded up
    float out = (float)fmin(reach * tree->scale, (double)BEYOND) * (1 + LOOSE);
    int64_t count = sweep->surface->vertex_count;
    if (count <= PARALLEL_VERTICES) {
        set_part(sweep, tree, x, w, h, out, 0, (int)count);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int p = 0; p < PARTS; p++)
        set_part(sweep, tree, x, w, h, out, (int)(count * p / PARTS), (int)(count * (p + 1) / PARTS));
}

typedef struct lanes {
    carom_box_lanes low, high;
} lanes;

// The box around the boxes of some nodes.
static inline lanes box_of(const carom_sweep *sweep, const int *nodes, int count) {
    lanes box = {carom_box_lanes_load(sweep->boxes[nodes[0]]), carom_box_lanes_load(sweep->boxes[nodes[0]] + 4)};
    for (int k = 1; k < count; k++) {
        box.low = carom_box_lanes_min(box.low, carom_box_lanes_load(sweep->boxes[nodes[k]]));
        box.high = carom_box_lanes_max(box.high, carom_box_lanes_load(sweep->boxes[nodes[k]] + 4));
    }
    return box;
}

// Tests the pairs from `begin` to before `end`, all of one kind.
static bool test_range(const carom_sweep *sweep, const carom_near_pair *pairs, int begin, int end, bool edges,
                       const double *limits, bool *meet) {
    const carom_surface *s = sweep->surface;
    int first = -1;
    bool changed = false;
    lanes one = {carom_box_lanes_all(0), carom_box_lanes_all(0)};
    for (int i = begin; i < end; i++) {
        const carom_near_pair *pair = &pairs[i];
        bool meets = false;
        if (!((double)pair->gap > limits[pair->bodies])) {
            // pairs are sorted by their first feature: its box is computed once
            if (pair->feature[0] != first) {
                first = pair->feature[0];
                one = edges ? box_of(sweep, s->edges[first], 2) : box_of(sweep, &first, 1);
            }
            lanes other = edges ? box_of(sweep, s->edges[pair->feature[1]], 2) : box_of(sweep, s->faces[pair->feature[1]], 3);
            meets = carom_box_lanes_bits((one.low <= other.high) & (other.low <= one.high)) == 15;
        }
        changed = changed || meet[i] != meets;
        meet[i] = meets;
    }
    return changed;
}

// Chunks are independent: the result does not depend on the number of threads.
bool carom_sweep_test(const carom_sweep *sweep, const carom_near_pair *pairs, int count, int node_pairs, const double *limits,
                      bool *meet) {
    int node_chunks = (node_pairs + CHUNK - 1) / CHUNK, chunks = node_chunks + (count - node_pairs + CHUNK - 1) / CHUNK;
    bool changed = false;
#pragma omp parallel for schedule(static) reduction(|| : changed) if (count > PARALLEL_PAIRS)
    for (int c = 0; c < chunks; c++) {
        bool edges = c >= node_chunks;
        int begin = edges ? node_pairs + (c - node_chunks) * CHUNK : c * CHUNK, last = edges ? count : node_pairs;
        int end = last - begin < CHUNK ? last : begin + CHUNK;
        changed = test_range(sweep, pairs, begin, end, edges, limits, meet) || changed;
    }
    return changed;
}
