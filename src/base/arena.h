// SPDX-License-Identifier: MIT
// An arena: many allocations, one release. The model lives in one.
#ifndef CAROM_BASE_ARENA_H
#define CAROM_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct carom_arena carom_arena;

// NULL if memory is short.
carom_arena *carom_arena_create(void);
void carom_arena_release(carom_arena *arena);

// `count` zeroed items of `size` bytes, aligned to 64 bytes, or NULL. Valid until the arena is released.
void *carom_arena_allocate(carom_arena *arena, int64_t count, size_t size);

// A copy of `size` bytes in the arena, or NULL.
void *carom_arena_copy(carom_arena *arena, const void *source, size_t size);

#endif
