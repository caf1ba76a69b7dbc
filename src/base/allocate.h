// SPDX-License-Identifier: MIT
// Memory for arrays: zeroed, checked for overflow of the product.
#ifndef CAROM_BASE_ALLOCATE_H
#define CAROM_BASE_ALLOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

// `count` zeroed items of `size` bytes, or NULL. At least one byte is reserved, so NULL always means failure. Free with free().
void *carom_allocate(int64_t count, size_t size);

// CAROM_NO_MEMORY with the message "no memory for ..." and what it would have been for.
carom_status carom_no_memory(carom_error *error, const char *what);

// Asks the system for large pages where the memory is long; to be called before it is touched. With pages of 4 KB, 10^6
// tetrahedra take 5 to 10 % longer: nodes are read in the order of elements, which jumps from page to page.
void carom_allocate_large_pages(void *memory, size_t bytes);

// Doubles the capacity of a growing array when `count` has reached it; returns the array (moved or not), or NULL with the old
// array untouched.
void *carom_grow(void *array, int64_t count, int64_t *capacity, size_t size);

// The same, and appends a copy of an item. `array` is the address of a pointer, as below. False if memory is short: nothing has
// changed then.
bool carom_append(void *array, int64_t *count, int64_t *capacity, const void *item, size_t size);

// Replaces an array by a new one with `count` zeroed items; NULL, and false, if memory is short.
bool carom_renew(void *array, int64_t count, size_t size);

// Renews an array that has less room than for `count` items, with half as much again; a capacity of 0 if memory is short.
bool carom_ensure_capacity(void *array, int64_t *capacity, int64_t count, size_t size);

#endif
