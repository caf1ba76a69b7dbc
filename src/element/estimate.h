// SPDX-License-Identifier: MIT
// What kernels of forces tell about stress in passing, from numbers that they have at hand: the mean Cauchy stress of each
// element, to rounding, and an upper bound of the largest principal value of its mean Green strain. Whoever looks for the
// largest stresses need not look at elements that these numbers rule out (model/peak_scan.h).
#ifndef CAROM_ELEMENT_ESTIMATE_H
#define CAROM_ELEMENT_ESTIMATE_H

#include <math.h>

#include "element/kernel_law.h"

// Numbers per element, in batches: xx, yy, zz, xy, yz, xz of the stress, and the bound of the strain.
enum { CAROM_ESTIMATE_STRAIN = 6, CAROM_ESTIMATES };

// The slope of an element, the largest sum over its nodes of |dN/dX|; 0 where its kernel makes no estimates.
double carom_estimate_slope(const carom_block *block, const double (*X)[3]);

// Forces of elements [begin, end), like `force` of the element, and their estimates, which begin with element 0 of the block;
// for blocks with a slope only. `estimates` may be NULL.
void carom_estimate_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                          double *force, double *estimates);

// The same of each kind.
void carom_tet4_force_estimated(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                                double *estimates);
void carom_hex8_force_estimated(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                                double *force, double *estimates);
void carom_nodal_force_estimated(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                                 double *estimates);

// Square roots lane by lane, because vector types have none; the compiler makes one instruction of the loop.
CAROM_INLINE void carom_estimate_root(carom_lanes *x) {
    for (int l = 0; l < CAROM_LANES; l++)
        (*x)[l] = sqrt((*x)[l]);
}

// The mean of the eigenvalues of a symmetric tensor, and q^2 = 2/3 |dev|^2: all eigenvalues lie within q of the mean.
CAROM_INLINE void carom_estimate_circle(const carom_lanes t[6], carom_lanes *mean, carom_lanes *square) {
    carom_lanes a = t[0] - t[1], b = t[1] - t[2], c = t[2] - t[0];
    *mean = (t[0] + t[1] + t[2]) * (1.0 / 3);
    *square = (a * a + b * b + c * c) * (2.0 / 9) + (t[3] * t[3] + t[4] * t[4] + t[5] * t[5]) * (4.0 / 3);
}

// A B^T, of which the result is symmetric.
CAROM_INLINE void carom_estimate_product(const carom_lanes A[9], const carom_lanes B[9], carom_lanes t[6]) {
    t[0] = A[0] * B[0] + A[1] * B[1] + A[2] * B[2];
    t[1] = A[3] * B[3] + A[4] * B[4] + A[5] * B[5];
    t[2] = A[6] * B[6] + A[7] * B[7] + A[8] * B[8];
    t[3] = A[0] * B[3] + A[1] * B[4] + A[2] * B[5];
    t[4] = A[3] * B[6] + A[4] * B[7] + A[5] * B[8];
    t[5] = A[0] * B[6] + A[1] * B[7] + A[2] * B[8];
}

CAROM_INLINE void carom_estimate_stress(carom_kernel_law law, const carom_lanes F[9], const carom_lanes P[9],
                                        carom_lanes t[6]) {
    carom_lanes C[9], det;
    if (law == CAROM_KERNEL_LINEAR) {
        t[0] = P[0], t[1] = P[4], t[2] = P[8], t[3] = P[1], t[4] = P[5], t[5] = P[2];
        return;
    }
    carom_kernel_cofactor(F, C, &det);
    carom_lanes scale = 1.0 / det;
    carom_estimate_product(P, F, t);
    for (int c = 0; c < 6; c++)
        t[c] *= scale;
}

// F^T F.
CAROM_INLINE void carom_estimate_right(const carom_lanes F[9], carom_lanes t[6]) {
    t[0] = F[0] * F[0] + F[3] * F[3] + F[6] * F[6];
    t[1] = F[1] * F[1] + F[4] * F[4] + F[7] * F[7];
    t[2] = F[2] * F[2] + F[5] * F[5] + F[8] * F[8];
    t[3] = F[0] * F[1] + F[3] * F[4] + F[6] * F[7];
    t[4] = F[1] * F[2] + F[4] * F[5] + F[7] * F[8];
    t[5] = F[0] * F[2] + F[3] * F[5] + F[6] * F[8];
}

// E = (C - I)/2.
CAROM_INLINE void carom_estimate_strain(const carom_lanes right[6], carom_lanes *strain) {
    carom_lanes mean, q;
    carom_estimate_circle(right, &mean, &q);
    carom_estimate_root(&q);
    *strain = 0.5 * (mean - 1.0 + q);
}

CAROM_INLINE void carom_estimate_store(const carom_lanes stress[6], const carom_lanes *strain, double *estimates) {
    for (int c = 0; c < 6; c++)
        carom_lanes_store(&stress[c], estimates + CAROM_LANES * c);
    carom_lanes_store(strain, estimates + CAROM_LANES * CAROM_ESTIMATE_STRAIN);
}

