// SPDX-License-Identifier: MIT
// Functions of elements without stored energy: point masses, and the cells of rigid bodies and of obstacles.
#ifndef CAROM_ELEMENT_LINE_NO_ENERGY_H
#define CAROM_ELEMENT_LINE_NO_ENERGY_H

#include "element/functions.h"

carom_element_values carom_no_energy, carom_no_force, carom_no_stiffness, carom_no_stable_step;
carom_element_balanced carom_no_balanced;
bool carom_no_energy_turns_freely(const carom_block *block);

// Members of a carom_element: no force, and no limit of the step.
#define CAROM_NO_ENERGY \
    .nonnegative = true, .energy = carom_no_energy, .force = carom_no_force, .stable_step = carom_no_stable_step

#endif
