// SPDX-License-Identifier: MIT
// Laws of rubber, for the processor (rubber.c) and for devices.
//
// By principal stretches, with e_A = ln l_A, ln J = sum e_A, the isochoric strains b_A = e_A - ln J/3 and
// t_A = sum_i c_i exp(a_i b_A):
//
//     W = sum_i c_i/a_i sum_A (exp(a_i b_A) - 1 - a_i b_A) + kappa/2 (ln J)^2,   tau_A = kappa ln J + t_A - mean t
//     dtau_A/de_B = kappa + d_A d_AB - (d_A + d_B)/3 + sum d/9,   d_A = sum_i a_i c_i exp(a_i b_A)
//
// The b_A sum up to 0, so that subtracting the linear term changes nothing but keeps the relative accuracy at small strains. A
// law W(x) of the first invariant, x = I1 - 3, is one term with a = 2, c = 2 W'(x); its slopes have the additional term
// 4 W''(x) s_A s_B, with s the deviator of l_A^2. With G = F^-1
//
//     P = 2 W'(x) J^-2/3 (F - tr b/3 G^T) + kappa ln J G^T .
//
// Mooney and Rivlin's law: W = C10 (I1 - 3) + C01 (I2 - 3) + kappa/2 (ln J)^2 with the invariants of the isochoric stretches,
// I1 = J^-2/3 tr b, I2 = J^2/3 tr b^-1. With G = F^-1:
//
//     P = 2 C10 J^-2/3 (F - tr b/3 G^T) - 2 C01 J^2/3 (G^T G G^T - tr b^-1/3 G^T) + kappa ln J G^T
#ifndef CAROM_MATERIAL_RUBBER_RUBBER_BODY_H
#define CAROM_MATERIAL_RUBBER_RUBBER_BODY_H

#include <math.h>
#include <string.h>

#include "material/rubber/rubber.h"
#define CAROM_FIRST_PAGES
#define CAROM_FIRST_TEXT
#include "material/laws.h"
#include "math/functions.h"
#include "math/sym3.h"
#undef CAROM_FIRST_TEXT

CAROM_SHARED double carom_rubber_excess(const double F[9], double log_J) {
    double square = 0, trace = F[0] + F[4] + F[8] - 3, x = 2 * log_J / 3;
    for (int a = 0; a < 9; a++) {
        double H = F[a] - (a % 4 == 0);
        square += H * H;
    }
    return carom_exp(-x) * (2 * (trace - log_J) + square - 3 * carom_exp_rest(x));
}

// W of a law of the first invariant, x = I1 - 3, and its derivatives; HUGE_VAL where it is undefined.
#define CAROM_FIRST_CASE(NAME, name, ...) \
    case CAROM_LAW_##NAME: return carom_##name##_energy((const carom_##name##_params *)params, x, first, second);
CAROM_LOCAL double carom_rubber_first(int law, const void *params, double x, double *first, double *second) {
    switch (law) {
        CAROM_FIRST_LAWS(CAROM_FIRST_CASE, )
    default: return HUGE_VAL;
    }
}
#undef CAROM_FIRST_CASE

