// SPDX-License-Identifier: MIT
// Gent's law: W = -mu/2 J_m ln(1 - x/J_m) + kappa/2 (ln J)^2 with x = I1 - 3, I1 = J^-2/3 tr b. The chains of the rubber are
// fully extended where x reaches J_m; beyond, the law is undefined. For J_m without bounds it is the neo-Hookean law mu/2 x.
//
// A. N. Gent: A new constitutive relation for rubber. Rubber Chemistry and Technology 69 (1996) 59-61.
#ifndef CAROM_MATERIAL_GENT_H
#define CAROM_MATERIAL_GENT_H

#include <math.h>

#include "base/kernel.h"
#include "carom/material.h"
#include "math/functions.h"

CAROM_SHARED double carom_gent_shear(const carom_gent_params *p) {
    return p->shear;
}

CAROM_LOCAL double carom_gent_energy(const carom_gent_params *p, double x, double *first, double *second) {
    if (!(x < p->limit))
        return HUGE_VAL;
    *first = 0.5 * p->shear * p->limit / (p->limit - x);
    *second = *first / (p->limit - x);
    return -0.5 * p->shear * p->limit * carom_log1p(-x / p->limit);
}

#endif

#ifdef CAROM_RUBBER_TABLE
static const carom_param gent_rows[] = {
    CAROM_ROW(carom_gent_params, shear, CAROM_PARAM_REAL, "force/length^2", CAROM_RANGE_POSITIVE,
              .doc = "Shear modulus at small strains."),
    CAROM_ROW(carom_gent_params, limit, CAROM_PARAM_REAL, "", CAROM_RANGE_POSITIVE,
              .doc = "J_m: upper limit of I1 - 3; 30 to 100 for rubber, about 1 for soft tissue."),
    CAROM_RUBBER_ROWS(carom_gent_params),
};

CAROM_RUBBER_TABLE(gent, "gent", "Rubber: Gent's law, whose stretch has a limit, nearly incompressible.",
                   "A. N. Gent: A new constitutive relation for rubber. Rubber Chemistry and Technology 69 (1996) 59-61.",
                   .stiffens = true)
#endif
