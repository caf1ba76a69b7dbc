// SPDX-License-Identifier: MIT
// The element of rigid bodies, and the elements of their cells, one for each type of cell with faces.
#ifndef CAROM_ELEMENT_LINE_RIGID_H
#define CAROM_ELEMENT_LINE_RIGID_H

#include "carom/rigid.h"
#include "element/line/no_energy.h"

extern const carom_element carom_element_rigid;
// In the order of carom_cell_type.
extern const carom_element carom_rigid_cells[CAROM_FACED_CELL_COUNT];

// True for all of these elements: a body of such an element is rigid.
static inline bool carom_element_is_rigid(const carom_element *element) {
    return element == &carom_element_rigid ||
           (element >= carom_rigid_cells && element < carom_rigid_cells + CAROM_FACED_CELL_COUNT);
}

#endif
