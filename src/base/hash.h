// SPDX-License-Identifier: MIT
// A 64-bit hash of bytes, the same on every machine of one byte order; used to compare states and models, not for security.
#ifndef CAROM_BASE_HASH_H
#define CAROM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CAROM_HASH_START UINT64_C(0x9e3779b97f4a7c15)

// Continues `hash` over `size` more bytes.
uint64_t carom_hash(uint64_t hash, const void *bytes, size_t size);

#endif
