// SPDX-License-Identifier: MIT
// Upper bounds of the stiffness of a deformed quadrature point and of its rate of compression, lane by lane.
//
// A quadrature point with the volume V, reference gradients g_a of the shape functions and contributions V s_a to the nodal
// masses has the stiffness K_ab = V g_a.A.g_b, with A = dP/dF. Its largest frequency is
//
//     omega^2 = largest eigenvalue of  h_aJ A_iJkL h_bL,   h_a = g_a/sqrt(s_a),   G = sum_a h_a h_a^T,
//
// and k below is an upper bound of omega^2: the smaller of k_sum, the sum of bounds of the separate terms of A
// (Cauchy-Schwarz), and k_F, the Frobenius norm of the block matrix in closed form. k_sum is sharp if one term dominates, k_F
// if the point is sheared. No eigenvalue is computed: for a symmetric matrix S
//
//     cap(S) = tr S/3 + sqrt(2/3) |S - tr S/3 I|  >=  lambda_max(S),
//
// with equality if the two smaller eigenvalues are equal, as under compression along one axis, which decides the time step in
// impacts.
//
// neo-Hookean: A = mu I + lambda F^-T F^-T + p (F^-T F^-T transposed), p = mu - lambda ln J. With C = G F^-1, Y = F^-T C, t =
// tr Y
//     k_sum = mu lambda_max(G) + lambda t + |p| cap(Y)
//     k_F^2 = 3 mu^2 |G|^2 + (lambda^2 + p^2) t^2 + 2 mu (lambda + p) |C|^2 + 2 lambda p |Y|^2
// St. Venant-Kirchhoff: c = F^T F, S the second Piola-Kirchhoff stress, t = tr(c G)
//     k_sum = max(0, cap S) lambda_max(G) + lambda t + mu cap(F G F^T) + mu cap(c) lambda_max(G)
//     k_F^2 = 3 tr(SGSG) + (lambda^2 + mu^2) t^2 + mu^2 |c|^2 |G|^2 + 2 (lambda + mu) tr(SGcG) + 2 mu tr c tr(S G^2)
//             + 2 lambda mu tr(cGcG) + 2 mu (lambda + mu) tr(c^2 G^2)
//
// In the plane all matrices are two by two, cap is the eigenvalue itself, and the factor 3 (one for each direction of space)
// becomes 2. Symmetric matrices are six numbers: 00, 11, 22, 01, 12, 02; in the plane those of the third axis are zero.
#ifndef CAROM_MATERIAL_LANES_POINT_BOUND_H
#define CAROM_MATERIAL_LANES_POINT_BOUND_H

#include "material/lanes/stress.h"

// |S|^2 = tr(S S) of a symmetric matrix.
CAROM_INLINE void carom_bound_square(const carom_lanes S[6], carom_lanes *out) {
    *out = S[0] * S[0] + S[1] * S[1] + S[2] * S[2] + 2.0 * (S[3] * S[3] + S[4] * S[4] + S[5] * S[5]);
}

// The upper bound cap(S) of the largest eigenvalue.
CAROM_INLINE void carom_bound_cap(int dimension, const carom_lanes S[6], carom_lanes *out) {
    carom_lanes root, square, middle;
    if (dimension == 2) {
        middle = 0.5 * (S[0] + S[1]);
        carom_lanes half = 0.5 * (S[0] - S[1]);
        square = half * half + S[3] * S[3];
    } else {
        middle = (S[0] + S[1] + S[2]) * (1.0 / 3);
        carom_lanes d0 = S[0] - middle, d1 = S[1] - middle, d2 = S[2] - middle;
        square = (2.0 / 3) * (d0 * d0 + d1 * d1 + d2 * d2 + 2.0 * (S[3] * S[3] + S[4] * S[4] + S[5] * S[5]));
    }
    carom_lanes_sqrt(&square, &root);
    *out = middle + root;
}

// M = S B for a symmetric S.
CAROM_INLINE void carom_bound_product(const carom_lanes S[6], const carom_lanes B[9], carom_lanes M[9]) {
    for (int j = 0; j < 3; j++) {
        M[j] = S[0] * B[j] + S[3] * B[3 + j] + S[5] * B[6 + j];
        M[3 + j] = S[3] * B[j] + S[1] * B[3 + j] + S[4] * B[6 + j];
        M[6 + j] = S[5] * B[j] + S[4] * B[3 + j] + S[2] * B[6 + j];
    }
}

