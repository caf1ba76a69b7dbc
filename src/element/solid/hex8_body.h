// SPDX-License-Identifier: MIT
// The isoparametric map of bricks, its derivatives at the Gauss points, and the forces conjugate to them; for batches and for
// threads of a device.
//
// The trilinear map is x(r, s, t) = c0 + c1 r + c2 s + c3 t + c4 rs + c5 st + c6 tr + c7 rst. Its eight coefficients are sums
// and differences of the nodes, and its derivatives at the Gauss points (+-g, +-g, +-g) are sums and differences of
// coefficients,
//
//     dx/dr = c1 + s c4 + t c6 + st c7,   dx/ds = c2 + t c5 + r c4 + tr c7,   dx/dt = c3 + r c6 + s c5 + rs c7,
//
// each of which takes only four values. Forces use the transposed operations. No shape function is multiplied with a node, so
// the cost is mainly that of the law at eight points. With Y = dX/dr of the reference positions, its cofactors C and j = det Y,
//
//     F = (dx/dr) Y^-1 = (dx/dr) C^T / j,   conjugate to dx/dr:  Q = j P Y^-T = P C.
#ifndef CAROM_ELEMENT_SOLID_HEX8_BODY_H
#define CAROM_ELEMENT_SOLID_HEX8_BODY_H

#include "material/lanes/stress.h"

enum { CAROM_HEX8_DOFS = 24 };

