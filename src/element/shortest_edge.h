// SPDX-License-Identifier: MIT
// The size of the smallest cell of a block.
#ifndef CAROM_ELEMENT_SHORTEST_EDGE_H
#define CAROM_ELEMENT_SHORTEST_EDGE_H

#include "carom/element.h"

// The shortest distance of two nodes of a cell of the block, diagonals included; HUGE_VAL if its cells are points.
double carom_block_shortest_edge(const carom_block *block, const double (*x)[3]);

#endif
