// SPDX-License-Identifier: MIT
// The stress between two configurations, of which balanced.c has the equations: one text for numbers and for batches, by the
// same operations in the same order. The source that includes this says what a CAROM_REAL is, and takes its roots by
// CAROM_REAL_ROOT.
#ifndef CAROM_ELEMENT_SOLID_BALANCED_TEXT_H
#define CAROM_ELEMENT_SOLID_BALANCED_TEXT_H

#include <string.h>

#include "material/finite_text.h"

// a:b
CAROM_INLINE void carom_text_contract(const CAROM_REAL a[9], const CAROM_REAL b[9], CAROM_REAL *sum) {
    *sum = (CAROM_REAL){0};
    for (int i = 0; i < 9; i++)
        *sum += a[i] * b[i];
}

// C = F^T F
CAROM_INLINE void carom_text_square(const CAROM_REAL F[9], CAROM_REAL C[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
}

CAROM_INLINE void carom_text_determinant(const CAROM_REAL F[9], CAROM_REAL *det) {
    *det = F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
}

// The Cholesky factor of C, the upper triangular F with F^T F = C, and its inverse G. Where C is not positive definite, a
// square root is NaN, and not all of F[0], F[4] and F[8] are positive.
CAROM_INLINE void carom_text_root(const CAROM_REAL C[9], CAROM_REAL F[9], CAROM_REAL G[9]) {
    memset(F, 0, 9 * sizeof *F);
    memset(G, 0, 9 * sizeof *G);
    F[0] = C[0];
    CAROM_REAL_ROOT(&F[0]);
    F[1] = C[1] / F[0];
    F[2] = C[2] / F[0];
    F[4] = C[4] - F[1] * F[1];
    CAROM_REAL_ROOT(&F[4]);
    F[5] = (C[5] - F[1] * F[2]) / F[4];
    F[8] = C[8] - F[2] * F[2] - F[5] * F[5];
    CAROM_REAL_ROOT(&F[8]);
    G[0] = 1.0 / F[0];
    G[4] = 1.0 / F[4];
    G[8] = 1.0 / F[8];
    G[1] = -F[1] * G[4] / F[0];
    G[5] = -F[5] * G[8] / F[4];
    G[2] = -(F[1] * G[5] + F[2] * G[8]) / F[0];
}

// S = F^-1 P from the inverse G of F and, if not NULL, CC from A, which is lost.
CAROM_INLINE void carom_text_pull(const CAROM_REAL G[9], const CAROM_REAL P[9], CAROM_REAL A[81], CAROM_REAL S[9],
                                  CAROM_REAL *CC) {
    CAROM_REAL left[81];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S[3 * i + j] = G[3 * i] * P[j] + G[3 * i + 1] * P[3 + j] + G[3 * i + 2] * P[6 + j];
    if (!CC)
        return;
    for (int i = 0; i < 3; i++)
        for (int jl = 0; jl < 9; jl++)
            A[27 * i + 9 * (jl / 3) + 3 * i + jl % 3] -= S[jl];
    for (int I = 0; I < 3; I++)
        for (int r = 0; r < 27; r++)
            left[27 * I + r] = G[3 * I] * A[r] + G[3 * I + 1] * A[27 + r] + G[3 * I + 2] * A[54 + r];
    for (int IJ = 0; IJ < 9; IJ++)
        for (int K = 0; K < 3; K++)
            for (int L = 0; L < 3; L++)
                CC[9 * IJ + 3 * K + L] =
                    G[3 * K] * left[9 * IJ + L] + G[3 * K + 1] * left[9 * IJ + 3 + L] + G[3 * K + 2] * left[9 * IJ + 6 + L];
}

// C_m and D, and the square of the size of D.
CAROM_INLINE void carom_text_middle(const CAROM_REAL C0[9], const CAROM_REAL C1[9], CAROM_REAL Cm[9], CAROM_REAL D[9],
                                    CAROM_REAL *size) {
    for (int a = 0; a < 9; a++) {
        Cm[a] = 0.5 * (C0[a] + C1[a]);
        D[a] = C1[a] - C0[a];
    }
    carom_text_contract(D, D, size);
}

// dc by the stresses at C_m and at C1.
CAROM_INLINE void carom_text_slope(const CAROM_REAL *c, const CAROM_REAL D[9], const CAROM_REAL *size, const CAROM_REAL S[9],
                                   const CAROM_REAL S1[9], const CAROM_REAL M[81], CAROM_REAL dc[9]) {
    CAROM_REAL work;
    for (int a = 0; a < 9; a++) {
        carom_text_contract(&M[9 * a], D, &work);
        dc[a] = (0.5 * (S1[a] - S[a]) - 0.5 * work - 2.0 * *c * D[a]) / *size;
    }
}

// M + 2 c I + 2 D (x) dc in row ij and column kl. I is the symmetric identity (d_ik d_jl + d_il d_jk)/2, because D is
// symmetric.
CAROM_INLINE void carom_text_correct(const CAROM_REAL *c, const CAROM_REAL D[9], const CAROM_REAL dc[9], int ij, int kl,
                                     const CAROM_REAL *entry, CAROM_REAL *more) {
    double identity = (ij == kl) + (ij / 3 == kl % 3 && ij % 3 == kl / 3);
    *more = *entry + (*c * identity + 2.0 * D[ij] * dc[kl]);
}

// P = F_m S and, if A is not NULL, its derivative with respect to F1.
CAROM_INLINE void carom_text_push(const CAROM_REAL F0[9], const CAROM_REAL F1[9], const CAROM_REAL S[9], const CAROM_REAL *M,
                                  CAROM_REAL P[9], CAROM_REAL *A) {
    CAROM_REAL Fm[9], T[81], zero = {0};
    for (int a = 0; a < 9; a++)
        Fm[a] = 0.5 * (F0[a] + F1[a]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            P[3 * i + j] = Fm[3 * i] * S[j] + Fm[3 * i + 1] * S[3 + j] + Fm[3 * i + 2] * S[6 + j];
    if (!A)
        return;
    for (int i = 0; i < 3; i++)
        for (int r = 0; r < 27; r++)
            T[27 * i + r] = 2.0 * (Fm[3 * i] * M[r] + Fm[3 * i + 1] * M[27 + r] + Fm[3 * i + 2] * M[54 + r]);
    for (int iJ = 0; iJ < 9; iJ++)
        for (int k = 0; k < 3; k++)
            for (int L = 0; L < 3; L++)
                A[9 * iJ + 3 * k + L] = F1[3 * k] * T[9 * iJ + L] + F1[3 * k + 1] * T[9 * iJ + 3 + L] +
                                        F1[3 * k + 2] * T[9 * iJ + 6 + L] + (iJ / 3 == k ? 0.5 * S[3 * (iJ % 3) + L] : zero);
}

#endif
