// SPDX-License-Identifier: MIT
// Bisection in ascending numbers.
#ifndef CAROM_BASE_BISECT_H
#define CAROM_BASE_BISECT_H

#include <stddef.h>

// The index of the last of `count` ascending numbers that is not above the value; 0 if all are above. Successive numbers have a
// distance of `stride` bytes, as members of an array of structs.
static inline int carom_last_at(const int *first, size_t stride, int count, int value) {
    int low = 0, high = count - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (*(const int *)((const char *)first + stride * (size_t)middle) <= value)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

#endif
