// SPDX-License-Identifier: MIT
// An arena: many allocations, one release. The model lives in one.
#ifndef CAROM_BASE_ARENA_H
#define CAROM_BASE_ARENA_H

#include "carom/arena.h"

// NULL if memory is short.
carom_arena *carom_arena_create(void);
void carom_arena_release(carom_arena *arena);

// A copy of `size` bytes in the arena, or NULL.
void *carom_arena_copy(carom_arena *arena, const void *source, size_t size);

#endif
