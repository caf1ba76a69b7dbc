// SPDX-License-Identifier: MIT
// Largest stresses and strains over time (peak_values.h): which blocks compare them in their force kernels, and the exact
// values of batches in which an element may exceed the recorded ones.
#include "element/peak_values.h"

#include "element/average/nodal.h"
#include "element/batch.h"
#include "element/element.h"
#include "element/peak_settle.h"
#include "element/shell/loop_shell.h"

bool carom_extremes_known(const carom_block *block) {
    const carom_element *element = block->element;
    if (element == &carom_element_loop_shell)
        return carom_shell_is_batched(block);
    if (!block->material || carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        return false;
#define OF_KIND(name, nodes) || element == &carom_element_##name.element
    return element == &carom_nodal_patch CAROM_SOLIDS(OF_KIND);
}

void carom_extremes_force(const carom_block *block, const double (*x)[3], const double (*X)[3], double *force,
                          carom_extremes *extremes) {
    if (block->element == &carom_nodal_patch)
        carom_nodal_force_watched(block, 0, extremes->count, x, force, extremes);
    else if (block->element == &carom_element_loop_shell)
        carom_shell_force_watched(block, 0, extremes->count, x, force, extremes);
    else
        carom_solid_force_watched(block, 0, extremes->count, x, X, force, extremes);
}

CAROM_INLINE void settle_batch(carom_extremes *extremes, int e0, const double *numbers, bool *strained) {
    carom_lanes t[6], base, slope;
    for (int c = 0; c < 6; c++)
        carom_lanes_load(numbers + CAROM_LANES * c, &t[c]);
    carom_lanes_load(numbers + CAROM_LANES * CAROM_EXTREME_BASE, &base);
    carom_lanes_load(numbers + CAROM_LANES * CAROM_EXTREME_SLOPE, &slope);
    carom_extremes_settle_lanes(extremes, e0, t, &base, &slope, strained);
}

CAROM_KERNEL(settle, (carom_extremes * extremes, int e0, const double *numbers, bool *strained),
             (extremes, e0, numbers, strained), settle_batch(extremes, e0, numbers, strained))

bool carom_extremes_settle(carom_extremes *extremes, int e0, const double *numbers) {
    bool strained = false;
    settle(extremes, e0, numbers, &strained);
    return strained;
}

CAROM_INLINE void settle_right(carom_extremes *extremes, int e0, const double *numbers) {
    carom_lanes right[6];
    for (int c = 0; c < 6; c++)
        carom_lanes_load(numbers + CAROM_LANES * c, &right[c]);
    carom_extremes_settle_right(extremes, e0, right);
}

CAROM_KERNEL(settle_strain, (carom_extremes * extremes, int e0, const double *numbers), (extremes, e0, numbers),
             settle_right(extremes, e0, numbers))

void carom_extremes_settle_strain(carom_extremes *extremes, int e0, const double *numbers) {
    settle_strain(extremes, e0, numbers);
}
