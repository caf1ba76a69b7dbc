// SPDX-License-Identifier: MIT
// The upper bound of the stiffness of deformed bodies, in threads of a device: the shares of the nodes of an element in it
// (element/solid/stiffness_bound.h), and omega^2 at a node (model/watch/frequency_bound.c).
#ifndef CAROM_DEVICE_THREADS_BOUND_H
#define CAROM_DEVICE_THREADS_BOUND_H

#include "device/thread_batch.h"
#include "device/threads_shell.h"
#include "element/solid/stiffness_bound.h"

// The share of each node of a tetrahedron; all four are equal.
CAROM_INLINE void carom_thread_tet4_share(const carom_element_batch *at, carom_kernel_law law, carom_lanes share[4]) {
    carom_lanes B[9], inverse[9], J;
    carom_tet4_share(at, law, B, inverse, &J, &share[0]);
    for (int a = 1; a < 4; a++)
        share[a] = share[0];
}

#define CAROM_THREAD_SHARE(NAME, name, nodes, share_of, ...) \
    if (kind == CAROM_THREAD_##NAME) {                       \
        share_of(&at, law, own);                             \
        for (int a = 0; a < nodes; a++)                      \
            share[a * stride] = own[a][0];                   \
        return;                                              \
    }
// The shares of all nodes of an element: at share[0], share[stride] and so on.
CAROM_INLINE void carom_thread_share(const carom_thread_block *b, const carom_thread_call *call, int e, int kind,
                                     carom_kernel_law law, double *share, int stride) {
    carom_lanes own[CAROM_SOLID_NODES], lambda[CAROM_SHELL_POINTS_MAX];
    const carom_element_batch at = {b, call, e, kind == CAROM_THREAD_HEX8_ONE_POINT, NULL};
    CAROM_THREAD_BOUNDED(CAROM_THREAD_SHARE, )
    carom_thread_shell_stiffness(b, call, e, CAROM_THREAD_SHELL, lambda);
    for (int a = 0; a < CAROM_LOOP_REGULAR; a++)
        share[a * stride] = carom_thread_shell_share(b, e, a, lambda);
}
#undef CAROM_THREAD_SHARE

// The same for shells with any number of nodes, which write their shares directly to their slots.
CAROM_INLINE void carom_thread_share_alone(const carom_thread_block *b, const carom_thread_call *call, int e, int kind) {
    const int *target = b->target + (ptrdiff_t)e * b->node_count;
    carom_lanes lambda[CAROM_SHELL_POINTS_MAX];
    carom_thread_shell_stiffness(b, call, e, kind, lambda);
    for (int a = 0; a < b->node_count; a++)
        call->slots[3 * (ptrdiff_t)target[a]] = carom_thread_shell_share(b, e, a, lambda);
}

// omega^2 at a node; 0 if it has no mass.
CAROM_INLINE double carom_thread_frequency(const carom_thread_nodes *n, int k) {
    double sum = 0;
    for (int i = n->gather_begin[k]; i < n->gather_begin[k + 1]; i++)
        sum += n->slots[3 * (ptrdiff_t)i];
    return n->mass[k] > 0 ? sum / n->mass[k] : 0;
}

#endif
