// SPDX-License-Identifier: MIT
// Writes, counts or reads bytes of fields, names and arrays (byte_walk.h).
#include "model/parts/byte_walk.h"

#include <string.h>

#include "carom/param.h"

void carom_byte_walk_refuse(carom_byte_walk *walk) {
    if (!walk->status)
        walk->status = CAROM_BAD_INPUT;
}

void carom_byte_walk_put(carom_byte_walk *walk, const void *bytes, size_t size) {
    if (walk->status || !size)
        return;
    if (walk->bytes)
        memcpy(walk->bytes + walk->at, bytes, size);
    walk->at += (int64_t)size;
}

void carom_byte_walk_bytes(carom_byte_walk *walk, void *field, size_t size) {
    if (!walk->reading) {
        carom_byte_walk_put(walk, field, size);
        return;
    }
    if (walk->status || !size)
        return;
    if ((uint64_t)(walk->size - walk->at) < size) {
        carom_byte_walk_refuse(walk);
        return;
    }
    memcpy(field, walk->from + walk->at, size);
    walk->at += (int64_t)size;
}

void carom_byte_walk_name(carom_byte_walk *walk, char *name) {
    // names are in fields of CAROM_NAME_MAX bytes, whose bytes behind the end may be uninitialised
    unsigned char length = walk->reading ? 0 : (unsigned char)strnlen(name, CAROM_NAME_MAX - 1);
    CAROM_BYTE_WALK_FIELD(walk, length);
    if (length >= CAROM_NAME_MAX)
        carom_byte_walk_refuse(walk);
    carom_byte_walk_bytes(walk, name, length);
    if (walk->reading && !walk->status)
        memset(name + length, 0, CAROM_NAME_MAX - (size_t)length);
}

void *carom_byte_walk_buffer(carom_byte_walk *walk, int64_t count, size_t size) {
    if (!walk->status && (count < 0 || count > walk->size - walk->at))
        carom_byte_walk_refuse(walk);
    if (walk->status)
        return NULL;
    void *items = carom_arena_allocate(walk->arena, count, size);
    if (!items)
        walk->status = CAROM_NO_MEMORY;
    return items;
}

void *carom_byte_walk_array(carom_byte_walk *walk, const void *items, int64_t count, size_t size) {
    unsigned char given = !walk->reading && items;
    CAROM_BYTE_WALK_FIELD(walk, given);
    if (!given)
        return NULL;
    if (!walk->reading) {
        carom_byte_walk_put(walk, items, (size_t)count * size);
        return NULL;
    }
    if (!walk->status && (count < 0 || count > (walk->size - walk->at) / (int64_t)size))
        carom_byte_walk_refuse(walk);
    void *array = carom_byte_walk_buffer(walk, count, size);
    carom_byte_walk_bytes(walk, array, (size_t)count * size);
    return array;
}
