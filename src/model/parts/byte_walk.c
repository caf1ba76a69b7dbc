// SPDX-License-Identifier: MIT
#include "model/parts/byte_walk.h"

#include <string.h>

#include "carom/param.h"

void carom_parcel_refuse(carom_parcel *parcel) {
    if (!parcel->status)
        parcel->status = CAROM_BAD_INPUT;
}

void carom_parcel_bytes(carom_parcel *parcel, void *field, size_t size) {
    if (parcel->status || !size)
        return;
    if (parcel->reading && (uint64_t)(parcel->size - parcel->at) < size) {
        carom_parcel_refuse(parcel);
        return;
    }
    if (parcel->reading)
        memcpy(field, parcel->bytes + parcel->at, size);
    else if (parcel->bytes)
        memcpy(parcel->bytes + parcel->at, field, size);
    parcel->at += (int64_t)size;
}

void carom_parcel_name(carom_parcel *parcel, char *name) {
    // names are kept in fields of CAROM_NAME_MAX bytes, the rest of which nobody need have set
    unsigned char length = parcel->reading ? 0 : (unsigned char)strnlen(name, CAROM_NAME_MAX - 1);
    CAROM_PARCEL_FIELD(parcel, length);
    if (length >= CAROM_NAME_MAX)
        carom_parcel_refuse(parcel);
    carom_parcel_bytes(parcel, name, length);
    if (parcel->reading && !parcel->status)
        memset(name + length, 0, CAROM_NAME_MAX - (size_t)length);
}

void *carom_parcel_room(carom_parcel *parcel, int64_t count, size_t size) {
    if (!parcel->status && (count < 0 || count > parcel->size - parcel->at))
        carom_parcel_refuse(parcel);
    if (parcel->status)
        return NULL;
    void *room = carom_arena_allocate(parcel->arena, count, size);
    if (!room)
        parcel->status = CAROM_NO_MEMORY;
    return room;
}

void *carom_parcel_array(carom_parcel *parcel, const void *items, int64_t count, size_t size) {
    unsigned char given = !parcel->reading && items;
    CAROM_PARCEL_FIELD(parcel, given);
    if (!given)
        return NULL;
    if (!parcel->reading) {
        carom_parcel_bytes(parcel, (void *)items, (size_t)count * size);
        return NULL;
    }
    if (!parcel->status && (count < 0 || count > (parcel->size - parcel->at) / (int64_t)size))
        carom_parcel_refuse(parcel);
    void *room = carom_parcel_room(parcel, count, size);
    carom_parcel_bytes(parcel, room, (size_t)count * size);
    return room;
}
