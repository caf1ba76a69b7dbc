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
#include "element/solid_kernel.h"

enum { DOFS = 24 };

// Coefficients from nodes, without the factor 1/8.
CAROM_INLINE void coefficients(const carom_lanes *q, carom_lanes c[8][3]) {
    for (int i = 0; i < 3; i++) {
        // along r: sums and differences of (0,1), (3,2), (4,5), (7,6)
        carom_lanes p0 = q[i] + q[3 + i], m0 = q[3 + i] - q[i], p1 = q[9 + i] + q[6 + i], m1 = q[6 + i] - q[9 + i];
        carom_lanes p2 = q[12 + i] + q[15 + i], m2 = q[15 + i] - q[12 + i], p3 = q[21 + i] + q[18 + i],
                    m3 = q[18 + i] - q[21 + i];
        // along s, then along t
        carom_lanes pp0 = p0 + p1, pm0 = p1 - p0, mp0 = m0 + m1, mm0 = m1 - m0;
        carom_lanes pp1 = p2 + p3, pm1 = p3 - p2, mp1 = m2 + m3, mm1 = m3 - m2;
        c[0][i] = pp0 + pp1;
        c[3][i] = pp1 - pp0;
        c[2][i] = pm0 + pm1;
        c[5][i] = pm1 - pm0;
        c[1][i] = mp0 + mp1;
        c[6][i] = mp1 - mp0;
        c[4][i] = mm0 + mm1;
        c[7][i] = mm1 - mm0;
    }
}

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

// a + u b + v c + uv d for (u, v) = (-g, -g), (g, -g), (-g, g), (g, g)
CAROM_INLINE void four(const carom_lanes a[3], const carom_lanes b[3], const carom_lanes c[3], const carom_lanes d[3],
                       carom_lanes out[4][3]) {
    const double g = 0.57735026918962576451;
    for (int i = 0; i < 3; i++) {
        carom_lanes gb = g * b[i], gc = g * c[i], ggd = (1.0 / 3) * d[i];
        carom_lanes minus = a[i] - gc, plus = a[i] + gc, slope_minus = gb - ggd, slope_plus = gb + ggd;
        out[0][i] = minus - slope_minus;
        out[1][i] = minus + slope_minus;
        out[2][i] = plus - slope_plus;
        out[3][i] = plus + slope_plus;
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

// Eight bricks with full integration. dx[k][p] is the derivative along coordinate k at the p-th of its four different values.
CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force, carom_kernel_law law, carom_lame m) {
    carom_lanes q[DOFS], c[8][3], dx[3][4][3], dX[3][4][3];
    carom_kernel_gather(block, 8, e0, X, q);
    coefficients(q, c);
    four(c[1], c[4], c[6], c[7], dX[0]);
    four(c[2], c[5], c[4], c[7], dX[1]);
    four(c[3], c[6], c[5], c[7], dX[2]);
    carom_kernel_gather(block, 8, e0, x, q);
    coefficients(q, c);
    four(c[1], c[4], c[6], c[7], dx[0]);
    four(c[2], c[5], c[4], c[7], dx[1]);
    four(c[3], c[6], c[5], c[7], dx[2]);

    // conjugates of the derivatives, summed over the points that share them
    carom_lanes Q[3][4][3];
    memset(Q, 0, sizeof Q);
    for (int point = 0; point < 8; point++) {
        int r = point & 1, s = point >> 1 & 1, t = point >> 2;
        // derivatives along r depend on (s, t), along s on (t, r), along t on (r, s)
        int at[3] = {s + 2 * t, t + 2 * r, r + 2 * s};
        carom_lanes Y[9], y[9], C[9], j, conjugate[9];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                Y[3 * i + k] = dX[k][at[k]][i];
                y[3 * i + k] = dx[k][at[k]][i];
            }
        carom_kernel_cofactor(Y, C, &j);
        carom_kernel_mapped(law, m, y, C, &j, conjugate);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                Q[k][at[k]][i] += conjugate[3 * i + k];
    }

    // back to the nodes; both maps carry 1/8: once for dx/dr, and 1/64 in the cofactors
    carom_lanes h[8][3], f[DOFS];
    memset(h, 0, sizeof h);
    four_back(Q[0], h[1], h[4], h[6], h[7]);
    four_back(Q[1], h[2], h[5], h[4], h[7]);
    four_back(Q[2], h[3], h[6], h[5], h[7]);
    nodes(h, f);
    for (int d = 0; d < DOFS; d++)
        f[d] *= -1.0 / 512;
    carom_kernel_scatter(f, DOFS, e0, begin, end, force);
}

