// SPDX-License-Identifier: MIT
// What the laws of rubber share. Theory: docs/theory/inelastic.md
#ifndef CAROM_MATERIAL_RUBBER_RUBBER_H
#define CAROM_MATERIAL_RUBBER_RUBBER_H

#include "carom/material.h"
#include "material/principal_sheet.h"
#include "material/shape.h"

// A law by its principal stretches: dW/d ln l_A = sum_i factor_i l_A^power_i, its deviator taken, l isochoric. Yeoh's law has
// the power 2 and a factor that depends on the strain.
typedef struct carom_rubber {
    double bulk; // 0: the part of the shape alone
    int count;
    double factor[CAROM_PAIRS_MAX], power[CAROM_PAIRS_MAX];
    const carom_yeoh_params *yeoh; // NULL: the factors are constant
} carom_rubber;

// The laws; bulk = 0: their part of the shape. That of `yeoh` points to the parameters.
CAROM_SHARED carom_rubber carom_mooney_rivlin_rubber(const carom_mooney_rivlin_params *p, double bulk);
CAROM_SHARED carom_rubber carom_yeoh_rubber(const carom_yeoh_params *p, double bulk);
CAROM_SHARED carom_rubber carom_ogden_rubber(const carom_ogden_params *p, double bulk);

// Energy at principal strains; fills stress, slope and secant of `law`.
CAROM_SHARED double carom_rubber_principal(const carom_rubber *rubber, const double strain[3], carom_principal *law);

// Energy, stress and tangent by eigenvalues, as `solid` of carom_material.
CAROM_SHARED double carom_rubber_solid(const carom_rubber *rubber, const double F[9], double P[9], double A[81]);

// The same of each law, with the bulk modulus `kappa`.
CAROM_SHARED double carom_mooney_rivlin_solid(const carom_mooney_rivlin_params *p, double kappa, const double F[9], double P[9],
                                              double A[81]);
CAROM_SHARED double carom_yeoh_solid(const carom_yeoh_params *p, double kappa, const double F[9], double P[9], double A[81]);
CAROM_SHARED double carom_ogden_solid(const carom_ogden_params *p, double kappa, const double F[9], double P[9], double A[81]);

// Plane stress, as `sheet` of carom_material.
double carom_rubber_sheet(const carom_rubber *rubber, const double metric[3], const double strain[3], double stress[3],
                          double tangent[3][3], double *thinning);

// A layer with the strains axes->strain in its plane, with `side` acting in it too (NULL: nothing): finds the strain across it
// and fills strain, stress, slope and secant of `law`. Returns the energy of the rubber alone.
double carom_rubber_layer(const carom_rubber *rubber, const carom_sheet_axes *axes, const carom_sheet_side *side,
                          carom_principal *law);

// I1 - 3 of F, and I2 - 3, that of its inverse: J^-2/3 F:F - 3 with the terms of first order cancelled on paper.
CAROM_SHARED double carom_rubber_excess(const double F[9], double log_J);

// Their shear moduli without strain.
CAROM_LOCAL double carom_mooney_rivlin_shear(const carom_mooney_rivlin_params *p) {
    return 2 * (p->c10 + p->c01);
}

CAROM_LOCAL double carom_yeoh_shear(const carom_yeoh_params *p) {
    return 2 * p->c1;
}

CAROM_LOCAL double carom_ogden_shear(const carom_ogden_params *p) {
    double sum = 0;
    for (int i = 0; i < p->terms.count; i++)
        sum += 0.5 * p->terms.rows[i][0] * p->terms.rows[i][1];
    return sum;
}

// Young's modulus of shear and bulk modulus.
static inline double carom_rubber_young(double shear, double bulk) {
    return 9 * bulk * shear / (3 * bulk + shear);
}

#define CAROM_RUBBER_ROWS(owner)                                                                                      \
    CAROM_ROW(owner, bulk, CAROM_PARAM_REAL, "force/length^2", CAROM_RANGE_POSITIVE,                                  \
              .doc = "Bulk modulus. Waves of pressure run with its square root, and the stable step falls with it."), \
        CAROM_ROW(owner, density, CAROM_PARAM_REAL, "mass/length^3", CAROM_RANGE_POSITIVE,                            \
                  .doc = "Mass per volume of the undeformed body.")

#endif
