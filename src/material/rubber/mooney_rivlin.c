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
    const carom_mooney_rivlin_params *p = params;
    return 2 * (p->c10 + p->c01);
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

carom_rubber carom_mooney_rivlin_rubber(const carom_mooney_rivlin_params *p, double bulk) {
    return (carom_rubber){.bulk = bulk, .count = 2, .factor = {2 * p->c10, -2 * p->c01}, .power = {2, -2}};
}

static double respond(const void *params, double kappa, const double F[9], double P[9], double A[81]) {
    const carom_mooney_rivlin_params *p = params;
    carom_shape shape;
    if (!carom_shape_of(F, &shape))
        return HUGE_VAL;
    const double *G = shape.inverse;
    double x = 2 * shape.log_J / 3, up = carom_exp(x), trace = 0, inverse_trace = 0, cubic[9];
    for (int a = 0; a < 9; a++) {
        trace += F[a] * F[a];
        inverse_trace += G[a] * G[a];
        // (G^T G G^T)_iJ = G_ki (G G^T)_kJ
        cubic[a] = 0;
        for (int k = 0; k < 3; k++)
            cubic[a] += G[3 * k + a / 3] *
                        (G[3 * k] * G[3 * (a % 3)] + G[3 * k + 1] * G[3 * (a % 3) + 1] + G[3 * k + 2] * G[3 * (a % 3) + 2]);
    }
    for (int a = 0; P && a < 9; a++) {
        double g = G[3 * (a % 3) + a / 3];
        P[a] = 2 * p->c10 / up * (F[a] - trace / 3 * g) - 2 * p->c01 * up * (cubic[a] - inverse_trace / 3 * g) +
               kappa * shape.log_J * g;
    }
    if (A) {
        carom_rubber rubber = carom_mooney_rivlin_rubber(p, kappa);
        carom_rubber_solid(&rubber, F, NULL, A);
    }
    return p->c10 * carom_rubber_excess(F, shape.log_J) + p->c01 * carom_rubber_excess(G, -shape.log_J) +
           0.5 * kappa * shape.log_J * shape.log_J;
}

static double solid(const void *params, const double F[9], double P[9], double A[81]) {
    return respond(params, bulk(params), F, P, A);
}

static double isochoric(const void *params, const double F[9], double P[9], double A[81]) {
    return respond(params, 0, F, P, A);
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
    .density = density,
    .young = young,
    .shear = shear,
    .solid = solid,
    .sheet = sheet,
    .bulk = bulk,
    .isochoric = isochoric,
    .fault = fault,
};
