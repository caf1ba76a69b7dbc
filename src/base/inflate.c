// SPDX-License-Identifier: MIT
#include "base/inflate.h"

#include <limits.h>
#include <zlib.h>

carom_status carom_inflate(const unsigned char *packed, size_t size, unsigned char *bytes, size_t room) {
    // zlib counts in longs, which have 32 bits in Windows
    if (size > ULONG_MAX || room > ULONG_MAX)
        return CAROM_BAD_INPUT;
    uLongf length = (uLongf)room;
    int code = uncompress(bytes, &length, packed, (uLong)size);
    return code == Z_MEM_ERROR ? CAROM_NO_MEMORY : code == Z_OK && length == room ? CAROM_OK : CAROM_BAD_INPUT;
}
