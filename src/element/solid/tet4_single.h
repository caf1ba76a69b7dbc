// SPDX-License-Identifier: MIT
// The force of one tetrahedron, for methods in which each element has its own step.
#ifndef CAROM_ELEMENT_SOLID_TET4_SINGLE_H
#define CAROM_ELEMENT_SOLID_TET4_SINGLE_H

#include "carom/element.h"

// The functions of a single tetrahedron, with CAROM_TET4_DATA numbers per element; NULL for laws with history.
const carom_single *carom_tet4_single(const carom_block *block);

#endif
