// SPDX-License-Identifier: MIT
// hex8 and quad4 whose change of volume is averaged over the element (`integration: mean-dilatation`).
#ifndef CAROM_ELEMENT_AVERAGE_MEAN_DILATATION_H
#define CAROM_ELEMENT_AVERAGE_MEAN_DILATATION_H

#include "element/solid.h"

extern const carom_solid_element carom_dilated_hex8, carom_dilated_quad4;

carom_element_values carom_dilated_energy, carom_dilated_force, carom_dilated_stiffness;
carom_element_values carom_dilated_hex8_force; // of bricks, in batches
carom_element_bound carom_dilated_bound;
carom_element_body_step carom_dilated_body_step;
// Mean stress and strain of one element (solid_tensors.c).
void carom_dilated_tensors(const carom_block *block, int e, const double (*x)[3], const double (*X)[3], double stress[6],
                           double strain[6]);

static inline bool carom_is_dilated(const carom_block *block) {
    return block->element == &carom_dilated_hex8.element || block->element == &carom_dilated_quad4.element;
}

#endif
