// SPDX-License-Identifier: MIT
// J2 plasticity of a layer under plane stress. Theory: docs/theory/inelastic.md
//
// The plastic metric Cp^-1 of the layer has three components in its plane, in orthonormal coordinates of the reference; its
// component across the layer is the inverse of their determinant, since det Cp = 1. Let e_1, e_2 be the logarithms of the trial
// elastic stretches in the plane (principal_sheet.c), e_3 = ln F_33 - 1/2 ln det (Cp^-1 in the plane) that across the layer,
// t = e_1 + e_2 + e_3 = ln J, d = e - t/3, da the plastic strain of the step, H' the slope of the flow stress. Then
//
//     tau_A = kappa t + 2 mu (1 - r) d_A,   r = 3 mu da/q,   q = 2 mu sqrt(3/2) |d|.
//
// e_3 is the root of tau_3 = 0. The elastic solution is e_3 = -lambda/(lambda + 2 mu) (e_1 + e_2); it is the root if that state
// does not yield, because tau_3 is an increasing function of e_3. Otherwise Newton's method finds the root, with the slope
//
//     kappa + 4/3 mu (1 - r) - 2 mu (1 - r - h) d_3^2/|d|^2,   h = H'/(3 mu + H'),
//
// starting from F_33 of the last plastic step. The iterates are kept between the last ones with tau_3 > 0 and tau_3 <= 0, so
// that the method also converges at corners of a tabulated flow curve. The metric becomes sum_A exp(-2 r d_A) N_A N_A. Only its
// components in the plane are stored, so det Cp = 1 holds by definition and rounding errors of the determinant do not
// accumulate.
#include <math.h>

#include "material/elastic.h"
#include "material/flow/j2.h"
#include "material/principal_sheet.h"
#include "math/functions.h"

// Maximum number of iterations. Four suffice from the values of the last step; corners and poor initial values need a few more.
enum { ITERATIONS = 40 };

// A state of the layer in the notation above: the trial strains e and their deviator d, and the result of the return mapping.
typedef struct stage {
    double e[3], d[3], trace, norm2;
    double q;     // of the trial strains
    double da, r; // 0 if the state does not yield
    double slope; // of the flow stress
} stage;

// Computes the other members of the state from e; returns tau_3.
static double evaluate(const carom_yielding *point, double kappa, double mu, bool flows, stage *s) {
    s->trace = s->e[0] + s->e[1] + s->e[2];
    for (int a = 0; a < 3; a++)
        s->d[a] = s->e[a] - s->trace / 3;
    s->norm2 = s->d[0] * s->d[0] + s->d[1] * s->d[1] + s->d[2] * s->d[2];
    s->q = 2 * mu * sqrt(1.5 * s->norm2);
    s->slope = 0;
    s->da = flows ? carom_flow_strain(point, s->q, &s->slope) : 0;
    s->r = s->da > 0 ? fmin(3 * mu * s->da / s->q, 1) : 0;
    return kappa * s->trace + 2 * mu * (1 - s->r) * s->d[2];
}

// d tau_A/d e_B.
static double slope_of(const stage *s, double kappa, double mu, int a, int b) {
    double left = 1 - s->r, drop = s->r > 0 ? 2 * mu * (left - s->slope / (3 * mu + s->slope)) / s->norm2 : 0;
    return kappa + 2 * mu * left * ((a == b) - 1.0 / 3) - drop * s->d[a] * s->d[b];
}

// Finds e_3 for zero stress across the layer, from the initial value in s; ln F_33 = e_3 - shift.
static void relax(const carom_yielding *point, double kappa, double mu, const carom_sheet_side *side, double shift, stage *s) {
    double low = -HUGE_VAL, high = HUGE_VAL;
    for (int i = 0; i < ITERATIONS; i++) {
        double stress = evaluate(point, kappa, mu, true, s), slope = slope_of(s, kappa, mu, 2, 2);
        if (side) {
            stress += side->stress + side->slope * (s->e[2] - shift);
            slope += side->slope;
        }
        double change = -stress / slope;
        *(stress > 0 ? &high : &low) = s->e[2];
        double next = s->e[2] + change, size = fabs(s->e[0]) + fabs(s->e[1]) + fabs(s->e[2]);
        // The next error is about the square of this change. The comparison is written so that a NaN ends the iteration.
        bool near = !(fabs(change) > 1e-9 * size);
        s->e[2] = near || (next > low && next < high) ? next : 0.5 * (low + high);
        if (near)
            break;
    }
    evaluate(point, kappa, mu, true, s);
}