// B^T S B, symmetric.
CAROM_INLINE void carom_bound_congruence(const carom_lanes S[6], const carom_lanes B[9], carom_lanes out[6]) {
    carom_lanes M[9];
    carom_bound_product(S, B, M);
    for (int a = 0; a < 6; a++) {
        int i = carom_sym3_row[a], j = carom_sym3_column[a];
        out[a] = B[i] * M[j] + B[3 + i] * M[3 + j] + B[6 + i] * M[6 + j];
    }
}

CAROM_INLINE void carom_bound_expand(const carom_lanes S[6], carom_lanes M[9]) {
    M[0] = S[0], M[4] = S[1], M[8] = S[2];
    M[1] = M[3] = S[3];
    M[5] = M[7] = S[4];
    M[2] = M[6] = S[5];
}

// tr(A B).
CAROM_INLINE void carom_bound_trace(const carom_lanes A[9], const carom_lanes B[9], carom_lanes *out) {
    *out = A[0] * B[0] + A[1] * B[3] + A[2] * B[6] + A[3] * B[1] + A[4] * B[4] + A[5] * B[7] + A[6] * B[2] + A[7] * B[5] +
           A[8] * B[8];
}

// The smaller of k_sum and k_F, whose square is given.
CAROM_INLINE void carom_bound_least(const carom_lanes *sum, const carom_lanes *square, carom_lanes *k) {
    carom_lanes norm;
    carom_lanes_sqrt(square, &norm);
    carom_lanes_min(sum, &norm, k);
}

// k of the neo-Hookean law from G, Y and |C|^2; p = mu - lambda ln J.
CAROM_INLINE void carom_bound_neo_hookean_of(int dimension, double mu, const carom_lanes *lambda, const carom_lanes *p,
                                             const carom_lanes G[6], const carom_lanes Y[6], const carom_lanes *CC,
                                             carom_lanes *k) {
    carom_lanes cap, largest, GG, YY, zero = {0}, less = -*p, size;
    carom_lanes_max(p, &less, &size);
    carom_lanes t = Y[0] + Y[1] + Y[2];
    carom_bound_cap(dimension, Y, &cap);
    carom_bound_cap(dimension, G, &largest);
    carom_lanes sum = mu * largest + *lambda * t + size * cap;
    carom_bound_square(G, &GG);
    carom_bound_square(Y, &YY);
    carom_lanes square = (dimension * mu * mu) * GG + (*lambda * *lambda + *p * *p) * t * t + 2 * mu * (*lambda + *p) * *CC +
                         2.0 * *lambda * *p * YY;
    carom_lanes_max(&square, &zero, &square);
    carom_bound_least(&sum, &square, k);
}

// `inverse` is F^-1.
CAROM_INLINE void carom_bound_neo_hookean(int dimension, double mu, const carom_lanes *lambda, const carom_lanes *p,
                                          const carom_lanes G[6], const carom_lanes inverse[9], carom_lanes *k) {
    carom_lanes C[9], Y[6], CC = {0};
    carom_bound_product(G, inverse, C);
    carom_bound_congruence(G, inverse, Y);
    for (int a = 0; a < 9; a++)
        CC += C[a] * C[a];
    carom_bound_neo_hookean_of(dimension, mu, lambda, p, G, Y, &CC, k);
}

