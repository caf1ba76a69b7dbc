// SPDX-License-Identifier: MIT
// Shells with the St. Venant-Kirchhoff law in batches, one element per lane; the formulas are those of loop_shell_point.c. The
// law is linear in strain, so that its stiffness H, times thickness and area, describes it fully: n = H alpha, m = t^2/12 H
// beta.
#include <math.h>
#include <string.h>

#include "element/kernel_law.h"
#include "element/loop_shell.h"

// The derivatives of the position at a point, and the forces conjugate to them: the vectors p act on a_1 and a_2, and the
// moments m times the normal act on a_11, a_22 and a_12.
typedef struct surface {
    carom_lanes y[15];
} surface;

typedef struct action {
    carom_lanes p[6], m[3], normal[3];
} action;

// The unit normal and 1/J. sqrt is called lane by lane, because vector types have no square root; the compiler vectorises the
// loop.
CAROM_INLINE void cross_unit(const carom_lanes *a, const carom_lanes *b, carom_lanes normal[3], carom_lanes *over_J) {
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

CAROM_INLINE void dot3(const carom_lanes *a, const carom_lanes *b, carom_lanes *result) {
    *result = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Strains at a point, and the forces n and moments m conjugate to them.
CAROM_INLINE void resultants(const surface *s, const double *data, double bend, carom_lanes normal[3], carom_lanes *over_J,
                             carom_lanes g[3], carom_lanes strain[6], carom_lanes n[6]) {
    const carom_lanes *a1 = s->y, *a2 = s->y + 3;
    carom_lanes G[3], B[3], H[6];
    for (int k = 0; k < 3; k++) {
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_METRIC + k), &G[k]);
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_CURVATURE + k), &B[k]);
    }
    for (int k = 0; k < 6; k++)
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_STIFFNESS + k), &H[k]);
    cross_unit(a1, a2, normal, over_J);
    dot3(a1, a1, &g[0]);
    dot3(a2, a2, &g[1]);
    dot3(a1, a2, &g[2]);
    strain[0] = 0.5 * (g[0] - G[0]);
    strain[1] = 0.5 * (g[1] - G[1]);
    strain[2] = g[2] - G[2];
    for (int k = 0; k < 3; k++)
        dot3(s->y + 6 + 3 * k, normal, &strain[3 + k]);
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

// The gradient of the energy of a point with respect to the derivatives of the position.
CAROM_INLINE void act(const surface *s, const double *data, double bend, action *out) {
    const carom_lanes *a1 = s->y, *a2 = s->y + 3;
    carom_lanes over_J, g[3], strain[6], n[6], q[3], q1, q2;
    resultants(s, data, bend, out->normal, &over_J, g, strain, n);
    // a_12 stands for a_12 and a_21.
    n[5] = 2.0 * n[5];
    for (int i = 0; i < 3; i++)
        q[i] = n[3] * s->y[6 + i] + n[4] * s->y[9 + i] + n[5] * s->y[12 + i];
    // Components of q on the contravariant base, by the inverse metric.
    dot3(q, a1, &q1);
    dot3(q, a2, &q2);
    carom_lanes over = over_J * over_J, k1 = (g[1] * q1 - g[2] * q2) * over, k2 = (g[0] * q2 - g[2] * q1) * over;
    for (int i = 0; i < 3; i++) {
        out->p[i] = n[0] * a1[i] + n[2] * a2[i] - k1 * out->normal[i];
        out->p[3 + i] = n[1] * a2[i] + n[2] * a1[i] - k2 * out->normal[i];
        out->m[i] = n[3 + i];
    }
}

// The weight of row r, component i and node a: one number of the table for all lanes, or one per lane.
typedef struct weights {
    const double (*table)[CAROM_LOOP_REGULAR]; // derivatives only
    const double *own;                         // lanes, of the point
    int n;
} weights;

