// SPDX-License-Identifier: MIT
// Memory for arrays: zeroed, checked for overflow of the product.
#ifndef CAROM_BASE_ALLOCATE_H
#define CAROM_BASE_ALLOCATE_H

#include <stddef.h>
#include <stdint.h>

// `count` zeroed items of `size` bytes, or NULL. At least one byte is reserved, so NULL always means failure. Free with free().
void *carom_allocate(int64_t count, size_t size);

// Asks the system for large pages where the memory is long; to be called before it is touched. With pages of 4 KB, 10^6
// tetrahedra take 5 to 10 % longer: nodes are read in the order of elements, which jumps from page to page.
void carom_allocate_large_pages(void *memory, size_t bytes);

// Doubles the capacity of a growing array when `count` has reached it; returns the array (moved or not), or NULL with the old
// array untouched.
void *carom_grow(void *array, int64_t count, int64_t *capacity, size_t size);

#endif
