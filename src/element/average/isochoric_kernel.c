// SPDX-License-Identifier: MIT
// Forces, eight elements at a time (mean_dilatation_body.h), of bricks whose change of volume is averaged over the element, and
// of tetrahedra whose change of volume is averaged around nodes. The latter are the forces of the isochoric energy only.
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

CAROM_KERNEL(bricks, CAROM_VALUES, CAROM_VALUES_GIVEN, range(block, begin, end, x, X, values, true))
CAROM_KERNEL(cells, CAROM_VALUES, CAROM_VALUES_GIVEN, range(block, begin, end, x, X, values, false))

void carom_dilated_hex8_force CAROM_VALUES {
    bricks CAROM_VALUES_GIVEN;
}

void carom_volume_force CAROM_VALUES {
    cells CAROM_VALUES_GIVEN;
}
