// SPDX-License-Identifier: MIT
// Unpacks what zlib has packed.
#ifndef CAROM_BASE_INFLATE_H
#define CAROM_BASE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

// Unpacks a zlib stream (RFC 1950) into exactly `room` bytes. False if the stream is damaged or does not give as many.
bool carom_inflate(const unsigned char *packed, size_t size, unsigned char *bytes, size_t room);

#endif