CAROM_SHARED double carom_rubber_principal(const carom_rubber *rubber, const double strain[3], carom_principal *law) {
    double log_J = strain[0] + strain[1] + strain[2], energy = 0.5 * rubber->bulk * log_J * log_J, curvature = 0;
    double b[3], t[3] = {0}, d[3] = {0}, shape[3], factor = 0;
    for (int a = 0; a < 3; a++) {
        b[a] = strain[a] - log_J / 3;
        for (int k = 0; k < 3; k++)
            law->secant[a][k] = 0;
    }
    if (rubber->params) {
        double x = carom_exp_rest(2 * b[0]) + carom_exp_rest(2 * b[1]) + carom_exp_rest(2 * b[2]);
        energy += carom_rubber_first(rubber->first, rubber->params, x, &factor, &curvature);
        factor *= 2;
        curvature *= 4;
        if (!(energy < HUGE_VAL))
            return HUGE_VAL;
    }
    for (int i = 0; i < rubber->count; i++) {
        double c = rubber->params ? factor : rubber->factor[i], power = rubber->power[i], sum = 0;
        for (int a = 0; a < 3; a++) {
            double value = c * carom_exp(power * b[a]);
            t[a] += value;
            d[a] += power * value;
            sum += carom_exp_rest(power * b[a]);
            for (int k = 0; k < a; k++)
                law->secant[a][k] += value * power * carom_relative_exp(power * (b[k] - b[a]));
        }
        energy += rubber->params ? 0 : c / power * sum;
    }
    double mean = (t[0] + t[1] + t[2]) / 3, total = (d[0] + d[1] + d[2]) / 9;
    for (int a = 0; a < 3; a++) {
        law->strain[a] = strain[a];
        law->stress[a] = rubber->bulk * log_J + t[a] - mean;
        // deviator of l^2 = t/c; without strain c is the shear modulus
        shape[a] = curvature != 0 ? (t[a] - mean) / factor : 0;
    }
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++) {
            law->slope[a][k] = rubber->bulk + (a == k ? d[a] : 0) - (d[a] + d[k]) / 3 + total + curvature * shape[a] * shape[k];
            if (k > a)
                law->secant[a][k] = law->secant[k][a];
        }
    return energy;
}

CAROM_SHARED double carom_rubber_solid(const carom_rubber *rubber, const double F[9], double P[9], double A[81]) {
    static const double identity[6] = {1, 1, 1};
    carom_shape shape;
    if (!carom_shape_of(F, &shape))
        return HUGE_VAL;
    carom_principal law;
    double b[6], strain[3];
    carom_sym3_congruence(F, identity, b);
    // eigenvalues of b - I, so that small strains keep their relative accuracy
    for (int a = 0; a < 3; a++)
        b[a] -= 1;
    carom_sym3_eigen(b, strain, law.axes);
    for (int a = 0; a < 3; a++) {
        if (!(strain[a] > -1))
            return HUGE_VAL;
        strain[a] = 0.5 * carom_log1p(strain[a]);
    }
    double energy = carom_rubber_principal(rubber, strain, &law);
    if (!(energy < HUGE_VAL))
        return HUGE_VAL;
    law.inverse = shape.inverse;
    for (int i = 0; P && i < 9; i++) {
        P[i] = 0;
        const double *row = &shape.inverse[3 * (i % 3)];
        for (int a = 0; a < 3; a++)
            P[i] += law.stress[a] * law.axes[a][i / 3] *
                    (row[0] * law.axes[a][0] + row[1] * law.axes[a][1] + row[2] * law.axes[a][2]);
    }
#ifndef __CUDACC__
    // devices need no tangents
    if (A)
        carom_principal_tangent(&law, 0, A);
#else
    (void)A;
#endif
    return energy;
}

CAROM_SHARED double carom_mooney_rivlin_shear(const carom_mooney_rivlin_params *p) {
    return 2 * (p->c10 + p->c01);
}

CAROM_SHARED carom_rubber carom_mooney_rivlin_rubber(const carom_mooney_rivlin_params *p, double bulk) {
    carom_rubber rubber;
    memset(&rubber, 0, sizeof rubber);
    rubber.bulk = bulk;
    rubber.count = 2;
    rubber.factor[0] = 2 * p->c10;
    rubber.factor[1] = -2 * p->c01;
    rubber.power[0] = 2;
    rubber.power[1] = -2;
    return rubber;
}

