// SPDX-License-Identifier: MIT
// One quadrature point of eight shells at a time: derivatives of the position from the nodes, strains, and the forces conjugate
// to them by the St. Venant-Kirchhoff law. Forces (loop_shell_kernel.c) and bounds (loop_shell_bound.c) begin with them.
#ifndef CAROM_ELEMENT_LOOP_SHELL_LANES_H
#define CAROM_ELEMENT_LOOP_SHELL_LANES_H

#include <math.h>

#include "element/kernel_law.h"
#include "element/loop_shell.h"

// The derivatives of the position at a point.
typedef struct carom_shell_surface {
    carom_lanes y[15];
} carom_shell_surface;

// The unit normal and 1/J. sqrt is called lane by lane, because vector types have no square root; the compiler vectorises the
// loop.
CAROM_INLINE void carom_shell_cross_unit(const carom_lanes *a, const carom_lanes *b, carom_lanes normal[3],
                                         carom_lanes *over_J) {
    normal[0] = a[1] * b[2] - a[2] * b[1];
    normal[1] = a[2] * b[0] - a[0] * b[2];
    normal[2] = a[0] * b[1] - a[1] * b[0];
    carom_lanes square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2], root = square;
    for (int l = 0; l < CAROM_LANES; l++)
        root[l] = sqrt(square[l]);
    *over_J = 1.0 / root;
    for (int i = 0; i < 3; i++)
        normal[i] *= *over_J;
}

CAROM_INLINE void carom_shell_dot(const carom_lanes *a, const carom_lanes *b, carom_lanes *result) {
    *result = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Strains at a point, and the forces n and moments m conjugate to them.
CAROM_INLINE void carom_shell_resultants(const carom_shell_surface *s, const double *data, double bend, carom_lanes normal[3],
                                         carom_lanes *over_J, carom_lanes g[3], carom_lanes strain[6], carom_lanes n[6]) {
    const carom_lanes *a1 = s->y, *a2 = s->y + 3;
    carom_lanes G[3], B[3], H[6];
    for (int k = 0; k < 3; k++) {
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_METRIC + k), &G[k]);
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_CURVATURE + k), &B[k]);
    }
    for (int k = 0; k < 6; k++)
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_STIFFNESS + k), &H[k]);
    carom_shell_cross_unit(a1, a2, normal, over_J);
    carom_shell_dot(a1, a1, &g[0]);
    carom_shell_dot(a2, a2, &g[1]);
    carom_shell_dot(a1, a2, &g[2]);
    strain[0] = 0.5 * (g[0] - G[0]);
    strain[1] = 0.5 * (g[1] - G[1]);
    strain[2] = g[2] - G[2];
    for (int k = 0; k < 3; k++)
        carom_shell_dot(s->y + 6 + 3 * k, normal, &strain[3 + k]);
    strain[3] = strain[3] - B[0];
    strain[4] = strain[4] - B[1];
    strain[5] = 2.0 * (strain[5] - B[2]);
    for (int k = 0; k < 6; k += 3) {
        n[k] = H[0] * strain[k] + H[3] * strain[k + 1] + H[4] * strain[k + 2];
        n[k + 1] = H[3] * strain[k] + H[1] * strain[k + 1] + H[5] * strain[k + 2];
        n[k + 2] = H[4] * strain[k] + H[5] * strain[k + 1] + H[2] * strain[k + 2];
    }
    for (int k = 3; k < 6; k++)
        n[k] *= bend;
}

// The weight of row r, component i and node a: one number of the table for all lanes, or one per lane.
typedef struct carom_shell_weights {
    const double (*table)[CAROM_LOOP_REGULAR]; // derivatives only
    const double *own;                         // lanes, of the point
    int n;
} carom_shell_weights;

// The derivatives of the position without any node: offsets where mirrors and clamps are, else zero. `variant` is a constant in
// each caller, so that only one branch is compiled.
CAROM_INLINE void carom_shell_derive_start(const carom_shell_weights *w, int variant, carom_shell_surface *s) {
    int n = w->n;
    const double *own = w->own + CAROM_LANES * (ptrdiff_t)n;
    for (int k = 0; k < 15; k++) {
        if (variant == CAROM_SHELL_AFFINE)
            carom_lanes_load(own + CAROM_LANES * (15 * (ptrdiff_t)n + k), &s->y[k]);
        else
            s->y[k] = (carom_lanes){0};
    }
}

// Adds the part of node a, which is at x.
CAROM_INLINE void carom_shell_derive_node(const carom_shell_weights *w, int variant, int a, const carom_lanes x[3],
                                          carom_shell_surface *s) {
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : w->n;
    const double *own = w->own + CAROM_LANES * (ptrdiff_t)n;
    for (int r = 0; r < 5; r++) {
        carom_lanes weight;
        if (variant == CAROM_SHELL_STORED)
            carom_lanes_load(own + CAROM_LANES * ((ptrdiff_t)r * n + a), &weight);
        for (int i = 0; i < 3; i++) {
            if (variant == CAROM_SHELL_AFFINE)
                carom_lanes_load(own + CAROM_LANES * ((ptrdiff_t)(3 * r + i) * n + a), &weight);
            if (variant == CAROM_SHELL_REGULAR)
                s->y[3 * r + i] += w->table[r][a] * x[i];
            else
                s->y[3 * r + i] += weight * x[i];
        }
    }
}

// Derivatives of the position from all nodes.
CAROM_INLINE void carom_shell_derive(const carom_shell_weights *w, int variant, const carom_lanes *x, carom_shell_surface *s) {
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : w->n;
    carom_shell_derive_start(w, variant, s);
    for (int a = 0; a < n; a++)
        carom_shell_derive_node(w, variant, a, &x[3 * a], s);
}

// Numbers and weights of point q of the batch that begins at e0.
// The reference numbers of all points come first, then the weights of all points.
CAROM_INLINE carom_shell_weights carom_shell_weights_of(const carom_shell *s, int e0, int q, const double **data) {
    const carom_block *block = s->block;
    const double *batch = block->data + carom_lane(e0, 0, block->data_size);
    int begin = CAROM_SHELL_REFERENCE * s->point_count + carom_shell_weight_size(block->variant, s->n) * q;
    *data = batch + CAROM_LANES * CAROM_SHELL_REFERENCE * (ptrdiff_t)q;
    return (carom_shell_weights){&s->N[q][1], batch + CAROM_LANES * (ptrdiff_t)begin, s->n};
}

#endif
