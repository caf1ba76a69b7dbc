// SPDX-License-Identifier: MIT
// Zeroed arrays, and arrays that grow geometrically.
#include "base/allocate.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

// Size of large pages on common processors, and least size of memory for which they are requested, in bytes.
enum { LARGE_PAGE = 1 << 21, LARGE_MEMORY = 1 << 23 };

void carom_allocate_large_pages(void *memory, size_t bytes) {
    if (bytes >= LARGE_MEMORY)
        carom_platform_request_large_pages(memory, bytes, LARGE_PAGE);
}

void *carom_allocate(int64_t count, size_t size) {
    // The product of count and size must not wrap around.
    if (count < 0 || (size && (uint64_t)count > SIZE_MAX / size))
        return NULL;
    // calloc(0) may return NULL, which would be taken for a failure: an empty array takes one byte
    size_t bytes = (size_t)count * size;
    void *memory = calloc(bytes ? bytes : 1, 1);
    if (memory)
        carom_allocate_large_pages(memory, bytes);
    return memory;
}

carom_status carom_no_memory(carom_error *error, const char *what) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for %s", what);
}

void *carom_grow(void *array, int64_t count, int64_t *capacity, size_t size) {
    if (count < *capacity)
        return array;
    // Doubling keeps the cost of n appends linear in n.
    int64_t larger = *capacity ? 2 * *capacity : 8;
    if ((uint64_t)larger > SIZE_MAX / size)
        return NULL;
    // On failure the old array stays valid, and belongs to the caller.
    void *moved = realloc(array, (size_t)larger * size);
    if (moved)
        *capacity = larger;
    return moved;
}

bool carom_append(void *array, int64_t *count, int64_t *capacity, const void *item, size_t size) {
    // pointers of all types have the same representation, but only memcpy may convert a pointer to a pointer
    void *items;
    memcpy(&items, array, sizeof items);
    items = carom_grow(items, *count, capacity, size);
    if (!items)
        return false;
    memcpy(array, &items, sizeof items);
    memcpy((char *)items + (size_t)*count * size, item, size);
    ++*count;
    return true;
}

bool carom_renew(void *array, int64_t count, size_t size) {
    void *items;
    memcpy(&items, array, sizeof items);
    free(items);
    items = carom_allocate(count, size);
    memcpy(array, &items, sizeof items);
    return items;
}

bool carom_ensure_capacity(void *array, int64_t *capacity, int64_t count, size_t size) {
    if (count <= *capacity)
        return true;
    int64_t larger = count + count / 2;
    *capacity = carom_renew(array, larger, size) ? larger : 0;
    return *capacity > 0;
}
