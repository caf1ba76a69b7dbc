// SPDX-License-Identifier: MIT
// Where a number lies among ascending ones.
#ifndef CAROM_BASE_BISECT_H
#define CAROM_BASE_BISECT_H

#include <stddef.h>

// The last of `count` ascending numbers that is not above the value, the first if all are. They stand `stride` bytes apart, as
// members of structs do.
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
