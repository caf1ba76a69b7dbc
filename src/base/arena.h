// SPDX-License-Identifier: MIT
// An arena: many allocations that are released together, such as those of a model.
#ifndef CAROM_BASE_ARENA_H
#define CAROM_BASE_ARENA_H

#include <stdbool.h>

#include "carom/arena.h"

// NULL if memory is short.
carom_arena *carom_arena_create(void);
void carom_arena_release(carom_arena *arena);

// Releases an arena (may be NULL) and replaces it by an empty one. False if memory is short.
bool carom_arena_renew(carom_arena **arena);

// As carom_arena_allocate, for several allocations that are checked together: *enough becomes false if memory is short, and is
// otherwise unchanged.
void *carom_arena_reserve(carom_arena *arena, int64_t count, size_t size, bool *enough);

// A copy of `size` bytes in the arena, or NULL.
void *carom_arena_copy(carom_arena *arena, const void *source, size_t size);

#endif
