// SPDX-License-Identifier: MIT
// Threads for the stiffness of deformed bodies: the shares of the nodes of an element (element/solid/stiffness_bound.h), and
// omega^2 at a node (model/watch/frequency_bound.c).
#ifndef CAROM_DEVICE_THREADS_BOUND_H
#define CAROM_DEVICE_THREADS_BOUND_H

#include "device/sink.h"
#include "device/threads_shell.h"
#include "element/solid/stiffness_bound.h"

// Bricks of full integration.
CAROM_INLINE void carom_thread_share_hex8(const carom_thread_block *b, const carom_thread_call *call, int e,
                                          carom_kernel_law law, carom_lanes share[8]) {
    carom_lanes q[CAROM_HEX8_DOFS], dX[3][4][3], dx[3][4][3], k[8];
    carom_thread_take_all(b, 8, e, call->X, q);
    carom_hex8_derivatives(q, dX);
    carom_thread_take_all(b, 8, e, call->x, q);
    carom_hex8_derivatives(q, dx);
    for (int point = 0; point < 8; point++) {
        int at[3];
        carom_hex8_point(point, at);
        carom_hex8_place reference, present;
        carom_hex8_take_map(dX, at, &reference);
        carom_hex8_take_map(dx, at, &present);
        carom_lanes J = present.det / reference.det;
        carom_hex8_stiffness(law, b->m, &reference, &present, &J, &k[point]);
        k[point] *= carom_hex8_cube * reference.det;
    }
    carom_hex8_deal(k, share);
}

// Bricks with one point.
CAROM_INLINE void carom_thread_share_one_point(const carom_thread_block *b, const carom_thread_call *call, int e,
                                               carom_kernel_law law, carom_lanes share[8]) {
    carom_lanes q[CAROM_HEX8_DOFS], c[8][3], F[9], inverse[9], J, k;
    carom_hex8_mean s;
    carom_thread_take_all(b, 8, e, call->X, q);
    carom_hex8_mean_of(q, &s);
    carom_thread_take_all(b, 8, e, call->x, q);
    carom_hex8_coefficients(q, c);
    carom_hex8_mean_map(c, s.b, &s.over, F);
    carom_bound_invert(F, inverse, &J);
    carom_hex8_mean_stiffness(law, b->m, b->factor, &s, F, inverse, &J, &k);
    for (int n = 0; n < 8; n++)
        share[n] = s.w[carom_hex8_corner[n]] * k;
}

// The shares of all nodes of an element: at share[0], share[stride] and so on.
CAROM_INLINE void carom_thread_share(const carom_thread_block *b, const carom_thread_call *call, int e, int kind,
                                     carom_kernel_law law, double *share, int stride) {
    carom_lanes own[8], lambda[CAROM_SHELL_POINTS_MAX];
    if (kind == CAROM_THREAD_SHELL) {
        carom_thread_shell_stiffness(b, call, e, kind, lambda);
        for (int a = 0; a < CAROM_LOOP_REGULAR; a++)
            share[a * stride] = carom_thread_shell_share(b, e, a, lambda);
        return;
    }
    if (kind == CAROM_THREAD_TET4) {
        carom_lanes q[CAROM_TET4_DOFS], B[9], V, F[9], inverse[9], J;
        carom_thread_take_all(b, 4, e, call->x, q);
        carom_tet4_load(b->data + carom_thread_lane(e, CAROM_TET4_DATA), B, &V);
        carom_tet4_share(law, b->m, q, B, &V, F, inverse, &J, &own[0]);
        for (int a = 0; a < 4; a++)
            share[a * stride] = own[0][0];
        return;
    }
    if (kind == CAROM_THREAD_HEX8)
        carom_thread_share_hex8(b, call, e, law, own);
    else
        carom_thread_share_one_point(b, call, e, law, own);
    for (int a = 0; a < 8; a++)
        share[a * stride] = own[a][0];
}

// Shells of any number of nodes put their shares to their slots by themselves.
CAROM_INLINE void carom_thread_share_alone(const carom_thread_block *b, const carom_thread_call *call, int e, int kind) {
    const int *target = b->target + (ptrdiff_t)e * b->node_count;
    carom_lanes lambda[CAROM_SHELL_POINTS_MAX];
    carom_thread_shell_stiffness(b, call, e, kind, lambda);
    for (int a = 0; a < b->node_count; a++)
        call->slots[3 * (ptrdiff_t)target[a]] = carom_thread_shell_share(b, e, a, lambda);
}

// omega^2 at a node; 0 where it has no mass.
CAROM_INLINE double carom_thread_frequency(const carom_thread_nodes *n, int k) {
    double sum = 0;
    for (int i = n->gather_begin[k]; i < n->gather_begin[k + 1]; i++)
        sum += n->slots[3 * (ptrdiff_t)i];
    return n->mass[k] > 0 ? sum / n->mass[k] : 0;
}

#endif
