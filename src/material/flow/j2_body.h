// SPDX-License-Identifier: MIT
// J2 plasticity at finite strain in three dimensions, for the processor (j2_solid.c) and for devices. Theory:
// docs/theory/inelastic.md
//
//     F = Fe Fp,   b = F Cp^-1 F^T,   e = dev 1/2 ln b,   det Cp = 1
//     psi = kappa/2 (ln J)^2 + mu e:e,   tau = kappa ln J I + 2 mu e,   q = sqrt(3/2) |2 mu e| <= sigma(alpha)
//
// F is the deformation gradient, Fe and Fp its elastic and plastic parts, Cp = Fp^T Fp, psi the energy density, tau the
// Kirchhoff stress, q its von Mises equivalent, alpha the plastic strain, sigma the flow stress.
//
// Return mapping in a step: e is the trial strain, with Cp^-1 of the start of the step. The plastic strain da of the step is
// the root of q - 3 mu da = sigma(alpha + da). With r = 3 mu da/q the elastic strain becomes (1 - r) e, and
// Cp^-1 = F^-1 exp(-2 r e) b F^-T. This is the exact minimiser of psi plus the integral of sigma.
//
// Energy ledger: over an explicit step the forces do the trapezoidal work of the stresses, so the loss by plasticity is
// (q_n + q_{n+1})/2 da, with q_n the stress of the last committed step, elastic or plastic.
//
// J. C. Simo: Algorithms for static and dynamic multiplicative plasticity that preserve the classical return mapping schemes of
// the infinitesimal theory. Computer Methods in Applied Mechanics and Engineering 99 (1992) 61-112. M. Ortiz, L. Stainier: The
// variational formulation of viscoplastic constitutive updates. Computer Methods in Applied Mechanics and Engineering 171
// (1999) 419-444.
#ifndef CAROM_MATERIAL_FLOW_J2_BODY_H
#define CAROM_MATERIAL_FLOW_J2_BODY_H

#include <math.h>
#include <string.h>

#include "material/elastic.h"
#include "material/flow/j2.h"
#include "material/trial.h"

CAROM_SHARED double carom_j2_heat(const carom_j2_params *p, double temperature, double work) {
    return isnan(p->heat_capacity) ? temperature : temperature + p->heat_share * work / (p->elastic.density * p->heat_capacity);
}

CAROM_SHARED carom_yielding carom_j2_point(const carom_j2_params *p, const carom_flow *flow, double stiffness,
                                           const double *alpha) {
    carom_yielding point = {p, stiffness, alpha[0], carom_j2_heats(p) ? alpha[2] : NAN, flow->before};
    return point;
}

CAROM_SHARED void carom_j2_book(const carom_yielding *point, const carom_flow *flow, double da, double q, double *alpha,
                                carom_losses *losses) {
    double work = 0.5 * (alpha[1] + q) * da;
    if (losses) {
        memset(losses, 0, sizeof *losses);
        losses->plasticity = work;
#ifndef __CUDACC__
        // With a rate the potential takes longer than the rest of the step. No method for devices needs it.
        if (da > 0 && !(flow->after > 0 && point->params->hardening == CAROM_HARDENING_JOHNSON_COOK))
            losses->potential = carom_flow_potential(point, da);
#endif
    }
    if (flow->use != CAROM_USE_COMMIT)
        return;
    alpha[1] = q;
    if (!(da > 0))
        return;
    alpha[0] += da;
    if (carom_j2_heats(point->params))
        alpha[2] = carom_j2_heat(point->params, alpha[2], work);
}

CAROM_SHARED double carom_j2_solid(const void *params, const carom_flow *flow, double *history, const double F[9], double P[9],
                                   double A[81], carom_losses *losses) {
    const carom_j2_params *p = (const carom_j2_params *)params;
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
    double r = da > 0 ? fmin(3 * m.mu * da / q, 1.0) : 0, left = 1 - r;
    if (P)
        carom_trial_stress(&shape, &trial, kappa * shape.log_J, 2 * m.mu * left, false, P);
#ifndef __CUDACC__
    // devices need no tangents
    if (A)
        carom_j2_tangent(&shape, &trial, kappa, m.mu, r, slope, A);
#else
    (void)A;
#endif
    if (flow->use == CAROM_USE_COMMIT && da > 0)
        carom_trial_flow(&shape, &trial, r, &history[CAROM_J2_METRIC]);
    if (flow->use == CAROM_USE_READ && losses)
        memset(losses, 0, sizeof *losses);
    else if (flow->use != CAROM_USE_READ)
        carom_j2_book(&point, flow, da, left * q, alpha, losses);
    return 0.5 * kappa * shape.log_J * shape.log_J + m.mu * left * left * trial.norm2;
}

#endif
