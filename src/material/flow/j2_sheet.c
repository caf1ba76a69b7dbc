// SPDX-License-Identifier: MIT
// J2 plasticity under plane stress: a layer of a shell. Theory: docs/theory/inelastic.md
//
// The history has Cp^-1 in the plane, in orthonormal coordinates of the reference (11, 22, 12), so that it does not depend on
// the coordinates of the surface; det Cp = 1 gives the component across. Principal strains of the trial: two in the plane, and
// e_3 = ln F_33 + 1/2 ln (Cp^-1)^33, the root of
//
//     tau_33 = kappa ln J + 2 mu (1 - r) dev e_3 = 0,   slope: kappa + 4/3 mu (1 - r) + 3 mu (h - (1 - r)) (s_3/q)^2
//
// with h = H'/(3 mu + H') and s_3 = 2 mu dev e_3; elastic: kappa + 4/3 mu. tau_33 grows with e_3 everywhere; from the thickness
// of the last commit three or four steps of Newton's method reach rounding.
#include <math.h>

#include "material/elastic.h"
#include "material/flow/j2.h"
#include "material/principal_sheet.h"
#include "math/functions.h"

enum { ITERATIONS = 30 };

// A layer in its step.
typedef struct layer {
    double kappa, mu;
    double strain[3], deviator[3], log_J; // of the trial
    double q, da, r, slope; // trial stress, plastic strain, part of the strain that flows, slope of the flow stress
} layer;

// The state at the strain across.
static void evaluate(layer *y, const carom_yielding *point, bool flows) {
    y->log_J = y->strain[0] + y->strain[1] + y->strain[2];
    double square = 0;
    for (int a = 0; a < 3; a++) {
        y->deviator[a] = y->strain[a] - y->log_J / 3;
        square += y->deviator[a] * y->deviator[a];
    }
    y->q = 2 * y->mu * sqrt(1.5 * square);
    y->slope = 0;
    y->da = flows ? carom_flow_strain(point, y->q, &y->slope) : 0;
    y->r = y->da > 0 ? fmin(3 * y->mu * y->da / y->q, 1) : 0;
}

static void find_thickness(layer *y, const carom_yielding *point) {
    for (int i = 0; i < ITERATIONS; i++) {
        evaluate(y, point, true);
        double left = 1 - y->r, stress = y->kappa * y->log_J + 2 * y->mu * left * y->deviator[2];
        double slope = y->kappa + 4 * y->mu / 3;
        if (y->da > 0) {
            double share = 2 * y->mu * y->deviator[2] / y->q;
            slope = y->kappa + 4 * y->mu / 3 * left + 3 * y->mu * (y->slope / (3 * y->mu + y->slope) - left) * share * share;
        }
        double step = stress / slope;
        if (!(fabs(step) > 1e-16))
            return;
        y->strain[2] -= step;
    }
    evaluate(y, point, true);
}

// As the tangent of j2_solid.c.
static void fill(const layer *y, carom_principal *law) {
    double left = 1 - y->r, square = 0, mu = y->mu;
    for (int a = 0; a < 3; a++)
        square += y->deviator[a] * y->deviator[a];
    double drop = y->r > 0 ? 2 * mu * (left - y->slope / (3 * mu + y->slope)) / square : 0;
    for (int a = 0; a < 3; a++) {
        law->strain[a] = y->strain[a];
        law->stress[a] = y->kappa * y->log_J + 2 * mu * left * y->deviator[a];
        for (int b = 0; b < 3; b++) {
            law->slope[a][b] = y->kappa + 2 * mu * left * ((a == b) - 1.0 / 3) - drop * y->deviator[a] * y->deviator[b];
            law->secant[a][b] = 2 * mu * left;
        }
    }
}

static void commit(const layer *y, const carom_sheet_axes *axes, double stretch, double *history) {
    history[CAROM_J2_SHEET_STRETCH] = stretch;
    if (!(y->da > 0))
        return;
    double f[2] = {carom_exp(-2 * y->r * y->deviator[0]), carom_exp(-2 * y->r * y->deviator[1])};
    const double(*n)[2] = axes->inner;
    history[0] = f[0] * n[0][0] * n[0][0] + f[1] * n[1][0] * n[1][0];
    history[1] = f[0] * n[0][1] * n[0][1] + f[1] * n[1][1] * n[1][1];
    history[2] = f[0] * n[0][0] * n[0][1] + f[1] * n[1][0] * n[1][1];
}

double carom_j2_sheet(const void *params, const carom_flow *flow, double *history, const double metric[3],
                      const double strain[3], double stress[3], double tangent[3][3], double *thinning, carom_losses *losses) {
    const carom_j2_params *p = params;
    carom_lame m = carom_elastic_lame(&p->elastic);
    double *alpha = &history[CAROM_J2_SHEET_ALPHA];
    layer y = {.kappa = m.lambda + 2 * m.mu / 3, .mu = m.mu};
    carom_sheet_axes axes;
    if (!carom_sheet_axes_of(metric, strain, &history[CAROM_J2_SHEET_METRIC], &axes))
        return HUGE_VAL;
    // 1/2 ln of the inner metric across
    double across = -0.5 * carom_log(history[0] * history[1] - history[2] * history[2]);
    carom_yielding point = carom_j2_point(p, flow, 3 * m.mu, alpha);
    y.strain[0] = axes.strain[0];
    y.strain[1] = axes.strain[1];
    if (flow->use == CAROM_USE_READ) {
        y.strain[2] = -m.lambda / (m.lambda + 2 * m.mu) * (y.strain[0] + y.strain[1]);
        evaluate(&y, &point, false);
    } else {
        y.strain[2] = carom_log(history[CAROM_J2_SHEET_STRETCH]) + across;
        find_thickness(&y, &point);
    }
    double left = 1 - y.r, stretch = carom_exp(y.strain[2] - across);
    if (stress || tangent) {
        carom_principal law;
        fill(&y, &law);
        carom_sheet_response(&axes, &law, stress, tangent);
    }
    if (thinning)
        *thinning = stretch;
    if (flow->use == CAROM_USE_COMMIT)
        commit(&y, &axes, stretch, history);
    if (flow->use == CAROM_USE_READ && losses)
        *losses = (carom_losses){0};
    else if (flow->use != CAROM_USE_READ)
        carom_j2_book(&point, flow, y.da, left * y.q, alpha, losses);
    double q = left * y.q;
    return 0.5 * y.kappa * y.log_J * y.log_J + q * q / (6 * m.mu);
}
