// SPDX-License-Identifier: MIT
// Numbers as base64 text, one after another into a stream; little-endian on every machine.
#ifndef CAROM_OUTPUT_BASE64_H
#define CAROM_OUTPUT_BASE64_H

#include <stdint.h>
#include <stdio.h>

enum { CAROM_BASE64_ROOM = 3 * 1024 };

// Bytes wait here until they are worth writing. Start from {.stream = ...}; failures are those of the stream.
typedef struct carom_base64 {
    FILE *stream;
    int count;
    unsigned char bytes[CAROM_BASE64_ROOM];
} carom_base64;

void carom_base64_uint16(carom_base64 *out, uint16_t value);
void carom_base64_int32(carom_base64 *out, int32_t value);
void carom_base64_real(carom_base64 *out, double value);
// Writes what waits, padded; the next number begins a new text.
void carom_base64_end(carom_base64 *out);

#endif
