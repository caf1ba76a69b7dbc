// SPDX-License-Identifier: MIT
// A multiplicative hash of eight bytes at a time (xor, multiply, rotate), closed by the finalizer of SplitMix64 (G. L. Steele,
// D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014), in which every input bit reaches every
// output bit.
#include "base/hash.h"

#include <string.h>

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t carom_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    // The size takes part, so that a piece that ends in zero bytes differs from the same piece without them.
    uint64_t h = hash ^ (uint64_t)size;
    for (; size >= 8; size -= 8, b += 8) {
        // memcpy reads a word at any alignment; compilers turn it into one load.
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
