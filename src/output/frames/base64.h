// SPDX-License-Identifier: MIT
// Numbers as base64 text, appended one after another to a stream. The bytes are little-endian on every
// machine.
#ifndef CAROM_OUTPUT_FRAMES_BASE64_H
#define CAROM_OUTPUT_FRAMES_BASE64_H

#include <stdint.h>
#include <stdio.h>

// Bytes buffered before they are written; a multiple of three, so that a full buffer needs no padding.
enum { CAROM_BASE64_CAPACITY = 3 * 1024 };

// A buffered writer. Start from {.stream = ...}; a failed write shows as the error flag of the stream.
typedef struct carom_base64 {
    FILE *stream;
    int count;
    unsigned char bytes[CAROM_BASE64_CAPACITY];
} carom_base64;

void carom_base64_uint16(carom_base64 *out, uint16_t value);
void carom_base64_int32(carom_base64 *out, int32_t value);
void carom_base64_real(carom_base64 *out, double value);
// Writes the buffered bytes with padding; the next number begins a new base64 text.
void carom_base64_end(carom_base64 *out);

#endif