// Derivatives of the position from the nodes. `variant` is a constant in each caller, so that only one branch is compiled.
CAROM_INLINE void derive(const weights *w, int variant, const carom_lanes *x, surface *s) {
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : w->n;
    const double *own = w->own + CAROM_LANES * (ptrdiff_t)n;
    for (int k = 0; k < 15; k++) {
        if (variant == CAROM_SHELL_AFFINE)
            carom_lanes_load(own + CAROM_LANES * (15 * (ptrdiff_t)n + k), &s->y[k]);
        else
            s->y[k] = (carom_lanes){0};
    }
    for (int a = 0; a < n; a++)
        for (int r = 0; r < 5; r++) {
            carom_lanes weight;
            if (variant == CAROM_SHELL_STORED)
                carom_lanes_load(own + CAROM_LANES * ((ptrdiff_t)r * n + a), &weight);
            for (int i = 0; i < 3; i++) {
                if (variant == CAROM_SHELL_AFFINE)
                    carom_lanes_load(own + CAROM_LANES * ((ptrdiff_t)(3 * r + i) * n + a), &weight);
                if (variant == CAROM_SHELL_REGULAR)
                    s->y[3 * r + i] += w->table[r][a] * x[3 * a + i];
                else
                    s->y[3 * r + i] += weight * x[3 * a + i];
            }
        }
}

// The transpose of `derive`: subtracts the forces on the nodes from f.
CAROM_INLINE void spread(const weights *w, int variant, const action *t, carom_lanes *f) {
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : w->n;
    const double *own = w->own + CAROM_LANES * (ptrdiff_t)n;
    for (int a = 0; a < n; a++) {
        if (variant == CAROM_SHELL_AFFINE) {
            for (int i = 0; i < 3; i++) {
                carom_lanes D[5];
                for (int r = 0; r < 5; r++)
                    carom_lanes_load(own + CAROM_LANES * ((ptrdiff_t)(3 * r + i) * n + a), &D[r]);
                f[3 * a + i] -=
                    D[0] * t->p[i] + D[1] * t->p[3 + i] + (D[2] * t->m[0] + D[3] * t->m[1] + D[4] * t->m[2]) * t->normal[i];
            }
        } else if (variant == CAROM_SHELL_STORED) {
            carom_lanes D[5];
            for (int r = 0; r < 5; r++)
                carom_lanes_load(own + CAROM_LANES * ((ptrdiff_t)r * n + a), &D[r]);
            carom_lanes m = D[2] * t->m[0] + D[3] * t->m[1] + D[4] * t->m[2];
            for (int i = 0; i < 3; i++)
                f[3 * a + i] -= D[0] * t->p[i] + D[1] * t->p[3 + i] + m * t->normal[i];
        } else {
            carom_lanes m = w->table[2][a] * t->m[0] + w->table[3][a] * t->m[1] + w->table[4][a] * t->m[2];
            for (int i = 0; i < 3; i++)
                f[3 * a + i] -= w->table[0][a] * t->p[i] + w->table[1][a] * t->p[3 + i] + m * t->normal[i];
        }
    }
}

// Numbers and weights of point q of the batch that begins at e0.
// The reference numbers of all points come first, then the weights of all points.
CAROM_INLINE weights weights_of(const carom_shell *s, int e0, int q, const double **data) {
    const carom_block *block = s->block;
    const double *batch = block->data + carom_lane(e0, 0, block->data_size);
    int begin = CAROM_SHELL_REFERENCE * s->point_count + carom_shell_weight_size(block->variant, s->n) * q;
    *data = batch + CAROM_LANES * CAROM_SHELL_REFERENCE * (ptrdiff_t)q;
    return (weights){&s->N[q][1], batch + CAROM_LANES * (ptrdiff_t)begin, s->n};
}

