// SPDX-License-Identifier: MIT
// Eight bytes at a time: xor, multiply, rotate; then the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
#include "base/hash.h"

#include <string.h>

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t carom_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    uint64_t h = hash ^ (uint64_t)size;
    for (; size >= 8; size -= 8, b += 8) {
        uint64_t word;
        memcpy(&word, b, 8);
        h = (h ^ word) * UINT64_C(0x9fb21c651e98df25);
        h = (h << 27) | (h >> 37);
    }
    uint64_t rest = 0;
    if (size)
        memcpy(&rest, b, size);
    return mix(h ^ rest);
}