CAROM_SHARED double carom_mooney_rivlin_solid(const carom_mooney_rivlin_params *p, double kappa, const double F[9], double P[9],
                                              double A[81]) {
    carom_shape shape;
    if (!carom_shape_of(F, &shape))
        return HUGE_VAL;
    const double *G = shape.inverse;
    double x = 2 * shape.log_J / 3, up = carom_exp(x), trace = 0, inverse_trace = 0, cubic[9];
    for (int a = 0; a < 9; a++) {
        trace += F[a] * F[a];
        inverse_trace += G[a] * G[a];
        // (G^T G G^T)_iJ = G_ki (G G^T)_kJ
        cubic[a] = 0;
        for (int k = 0; k < 3; k++)
            cubic[a] += G[3 * k + a / 3] *
                        (G[3 * k] * G[3 * (a % 3)] + G[3 * k + 1] * G[3 * (a % 3) + 1] + G[3 * k + 2] * G[3 * (a % 3) + 2]);
    }
    for (int a = 0; P && a < 9; a++) {
        double g = G[3 * (a % 3) + a / 3];
        P[a] = 2 * p->c10 / up * (F[a] - trace / 3 * g) - 2 * p->c01 * up * (cubic[a] - inverse_trace / 3 * g) +
               kappa * shape.log_J * g;
    }
#ifndef __CUDACC__
    if (A) {
        carom_rubber rubber = carom_mooney_rivlin_rubber(p, kappa);
        carom_rubber_solid(&rubber, F, NULL, A);
    }
#else
    (void)A;
#endif
    return p->c10 * carom_rubber_excess(F, shape.log_J) + p->c01 * carom_rubber_excess(G, -shape.log_J) +
           0.5 * kappa * shape.log_J * shape.log_J;
}

CAROM_LOCAL carom_rubber carom_first_rubber(int law, const void *params, double bulk) {
    carom_rubber rubber;
    memset(&rubber, 0, sizeof rubber);
    rubber.bulk = bulk;
    rubber.count = 1;
    rubber.power[0] = 2;
    rubber.first = law;
    rubber.params = params;
    return rubber;
}

CAROM_LOCAL double carom_first_solid(int law, const void *params, double kappa, const double F[9], double P[9], double A[81]) {
    carom_shape shape;
    if (!carom_shape_of(F, &shape))
        return HUGE_VAL;
    double first, second, trace = 0, x = carom_rubber_excess(F, shape.log_J);
    double energy = carom_rubber_first(law, params, x, &first, &second);
    if (!(energy < HUGE_VAL))
        return HUGE_VAL;
    double factor = 2 * first * carom_exp(-2 * shape.log_J / 3);
    for (int a = 0; a < 9; a++)
        trace += F[a] * F[a];
    for (int a = 0; P && a < 9; a++) {
        double g = shape.inverse[3 * (a % 3) + a / 3];
        P[a] = factor * (F[a] - trace / 3 * g) + kappa * shape.log_J * g;
    }
#ifndef __CUDACC__
    if (A) {
        carom_rubber rubber = carom_first_rubber(law, params, kappa);
        carom_rubber_solid(&rubber, F, NULL, A);
    }
#else
    (void)A;
#endif
    return energy + 0.5 * kappa * shape.log_J * shape.log_J;
}

#define CAROM_FIRST_LAW(NAME, name, ...)                                                                                  \
    CAROM_SHARED carom_rubber carom_##name##_rubber(const carom_##name##_params *p, double bulk) {                        \
        return carom_first_rubber(CAROM_LAW_##NAME, p, bulk);                                                             \
    }                                                                                                                     \
    CAROM_SHARED double carom_##name##_solid(const carom_##name##_params *p, double bulk, const double F[9], double P[9], \
                                             double A[81]) {                                                              \
        return carom_first_solid(CAROM_LAW_##NAME, p, bulk, F, P, A);                                                     \
    }
CAROM_FIRST_LAWS(CAROM_FIRST_LAW, )
#undef CAROM_FIRST_LAW

CAROM_SHARED double carom_ogden_shear(const carom_ogden_params *p) {
    double sum = 0;
    for (int i = 0; i < p->terms.count; i++)
        sum += 0.5 * p->terms.rows[i][0] * p->terms.rows[i][1];
    return sum;
}

CAROM_SHARED carom_rubber carom_ogden_rubber(const carom_ogden_params *p, double bulk) {
    carom_rubber rubber;
    memset(&rubber, 0, sizeof rubber);
    rubber.bulk = bulk;
    rubber.count = p->terms.count;
    for (int i = 0; i < p->terms.count; i++) {
        rubber.factor[i] = p->terms.rows[i][0];
        rubber.power[i] = p->terms.rows[i][1];
    }
    return rubber;
}

CAROM_SHARED double carom_ogden_solid(const carom_ogden_params *p, double kappa, const double F[9], double P[9], double A[81]) {
    carom_rubber rubber = carom_ogden_rubber(p, kappa);
    return carom_rubber_solid(&rubber, F, P, A);
}

#endif
