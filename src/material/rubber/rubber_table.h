// SPDX-License-Identifier: MIT
// Macros for the table of functions (carom_material) of a law of rubber, made from its parameters and from its functions in
// rubber.h.
#ifndef CAROM_MATERIAL_RUBBER_RUBBER_TABLE_H
#define CAROM_MATERIAL_RUBBER_RUBBER_TABLE_H

#include <math.h>

#include "base/param.h"
#include "material/material.h"
#include "material/rubber/rubber.h"
#include "material/rubber/rubber_rows.h"

// The last rows of every rubber.
#define CAROM_RUBBER_ROWS(owner)                                                                                      \
    CAROM_ROW(owner, bulk, CAROM_PARAM_REAL, "force/length^2", CAROM_RANGE_POSITIVE,                                  \
              .doc = "Bulk modulus. Waves of pressure run with its square root, and the stable step falls with it."), \
        CAROM_ROW(owner, density, CAROM_PARAM_REAL, "mass/length^3", CAROM_RANGE_POSITIVE,                            \
                  .doc = "Mass per volume of the undeformed body.")

// `law`_rows are its parameters; further arguments initialise other members of the table.
#define CAROM_RUBBER_TABLE(law, name_, summary_, reference_, ...)                                                              \
    static double law##_density(const void *params) {                                                                          \
        return ((const carom_##law##_params *)params)->density;                                                                \
    }                                                                                                                          \
    static double law##_bulk(const void *params) {                                                                             \
        return ((const carom_##law##_params *)params)->bulk;                                                                   \
    }                                                                                                                          \
    static double law##_shear(const void *params) {                                                                            \
        return carom_##law##_shear(params);                                                                                    \
    }                                                                                                                          \
    static double law##_young(const void *params) {                                                                            \
        return carom_rubber_young(law##_shear(params), law##_bulk(params));                                                    \
    }                                                                                                                          \
    static double law##_solid(const void *params, const double F[9], double P[9], double A[81]) {                              \
        return carom_##law##_solid(params, law##_bulk(params), F, P, A);                                                       \
    }                                                                                                                          \
    static double law##_isochoric(const void *params, const double F[9], double P[9], double A[81]) {                          \
        return carom_##law##_solid(params, 0, F, P, A);                                                                        \
    }                                                                                                                          \
    static double law##_sheet(const void *params, const double metric[3], const double strain[3], double stress[3],            \
                              double tangent[3][3], double *thinning) {                                                        \
        carom_rubber rubber = carom_##law##_rubber(params, law##_bulk(params));                                                \
        return carom_rubber_sheet(&rubber, metric, strain, stress, tangent, thinning);                                         \
    }                                                                                                                          \
    const carom_material carom_material_##law = {                                                                              \
        .kind = {.name = name_, .summary = summary_, .reference = reference_, CAROM_PARAMS(law##_rows, carom_##law##_params)}, \
        .nonnegative = true,                                                                                                   \
        .cancels = true,                                                                                                       \
        .density = law##_density,                                                                                              \
        .young = law##_young,                                                                                                  \
        .shear = law##_shear,                                                                                                  \
        .solid = law##_solid,                                                                                                  \
        .sheet = law##_sheet,                                                                                                  \
        .bulk = law##_bulk,                                                                                                    \
        .isochoric = law##_isochoric,                                                                                          \
        __VA_ARGS__,                                                                                                           \
    };

#endif
