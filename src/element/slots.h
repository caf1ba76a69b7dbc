// SPDX-License-Identifier: MIT
// Element forces are stored in slots: three numbers for each node of each element, in batches of CAROM_LANES elements
// (carom_lane). The force on a node is the sum over a list of slots.
#ifndef CAROM_ELEMENT_SLOTS_H
#define CAROM_ELEMENT_SLOTS_H

#include "carom/element.h"

// Adds to f the forces whose first components are slots[at[begin]] ... slots[at[end - 1]], in this order.
static inline void carom_slots_gather(const double *slots, const int *at, int begin, int end, double f[3]) {
    for (int i = begin; i < end; i++)
        for (int c = 0; c < 3; c++)
            f[c] += slots[at[i] + CAROM_LANES * c];
}

#endif