CAROM_INLINE void carom_bound_st_venant_kirchhoff(int dimension, double mu, double lambda, const carom_lanes G[6],
                                                  const carom_lanes F[9], carom_lanes *k) {
    carom_lanes c[6], S[6], T[9], FGF[6], GM[9], cG[9], SG[9], cap_S, cap_c, cap_F, largest, zero = {0};
    carom_kernel_gram(F, c);
    if (dimension == 2)
        c[2] = zero;
    carom_lanes trace = c[0] + c[1] + c[2], pressure = 0.5 * lambda * (trace - dimension);
    for (int a = 0; a < 6; a++)
        S[a] = a < dimension ? pressure + mu * (c[a] - 1.0) : mu * c[a];
    for (int a = 0; a < 9; a++)
        T[3 * (a % 3) + a / 3] = F[a];
    carom_bound_congruence(G, T, FGF);
    carom_bound_expand(G, GM);
    carom_bound_product(c, GM, cG);
    carom_bound_product(S, GM, SG);

    carom_bound_cap(dimension, S, &cap_S);
    carom_lanes_max(&cap_S, &zero, &cap_S);
    carom_bound_cap(dimension, c, &cap_c);
    carom_bound_cap(dimension, FGF, &cap_F);
    carom_bound_cap(dimension, G, &largest);
    carom_lanes t = cG[0] + cG[4] + cG[8];
    carom_lanes sum = cap_S * largest + lambda * t + mu * cap_F + mu * cap_c * largest;

    // tr(S G^2) = tr((S G) G), tr(c^2 G^2) = |c G|^2
    carom_lanes GG, cc, SGSG, SGcG, cGcG, SGG, square_cG = {0};
    carom_bound_square(G, &GG);
    carom_bound_square(c, &cc);
    carom_bound_trace(SG, SG, &SGSG);
    carom_bound_trace(SG, cG, &SGcG);
    carom_bound_trace(cG, cG, &cGcG);
    carom_bound_trace(SG, GM, &SGG);
    for (int a = 0; a < 9; a++)
        square_cG += cG[a] * cG[a];
    carom_lanes square = dimension * SGSG + (lambda * lambda + mu * mu) * t * t + mu * mu * cc * GG + 2 * (lambda + mu) * SGcG +
                         2 * mu * trace * SGG + 2 * lambda * mu * cGcG + 2 * mu * (lambda + mu) * square_cG;
    carom_lanes_max(&square, &zero, &square);
    carom_bound_least(&sum, &square, k);
}

// k of the law `open-neo-hookean` in lanes with J < CAROM_OPEN_VOLUME, where A consists of mu I, U'' cof F (x) cof F and U'
// times the second derivative of J, whose largest eigenvalue is at most |F|. Other lanes keep their bound.
CAROM_INLINE void carom_bound_open(carom_lame m, const carom_lanes G[6], const carom_lanes F[9], const carom_lanes *J,
                                   carom_lanes *k) {
    carom_open_law open = carom_open_law_of(m);
    carom_lanes C[9], T[9], Y[6], det, largest, size, square = {0};
    carom_kernel_cofactor(F, C, &det);
    for (int a = 0; a < 9; a++) {
        T[3 * (a % 3) + a / 3] = C[a];
        square += F[a] * F[a];
    }
    carom_bound_congruence(G, T, Y);
    carom_bound_cap(3, G, &largest);
    carom_lanes_sqrt(&square, &size);
    for (int l = 0; l < CAROM_ABREAST; l++) {
        double slope = open.slope + open.curvature * ((*J)[l] - CAROM_OPEN_VOLUME);
        double flat = m.mu * largest[l] + open.curvature * (Y[0][l] + Y[1][l] + Y[2][l]);
        if ((*J)[l] < CAROM_OPEN_VOLUME)
            (*k)[l] = flat + (slope < 0 ? -slope : slope) * size[l] * largest[l];
    }
}

CAROM_INLINE void carom_bound_multiply(const carom_lanes A[9], const carom_lanes B[9], carom_lanes out[9]) {
    for (int i = 0; i < 9; i++)
        out[i] = A[i / 3 * 3] * B[i % 3] + A[i / 3 * 3 + 1] * B[3 + i % 3] + A[i / 3 * 3 + 2] * B[6 + i % 3];
}

// An upper bound of the rate of compression by velocities with the spatial gradient L: max(0, cap(-sym L)). `stretch` bounds
// the rates of compression and of extension: cap(S) and cap(-S) differ by twice the mean of the diagonal.
CAROM_INLINE void carom_bound_squeeze(int dimension, const carom_lanes L[9], carom_lanes *rate, carom_lanes *stretch) {
    carom_lanes D[6], zero = {0}, cap;
    D[0] = -L[0], D[1] = -L[4], D[2] = -L[8];
    D[3] = -0.5 * (L[1] + L[3]), D[4] = -0.5 * (L[5] + L[7]), D[5] = -0.5 * (L[2] + L[6]);
    carom_bound_cap(dimension, D, &cap);
    carom_lanes_max(&cap, &zero, rate);
    carom_lanes longer = cap - (2.0 / dimension) * (dimension == 2 ? D[0] + D[1] : D[0] + D[1] + D[2]);
    carom_lanes_max(&longer, rate, stretch);
}

#endif
