// SPDX-License-Identifier: MIT
// The bounds of deformed solids, eight elements at a time (point_bound.h has the formulas).
//
// Every quadrature point counts as an element of its own, with the part V_q N_a of the volume of its nodes. With the reference
// map Y = dX/dr, the present one y = dx/dr and the constant matrix M = sum_a dN_a dN_a^T/N_a of the point (1.5 I for bricks),
//
//     G = Y^-T M Y^-1,   F = y Y^-1,   grad u = (du/dr) y^-1   for velocities u,
//
// so nothing has to be stored. A brick with one point has one G, of its mean gradients, and adds its hourglass modes, whose
// stiffness kappa sum_m gamma_m gamma_m^T is bounded by its trace over the volumes of the nodes.
//
// Densities drop out: the stiffness is compared with the volumes of the nodes, K <= k diag(V_q N_a), and the sum of k V_q N_a
// at a node over its mass bounds omega^2 (src/model/stiffening.c).
#include <math.h>

#include "element/bound.h"
#include "element/element.h"
#include "element/point_bound.h"
#include "element/solid_kernel.h"
#include "element/solid_point.h"

// A block as the loops see it.
typedef struct setting {
    const carom_solid_shape *shape;
    carom_kernel_law law;
    double mu, lambda; // of the law; lambda of the plane where there is no stress across it
    double full;       // lambda of the law
    double thickness;  // 1 in space
    bool stress;       // plane stress
    double hourglass;  // coefficient of the hourglass modes; 0: none
    double M[CAROM_SOLID_POINTS][6];
} setting;

static setting setting_of(const carom_block *block) {
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    carom_lame m = carom_elastic_lame(block->material_params);
    setting s = {.shape = shape,
                 .law = carom_kernel_law_of(block->material),
                 .mu = m.mu,
                 .lambda = m.lambda,
                 .full = m.lambda,
                 .thickness = 1};
    if (shape->dimension == 2) {
        const carom_plane_element_params *p = block->params;
        s.thickness = p->thickness;
        s.stress = p->plane == CAROM_PLANE_STRESS;
    }
    if (s.stress)
        s.lambda = 2 * m.lambda * m.mu / (m.lambda + 2 * m.mu);
    if (carom_solid_is_one_point(block))
        s.hourglass = ((const carom_hex8_params *)block->params)->hourglass;
    for (int q = 0; q < shape->point_count; q++)
        for (int c = 0; c < 6; c++)
            for (int a = 0; a < shape->node_count; a++)
                s.M[q][c] += shape->dN[q][a][carom_bound_row[c]] * shape->dN[q][a][carom_bound_column[c]] / shape->N[q][a];
    return s;
}

// du/dr at a point; the third axis of a plane element is `whole`.
CAROM_INLINE void map_at(const carom_solid_shape *shape, int q, const carom_lanes *nodes, double whole, carom_lanes map[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            carom_lanes sum = {0};
            bool inside = i < shape->dimension && j < shape->dimension;
            for (int a = 0; inside && a < shape->node_count; a++)
                sum += shape->dN[q][a][j] * nodes[3 * a + i];
            map[3 * i + j] = sum;
        }
    if (shape->dimension == 2)
        carom_lanes_fill(whole, &map[8]);
}

// k of a point with deformation F, its inverse and J.
CAROM_INLINE void point(const setting *s, const carom_lanes G[6], const carom_lanes F[9], const carom_lanes inverse[9],
                        const carom_lanes *J, carom_lanes *k) {
    int dimension = s->shape->dimension;
    if (s->law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        carom_bound_st_venant_kirchhoff(dimension, s->mu, s->lambda, G, F, k);
        return;
    }
    carom_lanes lambda = {0}, p;
    if (s->stress) {
        // mu (z - 1) + lambda ln J = 0 across the sheet, so p = mu z; condensation takes its part of lambda
        carom_lanes z;
        carom_kernel_thinning(s->mu, s->full, J, &z);
        p = s->mu * z;
        lambda = 2 * s->full * p / (2.0 * p + s->full);
    } else {
        carom_lanes log_J;
        carom_lanes_log(J, &log_J);
        p = s->mu - s->full * log_J;
        carom_lanes_fill(s->full, &lambda);
    }
    carom_bound_neo_hookean(dimension, s->mu, &lambda, &p, G, inverse, k);
    if (s->law == CAROM_KERNEL_OPEN)
        carom_bound_open((carom_lame){s->full, s->mu}, G, F, J, k);
}

