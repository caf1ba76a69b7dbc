// SPDX-License-Identifier: MIT
// Discrete gradients for the energy-conserving integration of elements that average volumes: that of J, that of the energy of a
// mean J, and the forces of such elements (balanced_volume.c has the equations).
#ifndef CAROM_ELEMENT_AVERAGE_BALANCED_VOLUME_H
#define CAROM_ELEMENT_AVERAGE_BALANCED_VOLUME_H

#include "element/functions.h"

// T with J1 - J0 = T:(C1 - C0)/2 where J = det F = sqrt(det C), J0 and J1 positive, and, if not NULL, N with dT = N:dC1. P =
// F_m T then is a discrete gradient of J with respect to F (carom_balanced_push); its forces have no torque.
void carom_balanced_growth(const double F0[9], const double F1[9], double J0, double J1, double T[9], double N[81]);

// The difference quotient (U(J1) - U(J0))/(J1 - J0) of U = bulk/2 (ln J)^2, with J0 = 1 + growth[0] and J1 = 1 + growth[1], and
// in `slope` its derivative with respect to J1. NaN if J0 or J1 is not positive.
double carom_balanced_pressure(double bulk, const double growth[2], double *slope);

// carom_element.balanced of solids whose volumes are averaged over elements (mean_dilatation.c).
carom_element_balanced carom_dilated_balanced;
// The same for cells whose volumes are averaged around nodes (volume_cell.c).
carom_element_balanced carom_volume_balanced;

#endif
