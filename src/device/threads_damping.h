// SPDX-License-Identifier: MIT
// Forces of stiffness damping of one element, in a thread of a device: its nodes are displaced along their velocities, and the
// damping forces are computed from the change of its forces (model/motion/damping_body.h).
#ifndef CAROM_DEVICE_THREADS_DAMPING_H
#define CAROM_DEVICE_THREADS_DAMPING_H

#include <stddef.h>

#include "device/calls.h"
#include "model/motion/damping_body.h"

CAROM_INLINE double (*carom_thread_vectors(double *numbers, ptrdiff_t first))[3] {
    return (double(*)[3])(numbers + 3 * first);
}

// Converts const numbers to const vectors. Before C23, gcc warns that a direct cast removes const.
CAROM_INLINE const double (*carom_thread_const_vectors(const double *numbers))[3] {
#ifdef __cplusplus
    return (const double(*)[3])numbers;
#else
    const void *vectors = numbers;
    return vectors;
#endif
}

CAROM_INLINE void carom_thread_disturb(const carom_thread_block *b, const carom_thread_damping *d, int e) {
    int n = b->node_count;
    ptrdiff_t first = (ptrdiff_t)e * n;
    const int *nodes = b->nodes + first;
    double(*u)[3] = carom_thread_vectors(d->u, first), (*y)[3] = carom_thread_vectors(d->y, first);
    carom_damping_rigid body;
    for (int a = 0; a < n; a++)
        carom_copy(d->w + 3 * (ptrdiff_t)nodes[a], u[a]);
    double length = carom_damping_open(nodes, n, carom_thread_const_vectors(d->x), carom_thread_vectors(d->r, first), u, &body);
    for (int a = 0; a < n; a++) {
        carom_copy(d->x + 3 * (ptrdiff_t)nodes[a], y[a]);
        carom_add_scaled(length, u[a], y[a]);
    }
}

// The damping forces overwrite the perturbed positions, which are no longer needed.
CAROM_INLINE void carom_thread_damp(const carom_thread_block *b, const carom_thread_damping *d, int e) {
    int n = b->node_count;
    ptrdiff_t first = (ptrdiff_t)e * n;
    double(*u)[3] = carom_thread_vectors(d->u, first), (*f)[3] = carom_thread_vectors(d->y, first);
    carom_damping_rigid body;
    carom_damping_rigid_of(b->nodes + first, n, carom_thread_const_vectors(d->x), carom_thread_vectors(d->r, first), &body);
    double length = carom_damping_length(&body, (const double(*)[3])u);
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++) {
            ptrdiff_t at = 3 * (ptrdiff_t)d->place[first + a] + i;
            f[a][i] = carom_damping_quotient(d->b, length, d->slots[at], d->still[at]);
        }
    bool takes = carom_damping_close(&body, (const double(*)[3])u, f);
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++)
            d->out[3 * (ptrdiff_t)d->place[first + a] + i] = takes ? f[a][i] : 0;
}

#endif