// e^y by a series where y is small, as it is in a step.
static double exp_of(double y) {
    return 1 + y * carom_relative_exp(y);
}

// e_3 of the elastic solution.
static double elastic_strain(carom_lame m, const carom_sheet_axes *axes, const carom_sheet_side *side, double shift) {
    double sum = axes->strain[0] + axes->strain[1];
    return side ? -(m.lambda * sum + side->stress - side->slope * shift) / (m.lambda + 2 * m.mu + side->slope)
                : -m.lambda / (m.lambda + 2 * m.mu) * sum;
}

// The plastic metric at the end of the step.
static void advance(const stage *s, const carom_sheet_axes *axes, double inner[3]) {
    double grow[2] = {exp_of(-2 * s->r * s->d[0]), exp_of(-2 * s->r * s->d[1])};
    for (int k = 0; k < 3; k++) {
        int i = k % 2, j = k > 0;
        inner[k] = grow[0] * axes->inner[0][i] * axes->inner[0][j] + grow[1] * axes->inner[1][i] * axes->inner[1][j];
    }
}

double carom_j2_layer(const carom_j2_params *p, const carom_flow *flow, double *history, const double metric[3],
                      const double strain[3], const carom_sheet_side *side, bool slopes, carom_j2_layer_state *out,
                      carom_losses *losses) {
    carom_lame m = carom_elastic_lame(&p->elastic);
    double kappa = m.lambda + 2 * m.mu / 3, *alpha = &history[CAROM_J2_SHEET_ALPHA], *inner = &history[CAROM_J2_SHEET_METRIC];
    // without plastic strain the metric is the identity and is not used: small strains keep their relative accuracy
    bool flowed = inner[0] != 1 || inner[1] != 1 || inner[2] != 0, flows = flow->use != CAROM_USE_READ;
    double shift = flowed ? -0.5 * carom_log(inner[0] * inner[1] - inner[2] * inner[2]) : 0;
    carom_sheet_axes *axes = &out->axes;
    if (!carom_sheet_axes_of(metric, strain, flowed ? inner : NULL, axes))
        return HUGE_VAL;
    stage s = {.e = {axes->strain[0], axes->strain[1], elastic_strain(m, axes, side, shift)}};
    carom_yielding point = carom_j2_point(p, flow, 3 * m.mu, alpha);
    evaluate(&point, kappa, m.mu, flows, &s);
    if (s.da > 0) {
        double last = carom_log(history[CAROM_J2_SHEET_STRETCH]);
        s.e[2] = last + shift;
        relax(&point, kappa, m.mu, side, shift, &s);
        out->stretch = history[CAROM_J2_SHEET_STRETCH] * exp_of(s.e[2] - shift - last);
    }
    out->across = s.e[2] - shift;
    out->flows = s.da > 0;
    double left = 1 - s.r;
    out->law = (carom_principal){.strain = {s.e[0], s.e[1], s.e[2]}};
    for (int a = 0; a < 3; a++) {
        out->law.stress[a] = a < 2 || side ? kappa * s.trace + 2 * m.mu * left * s.d[a] : 0;
        for (int b = 0; slopes && b < 3; b++) {
            out->law.slope[a][b] = slope_of(&s, kappa, m.mu, a, b);
            out->law.secant[a][b] = 2 * m.mu * left;
        }
    }
    if (flow->use == CAROM_USE_COMMIT && s.da > 0) {
        history[CAROM_J2_SHEET_STRETCH] = out->stretch;
        advance(&s, axes, inner);
    }
    if (flows)
        carom_j2_book(&point, flow, s.da, left * s.q, alpha, losses);
    else if (losses)
        *losses = (carom_losses){0};
    return 0.5 * kappa * s.trace * s.trace + m.mu * left * left * s.norm2;
}

double carom_j2_sheet(const void *params, const carom_flow *flow, double *history, const double metric[3],
                      const double strain[3], double stress[3], double tangent[3][3], double *thinning, carom_losses *losses) {
    carom_j2_layer_state s;
    double energy = carom_j2_layer(params, flow, history, metric, strain, NULL, tangent, &s, losses);
    if (!(energy < HUGE_VAL))
        return HUGE_VAL;
    if (stress || tangent)
        carom_sheet_response(&s.axes, &s.law, stress, tangent);
    if (thinning)
        *thinning = s.flows ? s.stretch : exp_of(s.across);
    return energy;
}
