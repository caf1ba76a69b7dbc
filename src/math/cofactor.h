// SPDX-License-Identifier: MIT
// Cofactors, inverse and change of volume of 3 x 3 matrices as nine numbers, row by row: functions of numbers or of lanes
// (lanes.h), of type R. C and C++.
#ifndef CAROM_MATH_COFACTOR_H
#define CAROM_MATH_COFACTOR_H

#include "base/kernel.h"

// `cofactor`: C_iJ = cofactor of F_iJ, the columns of det F F^-1 as rows; through the pointer det F.
// `invert`: F^-1 and det F.
// `growth`: det(I + H) - 1 = tr H + (sum of principal minors) + det H, in which the 1 is cancelled analytically, so that a
// small change of volume keeps its digits.
#define CAROM_COFACTOR_FUNCTIONS(R, scope, prefix)                                                                            \
    scope void prefix##_cofactor(const R F[9], R C[9], R *det) {                                                              \
        C[0] = F[4] * F[8] - F[5] * F[7];                                                                                     \
        C[1] = F[5] * F[6] - F[3] * F[8];                                                                                     \
        C[2] = F[3] * F[7] - F[4] * F[6];                                                                                     \
        C[3] = F[2] * F[7] - F[1] * F[8];                                                                                     \
        C[4] = F[0] * F[8] - F[2] * F[6];                                                                                     \
        C[5] = F[1] * F[6] - F[0] * F[7];                                                                                     \
        C[6] = F[1] * F[5] - F[2] * F[4];                                                                                     \
        C[7] = F[2] * F[3] - F[0] * F[5];                                                                                     \
        C[8] = F[0] * F[4] - F[1] * F[3];                                                                                     \
        *det = F[0] * C[0] + F[1] * C[1] + F[2] * C[2];                                                                       \
    }                                                                                                                         \
    scope void prefix##_invert(const R F[9], R inverse[9], R *det) {                                                          \
        R C[9];                                                                                                               \
        prefix##_cofactor(F, C, det);                                                                                         \
        for (int a = 0; a < 9; a++)                                                                                           \
            inverse[a] = C[3 * (a % 3) + a / 3] / *det;                                                                       \
    }                                                                                                                         \
    scope void prefix##_growth(const R H[9], R *growth) {                                                                     \
        R minors = H[0] * H[4] - H[1] * H[3] + H[4] * H[8] - H[5] * H[7] + H[0] * H[8] - H[2] * H[6];                         \
        R det = H[0] * (H[4] * H[8] - H[5] * H[7]) - H[1] * (H[3] * H[8] - H[5] * H[6]) + H[2] * (H[3] * H[7] - H[4] * H[6]); \
        *growth = H[0] + H[4] + H[8] + minors + det;                                                                          \
    }

CAROM_COFACTOR_FUNCTIONS(double, CAROM_LOCAL, carom_mat)

#endif
