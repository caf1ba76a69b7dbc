// SPDX-License-Identifier: MIT
// Upper bounds of the stiffness of deformed tetrahedra and bricks, for batches (solid_bound.c) and for threads of a device: the
// shares k V N_a of their nodes. point_bound.h has the formulas, solid_bound.c the meaning of G and k.
//
// With Y = dX/dr and y = dx/dr at a Gauss point of a brick, both eight times the true ones as in hex8_body.h, their cofactors C
// and c, their determinants j and d, and M = sum_a dN_a dN_a^T/N_a = 1.5 I,
//
//     G = 96 C C^T/j^2,   F^-T G F^-1 = 96 c c^T/d^2,   G F^-1 = 96 C c^T/(j d),
//
// so the neo-Hookean law requires neither F nor its inverse. The share of a node is the sum of k V N_a over the points. Shape
// functions are products of one function for each coordinate, so this takes three passes over pairs instead of 64 products.
#ifndef CAROM_ELEMENT_SOLID_STIFFNESS_BOUND_H
#define CAROM_ELEMENT_SOLID_STIFFNESS_BOUND_H

#include <string.h>

#include "element/batch.h"
#include "element/solid/hex8_body.h"
#include "element/solid/tet4_body.h"
#include "material/lanes/point_bound.h"

// G = 4 sum_a g_a g_a^T of a tetrahedron, since N = 1/4 at its only point. B has the gradients of nodes 1, 2 and 3.
CAROM_INLINE void carom_tet4_weigh(const carom_lanes B[9], carom_lanes G[6]) {
    carom_lanes g[3];
    for (int i = 0; i < 3; i++)
        g[i] = B[i] + B[3 + i] + B[6 + i];
    for (int c = 0; c < 6; c++) {
        int i = carom_sym3_row[c], j = carom_sym3_column[c];
        G[c] = 4.0 * (B[i] * B[j] + B[3 + i] * B[3 + j] + B[6 + i] * B[6 + j] + g[i] * g[j]);
    }
}

// k of a point with the deformation gradient F, its inverse and its determinant J.
CAROM_INLINE void carom_point_stiffness(carom_kernel_law law, carom_lame m, const carom_lanes G[6], const carom_lanes F[9],
                                        const carom_lanes inverse[9], const carom_lanes *J, carom_lanes *k) {
    if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        carom_bound_st_venant_kirchhoff(3, m.mu, m.lambda, G, F, k);
        return;
    }
    carom_lanes log_J, lambda = {0};
    carom_lanes_log(J, &log_J);
    carom_lanes_fill(m.lambda, &lambda);
    carom_lanes p = m.mu - m.lambda * log_J;
    carom_bound_neo_hookean(3, m.mu, &lambda, &p, G, inverse, k);
    if (law == CAROM_KERNEL_OPEN)
        carom_bound_open(m, G, F, J, k);
}

// The share of each node of a tetrahedron; also sets B, and the inverse and the determinant J of F.
CAROM_INLINE void carom_tet4_share(const carom_element_batch *at, carom_kernel_law law, carom_lanes B[9],
                                   carom_lanes inverse[9], carom_lanes *J, carom_lanes *share) {
    carom_lanes q[CAROM_TET4_DOFS], V, F[9], G[6], k;
    carom_batch_take(at, 4, q);
    carom_tet4_load(carom_batch_data(at, CAROM_TET4_DATA), B, &V);
    carom_tet4_map(q, B, F);
    carom_kernel_invert(F, inverse, J);
    carom_tet4_weigh(B, G);
    carom_point_stiffness(law, carom_batch_lame(at), G, F, inverse, J, &k);
    *share = 0.25 * V * k;
}

// The factor of G: 1.5 of M times 64, because the maps are eight times the true ones.
static const double carom_hex8_gram = 96;
// The true determinant divided by that of a map that is eight times the true one.
static const double carom_hex8_cube = 1.0 / 512;

// For each node the number of the Gauss point in the same corner (carom_hex8_point): its bits are 1 where r, s, t are positive.
// The table is its own inverse.
CAROM_TABLE int carom_hex8_corner[8] = {0, 1, 3, 2, 4, 5, 7, 6};

// Replaces k_q by sum_q N_a(q) k_q at the nodes a, which are in the order of the Gauss points.
CAROM_INLINE void carom_hex8_spread(carom_lanes k[8]) {
    const double near = 0.5 + 0.5 * 0.57735026918962576451, far = 0.5 - 0.5 * 0.57735026918962576451;
    for (int bit = 1; bit < 8; bit *= 2)
        for (int a = 0; a < 8; a++) {
            if (a & bit)
                continue;
            carom_lanes low = k[a], high = k[a + bit];
            k[a] = near * low + far * high;
            k[a + bit] = far * low + near * high;
        }
}

