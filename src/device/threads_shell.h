// SPDX-License-Identifier: MIT
// Shells in a thread of a device, with the St. Venant-Kirchhoff law: forces, the stress at their faces, energy, and bounds of
// their stiffness.
#ifndef CAROM_DEVICE_THREADS_SHELL_H
#define CAROM_DEVICE_THREADS_SHELL_H

#include "device/calls.h"
#include "device/thread_batch.h"
#include "device/threads_flow.h"
#include "element/peak_values.h"
#include "element/shell/loop_shell_bound_body.h"
#include "element/shell/loop_shell_faces.h"
#include "element/shell/loop_shell_measure_body.h"

// Derivatives of the shape functions of regular patches at point q of `points`, which are those of all blocks.
#ifdef __CUDACC__
static __constant__ double carom_thread_weights[1 + 3][CAROM_LOOP_ROWS][CAROM_LOOP_REGULAR];
#endif
CAROM_INLINE const double (*carom_thread_table(const carom_thread_block *b, int points, int q))[CAROM_LOOP_REGULAR] {
#ifdef __CUDACC__
    (void)b;
    return carom_thread_weights[(points == 1 ? 0 : 1) + q] + 1;
#else
    (void)points;
    const void *table = b->table;
    const double(*rows)[CAROM_LOOP_REGULAR] = table;
    return rows + CAROM_LOOP_ROWS * q + 1;
#endif
}

// Reference data, weights and derivatives of the position at point q of a shell with these nodes.
CAROM_INLINE carom_shell_weights carom_thread_shell_point(const carom_thread_block *b, const double *x, int e, int variant,
                                                          int points, int q, const int *nodes, const double **data,
                                                          carom_shell_surface *y) {
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : b->node_count;
    int begin = CAROM_SHELL_REFERENCE * points + b->weight_size * q;
    const double *own = b->data + carom_thread_lane(e, b->data_size);
    carom_shell_weights w = {carom_thread_table(b, points, q), own + CAROM_LANES * (ptrdiff_t)begin, n};
    carom_lanes at[3];
    *data = own + CAROM_LANES * CAROM_SHELL_REFERENCE * (ptrdiff_t)q;
    carom_shell_derive_start(&w, variant, y);
    for (int a = 0; a < n; a++) {
        carom_thread_take(x, nodes[a], at);
        carom_shell_derive_node(&w, variant, a, at, y);
    }
    return w;
}

// The forces of a shell with the St. Venant-Kirchhoff law: the contributions of all points are subtracted in their order from
// zero, in the memory of the forces. If the stress of an element is not finite here, its score is infinite, and the processor
// evaluates it.
CAROM_INLINE void carom_thread_shell(const carom_element_batch *at, int variant, int points, carom_extremes *extremes) {
    const carom_thread_block *b = at->block;
    const carom_thread_call *call = at->call;
    const carom_sink *sink = at->sink;
    const int e = at->e;
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : b->node_count, list[CAROM_LOOP_REGULAR];
    const int *nodes = b->nodes + (ptrdiff_t)e * n;
    const carom_shell_faces faces = {b->thickness, b->young, b->poisson};
    carom_shell_mean mean;
    carom_shell_mean_start(&mean);
    if (variant == CAROM_SHELL_REGULAR)
        carom_thread_list(b, CAROM_LOOP_REGULAR, e, list);
    for (int q = 0; q < points; q++) {
        const double *data;
        carom_shell_surface y;
        carom_shell_action t;
        carom_lanes over_J, metric[3], strain[6], resultants[6], g[3];
        carom_shell_weights w = carom_thread_shell_point(b, call->x, e, variant, points, q,
                                                         variant == CAROM_SHELL_REGULAR ? list : nodes, &data, &y);
        // here, while few registers are in use
        if (extremes)
            carom_shell_mean_add(&faces, &y, data, &mean);
        carom_shell_resultants(&y, data, b->factor, t.normal, &over_J, metric, strain, resultants);
        carom_shell_act(&y, &over_J, metric, resultants, &t);
        for (int a = 0; a < n; a++) {
            double *place = carom_sink_at(sink, a);
            carom_shell_spread(&w, variant, a, &t, g);
            for (int i = 0; i < 3; i++) {
                double *number = place + (ptrdiff_t)i * sink->stride;
                *number = (q ? *number : 0.0) - g[i][0];
            }
        }
    }
    carom_lanes stress;
    if (extremes && carom_shell_mean_end(&mean, &stress))
        carom_extremes_take_von_mises(extremes, e, &stress);
    else if (extremes)
        extremes->score[CAROM_EXTREME_VON_MISES] = HUGE_VAL;
}

