// SPDX-License-Identifier: MIT
// Isotropic linear elasticity: W = E e^2 / 2 under uniaxial stress. Which strain e stands for is the element's choice: with Green's
// strain this is the St. Venant-Kirchhoff law of a bar.
#include <math.h>
#include <stddef.h>

#include "material/material.h"

static const carom_param params[] = {
    {.name = "young",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(carom_linear_params, young),
     .unit = "force/length^2",
     CAROM_RANGE_POSITIVE,
     .doc = "Young's modulus."},
    {.name = "poisson",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(carom_linear_params, poisson),
     .unit = "",
     .initial = "0",
     .min = -1,
     .max = 0.5,
     .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_OPEN_MAX,
     .doc = "Poisson's ratio; bars do not use it."},
    {.name = "density",
     .type = CAROM_PARAM_REAL,
     .offset = offsetof(carom_linear_params, density),
     .unit = "mass/length^3",
     CAROM_RANGE_POSITIVE,
     .doc = "Mass per volume of the undeformed body."},
};

static double density(const void *params_) {
    const carom_linear_params *p = params_;
    return p->density;
}

static carom_uniaxial uniaxial(const void *params_, double strain) {
    const carom_linear_params *p = params_;
    return (carom_uniaxial){
        .energy = 0.5 * p->young * strain * strain,
        .stress = p->young * strain,
        .tangent = p->young,
    };
}

static double shear(const void *params_) {
    const carom_linear_params *p = params_;
    return p->young / (2 * (1 + p->poisson));
}

const carom_material carom_material_linear = {
    .kind = {.name = "linear",
             .summary = "Isotropic linear elasticity.",
             .reference = "",
             .params = params,
             .param_count = sizeof params / sizeof *params,
             .params_size = sizeof(carom_linear_params)},
    .density = density,
    .uniaxial = uniaxial,
    .shear = shear,
};
