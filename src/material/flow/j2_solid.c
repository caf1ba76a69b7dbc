// SPDX-License-Identifier: MIT
// J2 plasticity in three dimensions (j2_body.h): its tangent, and its uniaxial form. Theory: docs/theory/inelastic.md
#include <math.h>

#include "material/elastic.h"
#include "material/flow/j2.h"
#include "material/flow/j2_body.h"
#include "material/trial.h"

// Principal stresses and slopes of the step: tau_A = pressure + 2 mu (1 - r) e_A. With s = e/|e| the deviator has
//     d tau_A/d e_B = kappa + 2 mu (1 - r) (d_AB - 1/3) - 2 mu (1 - r - h) s_A s_B,   h = H'/(3 mu + H').
void carom_j2_tangent(const carom_shape *shape, const carom_trial *trial, double kappa, double mu, double r, double slope,
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

// Under uniaxial stress Hencky's law is exactly tau = E (eps - eps_p), with logarithmic strains; the lateral strains do not
// enter.
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
