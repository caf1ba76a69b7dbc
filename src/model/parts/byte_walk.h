// SPDX-License-Identifier: MIT
// Bytes that are written or read. The same walk over a structure does both, so that the two cannot disagree: it names every
// field once. Numbers are in the format of the machine; all processes of a run compute alike.
#ifndef CAROM_MODEL_PARTS_BYTE_WALK_H
#define CAROM_MODEL_PARTS_BYTE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct carom_parcel {
    bool reading;
    unsigned char *bytes; // NULL: they are only counted
    int64_t size, at;
    carom_arena *arena;  // for what is read
    carom_status status; // of the first failure; nothing is read after it
} carom_parcel;

// So many bytes of a field.
void carom_parcel_bytes(carom_parcel *parcel, void *field, size_t size);
// A text of less than CAROM_NAME_MAX bytes; what follows its end is not sent.
void carom_parcel_name(carom_parcel *parcel, char *name);
// An array, or that there is none (NULL). Returns what was read, in the arena.
void *carom_parcel_array(carom_parcel *parcel, const void *items, int64_t count, size_t size);
// Room for items that are read one by one, all zero; each is at least one byte long.
void *carom_parcel_room(carom_parcel *parcel, int64_t count, size_t size);
// What is read does not fit.
void carom_parcel_refuse(carom_parcel *parcel);

#define CAROM_PARCEL_FIELD(parcel, field) carom_parcel_bytes((parcel), &(field), sizeof(field))

// `pointer` is assigned only where bytes are read: what is written may be read by others at the same time.
#define CAROM_PARCEL_ARRAY(parcel, pointer, count)                                          \
    do {                                                                                    \
        void *items_ = carom_parcel_array((parcel), (pointer), (count), sizeof *(pointer)); \
        if ((parcel)->reading)                                                              \
            (pointer) = items_;                                                             \
    } while (0)

#define CAROM_PARCEL_ROOM(parcel, pointer, count)                                \
    do {                                                                         \
        if ((parcel)->reading)                                                   \
            (pointer) = carom_parcel_room((parcel), (count), sizeof *(pointer)); \
    } while (0)

#endif
