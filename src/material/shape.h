// SPDX-License-Identifier: MIT
// What laws of large strains need of the deformation gradient.
#ifndef CAROM_MATERIAL_SHAPE_H
#define CAROM_MATERIAL_SHAPE_H

#include <stdbool.h>

#include "base/kernel.h"

typedef struct carom_shape {
    double inverse[9]; // F^-1
    double log_J;      // ln det F
} carom_shape;

// False where det F <= 0.
CAROM_SHARED bool carom_shape_of(const double F[9], carom_shape *shape);

#endif
