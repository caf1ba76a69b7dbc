// SPDX-License-Identifier: MIT
// Inverse and ln det of the deformation gradient, which laws of large strains need.
#ifndef CAROM_MATERIAL_SHAPE_H
#define CAROM_MATERIAL_SHAPE_H

#include <stdbool.h>

#include "base/kernel.h"
#include "math/cofactor.h"
#include "math/functions.h"

typedef struct carom_shape {
    double inverse[9]; // F^-1
    double log_J;      // ln det F
} carom_shape;

// False where det F <= 0.
CAROM_LOCAL bool carom_shape_of(const double F[9], carom_shape *shape) {
    double H[9], J, growth;
    carom_mat_invert(F, shape->inverse, &J);
    if (!(J > 0))
        return false;
    for (int a = 0; a < 9; a++)
        H[a] = F[a] - (a % 4 == 0);
    carom_mat_growth(H, &growth);
    shape->log_J = carom_log1p(growth);
    return true;
}

#endif