// A B^T.
CAROM_INLINE void carom_hex8_product(const carom_lanes A[9], const carom_lanes B[9], carom_lanes out[9]) {
    for (int i = 0; i < 9; i++)
        out[i] = A[i / 3 * 3] * B[i % 3 * 3] + A[i / 3 * 3 + 1] * B[i % 3 * 3 + 1] + A[i / 3 * 3 + 2] * B[i % 3 * 3 + 2];
}

// The six components of factor A A^T.
CAROM_INLINE void carom_hex8_square(const carom_lanes A[9], const carom_lanes *factor, carom_lanes out[6]) {
    for (int c = 0; c < 6; c++) {
        int i = 3 * carom_sym3_row[c], j = 3 * carom_sym3_column[c];
        out[c] = *factor * (A[i] * A[j] + A[i + 1] * A[j + 1] + A[i + 2] * A[j + 2]);
    }
}

// A map at a Gauss point, its cofactors and its determinant.
typedef struct carom_hex8_place {
    carom_lanes y[9], C[9], det;
} carom_hex8_place;

CAROM_INLINE void carom_hex8_take_map(carom_lanes dx[3][4][3], const int at[3], carom_hex8_place *m) {
    carom_hex8_map_at(dx, at, m->y);
    carom_kernel_cofactor(m->y, m->C, &m->det);
}

// k of a Gauss point.
CAROM_INLINE void carom_hex8_stiffness(carom_kernel_law law, carom_lame m, const carom_hex8_place *reference,
                                       const carom_hex8_place *present, const carom_lanes *J, carom_lanes *k) {
    carom_lanes over = 1.0 / reference->det, factor = carom_hex8_gram * over * over, G[6], F[9];
    carom_hex8_square(reference->C, &factor, G);
    if (law != CAROM_KERNEL_NEO_HOOKEAN) {
        carom_hex8_product(present->y, reference->C, F);
        for (int i = 0; i < 9; i++)
            F[i] *= over;
    }
    if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        carom_bound_st_venant_kirchhoff(3, m.mu, m.lambda, G, F, k);
        return;
    }
    carom_lanes now = 1.0 / present->det, Y[6], mixed[9], CC = {0}, log_J, lambda = {0};
    factor = carom_hex8_gram * now * now;
    carom_hex8_square(present->C, &factor, Y);
    carom_hex8_product(reference->C, present->C, mixed);
    factor = carom_hex8_gram * over * now;
    for (int i = 0; i < 9; i++)
        CC += mixed[i] * mixed[i];
    CC *= factor * factor;
    carom_lanes_log(J, &log_J);
    carom_lanes_fill(m.lambda, &lambda);
    carom_lanes p = m.mu - m.lambda * log_J;
    carom_bound_neo_hookean_of(3, m.mu, &lambda, &p, G, Y, &CC, k);
    if (law == CAROM_KERNEL_OPEN)
        carom_bound_open(m, G, F, J, k);
}

// The mean point of a brick: gradients g of the nodes and their shares w of the volume, in the order of the Gauss points.
typedef struct carom_hex8_mean {
    carom_lanes R[8][3], b[7][3], over; // coefficients of X, mean gradients of coefficients, 1/j
    carom_lanes g[8][3], w[8], volume;
} carom_hex8_mean;

CAROM_INLINE void carom_hex8_mean_of(const carom_lanes *X, carom_hex8_mean *s) {
    carom_lanes dX[3][4][3], j, zero = {0};
    carom_hex8_coefficients(X, s->R);
    carom_hex8_mean_gradients(s->R, s->b, &j);
    s->over = 1.0 / j;
    carom_hex8_derivatives(X, dX);
    s->volume = zero;
    CAROM_ROLLED
    for (int p = 0; p < 8; p++) {
        int at[3];
        carom_hex8_point(p, at);
        carom_hex8_place reference;
        carom_hex8_take_map(dX, at, &reference);
        s->w[p] = carom_hex8_cube * reference.det;
        s->volume += s->w[p];
    }
    carom_hex8_spread(s->w);
    // the transpose of carom_hex8_coefficients, for each node in the order of the Gauss points
    for (int n = 0; n < 8; n++) {
        double r = n & 1 ? 1 : -1, t = n & 2 ? 1 : -1, z = n & 4 ? 1 : -1;
        for (int i = 0; i < 3; i++)
            s->g[n][i] = s->over * (r * s->b[1][i] + t * s->b[2][i] + z * s->b[3][i] + r * t * s->b[4][i] + t * z * s->b[5][i] +
                                    z * r * s->b[6][i]);
    }
}

