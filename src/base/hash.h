// SPDX-License-Identifier: MIT
// A 64-bit hash of bytes, the same on every machine of one byte order; used to compare states and models, not for security.
#ifndef CAROM_BASE_HASH_H
#define CAROM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CAROM_HASH_START UINT64_C(0x9e3779b97f4a7c15)

// Continues `hash` over `size` more bytes.
uint64_t carom_hash(uint64_t hash, const void *bytes, size_t size);

// The finalizer of the hash: a bijection of 64-bit words in which every input bit reaches every output bit.
uint64_t carom_hash_mix(uint64_t word);

// Hashes an array of 64-bit words without an order: the sum, modulo 2^64, over words `first` to `first + count - 1` of
//     mix(word ^ mix(key ^ index)),
// where `key` identifies the array. Sums over parts of an array, and over arrays, may be added; finish the total with
// carom_hash_mix. `words` points to the word of index `first`.
uint64_t carom_hash_sum(uint64_t key, const void *words, int64_t first, int64_t count);

#endif
