// SPDX-License-Identifier: MIT
// Yeoh's law: W = C1 x + C2 x^2 + C3 x^3 + kappa/2 (ln J)^2 with x = I1 - 3, I1 = J^-2/3 tr b.
//
// C2 is negative for most rubbers; the law is of use only where W' > 0 for all x >= 0, that is C2 >= 0 or 3 C1 C3 > C2^2.
// O. H. Yeoh: Some forms of the strain energy function for rubber. Rubber Chemistry and Technology 66 (1993) 754-771.
#ifndef CAROM_MATERIAL_YEOH_H
#define CAROM_MATERIAL_YEOH_H

#include "base/kernel.h"
#include "carom/material.h"

#define CAROM_YEOH_WORD "yeoh"
#define CAROM_YEOH_ROWS(owner, at, use, of)                                                                              \
    CAROM_ROW_NAMED("c1", owner, at c1, CAROM_PARAM_REAL, "force/length^2", CAROM_RUBBER_POSITIVE_##use,                 \
                    .doc = of "Factor of I1 - 3, half the shear modulus."),                                              \
        CAROM_ROW_NAMED("c2", owner, at c2, CAROM_PARAM_REAL, "force/length^2", .initial = "0", CAROM_RANGE_ANY,         \
                        .doc = of "Factor of the square; negative for rubber that softens at moderate strains."),        \
        CAROM_ROW_NAMED("c3", owner, at c3, CAROM_PARAM_REAL, "force/length^2", .initial = "0", CAROM_RANGE_NONNEGATIVE, \
                        .doc = of "Factor of the cube: stiffening at large strains."),

#endif

#ifdef CAROM_FIRST_TEXT
CAROM_SHARED double carom_yeoh_shear(const carom_yeoh_params *p) {
    return 2 * p->c1;
}

CAROM_LOCAL double carom_yeoh_energy(const carom_yeoh_params *p, double x, double *first, double *second) {
    *first = p->c1 + x * (2 * p->c2 + x * 3 * p->c3);
    *second = 2 * p->c2 + x * 6 * p->c3;
    return x * (p->c1 + x * (p->c2 + x * p->c3));
}

#ifdef CAROM_RUBBER_TABLE
static const carom_param yeoh_rows[] = {CAROM_YEOH_ROWS(carom_yeoh_params, , LAW, "") CAROM_RUBBER_ROWS(carom_yeoh_params)};

// W' has its minimum at x = -C2/(3 C3).
static const char *yeoh_fault(const void *params, carom_error *error) {
    const carom_yeoh_params *p = params;
    if (p->c2 >= 0 || 3 * p->c1 * p->c3 > p->c2 * p->c2)
        return NULL;
    double x = p->c3 > 0 ? -p->c2 / (3 * p->c3) : -0.5 * p->c1 / p->c2;
    carom_fail(error, CAROM_BAD_INPUT,
               "expected a number > c2^2/(3 c1) = %.4g, since c2 < 0, found %.4g: the stress would fall at I1 = %.4g",
               p->c2 * p->c2 / (3 * p->c1), p->c3, 3 + x);
    return "c3";
}

CAROM_RUBBER_TABLE(yeoh, CAROM_YEOH_WORD,
                   "Rubber: Yeoh's law, a cubic polynomial of the first invariant, nearly incompressible.",
                   "O. H. Yeoh: Some forms of the strain energy function for rubber. Rubber Chemistry and Technology 66 "
                   "(1993) 754-771.",
                   .fault = yeoh_fault)
#endif
#endif
