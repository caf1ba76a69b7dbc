// SPDX-License-Identifier: MIT
// Ogden's law: W = sum_i mu_i/a_i (l_1^a_i + l_2^a_i + l_3^a_i - 3) + kappa/2 (ln J)^2 with isochoric principal stretches; the
// terms may have any power, and mu_i a_i > 0. It needs the eigenvalues of b (rubber.c).
//
// R. W. Ogden: Large deformation isotropic elasticity: on the correlation of theory and experiment for compressible rubberlike
// solids. Proceedings of the Royal Society A 328 (1972) 567-583.
#include "material/rubber/rubber_table.h"

static const carom_param ogden_rows[] = {CAROM_OGDEN_ROWS(carom_ogden_params, , LAW, "") CAROM_RUBBER_ROWS(carom_ogden_params)};

static const char *fault(const void *params, carom_error *error) {
    const carom_pairs *terms = &((const carom_ogden_params *)params)->terms;
    if (terms->count == 0) {
        carom_fail(error, CAROM_BAD_INPUT, "needs at least one row [mu, a]");
        return "terms";
    }
    for (int i = 0; i < terms->count; i++) {
        const double *row = terms->rows[i];
        if (row[0] * row[1] > 0)
            continue;
        carom_fail(error, CAROM_BAD_INPUT, "mu and a must have the same sign, found [%g, %g]", row[0], row[1]);
        return "terms";
    }
    return NULL;
}

CAROM_RUBBER_TABLE(ogden, CAROM_OGDEN_WORD, "Rubber: Ogden's law, powers of the principal stretches, nearly incompressible.",
                   "R. W. Ogden: Large deformation isotropic elasticity: on the correlation of theory and experiment for "
                   "compressible rubberlike solids. Proceedings of the Royal Society A 328 (1972) 567-583.",
                   .fault = fault)