// Batches begin at multiples of CAROM_LANES whatever the range is, so that an element meets the same operations in any range.
CAROM_INLINE void forces(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double *force) {
    enum { ROOM = 3 * CAROM_SHELL_NODES_MAX };
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : s->n;
    double bend = s->thickness * s->thickness / 12;
    carom_lanes at[ROOM], f[ROOM];
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_kernel_gather(s->block, n, e0, x, at);
        for (int k = 0; k < 3 * n; k++)
            f[k] = (carom_lanes){0};
        for (int q = 0; q < s->point_count; q++) {
            const double *data;
            weights w = weights_of(s, e0, q, &data);
            surface y;
            action t;
            derive(&w, variant, at, &y);
            act(&y, data, bend, &t);
            spread(&w, variant, &t, f);
        }
        carom_kernel_scatter(f, 3 * n, e0, begin, end, force);
    }
}

CAROM_KERNEL static void regular(const carom_shell *s, int begin, int end, const double (*x)[3], double *force) {
    forces(s, CAROM_SHELL_REGULAR, begin, end, x, force);
}

CAROM_KERNEL static void stored(const carom_shell *s, int begin, int end, const double (*x)[3], double *force) {
    forces(s, CAROM_SHELL_STORED, begin, end, x, force);
}

CAROM_KERNEL static void affine(const carom_shell *s, int begin, int end, const double (*x)[3], double *force) {
    forces(s, CAROM_SHELL_AFFINE, begin, end, x, force);
}

// One function for each variant, so that the compiler sees it as a constant.
void carom_shell_kernel_force(const carom_block *block, int begin, int end, const double (*x)[3], double *force) {
    carom_shell s = carom_shell_of(block);
    switch (block->variant) {
    case CAROM_SHELL_REGULAR: regular(&s, begin, end, x, force); break;
    case CAROM_SHELL_STORED: stored(&s, begin, end, x, force); break;
    default: affine(&s, begin, end, x, force); break;
    }
}

// Membrane and bending energy of each element in [begin, end); lanes outside are computed and dropped.
CAROM_INLINE void energies(const carom_shell *s, int variant, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    enum { ROOM = 3 * CAROM_SHELL_NODES_MAX };
    int n = variant == CAROM_SHELL_REGULAR ? CAROM_LOOP_REGULAR : s->n;
    double bend = s->thickness * s->thickness / 12;
    carom_lanes at[ROOM];
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes sum[2] = {{0}};
        carom_kernel_gather(s->block, n, e0, x, at);
        for (int q = 0; q < s->point_count; q++) {
            const double *data;
            weights w = weights_of(s, e0, q, &data);
            surface y;
            carom_lanes normal[3], over_J, g[3], strain[6], force[6];
            derive(&w, variant, at, &y);
            resultants(&y, data, bend, normal, &over_J, g, strain, force);
            for (int k = 0; k < 3; k++) {
                sum[0] += 0.5 * force[k] * strain[k];
                sum[1] += 0.5 * force[3 + k] * strain[3 + k];
            }
        }
        for (int l = 0; l < CAROM_LANES; l++)
            if (e0 + l >= begin && e0 + l < end) {
                parts[e0 + l - begin][0] = sum[0][l];
                parts[e0 + l - begin][1] = sum[1][l];
            }
    }
}

CAROM_KERNEL static void regular_parts(const carom_shell *s, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    energies(s, CAROM_SHELL_REGULAR, begin, end, x, parts);
}

CAROM_KERNEL static void stored_parts(const carom_shell *s, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    energies(s, CAROM_SHELL_STORED, begin, end, x, parts);
}

CAROM_KERNEL static void affine_parts(const carom_shell *s, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    energies(s, CAROM_SHELL_AFFINE, begin, end, x, parts);
}

void carom_shell_kernel_parts(const carom_block *block, int begin, int end, const double (*x)[3], double (*parts)[2]) {
    carom_shell s = carom_shell_of(block);
    switch (block->variant) {
    case CAROM_SHELL_REGULAR: regular_parts(&s, begin, end, x, parts); break;
    case CAROM_SHELL_STORED: stored_parts(&s, begin, end, x, parts); break;
    default: affine_parts(&s, begin, end, x, parts); break;
    }
}
