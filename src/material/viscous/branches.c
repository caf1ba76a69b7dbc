// SPDX-License-Identifier: MIT
// Viscous branches, springs whose strain relaxes, parallel to a law (branches_body.h has the equations): their tangents, and
// their forms for bars and for layers of shells. Theory: docs/theory/inelastic.md
#include "material/viscous/branches.h"

#include <math.h>

#include "material/viscous/branches_body.h"
#include "math/functions.h"

void carom_spring_tangent(const carom_shape *shape, const carom_trial *trial, double mu, double kappa, double k, double A[81]) {
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

void carom_branches_uniaxial(const carom_branches *b, double strain, carom_uniaxial *out, carom_losses *losses) {
    for (int i = 0; i < b->rows->count; i++) {
        carom_branch own = carom_branch_of(b, i);
        double e = strain - b->history[i];
        out->energy += 0.5 * own.modulus * own.before * own.before * e * e;
        out->stress += own.modulus * own.before * e;
        out->tangent += own.modulus * own.before;
        carom_branch_book(&own, 0.5 * own.modulus, e * e, losses);
        if (b->flow->use == CAROM_USE_COMMIT)
            b->history[i] += (1 - own.before * own.after) * e;
    }
}

bool carom_branches_open(const carom_branches *b, const double metric[3], const double strain[3], carom_layer_branches *layer,
                         carom_sheet_side *side) {
    *side = (carom_sheet_side){0};
    for (int i = 0; i < b->rows->count; i++) {
        const double *inner = &b->history[CAROM_BRANCH_SHEET * i];
        carom_branch own = carom_branch_of(b, i);
        // without relaxation the metric is the identity and is not used: small strains keep their relative accuracy
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
        carom_branch own = carom_branch_of(b, i);
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
        carom_branch_book(&own, own.modulus, norm2, losses);
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
