// SPDX-License-Identifier: MIT
// Allocation of arrays, which are zeroed; overflow of count times size is an error.
#ifndef CAROM_BASE_ALLOCATE_H
#define CAROM_BASE_ALLOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

// `count` zeroed items of `size` bytes, or NULL. At least one byte is reserved, so NULL always means failure. Free with free().
void *carom_allocate(int64_t count, size_t size);

// Fails with CAROM_NO_MEMORY and the message "no memory for WHAT".
carom_status carom_no_memory(carom_error *error, const char *what);

// Requests large pages for large arrays; must be called before the memory is first accessed. With pages of 4 KB, 10^6
// tetrahedra take 5 to 10 % longer, since access to nodes in the order of elements is spread over many pages.
void carom_allocate_large_pages(void *memory, size_t bytes);

// Doubles the capacity of a growing array when `count` has reached it; returns the array, which may have moved, or NULL;
// the old array is then unchanged.
void *carom_grow(void *array, int64_t count, int64_t *capacity, size_t size);

// The same, and appends a copy of an item. `array` is the address of a pointer, as below. False, without changes, if memory is
// short.
bool carom_append(void *array, int64_t *count, int64_t *capacity, const void *item, size_t size);

// Replaces an array by a new one with `count` zeroed items; NULL, and false, if memory is short.
bool carom_renew(void *array, int64_t count, size_t size);

// If the capacity is below `count`, replaces the array by a new one with 3/2 count zeroed items. If memory is short, returns
// false and sets the capacity to 0.
bool carom_ensure_capacity(void *array, int64_t *capacity, int64_t count, size_t size);

#endif
