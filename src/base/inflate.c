// SPDX-License-Identifier: MIT
// Unpacks zlib streams by the library zlib.
#include "base/inflate.h"

#include <limits.h>
#include <zlib.h>

carom_status carom_inflate(const unsigned char *packed, size_t size, unsigned char *bytes, size_t length) {
    // zlib counts in longs, which have 32 bits in Windows
    if (size > ULONG_MAX || length > ULONG_MAX)
        return CAROM_BAD_INPUT;
    uLongf unpacked = (uLongf)length;
    int code = uncompress(bytes, &unpacked, packed, (uLong)size);
    return code == Z_MEM_ERROR ? CAROM_NO_MEMORY : code == Z_OK && unpacked == length ? CAROM_OK : CAROM_BAD_INPUT;
}
