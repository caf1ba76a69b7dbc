// SPDX-License-Identifier: MIT
// 3 x 3 matrices as plain arrays. Results come last or are returned; a result must not alias an argument.
#ifndef CAROM_MATH_MAT3_H
#define CAROM_MATH_MAT3_H

#include <stdbool.h>
#include <string.h>

#include "math/functions.h"
#include "math/vec3.h"

static inline void carom_mat3_identity(double A[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            A[i][j] = i == j;
}

static inline void carom_mat3_copy(const double A[3][3], double B[3][3]) {
    memcpy(B, A, 9 * sizeof(double));
}

// C = A B
static inline void carom_mat3_multiply(const double A[3][3], const double B[3][3], double C[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
}

// C = A^T B
static inline void carom_mat3_multiply_transposed(const double A[3][3], const double B[3][3], double C[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[i][j] = A[0][i] * B[0][j] + A[1][i] * B[1][j] + A[2][i] * B[2][j];
}

// b = A a
static inline void carom_mat3_apply(const double A[3][3], const double a[3], double b[3]) {
    for (int i = 0; i < 3; i++)
        b[i] = carom_dot(A[i], a);
}

// b = A^T a
static inline void carom_mat3_apply_transposed(const double A[3][3], const double a[3], double b[3]) {
    for (int i = 0; i < 3; i++)
        b[i] = A[0][i] * a[0] + A[1][i] * a[1] + A[2][i] * a[2];
}

// Solves A x = b by Cramer's rule; false if A is singular.
static inline bool carom_mat3_solve(const double A[3][3], const double b[3], double x[3]) {
    double c[3][3]; // cofactors: c[i] = column i of the inverse times the determinant
    double rows[3][3];
    carom_mat3_copy(A, rows);
    for (int i = 0; i < 3; i++)
        carom_cross(rows[(i + 1) % 3], rows[(i + 2) % 3], c[i]);
    double determinant = carom_dot(rows[0], c[0]);
    for (int i = 0; i < 3; i++)
        x[i] = (c[0][i] * b[0] + c[1][i] * b[1] + c[2][i] * b[2]) / determinant;
    return determinant != 0;
}

// The rotation by the angle |a| about the axis a (Rodrigues' formula).
static inline void carom_mat3_rotation(const double a[3], double R[3][3]) {
    double axis[3], angle, c, s;
    carom_copy(a, axis);
    angle = carom_normalize(axis);
    c = carom_cos(angle), s = carom_sin(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[i][j] = (i == j ? c : 0) + (1 - c) * axis[i] * axis[j];
    R[0][1] -= s * axis[2], R[1][0] += s * axis[2];
    R[1][2] -= s * axis[0], R[2][1] += s * axis[0];
    R[2][0] -= s * axis[1], R[0][2] += s * axis[1];
}

// Finds the rotation closest to A (the sum of x x0^T over points x0 displaced to x) by at most `turns` iterations from the
// given R (list_validity.c cites the paper). Returns false on failure; R is then not a rotation.
static inline bool carom_mat3_fit_rotation(const double A[3][3], int turns, double R[3][3]) {
    for (int t = 0; t < turns; t++) {
        double omega[3] = {0}, along = 0, step[3][3], next[3][3];
        for (int i = 0; i < 3; i++) {
            double r[3] = {R[0][i], R[1][i], R[2][i]}, a[3] = {A[0][i], A[1][i], A[2][i]}, c[3];
            carom_cross(r, a, c);
            carom_add_scaled(1, c, omega);
            along += carom_dot(r, a);
        }
        for (int i = 0; i < 3; i++)
            omega[i] /= fabs(along);
        double angle = carom_norm(omega);
        // converged, or A is singular
        if (!(angle > 1e-9 && angle < HUGE_VAL))
            break;
        carom_mat3_rotation(omega, step);
        carom_mat3_multiply(step, R, next);
        carom_mat3_copy(next, R);
    }
    // orthonormal up to rounding
    bool good = carom_normalize(R[0]) > 0.5;
    carom_add_scaled(-carom_dot(R[0], R[1]), R[0], R[1]);
    good = good && carom_normalize(R[1]) > 0.5;
    carom_cross(R[0], R[1], R[2]);
    return good;
}

#endif
