// SPDX-License-Identifier: MIT
// Free rotation of a rigid body by the midpoint rule on rotations (docs/theory/rigid.md). With the columns of R the principal
// axes, I the principal moments and l the angular momentum about the centre, in space:
//
//     solve  I m + (t/2) m x I m = I W0,   W0 = I^-1 R0^T l;   R1 = R0 cay(t m)
//
// For any time t, l and the kinetic energy l.R I^-1 R^T l/2 are kept exactly.
#ifndef CAROM_MATH_TURN_H
#define CAROM_MATH_TURN_H

#include <float.h>

#include "math/se3.h"

enum { CAROM_TURN_ITERATIONS = 20 };

// The angular velocity m of the midpoint, in the axes of the body. Newton's method; it starts from the velocity itself and
// takes two or three rounds for turns below one radian.
static inline void carom_turn_middle(const double I[3], const double R[3][3], const double l[3], double t, double m[3]) {
    double L[3], last = HUGE_VAL;
    carom_mat3_apply_transposed(R, l, L);
    for (int i = 0; i < 3; i++)
        m[i] = L[i] / I[i];
    for (int round = 0; round < CAROM_TURN_ITERATIONS; round++) {
        double Im[3] = {I[0] * m[0], I[1] * m[1], I[2] * m[2]}, cross[3], r[3], d[3], size = 0, change = 0;
        carom_cross(m, Im, cross);
        for (int i = 0; i < 3; i++)
            r[i] = L[i] - Im[i] - 0.5 * t * cross[i];
        // I + (t/2) (hat(m) I - hat(I m))
        const double h = 0.5 * t;
        const double A[3][3] = {{I[0], h * (Im[2] - m[2] * I[1]), h * (m[1] * I[2] - Im[1])},
                                {h * (m[2] * I[0] - Im[2]), I[1], h * (Im[0] - m[0] * I[2])},
                                {h * (Im[1] - m[1] * I[0]), h * (m[0] * I[1] - Im[0]), I[2]}};
        carom_mat3_solve(A, r, d);
        for (int i = 0; i < 3; i++) {
            m[i] += d[i];
            size += fabs(m[i]);
            change += fabs(d[i]);
        }
        // it converges quadratically until rounding stops it
        if (!(change > 4 * DBL_EPSILON * size) || !(change < last))
            break;
        last = change;
    }
}

// One step towards the nearest rotation, R (3 - R^T R)/2: a rotation up to rounding stays one.
static inline void carom_turn_straighten(double R[3][3]) {
    double S[3][3], Q[3][3];
    carom_mat3_multiply_transposed(R, R, S);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S[i][j] = 0.5 * ((i == j ? 3 : 0) - S[i][j]);
    carom_mat3_multiply(R, S, Q);
    carom_mat3_copy(Q, R);
}

// Turns R freely for the time t.
static inline void carom_turn_freely(const double I[3], const double l[3], double t, double R[3][3]) {
    double m[3], T[3][3], Q[3][3], none[3] = {0}, moved[3];
    carom_turn_middle(I, (const double(*)[3])R, l, t, m);
    for (int i = 0; i < 3; i++)
        m[i] *= t;
    carom_cayley(m, none, T, moved);
    carom_mat3_multiply((const double(*)[3])R, (const double(*)[3])T, Q);
    carom_turn_straighten(Q);
    carom_mat3_copy(Q, R);
}

#endif
