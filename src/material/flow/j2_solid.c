// SPDX-License-Identifier: MIT
// J2 plasticity at finite strain in three dimensions, and its uniaxial form. Theory: docs/theory/inelastic.md
//
//     F = Fe Fp,   b = F Cp^-1 F^T,   e = dev 1/2 ln b,   det Cp = 1
//     psi = kappa/2 (ln J)^2 + mu e:e,   tau = kappa ln J I + 2 mu e,   q = sqrt(3/2) |2 mu e|,   flow while q = sigma
//
// A step: the trial strain e with Cp^-1 as it is; da from q - 3 mu da = sigma(alpha + da); r = 3 mu da/q; the strain becomes
// (1 - r) e, and Cp^-1 = F^-1 exp(-2 r e) b F^-T. This is the exact minimiser of psi + the integral of sigma.
//
// The book: an explicit step pays the trapezoid of the stresses, so plasticity is (q_n + q_{n+1})/2 da with q_n the stress of
// the last commit, elastic steps included.
//
// J. C. Simo: Algorithms for static and dynamic multiplicative plasticity that preserve the classical return mapping schemes of
// the infinitesimal theory. Computer Methods in Applied Mechanics and Engineering 99 (1992) 61-112. M. Ortiz, L. Stainier: The
// variational formulation of viscoplastic constitutive updates. Computer Methods in Applied Mechanics and Engineering 171
// (1999) 419-444.
#include <math.h>
#include <string.h>

#include "material/elastic.h"
#include "material/flow/j2.h"
#include "material/trial.h"

double carom_j2_heat(const carom_j2_params *p, double temperature, double work) {
    return isnan(p->heat_capacity) ? temperature : temperature + p->heat_share * work / (p->elastic.density * p->heat_capacity);
}

carom_yielding carom_j2_point(const carom_j2_params *p, const carom_flow *flow, double stiffness, const double *alpha) {
    return (carom_yielding){
        .params = p,
        .stiffness = stiffness,
        .alpha = alpha[0],
        .temperature = carom_j2_heats(p) ? alpha[2] : NAN,
        .step = flow->before,
    };
}

void carom_j2_book(const carom_yielding *point, const carom_flow *flow, double da, double q, double *alpha,
                   carom_losses *losses) {
    double work = 0.5 * (alpha[1] + q) * da;
    // with a rate the potential takes longer than all the rest of a step
    bool wanted = da > 0 && !(flow->after > 0 && point->params->hardening == CAROM_HARDENING_JOHNSON_COOK);
    if (losses)
        *losses = (carom_losses){.plasticity = work, .potential = wanted ? carom_flow_potential(point, da) : 0};
    if (flow->use != CAROM_USE_COMMIT)
        return;
    alpha[1] = q;
    if (!(da > 0))
        return;
    alpha[0] += da;
    if (carom_j2_heats(point->params))
        alpha[2] = carom_j2_heat(point->params, alpha[2], work);
}

// Principal stresses and slopes of the step: tau_A = pressure + 2 mu (1 - r) e_A. With s = e/|e| the deviator has
//     d tau_A/d e_B = kappa + 2 mu (1 - r) (d_AB - 1/3) - 2 mu (1 - r - h) s_A s_B,   h = H'/(3 mu + H').
static void tangent(const carom_shape *shape, const carom_trial *trial, double kappa, double mu, double r, double slope,
                    double A[81]) {
    carom_principal law;
    carom_trial_principal(shape, trial, &law);
    double size = trial->norm2 > 0 ? 1 / sqrt(trial->norm2) : 0, left = 1 - r;
    double drop = r > 0 ? 2 * mu * (left - slope / (3 * mu + slope)) : 0;
    for (int a = 0; a < 3; a++) {
        law.stress[a] = kappa * shape->log_J + 2 * mu * left * law.strain[a];
        for (int b = 0; b < 3; b++) {
            law.slope[a][b] = kappa + 2 * mu * left * ((a == b) - 1.0 / 3) - drop * size * size * law.strain[a] * law.strain[b];
            law.secant[a][b] = 2 * mu * left;
        }
    }
    carom_principal_tangent(&law, 0, A);
}

double carom_j2_solid(const void *params, const carom_flow *flow, double *history, const double F[9], double P[9], double A[81],
                      carom_losses *losses) {
    const carom_j2_params *p = params;
    carom_lame m = carom_elastic_lame(&p->elastic);
    double kappa = flow->isochoric ? 0 : m.lambda + 2 * m.mu / 3, *alpha = &history[CAROM_J2_ALPHA];
    carom_shape shape;
    carom_trial trial;
    if (!carom_shape_of(F, &shape))
        return HUGE_VAL;
    carom_trial_of(F, &history[CAROM_J2_METRIC], &trial);
    double q = 2 * m.mu * sqrt(1.5 * trial.norm2), slope = 0, da = 0;
    carom_yielding point = carom_j2_point(p, flow, 3 * m.mu, alpha);
    if (flow->use != CAROM_USE_READ)
        da = carom_flow_strain(&point, q, &slope);
    double r = da > 0 ? fmin(3 * m.mu * da / q, 1) : 0, left = 1 - r;
    if (P)
        carom_trial_stress(&shape, &trial, kappa * shape.log_J, 2 * m.mu * left, false, P);
    if (A)
        tangent(&shape, &trial, kappa, m.mu, r, slope, A);
    if (flow->use == CAROM_USE_COMMIT && da > 0)
        carom_trial_flow(&shape, &trial, r, &history[CAROM_J2_METRIC]);
    if (flow->use == CAROM_USE_READ && losses)
        *losses = (carom_losses){0};
    else if (flow->use != CAROM_USE_READ)
        carom_j2_book(&point, flow, da, left * q, alpha, losses);
    return 0.5 * kappa * shape.log_J * shape.log_J + m.mu * left * left * trial.norm2;
}

// Under uniaxial stress Hencky's law is tau = E (eps - eps_p) exactly, whatever happens across the bar.
carom_uniaxial carom_j2_uniaxial(const void *params, const carom_flow *flow, double *history, double strain,
                                 carom_losses *losses) {
    const carom_j2_params *p = params;
    double E = p->elastic.young, e = strain - history[CAROM_J2_BAR_STRAIN], *alpha = &history[CAROM_J2_BAR_ALPHA];
    double slope = 0, da = 0;
    carom_yielding point = carom_j2_point(p, flow, E, alpha);
    if (flow->use != CAROM_USE_READ)
        da = carom_flow_strain(&point, E * fabs(e), &slope);
    double left = e > 0 ? e - da : e + da, elastic = da > 0 ? left : e;
    if (flow->use == CAROM_USE_COMMIT && da > 0)
        history[CAROM_J2_BAR_STRAIN] += e > 0 ? da : -da;
    if (flow->use == CAROM_USE_READ && losses)
        *losses = (carom_losses){0};
    else if (flow->use != CAROM_USE_READ)
        carom_j2_book(&point, flow, da, E * fabs(elastic), alpha, losses);
    return (carom_uniaxial){
        .energy = 0.5 * E * elastic * elastic,
        .stress = E * elastic,
        .tangent = da > 0 ? E * slope / (E + slope) : E,
    };
}
