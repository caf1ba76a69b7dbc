// SPDX-License-Identifier: MIT
// A multiplicative hash of eight bytes at a time (xor, multiply, rotate), completed by the finalizer of SplitMix64 (G. L.
// Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014), in which every input bit reaches
// every output bit.
//
// The hash without order follows the incremental hashing of M. Bellare and D. Micciancio ("A new paradigm for collision-free
// hashing: incrementality at reduced cost", EUROCRYPT 1997): words are hashed together with their place and the results added.
#include "base/hash.h"

#include <string.h>

// Least number of words for threads: 2 ns per word, and about 20 us to wake threads.
enum { SHARED_WORDS = 1 << 17 };

uint64_t carom_hash_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t carom_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    // the size is included, so that trailing zero bytes change the hash
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
    return carom_hash_mix(h ^ rest);
}

uint64_t carom_hash_sum(uint64_t key, const void *words, int64_t first, int64_t count) {
    const unsigned char *b = words;
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) if (count > SHARED_WORDS)
    for (int64_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, b + 8 * i, 8);
        // the index is mixed before it is combined with the word: neighbours with nearly equal words must not cancel
        sum += carom_hash_mix(word ^ carom_hash_mix(key ^ (uint64_t)(first + i)));
    }
    return sum;
}
