// SPDX-License-Identifier: MIT
// The shortest edge or diagonal of the cells of a block, a measure of its mesh size.
#ifndef CAROM_ELEMENT_SHORTEST_EDGE_H
#define CAROM_ELEMENT_SHORTEST_EDGE_H

#include "carom/element.h"

// The shortest distance of two nodes of a cell of the block, diagonals included; HUGE_VAL if its cells are points.
double carom_block_shortest_edge(const carom_block *block, const double (*x)[3]);

#endif
