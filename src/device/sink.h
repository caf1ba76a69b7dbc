// SPDX-License-Identifier: MIT
// The way of a thread of a device from the nodes of its element and to their slots (threads.h).
#ifndef CAROM_DEVICE_SINK_H
#define CAROM_DEVICE_SINK_H

#include <stddef.h>

#include "device/calls.h"

// Where a thread puts the force on node a of its element: number i of it at place[i * stride].
typedef struct carom_sink {
    double *first;     // of the group, one column per thread; or all slots
    int stride;        // between the numbers of a thread; or 1
    const int *target; // NULL, or the slots of the nodes of the element
} carom_sink;

CAROM_INLINE double *carom_sink_at(const carom_sink *sink, int a) {
    return sink->target ? sink->first + 3 * (ptrdiff_t)sink->target[a] : sink->first + 3 * (ptrdiff_t)a * sink->stride;
}

CAROM_INLINE void carom_thread_put(const carom_sink *sink, int count, const carom_lanes *f) {
    for (int a = 0; a < count; a++) {
        double *at = carom_sink_at(sink, a);
        for (int i = 0; i < 3; i++)
            at[i * sink->stride] = f[3 * a + i][0];
    }
}

CAROM_INLINE void carom_thread_take(const double *x, int node, carom_lanes q[3]) {
    for (int i = 0; i < 3; i++)
        carom_lanes_fill(x[3 * (ptrdiff_t)node + i], &q[i]);
}

// The nodes of an element, of which the count is a constant.
CAROM_INLINE void carom_thread_list(const carom_thread_block *b, int count, int e, int *nodes) {
#ifdef __CUDACC__
    // four by one load; lists begin at multiples of 16 bytes
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

CAROM_INLINE void carom_thread_take_all(const carom_thread_block *b, int count, int e, const double *x, carom_lanes *q) {
    int nodes[8];
    carom_thread_list(b, count, e, nodes);
    for (int a = 0; a < count; a++)
        carom_thread_take(x, nodes[a], &q[3 * a]);
}

// The place in the memory of a group of number c of a force.
CAROM_INLINE int carom_thread_source(int source, int c) {
    return (3 * (source / CAROM_GROUP) + c) * CAROM_COLUMN + source % CAROM_GROUP;
}

// Number c of what a group adds up for the node of its run r, loads first.
CAROM_INLINE double carom_thread_begin_sum(const carom_thread_block *b, const carom_thread_call *call,
                                           const carom_thread_group *group, const unsigned short *sources, int r, int c,
                                           const double *common) {
    const unsigned short *ends = b->run_ends + group->run;
    double f = call->load ? call->load[3 * (ptrdiff_t)b->run_nodes[group->run + r] + c] : 0;
    for (int i = r ? ends[r - 1] : 0; i < ends[r]; i++)
        f += common[carom_thread_source(sources[i], c)];
    return f;
}

// The same of numbers of which each node has one, at its source.
CAROM_INLINE double carom_thread_begin_single(const carom_thread_block *b, const carom_thread_group *group,
                                              const unsigned short *sources, int r, const double *common) {
    const unsigned short *ends = b->run_ends + group->run;
    double sum = 0;
    for (int i = r ? ends[r - 1] : 0; i < ends[r]; i++)
        sum += common[sources[i]];
    return sum;
}

#endif
