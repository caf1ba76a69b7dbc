// SPDX-License-Identifier: MIT
// The element of rigid bodies, and those of its cells.
#ifndef CAROM_ELEMENT_LINE_RIGID_H
#define CAROM_ELEMENT_LINE_RIGID_H

#include "carom/element.h"
#include "carom/rigid.h"

extern const carom_element carom_element_rigid;
// Triangles, quadrilaterals, tetrahedra, bricks and wedges.
extern const carom_element carom_rigid_cells[5];

// True for all of these: a body of such an element is rigid, and its cells are of any type with faces.
static inline bool carom_element_is_rigid(const carom_element *element) {
    return element == &carom_element_rigid || (element >= carom_rigid_cells && element < carom_rigid_cells + 5);
}

#endif
