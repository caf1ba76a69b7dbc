// SPDX-License-Identifier: MIT
// Bounds of metals in elements that average volumes (isochoric_bound.c).
#ifndef CAROM_ELEMENT_AVERAGE_ISOCHORIC_BOUND_H
#define CAROM_ELEMENT_AVERAGE_ISOCHORIC_BOUND_H

#include "carom/element.h"

// The shares of bricks with mean dilatation, and of cells of tetrahedra with volumes at nodes, of the law `j2`: see
// carom_element.bound. False, and nothing is written, for other elements and laws.
bool carom_split_metal_shares(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share);

#endif
