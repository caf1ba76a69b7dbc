// SPDX-License-Identifier: MIT
// Sorting: by Morton codes and by integer keys in linear time; of numbers and of items along a line.
#ifndef CAROM_BASE_SORT_H
#define CAROM_BASE_SORT_H

#include <stdint.h>

// An item with its code.
typedef struct carom_coded {
    uint64_t code;
    int item;
} carom_coded;

// The Morton code of a point of the cube [-1, 1]^3: 21 bits of each coordinate, interleaved, x highest. Coordinates outside are
// assigned to the nearest cell.
uint64_t carom_morton_code(double x, double y, double z);

// Sorts by code, items of equal code in their old order. `space` is scratch for `count` items; the result is in `items`.
void carom_sort_coded(carom_coded *items, carom_coded *space, int count);

// Sorts numbers in ascending order.
void carom_sort_numbers(int *numbers, int count);
// The same, and removes repeated numbers; returns how many are left.
int carom_sort_once(int *numbers, int count);

// Sorts pairs by pair[0], which is in [0, key_count); pairs of equal key in their old order. `begin` has key_count + 1
// numbers; after the call the pairs of key k are out[begin[k]] to out[begin[k + 1] - 1].
void carom_sort_pairs(const int (*pairs)[2], int count, int key_count, int *begin, int (*out)[2]);

// Comparison of ints for qsort, ascending.
int carom_compare_ints(const void *a, const void *b);

// Items at positions along a line.
typedef struct carom_located {
    double at;
    int item;
} carom_located;

// Sorts by position; items at the same position by their numbers, so that the order does not depend on the algorithm.
void carom_sort_located(carom_located *items, int count);

#endif
