// SPDX-License-Identifier: MIT
// Unpacks zlib streams: the compression of binary VTK XML files.
#ifndef CAROM_BASE_INFLATE_H
#define CAROM_BASE_INFLATE_H

#include <stddef.h>

#include "carom/status.h"

// Unpacks a zlib stream (RFC 1950) into exactly `length` bytes. CAROM_BAD_INPUT if the stream is damaged or holds more or fewer
// bytes, CAROM_NO_MEMORY.
carom_status carom_inflate(const unsigned char *packed, size_t size, unsigned char *bytes, size_t length);

#endif
