// SPDX-License-Identifier: MIT
// Theory: docs/theory/materials.md
// The parameters of the isotropic elastic laws, and the functions that all of them share.
#include "material/elastic.h"

#include <math.h>
#include <stddef.h>

#include "base/param.h"
#include "material/uniaxial.h"

const carom_param carom_elastic_table[CAROM_ELASTIC_PARAMS] = {
    CAROM_ROW(carom_elastic_params, young, CAROM_PARAM_REAL, "force/length^2", CAROM_RANGE_POSITIVE, .doc = "Young's modulus."),
    CAROM_ROW(carom_elastic_params, poisson, CAROM_PARAM_REAL, "", .initial = "0", .min = -1, .max = 0.5,
              .flags = CAROM_PARAM_OPEN_MIN | CAROM_PARAM_OPEN_MAX, .doc = "Poisson's ratio; bars do not use it."),
    CAROM_ROW(carom_elastic_params, density, CAROM_PARAM_REAL, "mass/length^3", CAROM_RANGE_POSITIVE,
              .doc = "Mass per volume of the undeformed body."),
};

double carom_elastic_density(const void *params) {
    const carom_elastic_params *p = params;
    return p->density;
}

carom_uniaxial carom_elastic_uniaxial(const void *params, double strain) {
    const carom_elastic_params *p = params;
    return (carom_uniaxial){
        .energy = 0.5 * p->young * strain * strain,
        .stress = carom_elastic_stress(p->young, strain),
        .tangent = p->young,
    };
}

double carom_elastic_shear(const void *params) {
    return carom_elastic_lame(params).mu;
}

double carom_elastic_young(const void *params) {
    const carom_elastic_params *p = params;
    return p->young;
}
