// SPDX-License-Identifier: MIT
// Elastic strains and plastic metrics of `j2` for a batch, one point in each lane of a vector. The results are those of
// src/material/trial_body.h, with fewer operations.
//
// b = F Cp^-1 F^T is divided into t = tr b/3 and D = b - t I. X = D/t has no trace, so by Cayley and Hamilton
//
//     X^3 = x2 X + x3 I,   x2 = X:X/2,   x3 = det X,   X^2 = adj X + x2 I,
//
// and a power series of X is p X^2 + q X + r I with numbers p, q, r that depend on x2 and x3 alone: a product with X takes
// (p, q, r) to (q, r + p x2, p x3). No matrix is multiplied. The strain is e = dev 1/2 ln(I + X) = A X + B (X^2 - 2/3 x2 I),
//
//     e:e = 2 A^2 x2 + 6 A B x3 + 2/3 B^2 x2^2,
//     det e = A^3 x3 + 2/3 A^2 B x2^2 + A B^2 x2 x3 + B^3 (x3^2 - 2/27 x2^3),
//     e^2 = (A^2 - B^2 x2/3) X^2 + (2/3 A B x2 + B^2 x3) X + (2 A B x3 + 4/9 B^2 x2^2) I .
#ifndef CAROM_MATERIAL_LANES_STRAIN_H
#define CAROM_MATERIAL_LANES_STRAIN_H

#include "material/lanes/stress.h"
#include "material/trial.h"
#include "math/lane_masks.h"

// Degrees at which the series of 1/2 ln(1 + x) are cut, for the eigenvalues x of X: |x| <= sqrt(4/3 x2).
enum {
    CAROM_STRAIN_NEAR_DEGREE = 10, // 0.04^11/22 = 2e-17
    CAROM_STRAIN_FAR_DEGREE = 14,  // 0.1^15/30 = 3e-17
};
#define CAROM_STRAIN_NEAR 0.0012 // x2 of a strain of about 0.02
#define CAROM_STRAIN_FAR 0.0075  // and of 0.05; beyond, the law of a single point is used

// Intermediate results of a batch.
typedef struct carom_lanes_trial {
    carom_lanes C[9];              // cofactors of F
    carom_lanes J, over_J, log_J;  // det F, its inverse and logarithm
    carom_lanes D[6], adj[6];      // the deviator of b and its adjoint
    carom_lanes t, over_t, j2, j3; // tr b/3, its inverse, D:D/2, det D
    carom_lanes x2, x3, A, B;      // see the head of this file
    carom_lanes norm2;             // e:e
    carom_lanes_bits served;       // lanes within the range of the series
} carom_lanes_trial;

// S X + c I for S = s[0] X^2 + s[1] X + s[2] I.
CAROM_INLINE void carom_kernel_next(double c, const carom_lanes *x2, const carom_lanes *x3, carom_lanes s[3]) {
    carom_lanes up = s[1], same = s[2] + s[0] * *x2;
    s[2] = s[0] * *x3 + c;
    s[0] = up;
    s[1] = same;
}

// Coefficient k of the series of 1/2 ln(1 + x).
CAROM_INLINE double carom_kernel_log_term(int k) {
    return (k % 2 ? 0.5 : -0.5) / k;
}

