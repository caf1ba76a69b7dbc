// SPDX-License-Identifier: MIT
// Memory of an arena: many allocations, released together. Elements with `arrange` allocate from the arena of the model.
#ifndef CAROM_ARENA_H
#define CAROM_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Belongs to the model that is being built; a function that receives one neither keeps nor releases it.
typedef struct carom_arena carom_arena;

// `count` zeroed items of `size` bytes, aligned to 64 bytes, or NULL. Valid until the arena is released; there is nothing to
// free.
CAROM_API void *carom_arena_allocate(carom_arena *arena, int64_t count, size_t size);

#ifdef __cplusplus
}
#endif
#endif
