// SPDX-License-Identifier: MIT
// Quantities of the deformation gradient for laws of large strains.
#ifndef CAROM_MATERIAL_SHAPE_H
#define CAROM_MATERIAL_SHAPE_H

#include <stdbool.h>

#include "base/kernel.h"
#include "math/functions.h"

typedef struct carom_shape {
    double inverse[9]; // F^-1
    double log_J;      // ln det F
} carom_shape;

// False where det F <= 0.
CAROM_LOCAL bool carom_shape_of(const double F[9], carom_shape *shape) {
    double H[9], *G = shape->inverse;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            G[3 * j + i] = F[3 * i1 + j1] * F[3 * i2 + j2] - F[3 * i1 + j2] * F[3 * i2 + j1];
            H[3 * i + j] = F[3 * i + j] - (i == j);
        }
    double J = F[0] * G[0] + F[1] * G[3] + F[2] * G[6];
    if (!(J > 0))
        return false;
    for (int a = 0; a < 9; a++)
        G[a] /= J;
    // J - 1 in terms of F - I: the logarithm of a small change of volume keeps its digits
    double minors = H[0] * H[4] - H[1] * H[3] + H[4] * H[8] - H[5] * H[7] + H[0] * H[8] - H[2] * H[6];
    double det = H[0] * (H[4] * H[8] - H[5] * H[7]) - H[1] * (H[3] * H[8] - H[5] * H[6]) + H[2] * (H[3] * H[7] - H[4] * H[6]);
    shape->log_J = carom_log1p(H[0] + H[4] + H[8] + minors + det);
    return true;
}

#endif