// Adds the trace of the hourglass stiffness kappa sum_m gamma_m gamma_m^T relative to the volumes w of the nodes.
CAROM_INLINE void carom_hex8_hourglass(double factor, const carom_hex8_mean *s, carom_lanes *k) {
    carom_lanes squares = {0}, sum = {0};
    for (int n = 0; n < 8; n++)
        squares += 8.0 * (s->g[n][0] * s->g[n][0] + s->g[n][1] * s->g[n][1] + s->g[n][2] * s->g[n][2]);
    for (int n = 0; n < 8; n++) {
        double r = n & 1 ? 1 : -1, t = n & 2 ? 1 : -1, z = n & 4 ? 1 : -1;
        const double signs[4] = {r * t, t * z, z * r, r * t * z};
        carom_lanes own = {0};
        for (int mode = 0; mode < 4; mode++) {
            const carom_lanes *C = s->R[4 + mode];
            carom_lanes gamma = 0.125 * (signs[mode] - (s->g[n][0] * C[0] + s->g[n][1] * C[1] + s->g[n][2] * C[2]));
            own += gamma * gamma;
        }
        sum += own / s->w[n];
    }
    *k += factor * s->volume * squares * sum;
}

// The shares of the nodes of a brick with full integration, from k V of its points in their order; k is overwritten.
CAROM_INLINE void carom_hex8_distribute(carom_lanes k[8], carom_lanes share[8]) {
    carom_hex8_spread(k);
    for (int n = 0; n < 8; n++)
        share[n] = k[carom_hex8_corner[n]];
}

// k with K <= k diag(w) of a brick with one point, hourglass modes included. The energy of the point has the weight V of the
// element, so that G = V sum_n g_n g_n^T/w_n.
CAROM_INLINE void carom_hex8_mean_stiffness(carom_kernel_law law, carom_lame m, double factor, const carom_hex8_mean *s,
                                            const carom_lanes F[9], const carom_lanes inverse[9], const carom_lanes *J,
                                            carom_lanes *k) {
    carom_lanes G[6];
    memset(G, 0, sizeof G);
    for (int n = 0; n < 8; n++) {
        carom_lanes weight = s->volume / s->w[n];
        for (int c = 0; c < 6; c++)
            G[c] += weight * s->g[n][carom_sym3_row[c]] * s->g[n][carom_sym3_column[c]];
    }
    carom_point_stiffness(law, m, G, F, inverse, J, k);
    carom_hex8_hourglass(factor, s, k);
}

// The shares of bricks with full integration.
CAROM_INLINE void carom_hex8_share_full(const carom_element_batch *at, carom_kernel_law law, carom_lanes share[8]) {
    carom_lanes q[CAROM_HEX8_DOFS], dX[3][4][3], dx[3][4][3], k[8];
    carom_batch_take_reference(at, 8, q);
    carom_hex8_derivatives(q, dX);
    carom_batch_take(at, 8, q);
    carom_hex8_derivatives(q, dx);
    for (int point = 0; point < 8; point++) {
        int which[3];
        carom_hex8_point(point, which);
        carom_hex8_place reference, present;
        carom_hex8_take_map(dX, which, &reference);
        carom_hex8_take_map(dx, which, &present);
        carom_lanes J = present.det / reference.det;
        carom_hex8_stiffness(law, carom_batch_lame(at), &reference, &present, &J, &k[point]);
        k[point] *= carom_hex8_cube * reference.det;
    }
    carom_hex8_distribute(k, share);
}

// The shares of bricks with one point; also sets the data of the mean point, and the inverse and the determinant J of F.
CAROM_INLINE void carom_hex8_share_mean(const carom_element_batch *at, carom_kernel_law law, carom_hex8_mean *s,
                                        carom_lanes inverse[9], carom_lanes *J, carom_lanes share[8]) {
    carom_lanes q[CAROM_HEX8_DOFS], c[8][3], F[9], k;
    carom_batch_take_reference(at, 8, q);
    carom_hex8_mean_of(q, s);
    carom_batch_take(at, 8, q);
    carom_hex8_coefficients(q, c);
    carom_hex8_mean_map(c, s->b, &s->over, F);
    carom_kernel_invert(F, inverse, J);
    carom_hex8_mean_stiffness(law, carom_batch_lame(at), carom_batch_factor(at), s, F, inverse, J, &k);
    for (int n = 0; n < 8; n++)
        share[n] = s->w[carom_hex8_corner[n]] * k;
}

CAROM_INLINE void carom_hex8_share(const carom_element_batch *at, carom_kernel_law law, carom_lanes share[8]) {
    carom_hex8_mean s;
    carom_lanes inverse[9], J;
    if (at->one_point)
        carom_hex8_share_mean(at, law, &s, inverse, &J, share);
    else
        carom_hex8_share_full(at, law, share);
}

#endif
