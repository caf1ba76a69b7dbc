// SPDX-License-Identifier: MIT
// Viscous branches: springs whose strain relaxes, parallel to a law. Theory: docs/theory/inelastic.md
#ifndef CAROM_MATERIAL_VISCOUS_BRANCHES_H
#define CAROM_MATERIAL_VISCOUS_BRANCHES_H

#include "material/principal_sheet.h"
#include "material/shape.h"
#include "material/trial.h"

#include "carom/material.h"

// Number of history variables of a branch in the three forms.
enum { CAROM_BRANCH_SOLID = 6, CAROM_BRANCH_UNIAXIAL = 1, CAROM_BRANCH_SHEET = 3 };

// A branch is not resolved if the time since the last kick exceeds this fraction of its relaxation time. Its recorded loss is
// then the work of a steady strain rate (branches_body.h).
#define CAROM_BRANCH_RESOLVED 0.25

// Branches of a point: rows [g, relaxation time]; the modulus of a branch is g times `modulus`.
typedef struct carom_branches {
    const carom_pairs *rows;
    double modulus; // shear modulus; of a bar Young's modulus
    const carom_flow *flow;
    double *history; // of the first branch
} carom_branches;

// Returns the energy of a spring with the strain k e and the pressure kappa ln J, and adds its stress to P and its tangent to
// A, each unless NULL.
CAROM_SHARED double carom_spring_add(const carom_shape *shape, const carom_trial *trial, double mu, double kappa, double k,
                                     double P[9], double A[81]);

// Its tangent, added to A.
void carom_spring_tangent(const carom_shape *shape, const carom_trial *trial, double mu, double kappa, double k, double A[81]);

// Adds the energy and losses of all branches at F, and their stress and tangent unless NULL. CAROM_USE_COMMIT updates the
// history.
CAROM_SHARED void carom_branches_solid(const carom_branches *b, const carom_shape *shape, const double F[9], double *energy,
                                       double P[9], double A[81], carom_losses *losses);
// The material in three dimensions, as `solid` of carom_inelastic.
CAROM_SHARED double carom_viscoelastic_solid(const void *params, const carom_flow *flow, double *history, const double F[9],
                                             double P[9], double A[81], carom_losses *losses);
// The branches of a bar, added to `out`.
void carom_branches_uniaxial(const carom_branches *b, double strain, carom_uniaxial *out, carom_losses *losses);

// The branches of a layer, in two stages. carom_branches_open finds their axes and their stress across the layer as a function
// of ln F_33; false if an area is not positive. carom_branches_close computes the rest at the given ln F_33.
typedef struct carom_layer_branches {
    carom_sheet_axes axes[CAROM_PAIRS_MAX];
    double shift[CAROM_PAIRS_MAX]; // elastic strain across the layer minus ln F_33
} carom_layer_branches;

bool carom_branches_open(const carom_branches *b, const double metric[3], const double strain[3], carom_layer_branches *layer,
                         carom_sheet_side *side);
double carom_branches_close(const carom_branches *b, const carom_layer_branches *layer, double across, bool slopes,
                            carom_sheet_sum *sum, carom_losses *losses);

#endif
