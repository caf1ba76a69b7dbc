// SPDX-License-Identifier: MIT
// Viscous branches beside a law. Theory: docs/theory/inelastic.md
//
// Branch i has an inner metric Cv^-1 with determinant 1, the elastic strain e = dev 1/2 ln(F Cv^-1 F^T), the energy mu_i e:e
// and relaxes, at fixed F, as de/dt = -e/tau_i. A kick at t_n stands between two drifts; half of each is relaxed beside it,
// with k = exp(-h/(2 tau_i)) and the h of each side:
//
//     before the kick: e' = k e, stress 2 mu_i e';   after it: the history becomes that of e'' = k e'
//     lost: mu_i (1 - k^2) (e:e + e':e')
//
// Each term is the energy that relaxation at fixed F takes: never negative, and of second order in the step. The second one
// lies after t_n: it is pending. mu_i = g_i mu, mu the shear modulus of the law without strain; of a bar E_i = g_i E.
//
// A steady strain, d in each step, has e = d/(1 - k^2). The motion pays the trapezoid 2 mu k d:d/(1 - k^2), and the book above
// is larger by mu tanh(h/4 tau) d:d: an h^2/8 tau^2 of the loss where h is small, and far more than all that is paid where h is
// large: then the strain of a step is stored and lost between two kicks and the motion never meets it. So where h > tau/4 the
// first term is mu k (2 - k) (1 - k^2) e:e, which is what the motion pays; both agree to second order. Conserving steps relax a
// branch while nothing moves, and book all that this takes.
//
// In a layer under plane stress the direction across is an axis of every branch, and its elastic strain there is
// ln F_33 - 1/2 ln det Cv^-1 of the plane; its stress across is linear in ln F_33.
#include "material/viscous/branches.h"

#include <math.h>

#include "math/functions.h"

// A branch at a kick.
typedef struct branch {
    double modulus;
    double before, after; // k of either side
    bool resolved;
} branch;

// What half of a span of time leaves of the strain of a branch. Time that is led back, from where the branch has relaxed too
// far, restores it. Beyond a factor e rounding of the history would count; a branch as fast as that has next to no strain but
// the one since its last kick, which must not grow as well: it counts as relaxed, and the motion does not meet it.
static double relaxation(double span, double time) {
    double growth = -0.5 * span / time;
    return growth > 1 ? 0 : carom_exp(growth);
}

static branch branch_of(const carom_branches *b, int i) {
    double time = b->rows->rows[i][1];
    bool moves = b->flow->use != CAROM_USE_READ;
    return (branch){.modulus = b->rows->rows[i][0] * b->modulus,
                    .before = moves ? relaxation(b->flow->before, time) : 1,
                    .after = moves ? relaxation(b->flow->after, time) : 1,
                    .resolved =
                        b->flow->still || (b->flow->before >= -2 * time && !(b->flow->before > CAROM_BRANCH_RESOLVED * time))};
}

// Books the relaxation of a branch with the energy mu e:e around a kick.
static void book(const branch *own, double mu, double norm2, carom_losses *losses) {
    double k = own->before, first = mu * (1 - k * k) * norm2, second = mu * k * k * (1 - own->after * own->after) * norm2;
    if (!own->resolved)
        first *= k * (2 - k);
    losses->viscosity += first + second;
    losses->pending += second;
    losses->potential += mu * k * (1 - k) * norm2;
}

double carom_spring_add(const carom_shape *shape, const carom_trial *trial, double mu, double kappa, double k, double P[9],
                        double A[81]) {
    if (P)
        carom_trial_stress(shape, trial, kappa * shape->log_J, 2 * mu * k, true, P);
    if (A) {
        carom_principal law;
        carom_trial_principal(shape, trial, &law);
        for (int a = 0; a < 3; a++) {
            law.stress[a] = kappa * shape->log_J + 2 * mu * k * law.strain[a];
            for (int b = 0; b < 3; b++) {
                law.slope[a][b] = kappa + 2 * mu * k * ((a == b) - 1.0 / 3);
                law.secant[a][b] = 2 * mu * k;
            }
        }
        carom_principal_tangent(&law, 1, A);
    }
    return 0.5 * kappa * shape->log_J * shape->log_J + mu * k * k * trial->norm2;
}