// A, B and e:e from x2 and x3. Terms of high degree are summed only if a lane has a strain that needs them, and are used in
// such lanes only: the result of a lane does not depend on the other lanes.
CAROM_INLINE void carom_kernel_log_strain(carom_lanes_trial *k) {
    const int near_degree = CAROM_STRAIN_NEAR_DEGREE, far_degree = CAROM_STRAIN_FAR_DEGREE;
    carom_lanes s[3], zero = {0};
    for (int a = 0; a < 3; a++)
        s[a] = zero + carom_kernel_log_term(near_degree - a);
    k->served = k->x2 <= CAROM_STRAIN_FAR;
    carom_lanes_bits far = ~(k->x2 <= CAROM_STRAIN_NEAR);
    if (carom_lanes_rare(&far)) {
        carom_lanes f[3];
        for (int a = 0; a < 3; a++)
            f[a] = zero + carom_kernel_log_term(far_degree - a);
        for (int i = far_degree - 3; i >= near_degree - 2; i--)
            carom_kernel_next(carom_kernel_log_term(i), &k->x2, &k->x3, f);
        for (int a = 0; a < 3; a++)
            carom_lanes_choose(&far, &f[a], &s[a], &s[a]);
    }
    for (int i = near_degree - 3; i > 0; i--)
        carom_kernel_next(carom_kernel_log_term(i), &k->x2, &k->x3, s);
    k->A = s[2] + s[0] * k->x2;
    k->B = s[1];
    carom_lanes twice = k->x2 + k->x2;
    k->norm2 = k->A * k->A * twice + k->B * (6.0 * k->A * k->x3 + k->B * k->x2 * twice * (1.0 / 3));
    // rounding may make it negative
    carom_lanes_max(&k->norm2, &zero, &k->norm2);
}

// 3/2 e:e without terms of the order x2^3, with a relative error of 2e-6 at a strain of 0.02 and 6e-5 at 0.05; it is available
// much earlier than the sum of the series.
CAROM_INLINE void carom_kernel_strain_about(const carom_lanes_trial *k, carom_lanes *square) {
    *square = k->x2 * (0.75 + k->x2 * 0.5625) - k->x3 * (1.125 + k->x2 * 1.3125);
}

// ln J as carom_lanes_log computes it, but without the terms of high degree in lanes with |s| < 0.025, where they are below
// 1e-17 of the sum.
CAROM_INLINE void carom_kernel_log_volume(const carom_lanes_bits *exponent, const carom_lanes *s, carom_lanes *result) {
    carom_lanes z = *s * *s, zero = {0}, p = zero + 1.0 / 9;
    carom_lanes_bits far = ~(z <= 6.25e-4);
    if (carom_lanes_rare(&far)) {
        carom_lanes f;
        carom_lanes_log_first(s, &f);
        carom_lanes_choose(&far, &f, &p, &p);
    }
    carom_lanes_log_last(exponent, s, &p, result);
}

// Computes the trial state of a batch: all members of `k`.
CAROM_INLINE void carom_kernel_trial(const double *history, const carom_lanes F[9], carom_lanes_trial *k) {
    carom_lanes m, metric[6], R[9];
    carom_lanes_bits exponent;
    carom_kernel_cofactor(F, k->C, &k->J);
    for (int a = 0; a < 6; a++)
        carom_lanes_load(history + CAROM_LANES * a, &metric[a]);
    carom_kernel_right(F, metric, R);
    carom_kernel_outer(R, F, k->D);
    k->t = (k->D[0] + k->D[1] + k->D[2]) * (1.0 / 3);
    for (int a = 0; a < 3; a++)
        k->D[a] -= k->t;
    carom_kernel_adjoint(k->D, k->adj, &k->j3);
    k->j2 = -(k->adj[0] + k->adj[1] + k->adj[2]);
    // one division for 1/J, 1/t and s = (m - 1)/(m + 1) of the logarithm of J
    carom_lanes_split(&k->J, &exponent, &m);
    carom_lanes above = m + 1.0, product = k->J * k->t, inverse = 1.0 / (product * above), both = inverse * above;
    k->over_J = both * k->t;
    k->over_t = both * k->J;
    carom_lanes s = (m - 1.0) * (inverse * product), square = k->over_t * k->over_t;
    carom_kernel_log_volume(&exponent, &s, &k->log_J);
    k->x2 = k->j2 * square;
    k->x3 = k->j3 * (square * k->over_t);
    carom_kernel_log_strain(k);
}

