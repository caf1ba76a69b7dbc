// SPDX-License-Identifier: MIT
// Template of the energy, stress and tangent of the elastic laws of finite strains in space, neo-Hookean and St.
// Venant-Kirchhoff (neo_hookean.c and st_venant_kirchhoff.c have the equations). It is included with CAROM_REAL = double by
// these and by element/solid/balanced.c, with CAROM_REAL = carom_lanes, a vector of eight elements, by
// element/solid/balanced_kernel.c.
#ifndef CAROM_MATERIAL_FINITE_TEXT_H
#define CAROM_MATERIAL_FINITE_TEXT_H

#include "material/lame.h"
#include "math/cofactor.h"

CAROM_COFACTOR_FUNCTIONS(CAROM_REAL, CAROM_INLINE, carom_text)

// (F:F - 3)/2 and det F - 1 in terms of H = F - I: near F = I the energy keeps its relative accuracy, on which the energy
// ledger rests.
CAROM_INLINE void carom_text_excess(const CAROM_REAL F[9], CAROM_REAL *excess, CAROM_REAL *growth) {
    CAROM_REAL H[9], square = {0};
    for (int a = 0; a < 9; a++) {
        H[a] = F[a] - (double)(a % 4 == 0);
        square += H[a] * H[a];
    }
    *excess = H[0] + H[4] + H[8] + 0.5 * square;
    carom_text_growth(H, growth);
}

// The stress P and the tangent A = dP/dF, each unless it is NULL; G is the inverse of F.
CAROM_INLINE void carom_text_neo_hookean(carom_lame m, const CAROM_REAL F[9], const CAROM_REAL G[9], const CAROM_REAL *log_J,
                                         CAROM_REAL *P, CAROM_REAL *A) {
    CAROM_REAL pressure = m.lambda * *log_J - m.mu, shear = m.mu - m.lambda * *log_J;
    for (int a = 0; P && a < 9; a++)
        P[a] = m.mu * F[a] + pressure * G[3 * (a % 3) + a / 3];
    for (int a = 0; A && a < 81; a++) {
        int i = a / 27, j = a / 9 % 3, k = a / 3 % 3, l = a % 3;
        A[a] = m.mu * (i == k && j == l) + m.lambda * G[3 * j + i] * G[3 * l + k] + shear * G[3 * j + k] * G[3 * l + i];
    }
}

// P and A as above, and the energy W.
CAROM_INLINE void carom_text_st_venant_kirchhoff(carom_lame m, const CAROM_REAL F[9], CAROM_REAL *P, CAROM_REAL *A,
                                                 CAROM_REAL *W) {
    CAROM_REAL S[9], left[9], square = {0}, zero = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            CAROM_REAL right = F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
            S[3 * i + j] = 0.5 * (right - (double)(i == j));
            left[3 * i + j] = F[3 * i] * F[3 * j] + F[3 * i + 1] * F[3 * j + 1] + F[3 * i + 2] * F[3 * j + 2];
            square += S[3 * i + j] * S[3 * i + j];
        }
    CAROM_REAL trace = S[0] + S[4] + S[8];
    for (int a = 0; a < 9; a++)
        S[a] = 2 * m.mu * S[a] + (a % 4 == 0 ? m.lambda * trace : zero);
    for (int a = 0; P && a < 9; a++) {
        const CAROM_REAL *row = &F[3 * (a / 3)];
        P[a] = row[0] * S[a % 3] + row[1] * S[3 + a % 3] + row[2] * S[6 + a % 3];
    }
    for (int a = 0; A && a < 81; a++) {
        int i = a / 27, j = a / 9 % 3, k = a / 3 % 3, l = a % 3;
        A[a] = (i == k ? S[3 * j + l] : zero) + m.lambda * F[3 * i + j] * F[3 * k + l] +
               m.mu * (F[3 * i + l] * F[3 * k + j] + (j == l ? left[3 * i + k] : zero));
    }
    *W = 0.5 * m.lambda * trace * trace + m.mu * square;
}

#endif
