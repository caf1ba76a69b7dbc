// SPDX-License-Identifier: MIT
// Upper bounds of the stiffness, for stable steps, of elastoplastic metals in elements that average volumes, eight elements at
// a time. Other laws use their tangents (isochoric.h); a metal has small elastic strains (carom_inelastic.small_elastic), so
// that its elastic tangent is known accurately enough.
//
// With the spatial gradient l of a virtual displacement, the elastic left Cauchy-Green tensor b, e = dev 1/2 ln b with the
// principal values e_A, and the Kirchhoff stress tau = 2 mu e, the second variation of the isochoric energy is
//
//     d tau:l - tau l^T:l,   |d tau - 2 mu dev sym l| <= 2 mu max |e_A - e_B| |l| <= sqrt(2) |tau| |l|   to first order.
//
// It is at most mu |l|^2 + mu l:l^T + 3 |tau| |l|^2. The first two terms are those of the linear law with lambda = 0 on the
// present shape, which is the neo-Hookean bound with F = I (point_bound.h). The factor 3 instead of 1 + sqrt(2) leaves more
// than a tenth for second-order terms where |e| is below 0.1. The averaged pressure p adds p J ((tr l)^2 - l:l^T), which lies
// between -1 and 2 times p J |l|^2, and a term with the derivative b of the mean J, whose bound mean_dilatation.c derives.
#include "element/average/isochoric.h"
#include "element/average/mean_dilatation.h"
#include "element/average/volumes.h"
#include "element/batch.h"
#include "element/bound.h"
#include "element/solid/hex8_body.h"
#include "element/solid/stiffness_bound.h"

// The coefficient max(2 p, -p) J of |l|^2.
CAROM_INLINE void pressure_of(const carom_lanes *p, const carom_lanes *J, carom_lanes *out) {
    carom_lanes twice = 2.0 * *p, less = -*p;
    carom_lanes_max(&twice, &less, out);
    *out *= *J;
}

// |tau| = |P F^T|
CAROM_INLINE void kirchhoff(const carom_lanes P[9], const carom_lanes F[9], carom_lanes *size) {
    carom_lanes square = {0};
    for (int a = 0; a < 9; a++) {
        const carom_lanes *p = &P[a / 3 * 3], *f = &F[a % 3 * 3];
        carom_lanes tau = p[0] * f[0] + p[1] * f[1] + p[2] * f[2];
        square += tau * tau;
    }
    carom_lanes_sqrt(&square, size);
}

// The bound k of the stiffness of a point: Y is G on the present shape, `rest` the coefficient of |l|^2 besides mu.
CAROM_INLINE void stiffness(double mu, const carom_lanes Y[6], const carom_lanes *rest, carom_lanes *k) {
    carom_lanes lambda = {0}, p, YY, cap;
    carom_lanes_fill(mu, &p);
    carom_bound_square(Y, &YY);
    carom_bound_neo_hookean_of(3, mu, &lambda, &p, Y, Y, &YY, k);
    carom_bound_cap(3, Y, &cap);
    *k += *rest * cap;
}

// At all points: the cofactors C and the determinant j of the map to the reference shape; the map y to the present shape with
// its cofactors c and determinant d. Of the element: its reference volume, and p and its derivative at the mean J.
typedef struct bricks {
    carom_lanes C[8][9], j[8], y[8][9], c[8][9], d[8];
    carom_lanes volume, p, curvature;
} bricks;

CAROM_INLINE void evaluate(const carom_block *block, int e0, const carom_kinematics *motion, double bulk, bricks *s) {
    carom_lanes q[CAROM_HEX8_DOFS], dX[3][4][3], dx[3][4][3], Y[9], now = {0}, log_J;
    carom_kernel_gather(block, 8, e0, motion->X, q);
    carom_hex8_derivatives(q, dX);
    carom_kernel_gather(block, 8, e0, motion->x, q);
    carom_hex8_derivatives(q, dx);
    s->volume = now;
#pragma GCC unroll 1
    for (int point = 0; point < 8; point++) {
        int at[3];
        carom_hex8_point(point, at);
        carom_hex8_map_at(dX, at, Y);
        carom_hex8_map_at(dx, at, s->y[point]);
        carom_kernel_cofactor(Y, s->C[point], &s->j[point]);
        carom_kernel_cofactor(s->y[point], s->c[point], &s->d[point]);
        s->volume += carom_hex8_cube * s->j[point];
        now += carom_hex8_cube * s->d[point];
    }
    carom_lanes J = now / s->volume;
    carom_lanes_log(&J, &log_J);
    s->p = bulk * log_J / J;
    s->curvature = bulk * (1.0 - log_J) / (J * J);
}

