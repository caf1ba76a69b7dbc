// SPDX-License-Identifier: MIT
// Bytes that are written or read. The same walk over a structure does both, so that the two cannot disagree: it names every
// field once. Numbers are in the format of the machine; all processes of a run compute alike.
#ifndef CAROM_MODEL_PARTS_BYTE_WALK_H
#define CAROM_MODEL_PARTS_BYTE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct carom_byte_walk {
    bool reading;
    unsigned char *bytes; // NULL: they are only counted
    int64_t size, at;
    carom_arena *arena;  // for what is read
    carom_status status; // of the first failure; nothing is read after it
} carom_byte_walk;

// So many bytes of a field.
void carom_byte_walk_bytes(carom_byte_walk *walk, void *field, size_t size);
// A text of less than CAROM_NAME_MAX bytes; what follows its end is not sent.
void carom_byte_walk_name(carom_byte_walk *walk, char *name);
// An array, or that there is none (NULL). Returns what was read, in the arena.
void *carom_byte_walk_array(carom_byte_walk *walk, const void *items, int64_t count, size_t size);
// Room for items that are read one by one, all zero; each is at least one byte long.
void *carom_byte_walk_buffer(carom_byte_walk *walk, int64_t count, size_t size);
// What is read does not fit.
void carom_byte_walk_refuse(carom_byte_walk *walk);

#define CAROM_BYTE_WALK_FIELD(walk, field) carom_byte_walk_bytes((walk), &(field), sizeof(field))

// `pointer` is assigned only where bytes are read: what is written may be read by others at the same time.
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
