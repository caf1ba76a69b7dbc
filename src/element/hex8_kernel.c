// SPDX-License-Identifier: MIT
// Forces of bricks, eight at a time.
//
// The trilinear map is x(r, s, t) = c0 + c1 r + c2 s + c3 t + c4 rs + c5 st + c6 tr + c7 rst. Its eight coefficients are sums
// and differences of the nodes, and its derivatives at the Gauss points (+-g, +-g, +-g) are sums and differences of
// coefficients,
//
//     dx/dr = c1 + s c4 + t c6 + st c7,   dx/ds = c2 + t c5 + r c4 + tr c7,   dx/dt = c3 + r c6 + s c5 + rs c7,
//
// each of which takes only four values. Forces follow the transposed way. No shape function is ever multiplied with a node, and
// the cost is that of the law at eight points. With Y = dX/dr of the reference positions, C its cofactors and j = det Y,
//
//     F = (dx/dr) Y^-1 = (dx/dr) C^T / j,   conjugate to dx/dr:  Q = j P Y^-T = P C.
#include "element/hex8_extremes.h"

// Nodes from coefficients, the transpose of the above. c[0] does not occur: the energy does not depend on where the element is.
CAROM_INLINE void nodes(carom_lanes c[8][3], carom_lanes *f) {
    for (int i = 0; i < 3; i++) {
        carom_lanes pp0 = -c[3][i], pp1 = c[3][i], pm0 = c[2][i] - c[5][i], pm1 = c[2][i] + c[5][i];
        carom_lanes mp0 = c[1][i] - c[6][i], mp1 = c[1][i] + c[6][i], mm0 = c[4][i] - c[7][i], mm1 = c[4][i] + c[7][i];
        carom_lanes p0 = pp0 - pm0, p1 = pp0 + pm0, m0 = mp0 - mm0, m1 = mp0 + mm0;
        carom_lanes p2 = pp1 - pm1, p3 = pp1 + pm1, m2 = mp1 - mm1, m3 = mp1 + mm1;
        f[i] = p0 - m0;
        f[3 + i] = p0 + m0;
        f[9 + i] = p1 - m1;
        f[6 + i] = p1 + m1;
        f[12 + i] = p2 - m2;
        f[15 + i] = p2 + m2;
        f[21 + i] = p3 - m3;
        f[18 + i] = p3 + m3;
    }
}

// The transpose of `four`, added.
CAROM_INLINE void four_back(carom_lanes in[4][3], carom_lanes a[3], carom_lanes b[3], carom_lanes c[3], carom_lanes d[3]) {
    const double g = 0.57735026918962576451;
    for (int i = 0; i < 3; i++) {
        carom_lanes minus = in[0][i] + in[1][i], plus = in[2][i] + in[3][i];
        carom_lanes slope_minus = in[1][i] - in[0][i], slope_plus = in[3][i] - in[2][i];
        a[i] += minus + plus;
        b[i] += g * (slope_minus + slope_plus);
        c[i] += g * (plus - minus);
        d[i] += (1.0 / 3) * (slope_plus - slope_minus);
    }
}

// Eight bricks with full integration.
CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force, carom_extremes *extremes, carom_kernel_law law, carom_lame m) {
    carom_lanes q[CAROM_HEX8_DOFS], dx[3][4][3], dX[3][4][3];
    carom_kernel_gather(block, 8, e0, X, q);
    carom_hex8_derivatives(q, dX);
    carom_kernel_gather(block, 8, e0, x, q);
    carom_hex8_derivatives(q, dx);

    // conjugates of the derivatives, summed over the points that share them
    carom_lanes Q[3][4][3];
    carom_hex8_sum sum;
    memset(&sum, 0, sizeof sum);
    carom_hex8_clear(36, &Q[0][0][0]);
    for (int point = 0; point < 8; point++) {
        int at[3];
        carom_hex8_point(point, at);
        carom_lanes Y[9], y[9], C[9], j, conjugate[9];
        carom_hex8_map_at(dX, at, Y);
        carom_hex8_map_at(dx, at, y);
        carom_kernel_cofactor(Y, C, &j);
        carom_kernel_mapped(law, m, y, C, &j, conjugate);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                Q[k][at[k]][i] += conjugate[3 * i + k];
        if (extremes)
            carom_hex8_sum_add(law, m, y, conjugate, C, &j, &sum);
    }
    if (extremes)
        carom_hex8_sum_take(law, m, &sum, dx, dX, e0, extremes);

    // back to the nodes; both maps carry 1/8: once for dx/dr, and 1/64 in the cofactors
    carom_lanes h[8][3], f[CAROM_HEX8_DOFS];
    carom_hex8_clear(24, &h[0][0]);
    four_back(Q[0], h[1], h[4], h[6], h[7]);
    four_back(Q[1], h[2], h[5], h[4], h[7]);
    four_back(Q[2], h[3], h[6], h[5], h[7]);
    nodes(h, f);
    for (int d = 0; d < CAROM_HEX8_DOFS; d++)
        f[d] *= -1.0 / 512;
    carom_kernel_scatter(f, CAROM_HEX8_DOFS, e0, begin, end, force);
}