// exp(Y) - I = n[2] X^2 + n[1] X + n[0] I for Y = -2 r e.
CAROM_INLINE void carom_kernel_exp_strain(const carom_lanes_trial *k, const carom_lanes *r, carom_lanes n[3]) {
    // coefficients 1/k!
    static const double term[CAROM_TRIAL_EXP_DEGREE + 1] = {1,         1,         1.0 / 2,    1.0 / 6,     1.0 / 24,
                                                            1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880};
    carom_lanes A = k->A, B = k->B, x2 = k->x2, x3 = k->x3, w = -2.0 * *r, w2 = w * w, A2 = A * A, AB = A * B, B2 = B * B;
    carom_lanes x22 = x2 * x2, AB3 = AB * x3, B22 = B2 * x22;
    carom_lanes det = A2 * (A * x3 + B * x22 * (2.0 / 3)) + B2 * (A * x2 * x3 + B * (x3 * x3 - x2 * x22 * (2.0 / 27)));
    carom_lanes y2 = 0.5 * w2 * k->norm2, y3 = w2 * w * det, s[3], zero = {0};
    for (int a = 0; a < 3; a++)
        s[a] = zero + term[CAROM_TRIAL_EXP_DEGREE - a];
    for (int i = CAROM_TRIAL_EXP_DEGREE - 3; i > 0; i--)
        carom_kernel_next(term[i], &y2, &y3, s);
    // Y S = s[1] Y^2 + (s[2] + s[0] y2) Y + s[0] y3
    carom_lanes square = s[1] * w2, linear = (s[2] + s[0] * y2) * w;
    n[2] = square * (A2 - B2 * x2 * (1.0 / 3)) + linear * B;
    n[1] = square * (AB * x2 * (2.0 / 3) + B2 * x3) + linear * A;
    n[0] = square * (2.0 * AB3 + B22 * (4.0 / 9)) - linear * (B * x2 * (2.0 / 3)) + s[0] * y3;
}

// The metric at the end of a step, F^-1 exp(Y) b F^-T with Y = -2 r e. With C the cofactors of F and R = F Cp^-1 the parts are
// F^-1 F^-T = C^T C/J^2, F^-1 b F^-T = Cp^-1 and F^-1 b^2 F^-T = R^T R, and
//
//     (exp(Y) - I) b = t (m0 + m1 X + m2 X^2) = t (m0 - m1 + m2) I + (m1 - 2 m2) b + m2/t b^2 .
//
// The determinant of Cp^-1, det b/J^2, is 1 up to rounding, which would accumulate; each step corrects the deviation at its
// start, to first order. R is computed again, since storing it would make batches that do not yield slower.
CAROM_INLINE void carom_kernel_flow_metric(const carom_lanes_trial *k, const carom_lanes F[9], const carom_lanes *r,
                                           const double *history, carom_lanes metric[6]) {
    carom_lanes n[3], inner[6], outer[6], R[9];
    for (int a = 0; a < 6; a++)
        carom_lanes_load(history + CAROM_LANES * a, &metric[a]);
    carom_kernel_right(F, metric, R);
    carom_kernel_gram(k->C, inner);
    carom_kernel_gram(R, outer);
    carom_kernel_exp_strain(k, r, n);
    carom_lanes m0 = n[0] + n[2] * k->x3, m1 = n[0] + n[1] + n[2] * k->x2, m2 = n[1] + n[2], over_J2 = k->over_J * k->over_J;
    carom_lanes det = (k->t * (k->t * k->t - k->j2) + k->j3) * over_J2 - 1.0;
    carom_lanes g0 = k->t * (m0 - m1 + m2) * over_J2, g1 = m1 - 2.0 * m2 - det * (1.0 / 3), g2 = m2 * k->over_t;
    for (int a = 0; a < 6; a++)
        metric[a] = metric[a] + (g1 * metric[a] + (g0 * inner[a] + g2 * outer[a]));
}

#endif
