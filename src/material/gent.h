// SPDX-License-Identifier: MIT
// Gent's law: W = -mu/2 J_m ln(1 - x/J_m) + kappa/2 (ln J)^2 with x = I1 - 3, I1 = J^-2/3 tr b. The chains of the rubber are
// fully extended where x reaches J_m; beyond, the law is undefined. As J_m grows without bound it becomes the neo-Hookean law
// mu/2 x.
//
// A. N. Gent: A new constitutive relation for rubber. Rubber Chemistry and Technology 69 (1996) 59-61.
#ifndef CAROM_MATERIAL_GENT_H
#define CAROM_MATERIAL_GENT_H

#include <math.h>

#include "base/kernel.h"
#include "carom/material.h"
#include "math/functions.h"

#define CAROM_GENT_WORD "gent"
#define CAROM_GENT_ROWS(owner, at, use, of)                                                                    \
    CAROM_ROW_NAMED("shear", owner, at shear, CAROM_PARAM_REAL, "force/length^2", CAROM_RUBBER_POSITIVE_##use, \
                    .doc = of "Shear modulus at small strains."),                                              \
        CAROM_ROW_NAMED("limit", owner, at limit, CAROM_PARAM_REAL, "", CAROM_RUBBER_POSITIVE_##use,           \
                        .doc = of "J_m: upper limit of I1 - 3; 30 to 100 for rubber, about 1 for soft tissue."),

#endif

#ifdef CAROM_FIRST_TEXT
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

#ifdef CAROM_RUBBER_TABLE
static const carom_param gent_rows[] = {CAROM_GENT_ROWS(carom_gent_params, , LAW, "") CAROM_RUBBER_ROWS(carom_gent_params)};

CAROM_RUBBER_TABLE(gent, CAROM_GENT_WORD, "Rubber: Gent's law, whose stretch has a limit, nearly incompressible.",
                   "A. N. Gent: A new constitutive relation for rubber. Rubber Chemistry and Technology 69 (1996) 59-61.",
                   .stiffens = true)
#endif
#endif
