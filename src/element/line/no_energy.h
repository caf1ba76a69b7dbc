// SPDX-License-Identifier: MIT
// Functions of elements without stored energy: point masses, and the cells of rigid bodies and of obstacles.
#ifndef CAROM_ELEMENT_LINE_NO_ENERGY_H
#define CAROM_ELEMENT_LINE_NO_ENERGY_H

#include "element/functions.h"

carom_element_values carom_no_energy, carom_no_force, carom_no_stiffness, carom_no_stable_step;
carom_element_balanced carom_no_balanced;
bool carom_no_energy_turns_freely(const carom_block *block);

// The types of cells with faces, and their nodes.
#define CAROM_FACED_CELLS(X) \
    X(CAROM_CELL_TRI3, 3) X(CAROM_CELL_QUAD4, 4) X(CAROM_CELL_TET4, 4) X(CAROM_CELL_HEX8, 8) X(CAROM_CELL_WEDGE6, 6)
#define CAROM_FACED_CELL(type, nodes) +1
enum { CAROM_FACED_CELL_COUNT = CAROM_FACED_CELLS(CAROM_FACED_CELL) };

// Members of a carom_element: no force, and no limit of the step.
#define CAROM_NO_ENERGY \
    .nonnegative = true, .energy = carom_no_energy, .force = carom_no_force, .stable_step = carom_no_stable_step

#endif
