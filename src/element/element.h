// SPDX-License-Identifier: MIT
// The members of the catalogue of elements.
#ifndef CAROM_ELEMENT_ELEMENT_H
#define CAROM_ELEMENT_ELEMENT_H

#include "carom/element.h"

// The number of an element as the file of its mesh gives it, for messages.
static inline int64_t carom_block_id(const carom_block *block, int element) {
    return block->ids ? block->ids[element] : element;
}

extern const carom_element carom_element_bar;
extern const carom_element carom_element_exact_beam;
extern const carom_element carom_element_point_mass;

#endif