// The energy of a shell.
CAROM_INLINE double carom_thread_shell_energy(const carom_thread_block *b, const carom_thread_call *call, int e, int variant) {
    const int *nodes = b->nodes + (ptrdiff_t)e * b->node_count;
    carom_lanes parts[2];
    carom_lanes_clear(2, parts);
    for (int q = 0; q < b->point_count; q++) {
        const double *data;
        carom_shell_surface y;
        carom_lanes normal[3], over_J, metric[3], strain[6], resultants[6];
        carom_thread_shell_point(b, call->x, e, variant, b->point_count, q, nodes, &data, &y);
        carom_shell_resultants(&y, data, b->factor, normal, &over_J, metric, strain, resultants);
        carom_shell_add_energy(strain, resultants, parts);
    }
    return parts[0][0] + parts[1][0];
}

#define CAROM_THREAD_VARIANT(NAME, VARIANT, ...) \
    case CAROM_THREAD_##NAME: return CAROM_SHELL_##VARIANT;
// The variant of a kind of shells.
CAROM_INLINE int carom_thread_shell_variant(int kind) {
    switch (kind) {
        CAROM_THREAD_SHELLS(CAROM_THREAD_VARIANT, )
    default: return CAROM_SHELL_AFFINE;
    }
}

#undef CAROM_THREAD_VARIANT

// True if a shell may have no area at some point, or if its law may be undefined; then the processor repeats the check.
CAROM_INLINE bool carom_thread_check_shell(const carom_thread_block *b, const carom_thread_check *check, int e, int kind) {
    const int *nodes = b->nodes + (ptrdiff_t)e * b->node_count;
    carom_lanes height, stretch;
    carom_shell_measure_start(&height, &stretch);
    for (int q = 0; q < b->point_count; q++) {
        const double *data;
        carom_shell_surface y;
        carom_thread_shell_point(b, check->x, e, carom_thread_shell_variant(kind), b->point_count, q, nodes, &data, &y);
        carom_shell_measure_point(&y, data, &height, &stretch);
    }
    return !(height[0] > 0);
}

// Upper bounds of the stiffness at each point: lambda of loop_shell_bound.c.
CAROM_INLINE void carom_thread_shell_stiffness(const carom_thread_block *b, const carom_thread_call *call, int e, int kind,
                                               carom_lanes lambda[CAROM_SHELL_POINTS_MAX]) {
    const int *nodes = b->nodes + (ptrdiff_t)e * b->node_count;
    const double *own = b->data + carom_thread_lane(e, b->data_size);
    for (int q = 0; q < b->point_count; q++) {
        int begin = carom_shell_bound_begin(b->point_count, b->weight_size, b->node_count, q);
        const double *data;
        carom_shell_surface y;
        carom_lanes Q[CAROM_SHELL_BOUND], metric[3];
        carom_thread_shell_point(b, call->x, e, carom_thread_shell_variant(kind), b->point_count, q, nodes, &data, &y);
        for (int k = 0; k < CAROM_SHELL_BOUND; k++)
            carom_lanes_load(own + CAROM_LANES * (ptrdiff_t)(begin + k), &Q[k]);
        carom_shell_stiffness(&y, data, b->factor, Q, &lambda[q], metric);
    }
}

// The share of node a in these bounds.
CAROM_INLINE double carom_thread_shell_share(const carom_thread_block *b, int e, int a,
                                             const carom_lanes lambda[CAROM_SHELL_POINTS_MAX]) {
    const double *own = b->data + carom_thread_lane(e, b->data_size);
    carom_lanes share = {0}, t;
    for (int q = 0; q < b->point_count; q++) {
        int begin = carom_shell_bound_begin(b->point_count, b->weight_size, b->node_count, q);
        carom_lanes_load(own + CAROM_LANES * (ptrdiff_t)(begin + CAROM_SHELL_BOUND + a), &t);
        share = q ? share + lambda[q] * t : lambda[q] * t;
    }
    return share[0];
}

#endif