void carom_branches_solid(const carom_branches *b, const carom_shape *shape, const double F[9], double *energy, double P[9],
                          double A[81], carom_losses *losses) {
    for (int i = 0; i < b->rows->count; i++) {
        branch own = branch_of(b, i);
        double *metric = &b->history[CAROM_BRANCH_SOLID * i];
        carom_trial trial;
        carom_trial_of(F, metric, &trial);
        *energy += carom_spring_add(shape, &trial, own.modulus, 0, own.before, P, A);
        book(&own, own.modulus, trial.norm2, losses);
        if (b->flow->use == CAROM_USE_COMMIT)
            carom_trial_flow(shape, &trial, 1 - own.before * own.after, metric);
    }
}

void carom_branches_uniaxial(const carom_branches *b, double strain, carom_uniaxial *out, carom_losses *losses) {
    for (int i = 0; i < b->rows->count; i++) {
        branch own = branch_of(b, i);
        double e = strain - b->history[i];
        out->energy += 0.5 * own.modulus * own.before * own.before * e * e;
        out->stress += own.modulus * own.before * e;
        out->tangent += own.modulus * own.before;
        book(&own, 0.5 * own.modulus, e * e, losses);
        if (b->flow->use == CAROM_USE_COMMIT)
            b->history[i] += (1 - own.before * own.after) * e;
    }
}

bool carom_branches_open(const carom_branches *b, const double metric[3], const double strain[3], carom_layer_branches *layer,
                         carom_sheet_side *side) {
    *side = (carom_sheet_side){0};
    for (int i = 0; i < b->rows->count; i++) {
        const double *inner = &b->history[CAROM_BRANCH_SHEET * i];
        branch own = branch_of(b, i);
        // before any relaxation small strains keep their relative accuracy
        bool relaxed = inner[0] != 1 || inner[1] != 1 || inner[2] != 0;
        if (!carom_sheet_axes_of(metric, strain, relaxed ? inner : NULL, &layer->axes[i]))
            return false;
        const double *e = layer->axes[i].strain;
        layer->shift[i] = relaxed ? -0.5 * carom_log(inner[0] * inner[1] - inner[2] * inner[2]) : 0;
        side->stress += 2 * own.modulus * own.before * (2 * layer->shift[i] - e[0] - e[1]) / 3;
        side->slope += 4 * own.modulus * own.before / 3;
    }
    return true;
}

double carom_branches_close(const carom_branches *b, const carom_layer_branches *layer, double across, bool slopes,
                            carom_sheet_sum *sum, carom_losses *losses) {
    double energy = 0;
    for (int i = 0; i < b->rows->count; i++) {
        branch own = branch_of(b, i);
        const carom_sheet_axes *axes = &layer->axes[i];
        double e[3] = {axes->strain[0], axes->strain[1], across + layer->shift[i]}, mean = (e[0] + e[1] + e[2]) / 3;
        double d[3] = {e[0] - mean, e[1] - mean, e[2] - mean}, norm2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        double factor = 2 * own.modulus * own.before;
        carom_principal law;
        for (int a = 0; a < 3; a++) {
            law.strain[a] = e[a];
            law.stress[a] = factor * d[a];
            for (int c = 0; c < 3; c++) {
                law.slope[a][c] = factor * ((a == c) - 1.0 / 3);
                law.secant[a][c] = factor;
            }
        }
        carom_sheet_add(axes, &law, slopes, sum);
        energy += own.modulus * own.before * own.before * norm2;
        book(&own, own.modulus, norm2, losses);
        if (b->flow->use != CAROM_USE_COMMIT)
            continue;
        double *inner = &b->history[CAROM_BRANCH_SHEET * i], r = 1 - own.before * own.after;
        double grow[2] = {carom_exp(-2 * r * d[0]), carom_exp(-2 * r * d[1])};
        for (int k = 0; k < CAROM_BRANCH_SHEET; k++) {
            int p = k % 2, q = k > 0;
            inner[k] = grow[0] * axes->inner[0][p] * axes->inner[0][q] + grow[1] * axes->inner[1][p] * axes->inner[1][q];
        }
    }
    return energy;
}
