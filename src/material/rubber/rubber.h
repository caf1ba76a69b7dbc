// SPDX-License-Identifier: MIT
// The laws of rubber by their principal stretches: the data and functions that they share. Theory: docs/theory/inelastic.md
#ifndef CAROM_MATERIAL_RUBBER_RUBBER_H
#define CAROM_MATERIAL_RUBBER_RUBBER_H

#include "carom/material.h"
#include "material/laws.h"
#include "material/principal_sheet.h"
#include "material/shape.h"

// A law in terms of its principal stretches: the principal Kirchhoff stresses are the deviator of sum_i factor_i l_A^power_i,
// with isochoric stretches l_A, plus bulk ln J. Laws of the first invariant alone have the power 2 and a factor that depends on
// the strain.
typedef struct carom_rubber {
    double bulk; // 0: the isochoric part only
    int count;
    double factor[CAROM_PAIRS_MAX], power[CAROM_PAIRS_MAX];
    int first;          // for laws of the first invariant: the carom_law
    const void *params; // and its parameters; NULL for laws with constant factors
} carom_rubber;

// Declares three functions of each law: its shear modulus at zero strain; its carom_rubber, with bulk = 0 for the isochoric
// part (which points to `p` if the law depends on the first invariant only); and energy, stress and tangent as `solid` of
// carom_material.
#define CAROM_RUBBER_DECLARE(NAME, name, ...)                                                                             \
    CAROM_SHARED double carom_##name##_shear(const carom_##name##_params *p);                                             \
    CAROM_SHARED carom_rubber carom_##name##_rubber(const carom_##name##_params *p, double bulk);                         \
    CAROM_SHARED double carom_##name##_solid(const carom_##name##_params *p, double bulk, const double F[9], double P[9], \
                                             double A[81]);
CAROM_RUBBER_LAWS(CAROM_RUBBER_DECLARE, )
#undef CAROM_RUBBER_DECLARE

// Energy at principal strains; fills stress, slope and secant of `law`.
CAROM_SHARED double carom_rubber_principal(const carom_rubber *rubber, const double strain[3], carom_principal *law);

// Energy, stress and tangent by eigenvalues.
CAROM_SHARED double carom_rubber_solid(const carom_rubber *rubber, const double F[9], double P[9], double A[81]);

// Plane stress, as `sheet` of carom_material.
double carom_rubber_sheet(const carom_rubber *rubber, const double metric[3], const double strain[3], double stress[3],
                          double tangent[3][3], double *thinning);

// A layer with the strains axes->strain in its plane and the additional stress `side` across it (NULL: none): finds the strain
// across it, and sets strain, stress, slope and secant of `law`. Returns the energy of the rubber alone.
double carom_rubber_layer(const carom_rubber *rubber, const carom_sheet_axes *axes, const carom_sheet_side *side,
                          carom_principal *law);

// I1 - 3 of F, and I2 - 3, that of its inverse: J^-2/3 F:F - 3 in a form in which the terms of first order cancel analytically.
CAROM_SHARED double carom_rubber_excess(const double F[9], double log_J);

// Young's modulus of shear and bulk modulus.
static inline double carom_rubber_young(double shear, double bulk) {
    return 9 * bulk * shear / (3 * bulk + shear);
}

#endif
