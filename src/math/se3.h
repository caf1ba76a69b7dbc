// SPDX-License-Identifier: MIT
// Rigid motions (R, t) of space, and the Cayley map from twists (w, g) to them. With hat(w) a = w x a,
//
//     tau(w, g)    = ((I - hat w/2)^-1 (I + hat w/2), (I - hat w/2)^-1 g)
//     tau^-1(R, t) = (2 vee(R - R^T)/(1 + tr R), t - w x t/2)              singular for rotations by a half turn
//
// dtau^-1 is the inverse of its right-trivialised derivative:  d/de tau(z + e d) tau(z)^-1 = dtau_z d. Dual vectors are
// wrenches (m, n): a torque and a force, or an angular and a linear momentum.
#ifndef CAROM_MATH_SE3_H
#define CAROM_MATH_SE3_H

#include "math/mat3.h"

// (R, t) = tau(w, g)
static inline void carom_cayley(const double w[3], const double g[3], double R[3][3], double t[3]) {
    double square = carom_dot(w, w), s = 4 / (4 + square), along = carom_dot(w, g), cross[3];
    carom_cross(w, g, cross);
    for (int i = 0; i < 3; i++) {
        t[i] = s * (g[i] + 0.5 * cross[i] + 0.25 * along * w[i]);
        for (int j = 0; j < 3; j++)
            R[i][j] = 0.5 * s * w[i] * w[j];
        R[i][i] += 1 - 0.5 * s * square;
    }
    R[0][1] -= s * w[2], R[1][0] += s * w[2];
    R[1][2] -= s * w[0], R[2][1] += s * w[0];
    R[2][0] -= s * w[1], R[0][2] += s * w[1];
}

// (w, g) = tau^-1(R, t)
static inline void carom_cayley_inverse(const double R[3][3], const double t[3], double w[3], double g[3]) {
    double s = 2 / (1 + R[0][0] + R[1][1] + R[2][2]), cross[3];
    w[0] = s * (R[2][1] - R[1][2]);
    w[1] = s * (R[0][2] - R[2][0]);
    w[2] = s * (R[1][0] - R[0][1]);
    carom_cross(w, t, cross);
    for (int i = 0; i < 3; i++)
        g[i] = t[i] - 0.5 * cross[i];
}

// (p, q) = (dtau^-1_(w,g))^* (m, n)
static inline void carom_cayley_dual(const double w[3], const double g[3], const double m[3], const double n[3], double p[3],
                                     double q[3]) {
    double cross[3], turn[3], along = carom_dot(w, m);
    carom_cross(w, n, cross);
    for (int i = 0; i < 3; i++)
        q[i] = n[i] + 0.5 * cross[i];
    carom_cross(w, m, cross);
    carom_cross(g, q, turn);
    for (int i = 0; i < 3; i++)
        p[i] = m[i] + 0.5 * cross[i] + 0.25 * along * w[i] + 0.5 * turn[i];
}

// (p, q) = Ad*_(R,t) (m, n) = (R^T (m + n x t), R^T n): a wrench at the origin seen from the moved frame.
static inline void carom_ad_dual(const double R[3][3], const double t[3], const double m[3], const double n[3], double p[3],
                                 double q[3]) {
    double torque[3];
    carom_cross(n, t, torque);
    carom_add_scaled(1, m, torque);
    carom_mat3_apply_transposed(R, torque, p);
    carom_mat3_apply_transposed(R, n, q);
}

// The motion from one pose to another: R1^T R2, R1^T (x2 - x1).
static inline void carom_pose_between(const double x1[3], const double R1[3][3], const double x2[3], const double R2[3][3],
                                      double R[3][3], double t[3]) {
    double d[3];
    carom_difference(x2, x1, d);
    carom_mat3_multiply_transposed(R1, R2, R);
    carom_mat3_apply_transposed(R1, d, t);
}

// (x2, R2) = (x1, R1) tau(w, g)
static inline void carom_pose_move(const double x1[3], const double R1[3][3], const double w[3], const double g[3],
                                   double x2[3], double R2[3][3]) {
    double T[3][3], t[3], d[3];
    carom_cayley(w, g, T, t);
    carom_mat3_multiply(R1, T, R2);
    carom_mat3_apply(R1, t, d);
    for (int i = 0; i < 3; i++)
        x2[i] = x1[i] + d[i];
}

#endif
