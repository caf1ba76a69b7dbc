// SPDX-License-Identifier: MIT
// All elastic laws have the tangent of the linear one without strain, so that K v = -f(X + v) by its kernel, up to rounding.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "element/body_step.h"
#include "element/solid_kernel.h"

double carom_solid_body_step(const carom_block *blocks, int block_count, const double (*X)[3]) {
    if (block_count == 0 || carom_kernel_law_of(blocks->material) == CAROM_KERNEL_NONE)
        return 0;
    carom_block *linear = carom_allocate(block_count, sizeof *linear);
    double step = NAN;
    for (int b = 0; linear && b < block_count; b++) {
        linear[b] = blocks[b];
        linear[b].material = &carom_material_linear;
    }
    carom_body_step_def def = {
        .blocks = linear,
        .block_count = block_count,
        .dimension = carom_solid_shape_of(blocks)->dimension,
        .sharpness = 0.05,
        // plane stress wants a thickness that stays positive
        .scale = 1e-3,
        .masses = carom_solid_masses,
    };
    if (linear)
        step = carom_body_step(&def, X);
    free(linear);
    return step;
}
