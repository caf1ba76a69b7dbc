// SPDX-License-Identifier: MIT
// Memory for many arrays that are released together (arena.h), taken from a list of large chunks.
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/platform.h"

enum {
    ALIGNMENT = 64,  // a cache line, and the widest vector registers in use (AVX-512)
    CHUNK = 1 << 16, // hundreds of small arrays share one call of the allocator
};

// Chunks form a list, the newest first. Small requests share the newest chunk; a request larger than CHUNK gets a separate one.
// `used` includes the header, and requests are rounded up to multiples of ALIGNMENT, so that all memory is aligned.
typedef struct chunk {
    struct chunk *next;
    size_t used, size;
} chunk;

struct carom_arena {
    chunk *chunks;
};

static size_t round_up(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

carom_arena *carom_arena_create(void) {
    return calloc(1, sizeof(carom_arena));
}

void carom_arena_release(carom_arena *arena) {
    if (!arena)
        return;
    for (chunk *c = arena->chunks, *next; c; c = next) {
        next = c->next;
        carom_platform_release_aligned(c);
    }
    free(arena);
}

bool carom_arena_renew(carom_arena **arena) {
    carom_arena_release(*arena);
    *arena = carom_arena_create();
    return *arena;
}

// Clears memory, in parallel if it is large: the system maps new memory page by page at its first access, which takes several
// times as long as clearing it.
static void clear(void *memory, size_t bytes) {
    enum { PIECE = 1 << 22 };
    int64_t pieces = (int64_t)((bytes + PIECE - 1) / PIECE);
#pragma omp parallel for schedule(static) if (pieces > 2)
    for (int64_t p = 0; p < pieces; p++) {
        size_t begin = (size_t)p * PIECE;
        memset((char *)memory + begin, 0, bytes - begin < PIECE ? bytes - begin : PIECE);
    }
}

void *carom_arena_allocate(carom_arena *arena, int64_t count, size_t size) {
    // half of the range, since rounding and the header are added below
    if (count < 0 || (size && (uint64_t)count > (SIZE_MAX / 2) / size))
        return NULL;
    // one byte more, so that empty arrays have different addresses
    size_t bytes = round_up((size_t)count * size + 1);

    // the remainder of a chunk that is too small is not used any more: a loss of at most CHUNK bytes per large request
    chunk *c = arena->chunks;
    if (!c || c->size - c->used < bytes) {
        size_t space = round_up(sizeof(chunk)) + (bytes > CHUNK ? bytes : CHUNK);
        c = carom_platform_allocate_aligned(ALIGNMENT, round_up(space));
        if (!c)
            return NULL;
        carom_allocate_large_pages(c, space);
        *c = (chunk){.next = arena->chunks, .used = round_up(sizeof(chunk)), .size = space};
        arena->chunks = c;
    }

    void *memory = (char *)c + c->used;
    c->used += bytes;
    // the system does not clear it, and pointers that are not set must be NULL
    clear(memory, bytes);
    return memory;
}

void *carom_arena_reserve(carom_arena *arena, int64_t count, size_t size, bool *enough) {
    void *items = *enough ? carom_arena_allocate(arena, count, size) : NULL;
    *enough = items != NULL;
    return items;
}

void *carom_arena_copy(carom_arena *arena, const void *source, size_t size) {
    void *memory = carom_arena_allocate(arena, 1, size);
    if (memory && size)
        memcpy(memory, source, size);
    return memory;
}
