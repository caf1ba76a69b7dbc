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

CAROM_INLINE void carom_thread_take_all(const carom_thread_block *b, int count, int e, const double *x, carom_lanes *q) {
#ifdef __CUDACC__
    // four numbers of nodes by one load; lists begin at multiples of 16 bytes
    if (count % 4 == 0) {
        const int4 *nodes = (const int4 *)(b->nodes + (ptrdiff_t)e * count);
        for (int a = 0; a < count / 4; a++) {
            int4 four = nodes[a];
            carom_thread_take(x, four.x, &q[12 * a]);
            carom_thread_take(x, four.y, &q[12 * a + 3]);
            carom_thread_take(x, four.z, &q[12 * a + 6]);
            carom_thread_take(x, four.w, &q[12 * a + 9]);
        }
        return;
    }
#endif
    for (int a = 0; a < count; a++)
        carom_thread_take(x, b->nodes[(ptrdiff_t)e * count + a], &q[3 * a]);
}

#endif
