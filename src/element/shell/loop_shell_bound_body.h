// SPDX-License-Identifier: MIT
// Upper bound of the stiffness of a deformed shell at a point, for the law that is linear in strain: lambda of
// loop_shell_bound.c, which has the derivation. For the processor, and for threads of a device. C and C++.
#ifndef CAROM_ELEMENT_SHELL_LOOP_SHELL_BOUND_BODY_H
#define CAROM_ELEMENT_SHELL_LOOP_SHELL_BOUND_BODY_H

#include "element/shell/loop_shell_lanes.h"

// Where the numbers of point q, Q and then the weights t_a, begin in the data of an element with `points` quadrature points and
// n nodes; `weight_size` is that of carom_shell_weight_size.
CAROM_INLINE int carom_shell_bound_begin(int points, int weight_size, int n, int q) {
    return (CAROM_SHELL_REFERENCE + weight_size) * points + (CAROM_SHELL_BOUND + n) * q;
}

// Place of Q_rc among its numbers.
CAROM_INLINE int carom_shell_place_of(int r, int c) {
    int low = r < c ? r : c, high = r < c ? c : r;
    return low * CAROM_SHELL_ROWS - low * (low - 1) / 2 + high - low;
}

// Place of H_ij among 00, 11, 22, 01, 02, 12.
CAROM_INLINE int carom_shell_entry(int i, int j) {
    return i == j ? i : i + j + 2;
}

// An upper bound of the largest eigenvalue of H Z, for symmetric, positive semidefinite 3 x 3 matrices: three real eigenvalues
// with the sum t and the sum of squares s are at most t/3 + sqrt(2/3 (s - t^2/3)).
CAROM_INLINE void carom_shell_cap(const carom_lanes H[6], carom_lanes Z[3][3], carom_lanes *out) {
    carom_lanes M[3][3], zero = {0}, root;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            M[i][j] = H[carom_shell_entry(i, 0)] * Z[0][j] + H[carom_shell_entry(i, 1)] * Z[1][j] +
                      H[carom_shell_entry(i, 2)] * Z[2][j];
    carom_lanes trace = M[0][0] + M[1][1] + M[2][2];
    carom_lanes square = M[0][0] * M[0][0] + M[1][1] * M[1][1] + M[2][2] * M[2][2] +
                         2.0 * (M[0][1] * M[1][0] + M[0][2] * M[2][0] + M[1][2] * M[2][1]);
    carom_lanes spread = (2.0 / 3) * (square - trace * trace * (1.0 / 3));
    carom_lanes_max(&spread, &zero, &spread);
    carom_lanes_sqrt(&spread, &root);
    *out = trace * (1.0 / 3) + root;
}

// The largest eigenvalue of N Q, or 0 if it is negative: N is a symmetric 2 x 2 matrix (11, 22, 12), Q stands for the leading
// 2 x 2 block of Q, which is positive definite.
CAROM_INLINE void carom_shell_top(const carom_lanes N[3], const carom_lanes *Q, carom_lanes *out) {
    carom_lanes q0 = Q[0], q1 = Q[CAROM_SHELL_ROWS], q2 = Q[1], zero = {0}, root;
    carom_lanes half = 0.5 * (N[0] * q0 + N[1] * q1) + N[2] * q2;
    carom_lanes square = half * half - (N[0] * N[1] - N[2] * N[2]) * (q0 * q1 - q2 * q2);
    carom_lanes_max(&square, &zero, &square);
    carom_lanes_sqrt(&square, &root);
    *out = half + root;
    carom_lanes_max(out, &zero, out);
}

// a.Q b
CAROM_INLINE void carom_shell_form(const carom_lanes *Q, const carom_lanes a[CAROM_SHELL_ROWS],
                                   const carom_lanes b[CAROM_SHELL_ROWS], carom_lanes *out) {
    carom_lanes_clear(1, out);
    for (int r = 0; r < CAROM_SHELL_ROWS; r++) {
        carom_lanes sum = {0};
        for (int c = 0; c < CAROM_SHELL_ROWS; c++)
            sum += Q[carom_shell_place_of(r, c)] * b[c];
        *out += a[r] * sum;
    }
}

