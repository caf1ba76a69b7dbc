// SPDX-License-Identifier: MIT
// The cells of obstacles, which are in no catalogue: a body becomes an obstacle by its motion, not by its element.
#ifndef CAROM_ELEMENT_LINE_OBSTACLE_H
#define CAROM_ELEMENT_LINE_OBSTACLE_H

#include "carom/element.h"

// The mass of a node of an obstacle: 2^-900 = 1.2e-271 is lost in rounding when added to masses from 1e-250 on, and its
// products with squares of velocities do not underflow.
#define CAROM_OBSTACLE_MASS 0x1p-900

// The element for a type of cell; `plane`: of a plane scene, in which faces lie flat.
const carom_element *carom_element_obstacle(carom_cell_type type, bool plane);

bool carom_element_is_obstacle(const carom_element *element);

#endif
