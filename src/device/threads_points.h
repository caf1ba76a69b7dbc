// SPDX-License-Identifier: MIT
// Elements whose law is evaluated point by point, in a thread of a device: rubbers in tetrahedra, wedges and bricks, and
// `nodal` with laws that are split into an isochoric and a volumetric part (element/points_body.h). The processor computes the
// volumes and gradients of the points and sends them once.
#ifndef CAROM_DEVICE_THREADS_POINTS_H
#define CAROM_DEVICE_THREADS_POINTS_H

#include "device/thread_batch.h"
#include "device/threads_flow.h"
#include "element/points_body.h"

// P at point q, NaN where the law is undefined; as law_at of nodal_isochoric.c, and as carom_solid_law.
CAROM_SELDOM void carom_thread_point(const carom_thread_block *b, const carom_thread_call *call, int e, int q, double volume,
                                     const double F[9], double P[9]) {
    carom_lanes f[9], stress[9];
    double energy, C[9], log_J, J;
    if (b->history) {
        carom_flow flow = call->flow;
        carom_losses losses;
        flow.isochoric = b->splits != 0;
        memset(&losses, 0, sizeof losses);
        for (int a = 0; a < 9; a++)
            carom_lanes_fill(F[a], &f[a]);
        energy = carom_thread_plain(b, &flow, carom_thread_history(b, e, q), f, stress, &losses);
        for (int a = 0; a < 9; a++)
            P[a] = stress[a][0];
        if (flow.use == CAROM_USE_COMMIT && energy < HUGE_VAL)
            carom_point_add_losses(b->losses + (ptrdiff_t)e * CAROM_BLOCK_LOSSES, q, b->splits ? b->shape * volume : volume,
                                   &losses);
    } else
        energy = carom_thread_rubber(b, b->splits, F, P);
    J = 1;
    if (b->splits)
        J = carom_points_volume(F, C, &log_J);
    if (!(energy < HUGE_VAL) || !(J > 0))
        for (int a = 0; a < 9; a++)
            P[a] = NAN;
    else if (b->splits)
        carom_points_join(b->shape, b->bulk, J, log_J, C, P);
}

// The forces of an element; `count` is 4, 6 or 8.
CAROM_INLINE void carom_thread_points(const carom_element_batch *at, int count) {
    const carom_thread_block *b = at->block;
    const carom_thread_call *call = at->call;
    const carom_sink *sink = at->sink;
    const int e = at->e, *nodes = b->nodes + (ptrdiff_t)e * count;
    int size = 1 + 3 * count;
    const double *points = b->points + carom_thread_lane(e, size * b->point_count);
    double f[8][3];
    memset(f, 0, sizeof f);
    for (int q = 0; q < b->point_count; q++) {
        const double *own = points + CAROM_LANES * (ptrdiff_t)(size * q);
        double F[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, P[9], g[3];
        for (int a = 0; a < count; a++) {
            for (int i = 0; i < 3; i++)
                g[i] = own[CAROM_LANES * (1 + 3 * a + i)];
            carom_points_deform(3, call->x + 3 * (ptrdiff_t)nodes[a], call->X + 3 * (ptrdiff_t)nodes[a], g, F);
        }
        for (int i = 0; i < 3; i++)
            F[4 * i] += 1;
        carom_thread_point(b, call, e, q, own[0], F, P);
        for (int a = 0; a < count; a++) {
            for (int i = 0; i < 3; i++)
                g[i] = own[CAROM_LANES * (1 + 3 * a + i)];
            carom_points_push(own[0], P, g, f[a]);
        }
    }
    for (int a = 0; a < count; a++)
        for (int i = 0; i < 3; i++)
            carom_sink_at(sink, a)[i * sink->stride] = f[a][i];
}

// A patch of `nodal`; the gradient of its first node is minus the sum of the others.
CAROM_INLINE void carom_thread_patch_point(const carom_element_batch *at) {
    const carom_thread_block *b = at->block;
    const carom_thread_call *call = at->call;
    const carom_sink *sink = at->sink;
    int e = at->e, n = b->node_count;
    const int *nodes = b->nodes + (ptrdiff_t)e * n;
    const double *data = b->data + carom_thread_lane(e, b->data_size);
    double F[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, P[9], g[3], u[3], first[3], rest[3] = {0, 0, 0};
    double volume = data[CAROM_LANES * 3 * (ptrdiff_t)(n - 1)];
    carom_difference(call->x + 3 * (ptrdiff_t)nodes[0], call->X + 3 * (ptrdiff_t)nodes[0], first);
    for (int a = 1; a < n; a++) {
        for (int i = 0; i < 3; i++)
            g[i] = data[CAROM_LANES * (ptrdiff_t)(3 * (a - 1) + i)];
        carom_difference(call->x + 3 * (ptrdiff_t)nodes[a], call->X + 3 * (ptrdiff_t)nodes[a], u);
        carom_points_deform_patch(u, first, g, F);
        carom_add_scaled(-1, g, rest);
    }
    for (int i = 0; i < 3; i++)
        F[4 * i] += 1;
    carom_thread_point(b, call, e, 0, volume, F, P);
    for (int a = 0; a < n; a++) {
        double *f = carom_sink_at(sink, a);
        for (int i = 0; i < 3; i++) {
            g[i] = a ? data[CAROM_LANES * (ptrdiff_t)(3 * (a - 1) + i)] : rest[i];
            f[i] = 0;
        }
        carom_points_push(volume, P, g, f);
    }
}

#endif
