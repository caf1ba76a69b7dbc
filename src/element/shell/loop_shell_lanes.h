// SPDX-License-Identifier: MIT
// One quadrature point of eight shell elements at a time: derivatives of the position from the nodes, strains, and the forces
// conjugate to them by the St. Venant-Kirchhoff law. For forces (loop_shell_kernel.c) and bounds (loop_shell_bound.c).
#ifndef CAROM_ELEMENT_SHELL_LOOP_SHELL_LANES_H
#define CAROM_ELEMENT_SHELL_LOOP_SHELL_LANES_H

#include <math.h>

#include "element/shell/loop_shell.h"
#include "material/lanes/stress.h"

// The derivatives a_1, a_2, a_11, a_22, a_12 of the position at a point.
typedef struct carom_shell_surface {
    carom_lanes y[15];
} carom_shell_surface;

// The unit normal and 1/J, with J = |a x b|.
CAROM_INLINE void carom_shell_cross_unit(const carom_lanes *a, const carom_lanes *b, carom_lanes normal[3],
                                         carom_lanes *over_J) {
    normal[0] = a[1] * b[2] - a[2] * b[1];
    normal[1] = a[2] * b[0] - a[0] * b[2];
    normal[2] = a[0] * b[1] - a[1] * b[0];
    carom_lanes square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2], root;
    carom_lanes_sqrt(&square, &root);
    *over_J = 1.0 / root;
    for (int i = 0; i < 3; i++)
        normal[i] *= *over_J;
}

CAROM_INLINE void carom_shell_dot(const carom_lanes *a, const carom_lanes *b, carom_lanes *result) {
    *result = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Normal, 1/J, metric and strains at a point.
CAROM_INLINE void carom_shell_strains(const carom_shell_surface *s, const double *data, carom_lanes normal[3],
                                      carom_lanes *over_J, carom_lanes g[3], carom_lanes strain[6]) {
    const carom_lanes *a1 = s->y, *a2 = s->y + 3;
    carom_lanes G[3], B[3];
    for (int k = 0; k < 3; k++) {
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_METRIC + k), &G[k]);
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_CURVATURE + k), &B[k]);
    }
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
}

// The same, and the forces n and moments m conjugate to the strains by the law that is linear in them.
CAROM_INLINE void carom_shell_resultants(const carom_shell_surface *s, const double *data, double bend, carom_lanes normal[3],
                                         carom_lanes *over_J, carom_lanes g[3], carom_lanes strain[6], carom_lanes n[6]) {
    carom_lanes H[6];
    carom_shell_strains(s, data, normal, over_J, g, strain);
    for (int k = 0; k < 6; k++)
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_STIFFNESS + k), &H[k]);
    for (int k = 0; k < 6; k += 3) {
        n[k] = H[0] * strain[k] + H[3] * strain[k + 1] + H[4] * strain[k + 2];
        n[k + 1] = H[3] * strain[k] + H[1] * strain[k + 1] + H[5] * strain[k + 2];
        n[k + 2] = H[4] * strain[k] + H[5] * strain[k + 1] + H[2] * strain[k + 2];
    }
    for (int k = 3; k < 6; k++)
        n[k] *= bend;
}

// Adds the energy of a point, of its membrane and of bending; n from carom_shell_resultants.
CAROM_INLINE void carom_shell_add_energy(const carom_lanes strain[6], const carom_lanes n[6], carom_lanes parts[2]) {
    for (int k = 0; k < 3; k++) {
        parts[0] += 0.5 * n[k] * strain[k];
        parts[1] += 0.5 * n[3 + k] * strain[3 + k];
    }
}

// The forces conjugate to the derivatives of the position at a point: the vectors p act on a_1 and a_2, and the moments m times
// the normal act on a_11, a_22 and a_12.
typedef struct carom_shell_action {
    carom_lanes p[6], m[3], normal[3];
} carom_shell_action;

// The gradient of the energy of a point with respect to the derivatives of the position, from n and m; out->normal is set.
CAROM_INLINE void carom_shell_act(const carom_shell_surface *s, const carom_lanes *over_J, const carom_lanes g[3],
                                  carom_lanes n[6], carom_shell_action *out) {
    const carom_lanes *a1 = s->y, *a2 = s->y + 3;
    carom_lanes q[3], q1, q2;
    // a_12 and a_21 are equal, so that the moment of a_12 counts twice
    n[5] = 2.0 * n[5];
    for (int i = 0; i < 3; i++)
        q[i] = n[3] * s->y[6 + i] + n[4] * s->y[9 + i] + n[5] * s->y[12 + i];
    // Components of q on the contravariant base, by the inverse metric.
    carom_shell_dot(q, a1, &q1);
    carom_shell_dot(q, a2, &q2);
    carom_lanes over = *over_J * *over_J, k1 = (g[1] * q1 - g[2] * q2) * over, k2 = (g[0] * q2 - g[2] * q1) * over;
    for (int i = 0; i < 3; i++) {
        out->p[i] = n[0] * a1[i] + n[2] * a2[i] - k1 * out->normal[i];
        out->p[3 + i] = n[1] * a2[i] + n[2] * a1[i] - k2 * out->normal[i];
        out->m[i] = n[3 + i];
    }
}

