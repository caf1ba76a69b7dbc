// SPDX-License-Identifier: MIT
// Template of the energy-conserving stress between two configurations (equations: balanced.c). It is included twice: by
// balanced.c with CAROM_REAL = double, by balanced_kernel.c with CAROM_REAL = carom_lanes (eight elements); both perform the
// same operations in the same order. The including file defines CAROM_REAL; CAROM_REAL_MASK, a bool or one for each lane;
// CAROM_REAL_ANY, true if one of them is set; CAROM_REAL_ROOT, the square root in place; CAROM_REAL_CHOOSE, as
// carom_lanes_choose; CAROM_REAL_SOURCE, the law; and carom_text_law_at, which evaluates it.
#ifndef CAROM_ELEMENT_SOLID_BALANCED_TEXT_H
#define CAROM_ELEMENT_SOLID_BALANCED_TEXT_H

#include <math.h>
#include <stdbool.h>
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

// S = F^-1 P with the inverse G of F and, if not NULL, CC from the tangent A, which is overwritten.
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

// The law at F: P, and A and W if not NULL. Clears `good` where it is undefined; P and A are then arbitrary.
CAROM_INLINE void carom_text_law_at(CAROM_REAL_SOURCE from, CAROM_REAL F[9], CAROM_REAL_MASK *good, CAROM_REAL *P,
                                    CAROM_REAL *A, CAROM_REAL *W);

// The law in terms of C: S = 2 W' and, if not NULL, CC = 4 W'' and the energy.
CAROM_INLINE void carom_text_law(CAROM_REAL_SOURCE from, const CAROM_REAL C[9], CAROM_REAL_MASK *good, CAROM_REAL S[9],
                                 CAROM_REAL *CC, CAROM_REAL *W) {
    CAROM_REAL F[9], G[9], P[9], A[81];
    carom_text_root(C, F, G);
    *good &= (F[0] > 0.0) & (F[4] > 0.0) & (F[8] > 0.0);
    carom_text_law_at(from, F, good, P, CC ? A : NULL, W);
    carom_text_pull(G, P, A, S, CC);
}

// C_m, D and the square D:D of its norm.
CAROM_INLINE void carom_text_middle(const CAROM_REAL C0[9], const CAROM_REAL C1[9], CAROM_REAL Cm[9], CAROM_REAL D[9],
                                    CAROM_REAL *size) {
    for (int a = 0; a < 9; a++) {
        Cm[a] = 0.5 * (C0[a] + C1[a]);
        D[a] = C1[a] - C0[a];
    }
    carom_text_contract(D, D, size);
}

// dc from the stresses at C_m and at C1.
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

// Where the correction c D is needed, for elastic laws. It is of order |D|^3, and applied only if it exceeds the rounding error
// of W, about 3e-16 |C - I|, below which the quotient would be noise. `size` is D:D.
CAROM_INLINE void carom_text_needed(const CAROM_REAL C[9], const CAROM_REAL *size, CAROM_REAL_MASK *needed) {
    CAROM_REAL strain = {0}, length = *size;
    for (int a = 0; a < 9; a++) {
        CAROM_REAL e = C[a] - (double)(a % 4 == 0), minus = -e;
        CAROM_REAL_MASK negative = e < 0.0;
        CAROM_REAL_CHOOSE(&negative, &minus, &e, &e);
        CAROM_REAL_MASK larger = e > strain;
        CAROM_REAL_CHOOSE(&larger, &e, &strain, &strain);
    }
    CAROM_REAL_ROOT(&length);
    *needed = *size * length > 7e-15 * strain;
}

// Where the correction `rest`, an energy, is above rounding, for laws with history. The stress of an elastoplastic law has a
// kink, so that the correction may be of order |D|^2; its elastic strain is small, but its error is the rounding of C, however
// large C is. `rounding` is the error of the energy without strain.
CAROM_INLINE void carom_text_above_rounding(const CAROM_REAL *rest, const CAROM_REAL S0[9], const CAROM_REAL S1[9],
                                            const CAROM_REAL C[9], double rounding, CAROM_REAL_MASK *above) {
    const CAROM_REAL *tensors[3] = {S0, S1, C};
    CAROM_REAL size[3];
    for (int k = 0; k < 3; k++) {
        carom_text_contract(tensors[k], tensors[k], &size[k]);
        CAROM_REAL_ROOT(&size[k]);
    }
    CAROM_REAL least = 1e-15 * (size[0] + size[1]) * size[2] + rounding;
    *above = (*rest > least) | (-*rest > least);
}

// The stress S between C0 and C1 and, if not NULL, M with dS = M:dC1. A quadratic law needs no correction. `history`: of a law
// with history, the rounding error of its energy without strain; else NULL.
CAROM_INLINE void carom_text_stress(CAROM_REAL_SOURCE from, bool quadratic, const double *history, const CAROM_REAL C0[9],
                                    const CAROM_REAL C1[9], CAROM_REAL_MASK *good, CAROM_REAL S[9], CAROM_REAL *M) {
    CAROM_REAL Cm[9], D[9], size;
    CAROM_REAL_MASK needed;
    carom_text_middle(C0, C1, Cm, D, &size);
    carom_text_law(from, Cm, good, S, M, NULL);
    for (int a = 0; M && a < 81; a++)
        M[a] *= 0.25;
    carom_text_needed(Cm, &size, &needed);
    if (history)
        needed = size > 0.0;
    needed &= *good;
    if (quadratic || !CAROM_REAL_ANY(&needed))
        return;

    // `rest` is the energy change minus the work of the stress at C_m.
    CAROM_REAL S0[9], S1[9], W0, W1, work, dc[9];
    CAROM_REAL_MASK answer = needed, above;
    carom_text_law(from, C0, &answer, S0, NULL, &W0);
    carom_text_law(from, C1, &answer, S1, NULL, &W1);
    answer &= (W0 < HUGE_VAL) & (W1 < HUGE_VAL);
    *good &= answer | (needed == 0);
    carom_text_contract(S, D, &work);
    CAROM_REAL rest = W1 - W0 - 0.5 * work, c = rest / size;
    if (history) {
        carom_text_above_rounding(&rest, S0, S1, Cm, *history, &above);
        needed &= above;
        if (!CAROM_REAL_ANY(&needed))
            return;
    }
    if (M)
        carom_text_slope(&c, D, &size, S, S1, M, dc);
    for (int a = 0; a < 9; a++) {
        CAROM_REAL more = S[a] + 2.0 * c * D[a];
        CAROM_REAL_CHOOSE(&needed, &more, &S[a], &S[a]);
    }
    for (int a = 0; M && a < 81; a++) {
        CAROM_REAL more;
        carom_text_correct(&c, D, dc, a / 9, a % 9, &M[a], &more);
        CAROM_REAL_CHOOSE(&needed, &more, &M[a], &M[a]);
    }
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