// Bound of the largest eigenvalue of the membrane part, H Z with Z = d Q d^T and the gradients d of the membrane strains
// alpha_11, alpha_22, 2 alpha_12.
CAROM_INLINE void carom_shell_membrane(const carom_lanes H[6], const carom_lanes g[3], const carom_lanes *Q, carom_lanes *out) {
    carom_lanes q0 = Q[0], q1 = Q[CAROM_SHELL_ROWS], q2 = Q[1], Z[3][3];
    Z[0][0] = q0 * g[0];
    Z[1][1] = q1 * g[1];
    Z[0][1] = Z[1][0] = q2 * g[2];
    Z[0][2] = Z[2][0] = q0 * g[2] + q2 * g[0];
    Z[1][2] = Z[2][1] = q2 * g[1] + q1 * g[2];
    Z[2][2] = q0 * g[1] + q1 * g[0] + 2.0 * q2 * g[2];
    carom_shell_cap(H, Z, out);
}

// The same for the bending part, per unit of t^2/12, with the gradients v of the bending strains beta_11, beta_22, 2 beta_12;
// `slant` are the components a_ab.a^c.
CAROM_INLINE void carom_shell_bending(const carom_lanes H[6], carom_lanes slant[3][2], const carom_lanes *Q, carom_lanes *out) {
    carom_lanes v[3][CAROM_SHELL_ROWS], Z[3][3];
    for (int s = 0; s < 3; s++) {
        double twice = s == 2 ? 2 : 1;
        for (int r = 0; r < CAROM_SHELL_ROWS; r++)
            carom_lanes_fill(r == 2 + s ? twice : 0, &v[s][r]);
        v[s][0] = -twice * slant[s][0];
        v[s][1] = -twice * slant[s][1];
    }
    for (int s = 0; s < 3; s++)
        for (int t = s; t < 3; t++) {
            carom_shell_form(Q, v[s], v[t], &Z[s][t]);
            Z[t][s] = Z[s][t];
        }
    carom_shell_cap(H, Z, out);
}

// lambda of a point, and the metric g there; `bend` is t^2/12. The tangential and the normal part, l_t and l_n, are each the
// sum of a material and a geometric term; m = (m^11, m^22, 2 m^12), k[c] = m^ab a_ab.a^c, and q3 = q.a_3 with q = m^ab a_ab.
CAROM_INLINE void carom_shell_stiffness(const carom_shell_surface *y, const double *data, double bend, const carom_lanes *Q,
                                        carom_lanes *lambda, carom_lanes g[3]) {
    carom_lanes H[6], normal[3], over_J, strain[6], n[6], up[2][3], slant[3][2], inverse[3], l_t, l_n, geometric_t, geometric_n,
        q3 = {0};
    for (int k = 0; k < 6; k++)
        carom_lanes_load(data + CAROM_LANES * (CAROM_SHELL_STIFFNESS + k), &H[k]);
    carom_shell_resultants(y, data, bend, normal, &over_J, g, strain, n);
    carom_lanes over = over_J * over_J, m[3] = {n[3], n[4], 2.0 * n[5]}, k[2] = {{0}};
    inverse[0] = g[1] * over, inverse[1] = g[0] * over, inverse[2] = -g[2] * over;
    for (int i = 0; i < 3; i++) {
        up[0][i] = inverse[0] * y->y[i] + inverse[2] * y->y[3 + i];
        up[1][i] = inverse[2] * y->y[i] + inverse[1] * y->y[3 + i];
    }
    for (int s = 0; s < 3; s++) {
        carom_lanes b;
        for (int c = 0; c < 2; c++) {
            carom_shell_dot(y->y + 6 + 3 * s, up[c], &slant[s][c]);
            k[c] += m[s] * slant[s][c];
        }
        carom_shell_dot(y->y + 6 + 3 * s, normal, &b);
        q3 += m[s] * b;
    }
    carom_shell_membrane(H, g, Q, &l_t);
    carom_shell_bending(H, slant, Q, &l_n);
    const carom_lanes across[3] = {n[0] - q3 * inverse[0], n[1] - q3 * inverse[1], n[2] - q3 * inverse[2]};
    carom_shell_top(n, Q, &geometric_t);
    carom_shell_top(across, Q, &geometric_n);
    l_t = l_t + geometric_t;
    l_n = bend * l_n + geometric_n;

    // lambda is the larger eigenvalue of ((l_t, kappa), (kappa, l_n)), kappa^2 = size * tilt
    const carom_lanes z[CAROM_SHELL_ROWS] = {k[0], k[1], -m[0], -m[1], -m[2]};
    carom_lanes size, tilt, root;
    carom_shell_form(Q, z, z, &size);
    carom_shell_top(inverse, Q, &tilt);
    carom_lanes half = 0.5 * (l_t - l_n), square = half * half + size * tilt;
    carom_lanes_sqrt(&square, &root);
    *lambda = 0.5 * (l_t + l_n) + root;
}

#endif
