// SPDX-License-Identifier: MIT
// Serialisation of structures to and from bytes. The same traversal writes and reads, so the two cannot disagree: it names
// every field once. Numbers are in the format of the machine; all processes of a run use the same.
#ifndef CAROM_MODEL_PARTS_BYTE_WALK_H
#define CAROM_MODEL_PARTS_BYTE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct carom_byte_walk {
    bool reading;
    unsigned char *bytes;      // written; NULL: they are only counted
    const unsigned char *from; // read
    int64_t size, at;
    carom_arena *arena;  // for arrays that are read
    carom_status status; // of the first failure; nothing is read after it
} carom_byte_walk;

// Writes or reads the bytes of a field.
void carom_byte_walk_bytes(carom_byte_walk *walk, void *field, size_t size);
// Writes bytes, and only that.
void carom_byte_walk_put(carom_byte_walk *walk, const void *bytes, size_t size);
// A text of less than CAROM_NAME_MAX bytes; the bytes behind its end are not sent.
void carom_byte_walk_name(carom_byte_walk *walk, char *name);
// An array, or NULL. Returns the array that was read, in the arena.
void *carom_byte_walk_array(carom_byte_walk *walk, const void *items, int64_t count, size_t size);
// Allocates zeroed items that are read one by one; each is at least one byte long.
void *carom_byte_walk_buffer(carom_byte_walk *walk, int64_t count, size_t size);
// Reports that the bytes do not fit the structure.
void carom_byte_walk_refuse(carom_byte_walk *walk);

#define CAROM_BYTE_WALK_FIELD(walk, field) carom_byte_walk_bytes((walk), &(field), sizeof(field))

// `pointer` is assigned only when reading: while writing, other threads may read it.
#define CAROM_BYTE_WALK_ARRAY(walk, pointer, count)                                          \
    do {                                                                                     \
        void *items_ = carom_byte_walk_array((walk), (pointer), (count), sizeof *(pointer)); \
        if ((walk)->reading)                                                                 \
            (pointer) = items_;                                                              \
    } while (0)

#define CAROM_BYTE_WALK_BUFFER(walk, pointer, count)                                \
    do {                                                                            \
        if ((walk)->reading)                                                        \
            (pointer) = carom_byte_walk_buffer((walk), (count), sizeof *(pointer)); \
    } while (0)

#endif
