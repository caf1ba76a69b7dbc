// SPDX-License-Identifier: MIT
// Stress and tangent of a layer of a shell (a point across its thickness) under plane stress, from the principal values of an
// isotropic law (principal_sheet.c has the equations).
#ifndef CAROM_MATERIAL_PRINCIPAL_SHEET_H
#define CAROM_MATERIAL_PRINCIPAL_SHEET_H

#include <stdbool.h>

#include "material/principal.h"

// The principal elastic stretches in the plane of a layer, relative to an inner metric C^-1 (of plastic flow or a viscous
// branch).
typedef struct carom_sheet_axes {
    double square[2];   // of the stretches
    double strain[2];   // logarithms of the stretches
    double axis[2][2];  // vectors N_A on the surface with C^-1 = sum N_A N_A, contravariant
    double inner[2][2]; // the same in orthonormal coordinates of the reference
} carom_sheet_axes;

// Metric and strain as of `sheet` in carom_material. `inner` is C^-1 in orthonormal coordinates of the reference (11, 22, 12),
// NULL: the identity. False where an area is not positive.
bool carom_sheet_axes_of(const double metric[3], const double strain[3], const double inner[3], carom_sheet_axes *axes);

// Stress and tangent of the layer, each unless NULL, from the principal values of the law. The slopes of the law include the
// direction across the layer, which is condensed here. law->strain is read for the tangent only.
void carom_sheet_response(const carom_sheet_axes *axes, const carom_principal *law, double stress[3], double tangent[3][3]);

// Additional stress across a layer: stress + slope ln F_33.
typedef struct carom_sheet_side {
    double stress, slope;
} carom_sheet_side;

// The sum of several parts of a law in one layer, each with axes of its own, before the direction across is condensed.
typedef struct carom_sheet_sum {
    double stress[3], tangent[3][3];
    double across[3]; // d stress/d ln F_33
    double slope;     // d tau_33/d ln F_33
} carom_sheet_sum;

// Adds a part, whose stress across the layer need not vanish. Derivatives are added only if `slopes`.
void carom_sheet_add(const carom_sheet_axes *axes, const carom_principal *law, bool slopes, carom_sheet_sum *sum);
// The tangent of the layer under the condition that the sum of the stresses across it vanishes.
void carom_sheet_condense(const carom_sheet_sum *sum, double tangent[3][3]);

#endif
