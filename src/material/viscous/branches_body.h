// SPDX-License-Identifier: MIT
// Viscous branches parallel to a law, and the material `viscoelastic` in three dimensions, for the processor (branches.c,
// viscoelastic.c) and for devices. Theory: docs/theory/inelastic.md
//
// Branch i has an inner metric Cv^-1 with determinant 1, the elastic strain e = dev 1/2 ln(F Cv^-1 F^T) and the energy
// mu_i e:e, with mu_i = g_i mu, mu the shear modulus of the law at zero strain; in a bar E_i = g_i E. At fixed F it relaxes as
// de/dt = -e/tau_i. A kick at t_n lies between two drifts. Half of the relaxation of each drift is computed at the kick, with
// k = exp(-h/(2 tau_i)) and h the duration of that drift:
//
//     before the kick: e' = k e, stress 2 mu_i e';   after it: the history becomes that of e'' = k e'
//     loss: mu_i (1 - k^2) (e:e + e':e')
//
// Each term of the loss is the energy that relaxation at fixed F dissipates: it is never negative, and of second order in the
// step. The second term belongs to the time after t_n and is reported as pending.
//
// Under a steady strain rate, with the increment d in each step, e = d/(1 - k^2). The trapezoidal work of the forces is
// 2 mu k d:d/(1 - k^2), and the loss above is larger by mu tanh(h/4 tau) d:d. This is a fraction h^2/8 tau^2 of the loss if h
// is small, but exceeds the whole work by far if h is large: the strain of a step is then stored and lost between two kicks
// without any work of the forces. If h > tau/4 the first term is therefore mu k (2 - k) (1 - k^2) e:e, for which the loss
// equals the work; both forms agree to second order. Energy-conserving steps relax a branch at fixed positions, and record the
// whole loss.
//
// In a layer under plane stress the direction across is an axis of every branch, and its elastic strain there is
// ln F_33 - 1/2 ln det Cv^-1 of the plane; its stress across is linear in ln F_33.
#ifndef CAROM_MATERIAL_VISCOUS_BRANCHES_BODY_H
#define CAROM_MATERIAL_VISCOUS_BRANCHES_BODY_H

#include <math.h>
#include <string.h>

#include "material/flow/j2.h"
#include "material/rubber/rubber.h"
#include "material/viscous/branches.h"
#include "math/functions.h"

// The data of a branch at a kick.
typedef struct carom_branch {
    double modulus;
    double before, after; // k of the drift before and after the kick
    bool resolved;
} carom_branch;

// The factor k by which the strain of a branch decreases in half of an interval.
CAROM_LOCAL double carom_branch_relaxation(double span, double time) {
    return carom_exp(-0.5 * span / time);
}

CAROM_LOCAL carom_branch carom_branch_of(const carom_branches *b, int i) {
    double time = b->rows->rows[i][1];
    bool moves = b->flow->use != CAROM_USE_READ;
    carom_branch own;
    own.modulus = b->rows->rows[i][0] * b->modulus;
    own.before = moves ? carom_branch_relaxation(b->flow->before, time) : 1;
    own.after = moves ? carom_branch_relaxation(b->flow->after, time) : 1;
    own.resolved = b->flow->still || !(b->flow->before > CAROM_BRANCH_RESOLVED * time);
    return own;
}

// Records the losses of a branch at a kick; mu e:e, with norm2 = e:e, is its energy before relaxation.
CAROM_LOCAL void carom_branch_book(const carom_branch *own, double mu, double norm2, carom_losses *losses) {
    double k = own->before, first = mu * (1 - k * k) * norm2, second = mu * k * k * (1 - own->after * own->after) * norm2;
    if (!own->resolved)
        first *= k * (2 - k);
    losses->viscosity += first + second;
    losses->pending += second;
    losses->potential += mu * k * (1 - k) * norm2;
}

CAROM_SHARED double carom_spring_add(const carom_shape *shape, const carom_trial *trial, double mu, double kappa, double k,
                                     double P[9], double A[81]) {
    if (P)
        carom_trial_stress(shape, trial, kappa * shape->log_J, 2 * mu * k, true, P);
#ifndef __CUDACC__
    // devices need no tangents
    if (A)
        carom_spring_tangent(shape, trial, mu, kappa, k, A);
#else
    (void)A;
#endif
    return 0.5 * kappa * shape->log_J * shape->log_J + mu * k * k * trial->norm2;
}

CAROM_SHARED void carom_branches_solid(const carom_branches *b, const carom_shape *shape, const double F[9], double *energy,
                                       double P[9], double A[81], carom_losses *losses) {
    for (int i = 0; i < b->rows->count; i++) {
        carom_branch own = carom_branch_of(b, i);
        double *metric = &b->history[CAROM_BRANCH_SOLID * i];
        carom_trial trial;
        carom_trial_of(F, metric, &trial);
        *energy += carom_spring_add(shape, &trial, own.modulus, 0, own.before, P, A);
        carom_branch_book(&own, own.modulus, trial.norm2, losses);
        if (b->flow->use == CAROM_USE_COMMIT)
            carom_trial_flow(shape, &trial, 1 - own.before * own.after, metric);
    }
}

#endif
