// SPDX-License-Identifier: MIT
// Yeoh's law: W = C1 x + C2 x^2 + C3 x^3 + kappa/2 (ln J)^2 with x = I1 - 3, I1 = J^-2/3 tr b. With G = F^-1:
//
//     P = 2 W'(x) J^-2/3 (F - tr b/3 G^T) + kappa ln J G^T,   W'(x) = C1 + 2 C2 x + 3 C3 x^2
//
// C2 is negative for most rubbers; the law is of use only where W' > 0 for all x >= 0, that is C2 >= 0 or 3 C1 C3 > C2^2.
// O. H. Yeoh: Some forms of the strain energy function for rubber. Rubber Chemistry and Technology 66 (1993) 754-771.
#include <math.h>

#include "base/param.h"
#include "material/material.h"
#include "material/rubber/rubber.h"
#include "math/functions.h"

#define ROW(member, ...) CAROM_ROW(carom_yeoh_params, member, __VA_ARGS__)

static const carom_param table[] = {
    ROW(c1, CAROM_PARAM_REAL, "force/length^2", CAROM_RANGE_POSITIVE, .doc = "Factor of I1 - 3, half the shear modulus."),
    ROW(c2, CAROM_PARAM_REAL, "force/length^2", .initial = "0", CAROM_RANGE_ANY,
        .doc = "Factor of the square; negative for rubber that softens at moderate strains."),
    ROW(c3, CAROM_PARAM_REAL, "force/length^2", .initial = "0", CAROM_RANGE_NONNEGATIVE,
        .doc = "Factor of the cube: stiffening at large strains."),
    CAROM_RUBBER_ROWS(carom_yeoh_params),
};

static double density(const void *params) {
    return ((const carom_yeoh_params *)params)->density;
}

static double bulk(const void *params) {
    return ((const carom_yeoh_params *)params)->bulk;
}

static double shear(const void *params) {
    return carom_yeoh_shear(params);
}

static double young(const void *params) {
    return carom_rubber_young(shear(params), bulk(params));
}

// The least of W' is at x = -C2/(3 C3).
static const char *fault(const void *params, carom_error *error) {
    const carom_yeoh_params *p = params;
    if (p->c2 >= 0 || 3 * p->c1 * p->c3 > p->c2 * p->c2)
        return NULL;
    double x = p->c3 > 0 ? -p->c2 / (3 * p->c3) : -0.5 * p->c1 / p->c2;
    carom_fail(error, CAROM_BAD_INPUT,
               "the stress would fall with the strain at I1 = %.4g: c2 < 0 needs 3 c1 c3 > c2^2, here c3 > %.4g", 3 + x,
               p->c2 * p->c2 / (3 * p->c1));
    return "c2";
}

static double solid(const void *params, const double F[9], double P[9], double A[81]) {
    return carom_yeoh_solid(params, bulk(params), F, P, A);
}

static double isochoric(const void *params, const double F[9], double P[9], double A[81]) {
    return carom_yeoh_solid(params, 0, F, P, A);
}

static double sheet(const void *params, const double metric[3], const double strain[3], double stress[3], double tangent[3][3],
                    double *thinning) {
    carom_rubber rubber = carom_yeoh_rubber(params, bulk(params));
    return carom_rubber_sheet(&rubber, metric, strain, stress, tangent, thinning);
}

const carom_material carom_material_yeoh = {
    .kind =
        {
            .name = "yeoh",
            .summary = "Rubber: Yeoh's law, a cubic polynomial of the first invariant, nearly incompressible.",
            .reference = "O. H. Yeoh: Some forms of the strain energy function for rubber. Rubber Chemistry and Technology 66 "
                         "(1993) 754-771.",
            .params = table,
            .param_count = sizeof table / sizeof *table,
            .params_size = sizeof(carom_yeoh_params),
        },
    .nonnegative = true,
    .cancels = true,
    .density = density,
    .young = young,
    .shear = shear,
    .solid = solid,
    .sheet = sheet,
    .bulk = bulk,
    .isochoric = isochoric,
    .fault = fault,
};