// k V of a point.
CAROM_INLINE void brick_point(const carom_block *block, int e0, int point, const bricks *s, double mu, carom_lanes *k) {
    carom_lanes F[9], P[9], Y[6], scale = 1.0 / s->j[point], J = s->d[point] * scale, rest, size,
                                  volume = carom_hex8_cube * s->j[point];
    carom_kernel_unmap(s->y[point], s->C[point], &s->j[point], F);
    carom_split_batch(block, e0, carom_hex8_corner[point], 0, 0, &volume, F, P);
    kirchhoff(P, F, &size);
    pressure_of(&s->p, &J, &rest);
    rest += 3.0 * size;
    scale = carom_hex8_gram / (s->d[point] * s->d[point]);
    carom_hex8_square(s->c[point], &scale, Y);
    stiffness(mu, Y, &rest, k);
    *k *= volume;
}

// Adds c |b_a| sum_d |b_d| at the nodes a, with the derivative b of the mean J and c = dp/dJ where it is positive.
CAROM_INLINE void add_mean(const bricks *s, carom_lanes share[8]) {
    carom_lanes Q[3][4][3], f[CAROM_HEX8_DOFS], length[8], sum = {0}, zero = {0}, c = s->curvature;
    carom_lanes_clear(36, &Q[0][0][0]);
    for (int point = 0; point < 8; point++) {
        int at[3];
        carom_hex8_point(point, at);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                Q[k][at[k]][i] += s->c[point][3 * i + k];
    }
    carom_hex8_forces(Q, f);
    carom_lanes_max(&c, &zero, &c);
    for (int a = 0; a < 8; a++) {
        carom_lanes square = f[3 * a] * f[3 * a] + f[3 * a + 1] * f[3 * a + 1] + f[3 * a + 2] * f[3 * a + 2];
        carom_lanes_sqrt(&square, &length[a]);
        sum += length[a];
    }
    c *= sum / s->volume;
    for (int a = 0; a < 8; a++)
        share[a] += c * length[a];
}

CAROM_INLINE void put(const carom_lanes *value, int node, int node_count, int e0, int begin, int end, double *share) {
    carom_kernel_put(value, e0, begin, end, share + carom_lane(e0, 3 * node, 3 * node_count));
}

CAROM_INLINE void brick_range(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share) {
    double bulk = block->material->bulk(block->material_params), mu = block->material->shear(block->material_params);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        bricks s;
        carom_lanes k[8], shares[8];
        evaluate(block, e0, motion, bulk, &s);
#pragma GCC unroll 1
        for (int point = 0; point < 8; point++)
            brick_point(block, e0, point, &s, mu, &k[point]);
        carom_hex8_distribute(k, shares);
        add_mean(&s, shares);
        for (int a = 0; a < 8; a++)
            put(&shares[a], a, 8, e0, begin, end, share);
    }
}

// Tetrahedra of volume_cell.c: Y = 4 sum_a h_a h_a^T with the gradients h of the nodes on the present shape. Their pressure
// belongs to the patches of the nodes.
CAROM_INLINE void cell_range(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share) {
    double mu = block->material->shear(block->material_params);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_lanes q[CAROM_TET4_DOFS], B[9], V, F[9], P[9], inverse[9], h[9], Y[6], J, size, k;
        carom_kernel_gather(block, 4, e0, motion->x, q);
        carom_tet4_load(block->data + carom_lane(e0, 0, CAROM_TET4_DATA), B, &V);
        carom_tet4_map(q, B, F);
        carom_kernel_invert(F, inverse, &J);
        carom_bound_multiply(B, inverse, h);
        carom_tet4_weigh(h, Y);
        carom_split_batch(block, e0, 0, 0, 0, &V, F, P);
        kirchhoff(P, F, &size);
        size *= 3.0;
        stiffness(mu, Y, &size, &k);
        k *= 0.25 * V;
        for (int a = 0; a < 4; a++)
            put(&k, a, 4, e0, begin, end, share);
    }
}

#define PARAMETERS (const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share)
#define ARGUMENTS (block, begin, end, motion, share)
CAROM_KERNEL(brick_shares, PARAMETERS, ARGUMENTS, brick_range ARGUMENTS)
CAROM_KERNEL(cell_shares, PARAMETERS, ARGUMENTS, cell_range ARGUMENTS)

// Returns false, and writes nothing, for other elements and laws.
static bool metal_shares PARAMETERS {
    if (!block->material->inelastic || !block->material->inelastic->small_elastic)
        return false;
    // without plastic flow
    carom_block own = *block;
    own.flow = NULL;
    if (block->element == &carom_dilated_hex8.element)
        brick_shares(&own, begin, end, motion, share);
    else if (block->element == &carom_volume_tet4.element)
        cell_shares(&own, begin, end, motion, share);
    else
        return false;
    return true;
}

bool carom_split_bound(const carom_block *block, const carom_block *ordinary, int begin, int end,
                       const carom_kinematics *motion, double *share, double *measures) {
    // any elastic constants: the measures depend on the motion alone, and the shares are overwritten here or by the caller
    static const carom_elastic_params any = {.young = 1, .poisson = 0.3, .density = 1};
    carom_block own = *ordinary;
    own.material = carom_law_material(CAROM_LAW_NEO_HOOKEAN);
    own.material_params = &any;
    own.element->bound(&own, begin, end, motion, share, measures);
    return metal_shares ARGUMENTS;
}
