// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/platform.h"

enum {
    ALIGNMENT = 64,  // a cache line, and the widest vector registers in use (AVX-512)
    CHUNK = 1 << 16, // hundreds of small arrays share one call of the allocator
};

// Chunks form a list, the newest first. Small requests share the newest chunk; one larger than CHUNK gets a chunk of its own.
// `used` counts the header, and every request is a multiple of ALIGNMENT, so that all memory handed out is aligned.
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

// Memory that is new to the process is mapped page by page as it is touched, which takes several times as long as clearing it:
// threads share that, for arrays of which a piece each is worth the start of a thread.
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
    // The bound leaves room for the rounding and the header that are added below.
    if (count < 0 || (size && (uint64_t)count > (SIZE_MAX / 2) / size))
        return NULL;
    // One byte more, so that an empty array has an address of its own.
    size_t bytes = round_up((size_t)count * size + 1);

    // The remainder of a chunk that is too full is given up; at most CHUNK bytes are lost per large request.
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
    // The system does not clear it, and a pointer that nobody has set must be NULL.
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
