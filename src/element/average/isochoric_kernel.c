// SPDX-License-Identifier: MIT
// Forces of bricks with mean dilatation, and of the cells of tetrahedra with volumes at nodes, eight at a time
// (mean_dilatation_body.h).
#include "element/average/mean_dilatation.h"
#include "element/average/mean_dilatation_body.h"
#include "element/average/volumes.h"

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force,
                        bool brick) {
    carom_element_batch at = {.block = block, .begin = begin, .end = end, .x = x, .X = X, .force = force};
    if (brick)
        at.factor = block->material->bulk(block->material_params);
    CAROM_BATCHES(at) {
        if (brick)
            carom_dilated_force_batch(&at);
        else
            carom_volume_force_batch(&at);
    }
}

#define PARAMETERS (const carom_block *block, int begin, int end, const double(*x)[3], const double(*X)[3], double *force)
#define ARGUMENTS (block, begin, end, x, X, force)
CAROM_KERNEL(bricks, PARAMETERS, ARGUMENTS, range(block, begin, end, x, X, force, true))
CAROM_KERNEL(cells, PARAMETERS, ARGUMENTS, range(block, begin, end, x, X, force, false))

void carom_dilated_hex8_force PARAMETERS {
    bricks ARGUMENTS;
}

void carom_volume_force PARAMETERS {
    cells ARGUMENTS;
}
