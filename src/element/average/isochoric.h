// SPDX-License-Identifier: MIT
// Laws whose energy splits into an isochoric and a volumetric part, W_iso(F) + kappa/2 (ln J)^2: functions of elements that
// evaluate the second part from averages of J (docs/theory/volumes.md).
#ifndef CAROM_ELEMENT_AVERAGE_ISOCHORIC_H
#define CAROM_ELEMENT_AVERAGE_ISOCHORIC_H

#include <math.h>

#include "base/kernel.h"
#include "carom/element.h"
#include "math/functions.h"

// CAROM_BAD_INPUT for a law without the split; `setting` is the option of the scene, as "integration: mean-dilatation".
carom_status carom_split_accepts(const char *setting, const carom_material *material, carom_error *error);

// CAROM_BAD_INPUT for an elastoplastic law and an element that locks with it; `instead` is the suggested option, as "{tet4:
// {volume: nodal}}".
carom_status carom_split_refuse_flow(const char *instead, const carom_material *material, carom_error *error);

// kappa/2 (ln J)^2 with J = 1 + growth; its derivatives with respect to J. HUGE_VAL and NaN where J is not positive.
typedef struct carom_dilation {
    double energy, slope, curvature;
} carom_dilation;
CAROM_LOCAL carom_dilation carom_split_dilation(double bulk, double growth) {
    double J = 1 + growth;
    carom_dilation none = {HUGE_VAL, NAN, NAN};
    if (!(J > 0))
        return none;
    double log_J = carom_log1p(growth);
    carom_dilation found = {0.5 * bulk * log_J * log_J, bulk * log_J / J, bulk * (1 - log_J) / (J * J)};
    return found;
}

// J - 1 from F - I, without cancellation near F = I; C receives the cofactors dJ/dF.
double carom_split_growth(const double F[9], double C[9]);
// A += scale d2J/dF2.
void carom_split_add_curvature(double scale, const double F[9], double A[81]);

// An upper bound, at most a third too large, of the largest eigenvalue of the matrix h_aJ A_iJkL h_bL, with
// G = sum_a h_a h_a^T: the stiffness of a point with tangent A is at most this times the squares that G was made with
// (point_bound.h).
double carom_split_stiffness(const double A[81], const double G[3][3]);
// L^T A L: the tangent with respect to the gradients h = L^T g.
void carom_split_turn(const double A[81], const double L[3][3], double out[81]);

// carom_element.bound for a block whose volumes are averaged. Writes `measures`, which depend on the deformation alone, by the
// function of the block `ordinary` (the same elements without averages). Returns true if `share` is complete as well: for
// metals in bricks and tetrahedra (isochoric_bound.c). If false, the caller must overwrite `share`.
bool carom_split_bound(const carom_block *block, const carom_block *ordinary, int begin, int end,
                       const carom_kinematics *motion, double *share, double *measures);

#endif
