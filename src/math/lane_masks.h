// SPDX-License-Identifier: MIT
// Masks of lanes, results of comparisons of vectors of numbers (lanes.h): all bits of a lane are set, or none.
#ifndef CAROM_MATH_LANE_MASKS_H
#define CAROM_MATH_LANE_MASKS_H

#include <stdbool.h>

#include "math/lanes.h"

// Intersection and union of two masks, whose lanes are 0 or -1. They are computed from sums, because gcc splits `&` and `|` of
// two comparisons into single lanes in functions that are inlined into a kernel for wider registers.
CAROM_INLINE void carom_lanes_both(const carom_lanes_bits *a, const carom_lanes_bits *b, carom_lanes_bits *out) {
    *out = *a + *b < -1;
}

CAROM_INLINE void carom_lanes_either(const carom_lanes_bits *a, const carom_lanes_bits *b, carom_lanes_bits *out) {
    *out = *a + *b < 0;
}

// True if a bit of a mask is set.
CAROM_INLINE bool carom_lanes_any(const carom_lanes_bits *mask) {
    int64_t any = 0;
    for (int l = 0; l < CAROM_ABREAST; l++)
        any |= (*mask)[l];
    return any != 0;
}

// The same if it is unlikely: the compiler moves the code of this branch out of the main path.
CAROM_INLINE bool carom_lanes_rare(const carom_lanes_bits *mask) {
    return __builtin_expect(carom_lanes_any(mask), 0);
}

#endif
