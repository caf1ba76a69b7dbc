// SPDX-License-Identifier: MIT
// Free rotation of a rigid body by the midpoint rule on rotations (docs/theory/rigid.md). With the columns of R the principal
// axes, I the principal moments of inertia and l the angular momentum about the centre, in space:
//
//     solve  I m + (t/2) m x I m = R0^T l;   R1 = R0 cay(t m)
//
// It conserves l and the kinetic energy l.R I^-1 R^T l/2 exactly for any time t.
#ifndef CAROM_MATH_TURN_H
#define CAROM_MATH_TURN_H

#include <float.h>

#include "math/se3.h"

enum { CAROM_TURN_ITERATIONS = 20 };

// The angular velocity m of the midpoint, in the axes of the body, from the angular momentum L at the start under the impulsive
// couple k, both in these axes as well: I m + (t/2) m x (I m + k/2) = L + k/2. Newton's method from the given m; it needs two
// or three iterations for turns below one radian.
static inline void carom_turn_middle_under(const double I[3], const double L[3], const double k[3], double t, double m[3]) {
    const double h = 0.5 * t;
    double last = HUGE_VAL;
    for (int round = 0; round < CAROM_TURN_ITERATIONS; round++) {
        double a[3], cross[3], r[3], d[3], size = 0, change = 0;
        for (int i = 0; i < 3; i++)
            a[i] = I[i] * m[i] + 0.5 * k[i];
        carom_cross(m, a, cross);
        for (int i = 0; i < 3; i++)
            r[i] = L[i] + k[i] - a[i] - h * cross[i];
        // I + (t/2) (hat(m) I - hat(a))
        const double A[3][3] = {{I[0], h * (a[2] - m[2] * I[1]), h * (m[1] * I[2] - a[1])},
                                {h * (m[2] * I[0] - a[2]), I[1], h * (a[0] - m[0] * I[2])},
                                {h * (a[1] - m[1] * I[0]), h * (m[0] * I[1] - a[0]), I[2]}};
        carom_mat3_solve(A, r, d);
        for (int i = 0; i < 3; i++) {
            m[i] += d[i];
            size += fabs(m[i]);
            change += fabs(d[i]);
        }
        // quadratic convergence, down to rounding
        if (!(change > 4 * DBL_EPSILON * size) || !(change < last))
            return;
        last = change;
    }
}

// The same for free rotation from R with the angular momentum l.
static inline void carom_turn_middle(const double I[3], const double R[3][3], const double l[3], double t, double m[3]) {
    const double none[3] = {0};
    double L[3];
    carom_mat3_apply_transposed(R, l, L);
    for (int i = 0; i < 3; i++)
        m[i] = L[i] / I[i];
    carom_turn_middle_under(I, L, none, t, m);
}

// One step towards the nearest rotation, R (3 - R^T R)/2: removes accumulated rounding errors.
static inline void carom_turn_straighten(double R[3][3]) {
    double S[3][3], Q[3][3];
    carom_mat3_multiply_transposed(R, R, S);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S[i][j] = 0.5 * ((i == j ? 3 : 0) - S[i][j]);
    carom_mat3_multiply(R, S, Q);
    carom_mat3_copy(Q, R);
}

// Rotates R by cay(t m), m in the axes of the body.
static inline void carom_turn_by(const double m[3], double t, double R[3][3]) {
    double v[3] = {t * m[0], t * m[1], t * m[2]}, T[3][3], Q[3][3], none[3] = {0}, moved[3];
    carom_cayley(v, none, T, moved);
    carom_mat3_multiply((const double(*)[3])R, (const double(*)[3])T, Q);
    carom_turn_straighten(Q);
    carom_mat3_copy(Q, R);
}

// Free rotation of R for the time t.
static inline void carom_turn_freely(const double I[3], const double l[3], double t, double R[3][3]) {
    double m[3];
    carom_turn_middle(I, (const double(*)[3])R, l, t, m);
    carom_turn_by(m, t, R);
}

// The mean velocity of a point at `arm` during its rotation by cay(t m), all in space: (cay(t m) - 1) arm/t.
static inline void carom_turn_chord(const double m[3], double t, const double arm[3], double u[3]) {
    double first[3], second[3], s = 4 / (4 + t * t * carom_dot(m, m));
    carom_cross(m, arm, first);
    carom_cross(m, first, second);
    for (int i = 0; i < 3; i++)
        u[i] = s * (first[i] + 0.5 * t * second[i]);
}

#endif
