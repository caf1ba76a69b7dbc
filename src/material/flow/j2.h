// SPDX-License-Identifier: MIT
// J2 plasticity in its three forms (solid, bar, layer of a shell): the layout of the history, and the functions that all forms
// use.
#ifndef CAROM_MATERIAL_FLOW_J2_H
#define CAROM_MATERIAL_FLOW_J2_H

#include "material/flow/hardening.h"
#include "material/principal_sheet.h"
#include "material/trial.h"

// Indices into the history of the three forms. The temperature comes last; only johnson-cook has one.
enum { CAROM_J2_METRIC = 0, CAROM_J2_ALPHA = 6, CAROM_J2_STRESS = 7, CAROM_J2_TEMPERATURE = 8 };
enum { CAROM_J2_SOLID_SIZE = 8 }; // numbers without a temperature
enum { CAROM_J2_BAR_STRAIN = 0, CAROM_J2_BAR_ALPHA = 1, CAROM_J2_BAR_STRESS = 2, CAROM_J2_BAR_TEMPERATURE = 3 };
enum {
    CAROM_J2_SHEET_METRIC = 0,
    CAROM_J2_SHEET_STRETCH = 3,
    CAROM_J2_SHEET_ALPHA = 4,
    CAROM_J2_SHEET_STRESS = 5,
    CAROM_J2_SHEET_TEMPERATURE = 6
};

// True if the history has a temperature.
CAROM_LOCAL bool carom_j2_heats(const carom_j2_params *p) {
    return p->hardening == CAROM_HARDENING_JOHNSON_COOK;
}

// The temperature after the plastic work `work` per volume.
CAROM_SHARED double carom_j2_heat(const carom_j2_params *p, double temperature, double work);

// The state of a point at the start of a step, from its history, whose entries from `alpha` on are the plastic strain, the
// stress and, if there is one, the temperature.
CAROM_SHARED carom_yielding carom_j2_point(const carom_j2_params *p, const carom_flow *flow, double stiffness,
                                           const double *alpha);

// Records a step with the plastic strain da and the final equivalent stress q: computes the losses and, with CAROM_USE_COMMIT,
// updates the history from `alpha` on. Only energy-conserving steps use losses->potential. For johnson-cook, where it is
// expensive, it is left 0 in steps that are followed by a drift (flow->after > 0): these use the trapezoidal work instead.
CAROM_SHARED void carom_j2_book(const carom_yielding *point, const carom_flow *flow, double da, double q, double *alpha,
                                carom_losses *losses);

CAROM_SHARED double carom_j2_solid(const void *params, const carom_flow *flow, double *history, const double F[9], double P[9],
                                   double A[81], carom_losses *losses);
// The tangent of a step that multiplies the trial strain by 1 - r.
void carom_j2_tangent(const carom_shape *shape, const carom_trial *trial, double kappa, double mu, double r, double slope,
                      double A[81]);
carom_uniaxial carom_j2_uniaxial(const void *params, const carom_flow *flow, double *history, double strain,
                                 carom_losses *losses);
double carom_j2_sheet(const void *params, const carom_flow *flow, double *history, const double metric[3],
                      const double strain[3], double stress[3], double tangent[3][3], double *thinning, carom_losses *losses);

// A layer of a sheet at the end of a step.
typedef struct carom_j2_layer_state {
    carom_sheet_axes axes;
    carom_principal law; // strains, stresses, and with `slopes` their derivatives
    double across;       // ln F_33
    double stretch;      // F_33; set only if `flows`
    bool flows;          // the plastic strain of the step is positive
} carom_j2_layer_state;

// As carom_j2_sheet, with the additional stress `side` across the layer (NULL: none); the result is given by principal values.
double carom_j2_layer(const carom_j2_params *p, const carom_flow *flow, double *history, const double metric[3],
                      const double strain[3], const carom_sheet_side *side, bool slopes, carom_j2_layer_state *out,
                      carom_losses *losses);

#endif