// Eight bricks with one point: the law at the mean F, and the resistance of c4 ... c7 to leaving the affine map F (hex8.c).
CAROM_INLINE void batch_one_point(const carom_block *block, int e0, int begin, int end, const double (*x)[3],
                                  const double (*X)[3], double *force, carom_extremes *extremes, carom_kernel_law law,
                                  carom_lame m, double hourglass) {
    carom_lanes q[CAROM_HEX8_DOFS], c[8][3], R[8][3], b[7][3], j, F[9], P[9];
    carom_kernel_gather(block, 8, e0, X, q);
    carom_hex8_coefficients(q, R);
    carom_hex8_mean_gradients(R, b, &j);
    carom_kernel_gather(block, 8, e0, x, q);
    carom_hex8_coefficients(q, c);
    carom_lanes scale = 1.0 / j;
    carom_hex8_mean_map(c, b, &scale, F);
    carom_kernel_stress(law, m, F, P);
    if (extremes)
        carom_extremes_take(law, m, F, P, e0, extremes);

    // The coefficients are eight times the true ones here, b is 64 times, j 512 times; the force is divided by 64 at the end.
    carom_lanes kappa, h[8][3], f[CAROM_HEX8_DOFS];
    carom_hex8_kappa(0.5 * hourglass * m.mu, b, &scale, &kappa);
    carom_hex8_clear(24, &h[0][0]);
    for (int a = 4; a < 8; a++)
        for (int i = 0; i < 3; i++) {
            // The hourglass force on c_a. Since d_a depends on F too, it also acts against the stress P.
            h[a][i] = kappa * (c[a][i] - (F[3 * i] * R[a][0] + F[3 * i + 1] * R[a][1] + F[3 * i + 2] * R[a][2]));
            for (int k = 0; k < 3; k++)
                P[3 * i + k] -= scale * h[a][i] * R[a][k];
        }
    for (int a = 1; a < 7; a++)
        for (int i = 0; i < 3; i++)
            h[a][i] += P[3 * i] * b[a][0] + P[3 * i + 1] * b[a][1] + P[3 * i + 2] * b[a][2];
    nodes(h, f);
    for (int d = 0; d < CAROM_HEX8_DOFS; d++)
        f[d] *= -1.0 / 64;
    carom_kernel_scatter(f, CAROM_HEX8_DOFS, e0, begin, end, force);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force,
                        carom_extremes *extremes, carom_kernel_law law) {
    carom_lame m = carom_elastic_lame(block->material_params);
    const carom_hex8_params *p = block->params;
    bool full = p->integration == CAROM_HEX8_FULL;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        if (full)
            batch(block, e0, begin, end, x, X, force, extremes, law, m);
        else
            batch_one_point(block, e0, begin, end, x, X, force, extremes, law, m, p->hourglass);
    }
}

CAROM_KERNEL_LAWS(force_of_law, range(block, begin, end, x, X, force, extremes, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force,
                   carom_extremes *extremes),
                  (block, begin, end, x, X, force, extremes))

void carom_hex8_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              double *force, carom_extremes *extremes) {
    force_of_law(block, begin, end, x, X, force, extremes);
}

void carom_hex8_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force) {
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_hex8_force_plain(block, begin, end, x, X, force);
    else
        force_of_law(block, begin, end, x, X, force, NULL);
}
