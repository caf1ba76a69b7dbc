// SPDX-License-Identifier: MIT
// Symmetric 3 x 3 matrices as six numbers: 11, 22, 33, 12, 23, 13. Other matrices are nine numbers, row by row.
#ifndef CAROM_MATH_SYM3_H
#define CAROM_MATH_SYM3_H

#include <float.h>
#include <math.h>

#include "base/kernel.h"

// Index of component (i, j) among the six numbers, at 3 i + j.
CAROM_TABLE int carom_sym3_place[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
// Row and column of each of the six.
CAROM_TABLE int carom_sym3_row[6] = {0, 1, 2, 0, 1, 0};
CAROM_TABLE int carom_sym3_column[6] = {0, 1, 2, 1, 2, 2};

// Functions for numbers or lanes, of type R: `right` computes F S; `outer` A B^T, if this product is symmetric; `gram` A^T A;
// `adjoint` the cofactors of A (the inverse times the determinant) and, through the pointer, the determinant.
#define CAROM_SYM3_FUNCTIONS(R, scope, prefix)                            \
    scope void prefix##_right(const R F[9], const R S[6], R out[9]) {     \
        for (int i = 0; i < 9; i += 3) {                                  \
            out[i] = F[i] * S[0] + F[i + 1] * S[3] + F[i + 2] * S[5];     \
            out[i + 1] = F[i] * S[3] + F[i + 1] * S[1] + F[i + 2] * S[4]; \
            out[i + 2] = F[i] * S[5] + F[i + 1] * S[4] + F[i + 2] * S[2]; \
        }                                                                 \
    }                                                                     \
    scope void prefix##_outer(const R A[9], const R B[9], R out[6]) {     \
        out[0] = A[0] * B[0] + A[1] * B[1] + A[2] * B[2];                 \
        out[1] = A[3] * B[3] + A[4] * B[4] + A[5] * B[5];                 \
        out[2] = A[6] * B[6] + A[7] * B[7] + A[8] * B[8];                 \
        out[3] = A[0] * B[3] + A[1] * B[4] + A[2] * B[5];                 \
        out[4] = A[3] * B[6] + A[4] * B[7] + A[5] * B[8];                 \
        out[5] = A[0] * B[6] + A[1] * B[7] + A[2] * B[8];                 \
    }                                                                     \
    scope void prefix##_gram(const R A[9], R out[6]) {                    \
        out[0] = A[0] * A[0] + A[3] * A[3] + A[6] * A[6];                 \
        out[1] = A[1] * A[1] + A[4] * A[4] + A[7] * A[7];                 \
        out[2] = A[2] * A[2] + A[5] * A[5] + A[8] * A[8];                 \
        out[3] = A[0] * A[1] + A[3] * A[4] + A[6] * A[7];                 \
        out[4] = A[1] * A[2] + A[4] * A[5] + A[7] * A[8];                 \
        out[5] = A[0] * A[2] + A[3] * A[5] + A[6] * A[8];                 \
    }                                                                     \
    scope void prefix##_adjoint(const R A[6], R out[6], R *det) {         \
        out[0] = A[1] * A[2] - A[4] * A[4];                               \
        out[1] = A[0] * A[2] - A[5] * A[5];                               \
        out[2] = A[0] * A[1] - A[3] * A[3];                               \
        out[3] = A[4] * A[5] - A[3] * A[2];                               \
        out[4] = A[3] * A[5] - A[0] * A[4];                               \
        out[5] = A[3] * A[4] - A[1] * A[5];                               \
        *det = A[0] * out[0] + A[3] * out[3] + A[5] * out[5];             \
    }

CAROM_SYM3_FUNCTIONS(double, CAROM_LOCAL, carom_sym3)

// F S F^T
CAROM_LOCAL void carom_sym3_congruence(const double F[9], const double S[6], double out[6]) {
    double R[9];
    carom_sym3_right(F, S, R);
    carom_sym3_outer(R, F, out);
}

// A B for matrices with the same principal axes, so that the product is symmetric.
CAROM_LOCAL void carom_sym3_product(const double A[6], const double B[6], double out[6]) {
    out[0] = A[0] * B[0] + A[3] * B[3] + A[5] * B[5];
    out[1] = A[3] * B[3] + A[1] * B[1] + A[4] * B[4];
    out[2] = A[5] * B[5] + A[4] * B[4] + A[2] * B[2];
    out[3] = A[0] * B[3] + A[3] * B[1] + A[5] * B[4];
    out[4] = A[3] * B[5] + A[1] * B[4] + A[4] * B[2];
    out[5] = A[0] * B[5] + A[3] * B[4] + A[5] * B[2];
}

// A : B
CAROM_LOCAL double carom_sym3_dot(const double A[6], const double B[6]) {
    return A[0] * B[0] + A[1] * B[1] + A[2] * B[2] + 2 * (A[3] * B[3] + A[4] * B[4] + A[5] * B[5]);
}

// Eigenvalues, and eigenvectors as rows of `axes`, by Jacobi rotations, which converge quadratically.
CAROM_LOCAL void carom_sym3_eigen(const double S[6], double values[3], double axes[3][3]) {
    double A[3][3];
    for (int i = 0; i < 9; i++) {
        A[i / 3][i % 3] = S[carom_sym3_place[i]];
        axes[i / 3][i % 3] = i % 4 == 0;
    }
    for (int turn = 0; turn < 30; turn++) {
        int p = turn % 3 == 2, q = turn % 3 == 0 ? 1 : 2, r = 3 - p - q;
        if (A[p][q] == 0 || fabs(A[p][q]) < 1e-2 * DBL_EPSILON * sqrt(fabs(A[p][p] * A[q][q])))
            continue;
        double theta = 0.5 * (A[q][q] - A[p][p]) / A[p][q], t = 1 / (fabs(theta) + sqrt(theta * theta + 1));
        if (theta < 0)
            t = -t;
        double c = 1 / sqrt(t * t + 1), s = t * c, rp = A[r][p], rq = A[r][q];
        A[p][p] -= t * A[p][q];
        A[q][q] += t * A[p][q];
        A[p][q] = A[q][p] = 0;
        A[r][p] = A[p][r] = c * rp - s * rq;
        A[r][q] = A[q][r] = s * rp + c * rq;
        for (int i = 0; i < 3; i++) {
            double x = axes[p][i], y = axes[q][i];
            axes[p][i] = c * x - s * y;
            axes[q][i] = s * x + c * y;
        }
    }
    for (int i = 0; i < 3; i++)
        values[i] = A[i][i];
}

#endif