// Takes the compression of a point, by velocities and accelerations with the gradients L and A, into what is known of its
// element.
CAROM_INLINE void compress(int dimension, const carom_lanes L[9], const carom_lanes A[9], const carom_lanes *J,
                           carom_bounds *bounds) {
    carom_lanes rate, push, stretch, unused;
    carom_bound_squeeze(dimension, L, &rate, &stretch);
    carom_bound_squeeze(dimension, A, &push, &unused);
    carom_lanes_max(&bounds->stretch, &stretch, &bounds->stretch);
    carom_lanes_max(&bounds->rate, &rate, &bounds->rate);
    carom_lanes_max(&bounds->push, &push, &bounds->push);
    carom_lanes_min(&bounds->J, J, &bounds->J);
}

// All points of eight elements.
CAROM_INLINE void points(const setting *s, const carom_lanes *X, const carom_lanes *x, const carom_lanes *v,
                         const carom_lanes *a, carom_bounds *bounds) {
    const carom_solid_shape *shape = s->shape;
    // eight copies of this loop take the compiler minutes and gain nothing
#pragma GCC unroll 1
    for (int q = 0; q < shape->point_count; q++) {
        carom_lanes Y[9], y[9], U[9], W[9], Y_inverse[9], y_inverse[9], det, now, M[6], G[6], F[9], inverse[9], L[9], A[9], k;
        map_at(shape, q, X, 1, Y);
        map_at(shape, q, x, 1, y);
        map_at(shape, q, v, 0, U);
        map_at(shape, q, a, 0, W);
        carom_bound_invert(Y, Y_inverse, &det);
        carom_bound_invert(y, y_inverse, &now);
        for (int c = 0; c < 6; c++)
            M[c] = (carom_lanes){0} + s->M[q][c];
        carom_bound_congruence(M, Y_inverse, G);
        carom_bound_multiply(y, Y_inverse, F);
        carom_bound_multiply(Y, y_inverse, inverse);
        carom_lanes J = now / det, volume = (shape->weight[q] * s->thickness) * det;
        point(s, G, F, inverse, &J, &k);
        for (int n = 0; n < shape->node_count; n++)
            bounds->share[n] += shape->N[q][n] * volume * k;
        carom_bound_multiply(U, y_inverse, L);
        carom_bound_multiply(W, y_inverse, A);
        compress(shape->dimension, L, A, &J, bounds);
    }
}

// Mean gradients g and shares w of the volume of eight bricks.
CAROM_INLINE void means(const carom_solid_shape *shape, const carom_lanes *X, carom_lanes (*g)[3], carom_lanes *w,
                        carom_lanes *volume) {
    *volume = (carom_lanes){0};
    for (int n = 0; n < shape->node_count; n++)
        w[n] = g[n][0] = g[n][1] = g[n][2] = (carom_lanes){0};
    for (int q = 0; q < shape->point_count; q++) {
        carom_lanes Y[9], C[9], det;
        map_at(shape, q, X, 1, Y);
        carom_kernel_cofactor(Y, C, &det);
        *volume += shape->weight[q] * det;
        for (int n = 0; n < shape->node_count; n++) {
            w[n] += (shape->weight[q] * shape->N[q][n]) * det;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    g[n][i] += (shape->weight[q] * shape->dN[q][n][j]) * C[3 * i + j];
        }
    }
    for (int n = 0; n < shape->node_count; n++)
        for (int i = 0; i < 3; i++)
            g[n][i] = g[n][i] / *volume;
}

// Signs of the nodes in the hourglass modes rs, st, tr, rst (hex8.c).
static const double signs[4][8] = {
    {1, -1, 1, -1, 1, -1, 1, -1},
    {1, 1, -1, -1, -1, -1, 1, 1},
    {1, -1, -1, 1, -1, 1, 1, -1},
    {-1, 1, -1, 1, 1, -1, 1, -1},
};

// trace of the hourglass stiffness over the volumes of the nodes
CAROM_INLINE void hourglass(const setting *s, const carom_lanes *X, carom_lanes (*g)[3], const carom_lanes *w,
                            const carom_lanes *volume, carom_lanes *k) {
    carom_lanes square = {0}, sum = {0};
    for (int n = 0; n < 8; n++)
        square += 8.0 * (g[n][0] * g[n][0] + g[n][1] * g[n][1] + g[n][2] * g[n][2]);
    for (int mode = 0; mode < 4; mode++) {
        carom_lanes C[3] = {{0}};
        for (int n = 0; n < 8; n++)
            for (int i = 0; i < 3; i++)
                C[i] += (signs[mode][n] / 8) * X[3 * n + i];
        for (int n = 0; n < 8; n++) {
            carom_lanes gamma = signs[mode][n] / 8 - (g[n][0] * C[0] + g[n][1] * C[1] + g[n][2] * C[2]);
            sum += gamma * gamma / w[n];
        }
    }
    *k += (0.5 * s->hourglass * s->mu) * *volume * square * sum;
}