// cross += w a x b
CAROM_INLINE void add_cross(double w, const carom_lanes a[3], const carom_lanes b[3], carom_lanes cross[3]) {
    cross[0] += w * (a[1] * b[2] - a[2] * b[1]);
    cross[1] += w * (a[2] * b[0] - a[0] * b[2]);
    cross[2] += w * (a[0] * b[1] - a[1] * b[0]);
}

// The mean gradient of the element is F = sum_k c_k (x) b_k / j over the coefficients k = 1 ... 6, where b_k is the mean of
// j (d phi_k/dX) for phi = r, s, t, rs, st, tr (that of rst is zero), and j the mean of det dX/dr. R are the coefficients of X.
CAROM_INLINE void mean_gradients(carom_lanes R[8][3], carom_lanes b[7][3], carom_lanes *j) {
    memset(b, 0, 7 * sizeof *b);
    add_cross(1, R[2], R[3], b[1]);
    add_cross(1, R[3], R[1], b[2]);
    add_cross(1, R[1], R[2], b[3]);
    add_cross(1.0 / 3, R[4], R[6], b[1]);
    add_cross(1.0 / 3, R[5], R[4], b[2]);
    add_cross(1.0 / 3, R[6], R[5], b[3]);
    add_cross(1.0 / 3, R[2], R[5], b[4]);
    add_cross(1.0 / 3, R[6], R[1], b[4]);
    add_cross(1.0 / 3, R[3], R[6], b[5]);
    add_cross(1.0 / 3, R[4], R[2], b[5]);
    add_cross(1.0 / 3, R[1], R[4], b[6]);
    add_cross(1.0 / 3, R[5], R[3], b[6]);
    // sum_k R_k (x) b_k = j I; its first component
    *j = R[1][0] * b[1][0];
    for (int k = 2; k < 7; k++)
        *j += R[k][0] * b[k][0];
}

// Eight bricks with one point: the law at the mean F, and the resistance of c4 ... c7 to leaving the affine map F (hex8.c).
CAROM_INLINE void batch_one_point(const carom_block *block, int e0, int begin, int end, const double (*x)[3],
                                  const double (*X)[3], double *force, carom_kernel_law law, carom_lame m, double hourglass) {
    carom_lanes q[DOFS], c[8][3], R[8][3], b[7][3], j, F[9], P[9], square;
    carom_kernel_gather(block, 8, e0, X, q);
    coefficients(q, R);
    mean_gradients(R, b, &j);
    carom_kernel_gather(block, 8, e0, x, q);
    coefficients(q, c);
    carom_lanes scale = 1.0 / j;
    memset(F, 0, sizeof F);
    memset(&square, 0, sizeof square);
    for (int a = 1; a < 7; a++)
        for (int k = 0; k < 3; k++) {
            square += b[a][k] * b[a][k];
            for (int i = 0; i < 3; i++)
                F[3 * i + k] += c[a][i] * b[a][k];
        }
    for (int i = 0; i < 9; i++)
        F[i] *= scale;
    carom_kernel_stress(law, m, F, P);

    // The coefficients are eight times the true ones here, b is 64 times, j 512 times; the force is divided by 64 at the end.
    carom_lanes kappa = (0.5 * hourglass * m.mu) * square * scale, h[8][3], f[DOFS];
    memset(h, 0, sizeof h);
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
    for (int d = 0; d < DOFS; d++)
        f[d] *= -1.0 / 64;
    carom_kernel_scatter(f, DOFS, e0, begin, end, force);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force,
                        carom_kernel_law law) {
    carom_lame m = carom_elastic_lame(block->material_params);
    const carom_hex8_params *p = block->params;
    bool full = p->integration == CAROM_HEX8_FULL;
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        if (full)
            batch(block, e0, begin, end, x, X, force, law, m);
        else
            batch_one_point(block, e0, begin, end, x, X, force, law, m, p->hourglass);
    }
}

CAROM_KERNEL_LAWS(force_of_law, range(block, begin, end, x, X, force, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force),
                  (block, begin, end, x, X, force))

void carom_hex8_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force) {
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_hex8_force_plain(block, begin, end, x, X, force);
    else
        force_of_law(block, begin, end, x, X, force);
}
