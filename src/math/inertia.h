// SPDX-License-Identifier: MIT
// The inertia of point masses, and the angular velocity of a rigid motion with a given angular momentum.
#ifndef CAROM_MATH_INERTIA_H
#define CAROM_MATH_INERTIA_H

#include "math/mat3.h"

// Multiple of the identity that is added to an inertia, in units of its trace: far above rounding, far below any inertia.
#define CAROM_INERTIA_REGULARIZATION 1e-12

// Adds the inertia of a mass at r.
static inline void carom_inertia_add(double mass, const double r[3], double I[3][3]) {
    double square = carom_dot(r, r);
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++)
            I[p][q] += mass * ((p == q) * square - r[p] * r[q]);
}

// Angular velocity W with I W = L. I is singular for nodes on a line or at one point; the small multiple of the identity that
// is added to it makes it invertible and gives no rotation about directions without inertia.
static inline void carom_inertia_spin(const double I[3][3], const double L[3], double W[3]) {
    double trace = I[0][0] + I[1][1] + I[2][2], regular[3][3];
    W[0] = W[1] = W[2] = 0;
    if (!(trace > 0))
        return;
    carom_mat3_copy(I, regular);
    for (int i = 0; i < 3; i++)
        regular[i][i] += CAROM_INERTIA_REGULARIZATION * trace;
    carom_mat3_solve((carom_const_vectors)regular, L, W);
}

#endif