// Elements with one point.
CAROM_INLINE void carom_estimate_put(carom_kernel_law law, const carom_lanes F[9], const carom_lanes P[9], double *estimates) {
    carom_lanes stress[6], right[6], strain;
    carom_estimate_stress(law, F, P, stress);
    carom_estimate_right(F, right);
    carom_estimate_strain(right, &strain);
    carom_estimate_store(stress, &strain, estimates);
}

// Bricks with eight points: sums over the points p, each of which has the map y = dx/dr, the conjugate Q = P C to it, and the
// cofactors C and determinant j of the reference map. The volume of a point is j.
typedef struct carom_estimate_sum {
    carom_lanes stress[6], volume;
    carom_lanes right[6];      // St. Venant-Kirchhoff: F^T F
    carom_lanes first, second; // linear: |F|^2; neo-Hookean: below
} carom_estimate_sum;

// F = y C^T/j and P, which the law has found in the same way: the compiler finds both only once.
CAROM_INLINE void carom_estimate_add_unmapped(carom_kernel_law law, carom_lame m, const carom_lanes y[9],
                                              const carom_lanes C[9], const carom_lanes *j, carom_estimate_sum *sum) {
    carom_lanes F[9], P[9], stress[6], right[6], scale = 1.0 / *j;
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; k++)
            F[i + k] = scale * (y[i] * C[3 * k] + y[i + 1] * C[3 * k + 1] + y[i + 2] * C[3 * k + 2]);
    carom_kernel_stress(law, m, F, P);
    carom_estimate_stress(law, F, P, stress);
    for (int c = 0; c < 6; c++)
        sum->stress[c] += *j * stress[c];
    if (law == CAROM_KERNEL_LINEAR) {
        carom_lanes square = F[0] * F[0];
        for (int i = 1; i < 9; i++)
            square += F[i] * F[i];
        sum->first += *j * square;
        return;
    }
    carom_estimate_right(F, right);
    for (int c = 0; c < 6; c++)
        sum->right[c] += *j * right[c];
}

// T = Q y^T = j tau with tau = mu (b - I) + lambda ln J I, so that j times the largest value of (b - I)/2, which is that of E,
// is at most (tr T/3 - j lambda ln J + q(T))/(2 mu). The sum of eight q is at most the root of eight times that of q^2.
CAROM_INLINE void carom_estimate_add_mapped(carom_lame m, const carom_lanes y[9], const carom_lanes Q[9], const carom_lanes *j,
                                            carom_estimate_sum *sum) {
    carom_lanes D[9], T[6], det, log_J, mean, square;
    carom_kernel_cofactor(y, D, &det);
    carom_lanes inverse = 1.0 / (*j * det), over_j = det * inverse, J = det * over_j;
    carom_lanes_log(&J, &log_J);
    carom_estimate_product(Q, y, T);
    carom_estimate_circle(T, &mean, &square);
    carom_lanes scale = *j * *j * inverse;
    for (int c = 0; c < 6; c++)
        sum->stress[c] += scale * T[c];
    sum->first += mean - m.lambda * *j * log_J;
    sum->second += square;
}

CAROM_INLINE void carom_estimate_add(carom_kernel_law law, carom_lame m, const carom_lanes y[9], const carom_lanes Q[9],
                                     const carom_lanes C[9], const carom_lanes *j, carom_estimate_sum *sum) {
    sum->volume += *j;
    if (law == CAROM_KERNEL_LINEAR || law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        carom_estimate_add_unmapped(law, m, y, C, j, sum);
    else
        carom_estimate_add_mapped(m, y, Q, j, sum);
}

// The mean over the points. Linear: H = F - I has the mean symmetric part (P - lambda/(3 lambda + 2 mu) tr P I)/(2 mu), and
// E adds H^T H/2 to it, which is at most |H|^2/2, of the mean |F|^2 - 3 - 2 tr H.
CAROM_INLINE void carom_estimate_finish(carom_kernel_law law, carom_lame m, carom_estimate_sum *sum, double *estimates) {
    carom_lanes scale = 1.0 / sum->volume, strain, mean, q;
    for (int c = 0; c < 6; c++)
        sum->stress[c] *= scale;
    if (law == CAROM_KERNEL_LINEAR) {
        double bulk = 3 * m.lambda + 2 * m.mu;
        carom_estimate_circle(sum->stress, &mean, &q);
        carom_estimate_root(&q);
        strain = (mean + q - 3 * m.lambda / bulk * mean) / (2 * m.mu) + 0.5 * (scale * sum->first - 3.0 - 6 / bulk * mean);
    } else if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        for (int c = 0; c < 6; c++)
            sum->right[c] *= scale;
        carom_estimate_strain(sum->right, &strain);
    } else {
        q = 8.0 * sum->second;
        carom_estimate_root(&q);
        strain = (sum->first + q) * scale / (2 * m.mu);
    }
    carom_estimate_store(sum->stress, &strain, estimates);
}

#endif
