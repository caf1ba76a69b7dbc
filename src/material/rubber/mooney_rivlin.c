// SPDX-License-Identifier: MIT
// Mooney and Rivlin's law: W = C10 (I1 - 3) + C01 (I2 - 3) + kappa/2 (ln J)^2 with the invariants of the isochoric stretches,
// I1 = J^-2/3 tr b, I2 = J^2/3 tr b^-1. With G = F^-1:
//
//     P = 2 C10 J^-2/3 (F - tr b/3 G^T) - 2 C01 J^2/3 (G^T G G^T - tr b^-1/3 G^T) + kappa ln J G^T
//
// M. Mooney: A theory of large elastic deformation. Journal of Applied Physics 11 (1940) 582-592.
#include <math.h>

#include "base/param.h"
#include "material/material.h"
#include "material/rubber/rubber.h"
#include "math/functions.h"

#define ROW(member, ...) CAROM_ROW(carom_mooney_rivlin_params, member, __VA_ARGS__)

static const carom_param table[] = {
    ROW(c10, CAROM_PARAM_REAL, "force/length^2", CAROM_RANGE_NONNEGATIVE, .doc = "Factor of I1 - 3."),
    ROW(c01, CAROM_PARAM_REAL, "force/length^2", .initial = "0", CAROM_RANGE_NONNEGATIVE, .doc = "Factor of I2 - 3."),
    CAROM_RUBBER_ROWS(carom_mooney_rivlin_params),
};

static double density(const void *params) {
    return ((const carom_mooney_rivlin_params *)params)->density;
}

static double bulk(const void *params) {
    return ((const carom_mooney_rivlin_params *)params)->bulk;
}

static double shear(const void *params) {
    return carom_mooney_rivlin_shear(params);
}

static double young(const void *params) {
    return carom_rubber_young(shear(params), bulk(params));
}

static const char *fault(const void *params, carom_error *error) {
    if (shear(params) > 0)
        return NULL;
    carom_fail(error, CAROM_BAD_INPUT, "c10 and c01 are both 0: the law has no stiffness against shear");
    return "c10";
}

static double solid(const void *params, const double F[9], double P[9], double A[81]) {
    return carom_mooney_rivlin_solid(params, bulk(params), F, P, A);
}

static double isochoric(const void *params, const double F[9], double P[9], double A[81]) {
    return carom_mooney_rivlin_solid(params, 0, F, P, A);
}

static double sheet(const void *params, const double metric[3], const double strain[3], double stress[3], double tangent[3][3],
                    double *thinning) {
    carom_rubber rubber = carom_mooney_rivlin_rubber(params, bulk(params));
    return carom_rubber_sheet(&rubber, metric, strain, stress, tangent, thinning);
}

const carom_material carom_material_mooney_rivlin = {
    .kind =
        {
            .name = "mooney-rivlin",
            .summary = "Rubber: Mooney and Rivlin's law in both invariants, nearly incompressible.",
            .reference = "M. Mooney: A theory of large elastic deformation. Journal of Applied Physics 11 (1940) 582-592.",
            .params = table,
            .param_count = sizeof table / sizeof *table,
            .params_size = sizeof(carom_mooney_rivlin_params),
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