// sum_n u_n (x) g_n
CAROM_INLINE void gradient_of(const carom_lanes *u, carom_lanes (*g)[3], carom_lanes out[9]) {
    for (int i = 0; i < 9; i++) {
        out[i] = (carom_lanes){0};
        for (int n = 0; n < 8; n++)
            out[i] += u[3 * n + i / 3] * g[n][i % 3];
    }
}

CAROM_INLINE void one_point(const setting *s, const carom_lanes *X, const carom_lanes *x, const carom_lanes *v,
                            const carom_lanes *a, carom_bounds *bounds) {
    carom_lanes g[8][3], w[8], volume, F[9], inverse[9], J, G[6], U[9], W[9], L[9], A[9], k;
    means(s->shape, X, g, w, &volume);
    gradient_of(x, g, F);
    gradient_of(v, g, U);
    gradient_of(a, g, W);
    carom_bound_invert(F, inverse, &J);
    // K <= k diag(w): the law of the point has the volume of the element in front
    for (int c = 0; c < 6; c++) {
        G[c] = (carom_lanes){0};
        for (int n = 0; n < 8; n++)
            G[c] += volume * g[n][carom_bound_row[c]] * g[n][carom_bound_column[c]] / w[n];
    }
    point(s, G, F, inverse, &J, &k);
    hourglass(s, X, g, w, &volume, &k);
    for (int n = 0; n < 8; n++)
        bounds->share[n] += w[n] * k;
    carom_bound_multiply(U, inverse, L);
    carom_bound_multiply(W, inverse, A);
    compress(3, L, A, &J, bounds);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures, const carom_solid_shape *shape) {
    setting s = setting_of(block);
    // a constant for the compiler
    s.shape = shape;
    int n = shape->node_count;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes X[3 * CAROM_SOLID_NODES], x[3 * CAROM_SOLID_NODES], v[3 * CAROM_SOLID_NODES], a[3 * CAROM_SOLID_NODES];
        carom_bounds bounds;
        carom_bounds_clear(&bounds, n);
        carom_kernel_gather(block, n, e0, motion->X, X);
        carom_kernel_gather(block, n, e0, motion->x, x);
        carom_kernel_gather(block, n, e0, motion->v, v);
        carom_kernel_gather(block, n, e0, motion->a, a);
        if (n == 8 && s.hourglass > 0)
            one_point(&s, X, x, v, a, &bounds);
        else
            points(&s, X, x, v, a, &bounds);
        carom_bounds_store(&bounds, n, e0, begin, end, share, measures);
    }
}

// One function for each shape, in which laws branch. Bricks, the solids that are followed most, have copies for several
// processors; more would cost the compiler minutes. Tetrahedra have a kernel of their own (tet4_bound.c).
#define RANGE(name, shape)                                                                                        \
    static void name(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share, \
                     double *measures) {                                                                          \
        range(block, begin, end, motion, share, measures, &shape);                                                \
    }

RANGE(tri3, carom_shape_tri3)
RANGE(quad4, carom_shape_quad4)
RANGE(tet4, carom_shape_tet4)
CAROM_KERNEL(hex8,
             (const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share, double *measures),
             (block, begin, end, motion, share, measures), range(block, begin, end, motion, share, measures, &carom_shape_hex8))

bool carom_solid_stiffens(const carom_block *block) {
    return block->material != &carom_material_linear;
}

void carom_solid_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                       double *measures) {
    carom_kernel_law law = carom_kernel_law_of(block->material);
    const carom_solid_shape *shape = carom_solid_shape_of(block);
    if (law == CAROM_KERNEL_NONE || law == CAROM_KERNEL_LINEAR)
        carom_plain_bound(block, begin, end, motion, share, measures);
    else if (block->element == &carom_element_tet4.element && law != CAROM_KERNEL_OPEN)
        carom_tet4_bound(block, begin, end, motion, share, measures);
    else if (shape == &carom_shape_tet4)
        tet4(block, begin, end, motion, share, measures);
    else if (shape == &carom_shape_hex8)
        hex8(block, begin, end, motion, share, measures);
    else if (shape == &carom_shape_tri3)
        tri3(block, begin, end, motion, share, measures);
    else
        quad4(block, begin, end, motion, share, measures);
}