// The weight of row r, component i and node a: one number of the table for all lanes, or one per lane.
typedef struct carom_shell_weights {
    const double (*table)[CAROM_LOOP_REGULAR]; // derivatives only
    const double *own;                         // lanes, of the point
    int n;
} carom_shell_weights;

// The derivatives of the position without any node: the offsets of mirrors and clamps, else zero. `variant` is a constant in
// each caller, so that only one branch is compiled.
CAROM_INLINE void carom_shell_derive_start(const carom_shell_weights *w, int variant, carom_shell_surface *s) {
    int n = w->n;
    const double *own = w->own + CAROM_LANES * (ptrdiff_t)n;
    for (int k = 0; k < 15; k++) {
        if (variant == CAROM_SHELL_AFFINE)
            carom_lanes_load(own + CAROM_LANES * (15 * (ptrdiff_t)n + k), &s->y[k]);
        else
            carom_lanes_clear(1, &s->y[k]);
    }
}

// Adds the term of node a, which is at x.
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

// The transpose of `carom_shell_derive_node`: minus the force of a point on node a.
CAROM_INLINE void carom_shell_spread(const carom_shell_weights *w, int variant, int a, const carom_shell_action *t,
                                     carom_lanes f[3]) {
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : w->n;
    const double *own = w->own + CAROM_LANES * (ptrdiff_t)n;
    if (variant == CAROM_SHELL_REGULAR) {
        carom_lanes m = w->table[2][a] * t->m[0] + w->table[3][a] * t->m[1] + w->table[4][a] * t->m[2];
        for (int i = 0; i < 3; i++)
            f[i] = w->table[0][a] * t->p[i] + w->table[1][a] * t->p[3 + i] + m * t->normal[i];
        return;
    }
    carom_lanes D[5], m = {0};
    for (int i = 0; i < 3; i++) {
        // stored weights are equal for all components
        for (int r = 0; r < 5 && (variant == CAROM_SHELL_AFFINE || i == 0); r++) {
            int row = variant == CAROM_SHELL_AFFINE ? 3 * r + i : r;
            carom_lanes_load(own + CAROM_LANES * ((ptrdiff_t)row * n + a), &D[r]);
        }
        if (variant == CAROM_SHELL_AFFINE || i == 0)
            m = D[2] * t->m[0] + D[3] * t->m[1] + D[4] * t->m[2];
        f[i] = D[0] * t->p[i] + D[1] * t->p[3 + i] + m * t->normal[i];
    }
}

// Numbers and weights of point q of the batch that begins at e0. The reference numbers of all points come first, then the
// weights of all points.
CAROM_INLINE carom_shell_weights carom_shell_weights_of(const carom_shell *s, int e0, int q, const double **data) {
    const carom_block *block = s->block;
    const double *batch = block->data + carom_lane(e0, 0, block->data_size);
    int begin = CAROM_SHELL_REFERENCE * s->point_count + carom_shell_weight_size(block->variant, s->n) * q;
    *data = batch + CAROM_LANES * CAROM_SHELL_REFERENCE * (ptrdiff_t)q;
    carom_shell_weights weights = {&s->N[q][1], batch + CAROM_LANES * (ptrdiff_t)begin, s->n};
    return weights;
}

// Size of an array with a vector for each node of eight elements.
enum { CAROM_SHELL_CAPACITY = 3 * CAROM_SHELL_NODES_MAX };

// The number of nodes, a constant where patches are regular.
CAROM_INLINE int carom_shell_nodes(const carom_shell *s, int variant) {
    return variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : s->n;
}

// The surface at point q, from the positions of all nodes; its numbers and weights.
CAROM_INLINE const double *carom_shell_check(const carom_shell *s, int variant, int e0, int q, const carom_lanes *x,
                                             carom_shell_weights *w, carom_shell_surface *y) {
    const double *data;
    *w = carom_shell_weights_of(s, e0, q, &data);
    carom_shell_derive(w, variant, x, y);
    return data;
}

// Adds the forces of a point to those of all n nodes.
CAROM_INLINE void carom_shell_add_forces(const carom_shell_weights *w, int variant, int n, const carom_shell_action *t,
                                         carom_lanes *f) {
    for (int a = 0; a < n; a++) {
        carom_lanes g[3];
        carom_shell_spread(w, variant, a, t, g);
        for (int i = 0; i < 3; i++)
            f[3 * a + i] -= g[i];
    }
}

// Defines a kernel for each variant, which runs `body` with `variant` as a constant; and `name`, which calls that of the block
// of the shell `s`. `parameters` and `arguments` are those of the functions, in parentheses.
#define CAROM_SHELL_KERNELS(name, body, parameters, arguments)                                         \
    CAROM_KERNEL(name##_regular, parameters, arguments, const int variant = CAROM_SHELL_REGULAR; body) \
    CAROM_KERNEL(name##_stored, parameters, arguments, const int variant = CAROM_SHELL_STORED; body)   \
    CAROM_KERNEL(name##_affine, parameters, arguments, const int variant = CAROM_SHELL_AFFINE; body)   \
    static void name parameters {                                                                      \
        switch (s->block->variant) {                                                                   \
        case CAROM_SHELL_REGULAR: name##_regular arguments; break;                                     \
        case CAROM_SHELL_STORED: name##_stored arguments; break;                                       \
        default: name##_affine arguments; break;                                                       \
        }                                                                                              \
    }

#endif
