// SPDX-License-Identifier: MIT
// A batch of one element, for a thread of a device. The kernels of elements are written for batches; element/batch.h defines
// the batch of eight elements on the processor, and this file defines the same functions for one element: they read the
// positions and data of its nodes and store its forces, in the shared memory of the group of threads or in slots (threads.h).
// Groups and runs are defined in calls.h.
#ifndef CAROM_DEVICE_THREAD_BATCH_H
#define CAROM_DEVICE_THREAD_BATCH_H

#include <stddef.h>

#include "device/calls.h"
#include "device/threads_flow.h"

// Where a thread stores the force on node a of its element: component i at carom_sink_at(sink, a)[i * stride].
typedef struct carom_sink {
    double *first;     // shared memory of the group, one column per thread; or the array of all slots
    int stride;        // between the numbers of a thread in the former; 1 in the latter
    const int *target; // the slots of the nodes of the element; NULL: forces go to the shared memory
} carom_sink;

CAROM_INLINE double *carom_sink_at(const carom_sink *sink, int a) {
    return sink->target ? sink->first + 3 * (ptrdiff_t)sink->target[a] : sink->first + 3 * (ptrdiff_t)a * sink->stride;
}

// Reads the vector of a node, for example its position.
CAROM_INLINE void carom_thread_take(const double *x, int node, carom_lanes q[3]) {
    for (int i = 0; i < 3; i++)
        carom_lanes_fill(x[3 * (ptrdiff_t)node + i], &q[i]);
}

// The node numbers of element e; `count` is a compile-time constant.
CAROM_INLINE void carom_thread_list(const carom_thread_block *b, int count, int e, int *nodes) {
#ifdef __CUDACC__
    // one load instruction reads four numbers; lists begin at multiples of 16 bytes
    if (count % 4 == 0) {
        for (int a = 0; a < count; a += 4) {
            int4 four = *(const int4 *)(b->nodes + (ptrdiff_t)e * count + a);
            nodes[a] = four.x;
            nodes[a + 1] = four.y;
            nodes[a + 2] = four.z;
            nodes[a + 3] = four.w;
        }
        return;
    }
#endif
    for (int a = 0; a < count; a++)
        nodes[a] = b->nodes[(ptrdiff_t)e * count + a];
}

// Reads the vectors of all nodes of element e.
CAROM_INLINE void carom_thread_take_all(const carom_thread_block *b, int count, int e, const double *x, carom_lanes *q) {
    int nodes[8];
    carom_thread_list(b, count, e, nodes);
    for (int a = 0; a < count; a++)
        carom_thread_take(x, nodes[a], &q[3 * a]);
}

// The index of component c of a force in the shared memory of a group; `source` as in carom_thread_block.
CAROM_INLINE int carom_thread_source(int source, int c) {
    return (3 * (source / CAROM_GROUP) + c) * CAROM_COLUMN + source % CAROM_GROUP;
}

// Component c of the partial sum of forces at a node: the dead load, then the forces of run r of the group.
CAROM_INLINE double carom_thread_begin_sum(const carom_thread_block *b, const carom_thread_call *call,
                                           const carom_thread_group *group, const unsigned short *sources, int r, int c,
                                           const double *common) {
    const unsigned short *ends = b->run_ends + group->run;
    double f = call->load ? call->load[3 * (ptrdiff_t)b->run_nodes[group->run + r] + c] : 0;
    for (int i = r ? ends[r - 1] : 0; i < ends[r]; i++)
        f += common[carom_thread_source(sources[i], c)];
    return f;
}

// The partial sum of a scalar at a node: the numbers of run r of the group.
CAROM_INLINE double carom_thread_begin_single(const carom_thread_block *b, const carom_thread_group *group,
                                              const unsigned short *sources, int r, const double *common) {
    const unsigned short *ends = b->run_ends + group->run;
    double sum = 0;
    for (int i = r ? ends[r - 1] : 0; i < ends[r]; i++)
        sum += common[sources[i]];
    return sum;
}

// The functions below have the contracts of those with the same names in element/batch.h.
typedef struct carom_element_batch {
    const carom_thread_block *block;
    const carom_thread_call *call;
    int e;          // the element
    bool one_point; // bricks with one quadrature point; a compile-time constant
    const carom_sink *sink;
} carom_element_batch;

CAROM_INLINE void carom_batch_take(const carom_element_batch *b, int node_count, carom_lanes *q) {
    carom_thread_take_all(b->block, node_count, b->e, b->call->x, q);
}

CAROM_INLINE void carom_batch_take_reference(const carom_element_batch *b, int node_count, carom_lanes *q) {
    carom_thread_take_all(b->block, node_count, b->e, b->call->X, q);
}

CAROM_INLINE const double *carom_batch_data(const carom_element_batch *b, int size) {
    return b->block->data + carom_thread_lane(b->e, size);
}

CAROM_INLINE void carom_batch_put_node(const carom_element_batch *b, int a, const carom_lanes f[3]) {
    double *at = carom_sink_at(b->sink, a);
    for (int i = 0; i < 3; i++)
        at[i * b->sink->stride] = f[i][0];
}

CAROM_INLINE void carom_batch_put(const carom_element_batch *b, int node_count, const carom_lanes *f) {
    for (int a = 0; a < node_count; a++)
        carom_batch_put_node(b, a, &f[3 * a]);
}

typedef struct carom_batch_nodes {
    const int *of;
} carom_batch_nodes;

CAROM_INLINE int carom_batch_list(const carom_element_batch *b, carom_batch_nodes *nodes) {
    nodes->of = b->block->nodes + (ptrdiff_t)b->e * b->block->node_count;
    return b->block->node_count;
}

CAROM_INLINE void carom_batch_node(const carom_element_batch *b, const carom_batch_nodes *nodes, int a, carom_lanes p[3]) {
    carom_thread_take(b->call->x, nodes->of[a], p);
}

CAROM_INLINE carom_lame carom_batch_lame(const carom_element_batch *b) {
    return b->block->m;
}

CAROM_INLINE carom_lame carom_batch_whole(const carom_element_batch *b) {
    return b->block->whole;
}

CAROM_INLINE const carom_solid_shape *carom_batch_solid(const carom_element_batch *b) {
    return b->block->solid;
}

CAROM_INLINE double carom_batch_factor(const carom_element_batch *b) {
    return b->block->factor;
}

CAROM_INLINE void carom_batch_flow(const carom_element_batch *b, int q, const carom_lanes *volume, const carom_lanes F[9],
                                   carom_lanes P[9]) {
    carom_thread_flow(b->block, b->call, b->e, q, 0, volume, F, P);
}

CAROM_INLINE void carom_batch_shape(const carom_element_batch *b, int q, const carom_lanes *volume, const carom_lanes F[9],
                                    carom_lanes P[9]) {
    double f[9], stress[9];
    if (b->block->history) {
        carom_thread_flow(b->block, b->call, b->e, q, 1, volume, F, P);
        return;
    }
    for (int a = 0; a < 9; a++)
        f[a] = F[a][0];
    bool answer = carom_thread_rubber(b->block, 1, f, stress) < HUGE_VAL;
    for (int a = 0; a < 9; a++)
        P[a][0] = answer ? stress[a] : NAN;
}

#endif
