// SPDX-License-Identifier: MIT
#include "element/estimate.h"

#include "element/element.h"
#include "element/nodal.h"
#include "element/solid_point.h"

// Of solids, by the mean gradients of each element.
static double slope_of_solids(const carom_block *block, const double (*X)[3]) {
    double most = 0, measures[CAROM_LANES * CAROM_TURN_MEASURES] = {0};
    for (int e = 0; e < block->count; e++) {
        if (e % CAROM_LANES == 0)
            carom_solid_turns(block, e, e + CAROM_LANES < block->count ? e + CAROM_LANES : block->count, X, X, measures);
        most = fmax(most, measures[carom_lane(e % CAROM_LANES, CAROM_TURN_SLOPE, CAROM_TURN_MEASURES)]);
    }
    return most;
}

static double slope_of_patches(const carom_block *block, const double (*X)[3]) {
    double most = 0, F[3][3], change;
    for (int e = 0; e < block->count; e++) {
        carom_nodal_patch_map(block, e, X, F, &change);
        most = fmax(most, change);
    }
    return most;
}

double carom_estimate_slope(const carom_block *block, const double (*X)[3]) {
    const carom_element *element = block->element;
    if (!block->material || carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        return 0;
    if (element == &carom_nodal_patch)
        return slope_of_patches(block, X);
    bool solid = element == &carom_element_tet4.element || element == &carom_element_hex8.element;
    return solid ? slope_of_solids(block, X) : 0;
}

void carom_estimate_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                          double *force, double *estimates) {
    if (block->element == &carom_nodal_patch)
        carom_nodal_force_estimated(block, begin, end, x, force, estimates);
    else if (block->element == &carom_element_tet4.element)
        carom_tet4_force_estimated(block, begin, end, x, force, estimates);
    else
        carom_hex8_force_estimated(block, begin, end, x, X, force, estimates);
}
