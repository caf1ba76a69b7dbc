// SPDX-License-Identifier: MIT
// A law outside the library that splits into a part of the shape and a part of the volume.
#ifndef CAROM_TEST_SPLIT_LAW_H
#define CAROM_TEST_SPLIT_LAW_H

#include <math.h>

#include "carom/material.h"
#include "math/functions.h"

// An isochoric neo-Hookean law, W = mu/2 (J^-2/3 |F|^2 - 3) + kappa/2 (ln J)^2.
typedef struct split_params {
    double mu, kappa, density;
} split_params;

static inline double split_density(const void *params) {
    return ((const split_params *)params)->density;
}

static inline double split_bulk(const void *params) {
    return ((const split_params *)params)->kappa;
}

static inline double split_shear(const void *params) {
    return ((const split_params *)params)->mu;
}

static inline double invert(const double F[9], double G[9]) {
    for (int a = 0; a < 9; a++) {
        int i1 = (a / 3 + 1) % 3, i2 = (a / 3 + 2) % 3, j1 = (a % 3 + 1) % 3, j2 = (a % 3 + 2) % 3;
        G[3 * (a % 3) + a / 3] = F[3 * i1 + j1] * F[3 * i2 + j2] - F[3 * i1 + j2] * F[3 * i2 + j1];
    }
    double J = F[0] * G[0] + F[1] * G[3] + F[2] * G[6];
    for (int a = 0; a < 9; a++)
        G[a] /= J;
    return J;
}

// With s = J^-2/3 and q = |F|^2: P = mu s (F - q/3 F^-T).
static inline double split_isochoric(const void *params, const double F[9], double P[9], double A[81]) {
    const split_params *p = params;
    double G[9], J = invert(F, G), q = 0;
    if (!(J > 0))
        return HUGE_VAL;
    double s = carom_pow(J, -2.0 / 3);
    for (int a = 0; a < 9; a++)
        q += F[a] * F[a];
#define T(i, j) G[3 * (j) + (i)]
    for (int a = 0; P && a < 9; a++)
        P[a] = p->mu * s * (F[a] - q / 3 * T(a / 3, a % 3));
    for (int a = 0; A && a < 81; a++) {
        int i = a / 27, j = a / 9 % 3, k = a / 3 % 3, l = a % 3;
        A[a] = p->mu * s *
               ((i == k && j == l) - 2.0 / 3 * (F[3 * i + j] * T(k, l) + T(i, j) * F[3 * k + l]) +
                2.0 / 9 * q * T(i, j) * T(k, l) + q / 3 * T(i, l) * T(k, j));
    }
    return 0.5 * p->mu * (s * q - 3);
}

static inline double split_solid(const void *params, const double F[9], double P[9], double A[81]) {
    const split_params *p = params;
    double G[9], J = invert(F, G), W = split_isochoric(params, F, P, A);
    if (!(W < HUGE_VAL))
        return W;
    double log_J = carom_log(J);
    for (int a = 0; P && a < 9; a++)
        P[a] += p->kappa * log_J * T(a / 3, a % 3);
    for (int a = 0; A && a < 81; a++) {
        int i = a / 27, j = a / 9 % 3, k = a / 3 % 3, l = a % 3;
        A[a] += p->kappa * (T(i, j) * T(k, l) - log_J * T(i, l) * T(k, j));
    }
    return W + 0.5 * p->kappa * log_J * log_J;
}

static const carom_material split_law = {
    .kind = {.name = "split", .summary = "", .reference = "", .params_size = sizeof(split_params)},
    .nonnegative = true,
    .density = split_density,
    .shear = split_shear,
    .bulk = split_bulk,
    .solid = split_solid,
    .isochoric = split_isochoric,
};

#undef T

#endif
