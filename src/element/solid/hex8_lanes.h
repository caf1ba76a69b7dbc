// SPDX-License-Identifier: MIT
// Eight bricks side by side: their maps (hex8_body.h), and the way from their nodes and to their slots.
#ifndef CAROM_ELEMENT_SOLID_HEX8_LANES_H
#define CAROM_ELEMENT_SOLID_HEX8_LANES_H

#include "element/solid/hex8_body.h"
#include "element/solid/solid_kernel.h"

#endif
