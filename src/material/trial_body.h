// SPDX-License-Identifier: MIT
// Logarithms and exponentials of symmetric matrices without eigenvalues, for the processor (trial.c) and for devices.
//
// With t = tr b/3, B = b/t and Z = (B - I)(B + I)^-1 the logarithm is 1/2 ln B = artanh Z = Z + Z^3/3 + Z^5/5 + ..., and its
// deviator does not depend on t. By Cayley and Hamilton each power of Z is p Z^2 + q Z + r I; a product with Z takes
//
//     (p, q, r) to (p I1 + q, r - p I2, p I3),   I1, I2, I3 the invariants of Z,
//
// so the whole series costs one product of matrices and a few numbers. The same method gives exp(X) of a deviator X (I1 = 0).
// The logarithm is cut after Z^9, with an error of 7e-16 at a strain of 0.05 and 1e-12 at 0.1; eigenvalues are used
// beyond. Elastic strains of metals are far smaller.
#ifndef CAROM_MATERIAL_TRIAL_BODY_H
#define CAROM_MATERIAL_TRIAL_BODY_H

#include <math.h>
#include <string.h>

#include "material/trial.h"
#include "math/functions.h"
#include "math/sym3.h"

// Z = (B - I)(B + I)^-1, see the head of this file.
CAROM_LOCAL void carom_trial_ratio(const double b[6], double Z[6]) {
    double less[6], more[6], inverse[6], scale = 3 / (b[0] + b[1] + b[2]);
    for (int a = 0; a < 6; a++) {
        double B = scale * b[a];
        less[a] = B - (a < 3);
        more[a] = B + (a < 3);
    }
    double det;
    carom_sym3_adjoint(more, inverse, &det);
    carom_sym3_product(less, inverse, Z);
    for (int a = 0; a < 6; a++)
        Z[a] /= det;
}

// dev of the sum of Z^k/k over odd k.
CAROM_LOCAL void carom_trial_log(const double Z[6], double e[6]) {
    double square[6], minors[6], I3;
    carom_sym3_product(Z, Z, square);
    carom_sym3_adjoint(Z, minors, &I3);
    double I2 = minors[0] + minors[1] + minors[2], I1 = Z[0] + Z[1] + Z[2];
    double p = 0, q = 1, r = 0, P = 0, Q = 1;
    for (int k = 2; k <= CAROM_TRIAL_LOG_DEGREE; k++) {
        double up = p * I1 + q, same = r - p * I2;
        r = p * I3, p = up, q = same;
        if (k % 2) {
            P += p / k;
            Q += q / k;
        }
    }
    double mean = (P * (square[0] + square[1] + square[2]) + Q * I1) / 3;
    for (int a = 0; a < 6; a++)
        e[a] = P * square[a] + Q * Z[a] - (a < 3 ? mean : 0);
}

CAROM_SHARED void carom_trial_of(const double F[9], const double metric[6], carom_trial *trial) {
    double Z[6];
    carom_sym3_congruence(F, metric, trial->b);
    carom_trial_ratio(trial->b, Z);
    trial->large = !(carom_sym3_dot(Z, Z) <= CAROM_TRIAL_LARGE);
    if (!trial->large) {
        carom_trial_log(Z, trial->e);
    } else {
        double *e = trial->values;
        carom_sym3_eigen(trial->b, e, trial->axes);
        for (int a = 0; a < 3; a++)
            e[a] = 0.5 * carom_log(e[a]);
        double mean = (e[0] + e[1] + e[2]) / 3;
        for (int a = 0; a < 3; a++)
            e[a] -= mean;
        for (int a = 0; a < 9; a++)
            trial->e[carom_sym3_place[a]] = e[0] * trial->axes[0][a / 3] * trial->axes[0][a % 3] +
                                            e[1] * trial->axes[1][a / 3] * trial->axes[1][a % 3] +
                                            e[2] * trial->axes[2][a / 3] * trial->axes[2][a % 3];
    }
    trial->norm2 = carom_sym3_dot(trial->e, trial->e);
}

CAROM_SHARED void carom_trial_stress(const carom_shape *shape, const carom_trial *trial, double pressure, double factor,
                                     bool more, double P[9]) {
    double tau[6];
    for (int a = 0; a < 6; a++)
        tau[a] = factor * trial->e[a] + (a < 3 ? pressure : 0);
    for (int a = 0; a < 9; a++) {
        const int *row = &carom_sym3_place[3 * (a / 3)];
        const double *inverse = &shape->inverse[3 * (a % 3)];
        double sum = tau[row[0]] * inverse[0] + tau[row[1]] * inverse[1] + tau[row[2]] * inverse[2];
        P[a] = more ? P[a] + sum : sum;
    }
}

// (exp(X) - I) b for a small deviator X with the axes of b.
CAROM_LOCAL void carom_trial_exp(const double X[6], const double b[6], double out[6]) {
    double square[6], minors[6], sum[6], I3;
    carom_sym3_product(X, X, square);
    carom_sym3_adjoint(X, minors, &I3);
    double I2 = minors[0] + minors[1] + minors[2];
    double p = 0, q = 1, r = 0, P = 0, Q = 1, R = 0;
    for (int k = 2; k <= CAROM_TRIAL_EXP_DEGREE; k++) {
        double same = (r - p * I2) / k, up = q / k;
        r = p * I3 / k, p = up, q = same;
        P += p;
        Q += q;
        R += r;
    }
    for (int a = 0; a < 6; a++)
        sum[a] = P * square[a] + Q * X[a] + (a < 3 ? R : 0);
    carom_sym3_product(sum, b, out);
}

CAROM_SHARED void carom_trial_flow(const carom_shape *shape, const carom_trial *trial, double r, double metric[6]) {
    double change[6], inner[6];
    if (!trial->large) {
        double X[6];
        for (int a = 0; a < 6; a++)
            X[a] = -2 * r * trial->e[a];
        carom_trial_exp(X, trial->b, change);
        carom_sym3_congruence(shape->inverse, change, inner);
        for (int a = 0; a < 6; a++)
            metric[a] += inner[a];
    } else {
        memset(change, 0, sizeof change);
        for (int k = 0; k < 3; k++) {
            double factor = carom_exp(-2 * r * trial->values[k]);
            for (int a = 0; a < 6; a++) {
                change[a] += factor * trial->axes[k][carom_sym3_row[a]] * trial->axes[k][carom_sym3_column[a]];
            }
        }
        carom_sym3_product(change, trial->b, inner);
        carom_sym3_congruence(shape->inverse, inner, metric);
    }
    // The determinant is 1 up to rounding, which would accumulate over many steps: multiply by det^-1/3, from its series.
    double minors[6], det;
    carom_sym3_adjoint(metric, minors, &det);
    double excess = det - 1, scale = 1 - excess / 3 * (1 - 2 * excess / 3);
    for (int a = 0; a < 6; a++)
        metric[a] *= scale;
}

#endif
