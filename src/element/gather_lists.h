// SPDX-License-Identifier: MIT
// The slots of the element forces of each node.
#ifndef CAROM_ELEMENT_GATHER_LISTS_H
#define CAROM_ELEMENT_GATHER_LISTS_H

#include "carom/element.h"

// The slots of each block begin where those of the block before end: fills block_count + 1 numbers.
void carom_gather_slots(const carom_block *blocks, int block_count, int64_t *block_slot);

// For each node the slots of its element forces, ascending: those of node k are list[begin[k]] to list[begin[k + 1] - 1].
// `begin` has node_count + 1 numbers, all 0 on entry; `list` has one number per node of an element. Slots must fit an int.
void carom_gather_lists(const carom_block *blocks, int block_count, const int64_t *block_slot, int node_count, int *begin,
                        int *list);

#endif
