// SPDX-License-Identifier: MIT
// The common part of the isotropic elastic laws: Young's modulus, Poisson's ratio, density, and Lame's constants.
#ifndef CAROM_MATERIAL_ELASTIC_H
#define CAROM_MATERIAL_ELASTIC_H

#include <math.h>

#include "carom/material.h"
#include "material/lame.h"

enum { CAROM_ELASTIC_PARAMS = 3 };

extern const carom_param carom_elastic_table[CAROM_ELASTIC_PARAMS];

double carom_elastic_density(const void *params);
// Energy density E e^2/2, stress E e and tangent E of a bar with the strain e.
carom_uniaxial carom_elastic_uniaxial(const void *params, double strain);
double carom_elastic_shear(const void *params);
double carom_elastic_young(const void *params);

CAROM_LOCAL carom_lame carom_elastic_lame(const void *params) {
    const carom_elastic_params *p = (const carom_elastic_params *)params;
    carom_lame m = {p->young * p->poisson / ((1 + p->poisson) * (1 - 2 * p->poisson)), p->young / (2 * (1 + p->poisson))};
    return m;
}

// Initialises the `kind` of a law with these parameters.
#define CAROM_ELASTIC_KIND(name_, summary_, reference_)                                             \
    {                                                                                               \
        .name = name_, .summary = summary_, .reference = reference_, .params = carom_elastic_table, \
        .param_count = CAROM_ELASTIC_PARAMS, .params_size = sizeof(carom_elastic_params)            \
    }

#endif
