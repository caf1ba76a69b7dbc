// SPDX-License-Identifier: MIT
// Laws of rubber by principal stretches. With e_A = ln l_A, ln J = sum e_A, the isochoric strains b_A = e_A - ln J/3 and
// t_A = sum_i c_i exp(a_i b_A):
//
//     W = sum_i c_i/a_i sum_A (exp(a_i b_A) - 1 - a_i b_A) + kappa/2 (ln J)^2,   tau_A = kappa ln J + t_A - mean t
//     dtau_A/de_B = kappa + d_A d_AB - (d_A + d_B)/3 + sum d/9,   d_A = sum_i a_i c_i exp(a_i b_A)
//
// (the b_A sum up to 0, so that the linear term may be taken off: small strains keep their digits). Yeoh's law, one term with
// a = 2, has c = 2 W'(x), x = I1 - 3, and 4 W''(x) s_A s_B more in the slopes, s the deviator of l_A^2.
#include "material/rubber/rubber.h"

#include <math.h>

#include "material/principal_sheet.h"
#include "math/functions.h"
#include "math/sym3.h"

enum { ITERATIONS = 60 }; // for tau_33 = 0; a few do

double carom_rubber_excess(const double F[9], double log_J) {
    double square = 0, trace = F[0] + F[4] + F[8] - 3, x = 2 * log_J / 3;
    for (int a = 0; a < 9; a++) {
        double H = F[a] - (a % 4 == 0);
        square += H * H;
    }
    return carom_exp(-x) * (2 * (trace - log_J) + square - 3 * carom_exp_rest(x));
}

// The factor of Yeoh's law, and 4 W''; returns W.
static double yeoh(const carom_yeoh_params *p, const double b[3], double *factor, double *curvature) {
    double x = carom_exp_rest(2 * b[0]) + carom_exp_rest(2 * b[1]) + carom_exp_rest(2 * b[2]);
    *factor = 2 * (p->c1 + x * (2 * p->c2 + x * 3 * p->c3));
    *curvature = 4 * (2 * p->c2 + x * 6 * p->c3);
    return x * (p->c1 + x * (p->c2 + x * p->c3));
}

double carom_rubber_principal(const carom_rubber *rubber, const double strain[3], carom_principal *law) {
    double log_J = strain[0] + strain[1] + strain[2], energy = 0.5 * rubber->bulk * log_J * log_J, curvature = 0;
    double b[3], t[3] = {0}, d[3] = {0}, shape[3], factor = 0;
    for (int a = 0; a < 3; a++) {
        b[a] = strain[a] - log_J / 3;
        for (int k = 0; k < 3; k++)
            law->secant[a][k] = 0;
    }
    if (rubber->yeoh)
        energy += yeoh(rubber->yeoh, b, &factor, &curvature);
    for (int i = 0; i < rubber->count; i++) {
        double c = rubber->yeoh ? factor : rubber->factor[i], power = rubber->power[i], sum = 0;
        for (int a = 0; a < 3; a++) {
            double value = c * carom_exp(power * b[a]);
            t[a] += value;
            d[a] += power * value;
            sum += carom_exp_rest(power * b[a]);
            for (int k = 0; k < a; k++)
                law->secant[a][k] += value * power * carom_relative_exp(power * (b[k] - b[a]));
        }
        energy += rubber->yeoh ? 0 : c / power * sum;
    }
    double mean = (t[0] + t[1] + t[2]) / 3, total = (d[0] + d[1] + d[2]) / 9;
    for (int a = 0; a < 3; a++) {
        law->strain[a] = strain[a];
        law->stress[a] = rubber->bulk * log_J + t[a] - mean;
        // deviator of l^2 = t/c; without strain c is 2 c1 > 0
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

double carom_rubber_solid(const carom_rubber *rubber, const double F[9], double P[9], double A[81]) {
    static const double identity[6] = {1, 1, 1};
    carom_shape shape;
    if (!carom_shape_of(F, &shape))
        return HUGE_VAL;
    carom_principal law;
    double b[6], strain[3];
    carom_sym3_congruence(F, identity, b);
    // eigenvalues of b - I: small strains keep their digits
    for (int a = 0; a < 3; a++)
        b[a] -= 1;
    carom_sym3_eigen(b, strain, law.axes);
    for (int a = 0; a < 3; a++) {
        if (!(strain[a] > -1))
            return HUGE_VAL;
        strain[a] = 0.5 * carom_log1p(strain[a]);
    }
    double energy = carom_rubber_principal(rubber, strain, &law);
    law.inverse = shape.inverse;
    for (int i = 0; P && i < 9; i++) {
        P[i] = 0;
        const double *row = &shape.inverse[3 * (i % 3)];
        for (int a = 0; a < 3; a++)
            P[i] += law.stress[a] * law.axes[a][i / 3] *
                    (row[0] * law.axes[a][0] + row[1] * law.axes[a][1] + row[2] * law.axes[a][2]);
    }
    if (A)
        carom_principal_tangent(&law, 0, A);
    return energy;
}

double carom_rubber_layer(const carom_rubber *rubber, const carom_sheet_axes *axes, const carom_sheet_side *side,
                          carom_principal *law) {
    // rubber keeps its volume: a good guess
    double e[3] = {axes->strain[0], axes->strain[1], -axes->strain[0] - axes->strain[1]}, energy = 0;
    for (int i = 0; i < ITERATIONS; i++) {
        energy = carom_rubber_principal(rubber, e, law);
        double stress = law->stress[2] + (side ? side->stress + side->slope * e[2] : 0);
        double slope = law->slope[2][2] + (side ? side->slope : 0), step = fmin(fmax(-stress / slope, -0.5), 0.5);
        if (!(slope > 0) || isnan(step))
            return HUGE_VAL;
        // beside others rounding alone may be larger than that
        if (fabs(step) < (side ? 4e-16 * (1 + fabs(e[2])) : 1e-16))
            break;
        e[2] += step;
    }
    return energy;
}

double carom_rubber_sheet(const carom_rubber *rubber, const double metric[3], const double strain[3], double stress[3],
                          double tangent[3][3], double *thinning) {
    carom_sheet_axes axes;
    carom_principal law;
    if (!carom_sheet_axes_of(metric, strain, NULL, &axes))
        return HUGE_VAL;
    double energy = carom_rubber_layer(rubber, &axes, NULL, &law);
    if (!(energy < HUGE_VAL))
        return HUGE_VAL;
    carom_sheet_response(&axes, &law, stress, tangent);
    if (thinning)
        *thinning = carom_exp(law.strain[2]);
    return energy;
}