// Coefficients from nodes, without the factor 1/8.
CAROM_INLINE void carom_hex8_coefficients(const carom_lanes *q, carom_lanes c[8][3]) {
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

// a + u b + v c + uv d for (u, v) = (-g, -g), (g, -g), (-g, g), (g, g)
CAROM_INLINE void carom_hex8_four(const carom_lanes a[3], const carom_lanes b[3], const carom_lanes c[3],
                                  const carom_lanes d[3], carom_lanes out[4][3]) {
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

// Derivatives of the map: dx[k][p] is the p-th of the four values of the derivative along coordinate k.
CAROM_INLINE void carom_hex8_derivatives(const carom_lanes *q, carom_lanes dx[3][4][3]) {
    carom_lanes c[8][3];
    carom_hex8_coefficients(q, c);
    carom_hex8_four(c[1], c[4], c[6], c[7], dx[0]);
    carom_hex8_four(c[2], c[5], c[4], c[7], dx[1]);
    carom_hex8_four(c[3], c[6], c[5], c[7], dx[2]);
}

// Which of its four values each derivative has at a Gauss point.
CAROM_INLINE void carom_hex8_point(int point, int at[3]) {
    int r = point & 1, s = point >> 1 & 1, t = point >> 2;
    at[0] = s + 2 * t;
    at[1] = t + 2 * r;
    at[2] = r + 2 * s;
}

// The matrix of derivatives at a Gauss point: that along r depends on (s, t), that along s on (t, r), that along t on (r, s).
CAROM_INLINE void carom_hex8_map_at(carom_lanes dx[3][4][3], const int at[3], carom_lanes y[9]) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            y[3 * i + k] = dx[k][at[k]][i];
}

// The map at a Gauss point, and the cofactors C and the determinant j of the reference map.
CAROM_INLINE void carom_hex8_maps(carom_lanes dX[3][4][3], carom_lanes dx[3][4][3], const int at[3], carom_lanes y[9],
                                  carom_lanes C[9], carom_lanes *j) {
    carom_lanes Y[9];
    carom_hex8_map_at(dX, at, Y);
    carom_hex8_map_at(dx, at, y);
    carom_kernel_cofactor(Y, C, j);
}

// Cofactors C and determinant j as above, and the gradient: F, or H if dx are derivatives of displacements.
CAROM_INLINE void carom_hex8_gradient(carom_lanes dX[3][4][3], carom_lanes dx[3][4][3], int point, carom_lanes C[9],
                                      carom_lanes *j, carom_lanes F[9]) {
    carom_lanes y[9];
    int at[3];
    carom_hex8_point(point, at);
    carom_hex8_maps(dX, dx, at, y, C, j);
    carom_kernel_unmap(y, C, j, F);
}

// The transpose of carom_hex8_coefficients: forces on the nodes from conjugates of the coefficients. c[0] does not occur,
// because the energy does not depend on the position of the element.
CAROM_INLINE void carom_hex8_nodes(carom_lanes c[8][3], carom_lanes *f) {
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

// Adds the transpose of carom_hex8_four.
CAROM_INLINE void carom_hex8_four_back(carom_lanes in[4][3], carom_lanes a[3], carom_lanes b[3], carom_lanes c[3],
                                       carom_lanes d[3]) {
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

// Forces on the nodes from the conjugates Q of the derivatives, summed over the points that share them. Both maps lack the
// factor 1/8, which enters once by dx/dr and twice by the cofactors: 1/512.
CAROM_INLINE void carom_hex8_forces(carom_lanes Q[3][4][3], carom_lanes *f) {
    carom_lanes h[8][3];
    carom_lanes_clear(24, &h[0][0]);
    carom_hex8_four_back(Q[0], h[1], h[4], h[6], h[7]);
    carom_hex8_four_back(Q[1], h[2], h[5], h[4], h[7]);
    carom_hex8_four_back(Q[2], h[3], h[6], h[5], h[7]);
    carom_hex8_nodes(h, f);
    for (int d = 0; d < CAROM_HEX8_DOFS; d++)
        f[d] *= -1.0 / 512;
}

// cross += w a x b
CAROM_INLINE void carom_hex8_add_cross(double w, const carom_lanes a[3], const carom_lanes b[3], carom_lanes cross[3]) {
    cross[0] += w * (a[1] * b[2] - a[2] * b[1]);
    cross[1] += w * (a[2] * b[0] - a[0] * b[2]);
    cross[2] += w * (a[0] * b[1] - a[1] * b[0]);
}

// The mean gradient of the element is F = sum_k c_k (x) b_k / j over the coefficients k = 1 ... 6, where b_k is the mean of
// j (d phi_k/dX) for phi = r, s, t, rs, st, tr (that of rst is zero), and j the mean of det dX/dr. R are the coefficients of X.
CAROM_INLINE void carom_hex8_mean_gradients(carom_lanes R[8][3], carom_lanes b[7][3], carom_lanes *j) {
    carom_lanes_clear(21, &b[0][0]);
    carom_hex8_add_cross(1, R[2], R[3], b[1]);
    carom_hex8_add_cross(1, R[3], R[1], b[2]);
    carom_hex8_add_cross(1, R[1], R[2], b[3]);
    carom_hex8_add_cross(1.0 / 3, R[4], R[6], b[1]);
    carom_hex8_add_cross(1.0 / 3, R[5], R[4], b[2]);
    carom_hex8_add_cross(1.0 / 3, R[6], R[5], b[3]);
    carom_hex8_add_cross(1.0 / 3, R[2], R[5], b[4]);
    carom_hex8_add_cross(1.0 / 3, R[6], R[1], b[4]);
    carom_hex8_add_cross(1.0 / 3, R[3], R[6], b[5]);
    carom_hex8_add_cross(1.0 / 3, R[4], R[2], b[5]);
    carom_hex8_add_cross(1.0 / 3, R[1], R[4], b[6]);
    carom_hex8_add_cross(1.0 / 3, R[5], R[3], b[6]);
    // sum_k R_k (x) b_k = j I; its first component
    *j = R[1][0] * b[1][0];
    for (int k = 2; k < 7; k++)
        *j += R[k][0] * b[k][0];
}

// The mean gradient of a field with the coefficients c; `scale` is 1/j.
CAROM_INLINE void carom_hex8_mean_map(carom_lanes c[8][3], carom_lanes b[7][3], const carom_lanes *scale, carom_lanes F[9]) {
    carom_lanes_clear(9, F);
    for (int a = 1; a < 7; a++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                F[3 * i + k] += c[a][i] * b[a][k];
    for (int i = 0; i < 9; i++)
        F[i] *= *scale;
}

// The same from nodes; also sets the coefficients R of the reference and c of the field, b, j and `scale`.
CAROM_INLINE void carom_hex8_mean_gradient(const carom_lanes *X, const carom_lanes *x, carom_lanes R[8][3], carom_lanes c[8][3],
                                           carom_lanes b[7][3], carom_lanes *j, carom_lanes *scale, carom_lanes F[9]) {
    carom_hex8_coefficients(X, R);
    carom_hex8_coefficients(x, c);
    carom_hex8_mean_gradients(R, b, j);
    *scale = 1.0 / *j;
    carom_hex8_mean_map(c, b, scale, F);
}

// The stiffness kappa of hourglass modes (hex8.c), with `factor` = hourglass mu/2.
CAROM_INLINE void carom_hex8_kappa(double factor, carom_lanes b[7][3], const carom_lanes *scale, carom_lanes *kappa) {
    carom_lanes square = {0};
    for (int a = 1; a < 7; a++)
        for (int k = 0; k < 3; k++)
            square += b[a][k] * b[a][k];
    *kappa = factor * square * *scale;
}

// Adds the conjugates of the derivatives at a point of full integration to Q.
CAROM_INLINE void carom_hex8_collect(const carom_lanes conjugate[9], const int at[3], carom_lanes Q[3][4][3]) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            Q[k][at[k]][i] += conjugate[3 * i + k];
}

// The number of a point of full integration in the history, which is that of carom_shape_hex8: its points go round the faces in
// the order of the nodes, while here r, s and t are the bits of the number.
CAROM_INLINE int carom_hex8_point_number(int point) {
    return point ^ (point >> 1 & 1);
}

// The volume of a point of full integration, and of an element with one point, from `j` of the maps without the factor 1/8.
CAROM_INLINE void carom_hex8_point_volume(const carom_lanes *j, carom_lanes *volume) {
    *volume = (1.0 / 512) * *j;
}

CAROM_INLINE void carom_hex8_volume(const carom_lanes *j, carom_lanes *volume) {
    *volume = (1.0 / 64) * *j;
}

// Forces of a brick with one point, from the stress P at the mean F and the hourglass energy, which resists deviations of c4 to
// c7 from the affine map F (hex8.c). c are the coefficients of the positions, R and b those of the reference; P is changed.
// Coefficients are here eight times the true ones, b is 64 times, j 512 times; the force is divided by 64 at the end.
CAROM_INLINE void carom_hex8_one_point(double factor, carom_lanes c[8][3], carom_lanes R[8][3], carom_lanes b[7][3],
                                       const carom_lanes *scale, const carom_lanes F[9], carom_lanes P[9], carom_lanes *f) {
    carom_lanes kappa, h[8][3];
    carom_hex8_kappa(factor, b, scale, &kappa);
    carom_lanes_clear(24, &h[0][0]);
    for (int a = 4; a < 8; a++)
        for (int i = 0; i < 3; i++) {
            // The hourglass force on c_a. Since d_a depends on F too, it also contributes to the conjugate of F.
            h[a][i] = kappa * (c[a][i] - (F[3 * i] * R[a][0] + F[3 * i + 1] * R[a][1] + F[3 * i + 2] * R[a][2]));
            for (int k = 0; k < 3; k++)
                P[3 * i + k] -= *scale * h[a][i] * R[a][k];
        }
    for (int a = 1; a < 7; a++)
        for (int i = 0; i < 3; i++)
            h[a][i] += P[3 * i] * b[a][0] + P[3 * i + 1] * b[a][1] + P[3 * i + 2] * b[a][2];
    carom_hex8_nodes(h, f);
    for (int d = 0; d < CAROM_HEX8_DOFS; d++)
        f[d] *= -1.0 / 64;
}

#endif
