// SPDX-License-Identifier: MIT
// Mooney and Rivlin's law: W = C10 (I1 - 3) + C01 (I2 - 3) + kappa/2 (ln J)^2 with the invariants of the isochoric stretches,
// I1 = J^-2/3 tr b, I2 = J^2/3 tr b^-1. With G = F^-1:
//
//     P = 2 C10 J^-2/3 (F - tr b/3 G^T) - 2 C01 J^2/3 (G^T G G^T - tr b^-1/3 G^T) + kappa ln J G^T
//
// M. Mooney: A theory of large elastic deformation. Journal of Applied Physics 11 (1940) 582-592.
#include "material/rubber/rubber_table.h"

static const carom_param mooney_rivlin_rows[] = {CAROM_MOONEY_RIVLIN_ROWS(carom_mooney_rivlin_params, , LAW, "")
                                                     CAROM_RUBBER_ROWS(carom_mooney_rivlin_params)};

static const char *fault(const void *params, carom_error *error) {
    if (carom_mooney_rivlin_shear(params) > 0)
        return NULL;
    carom_fail(error, CAROM_BAD_INPUT, "c10 and c01 are both 0: the law has no stiffness against shear");
    return "c10";
}

CAROM_RUBBER_TABLE(mooney_rivlin, CAROM_MOONEY_RIVLIN_WORD,
                   "Rubber: Mooney and Rivlin's law in both invariants, nearly incompressible.",
                   "M. Mooney: A theory of large elastic deformation. Journal of Applied Physics 11 (1940) 582-592.",
                   .fault = fault)
