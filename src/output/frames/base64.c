// SPDX-License-Identifier: MIT
// Base64 as in RFC 4648: three bytes become four characters of six bits each, and '=' pads the last group.
// The buffer holds a multiple of three bytes, so that only the last flush of a text ever pads.
#include "output/frames/base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void flush(carom_base64 *out) {
    char text[CAROM_BASE64_CAPACITY / 3 * 4];
    size_t size = 0;
    for (int i = 0; i < out->count; i += 3) {
        int left = out->count - i;
        const unsigned char *b = &out->bytes[i];
        // missing bytes of the last group count as zero
        unsigned word = (unsigned)b[0] << 16 | (left > 1 ? (unsigned)b[1] << 8 : 0) | (left > 2 ? b[2] : 0u);
        text[size++] = digits[word >> 18];
        text[size++] = digits[word >> 12 & 63];
        text[size++] = left > 1 ? digits[word >> 6 & 63] : '=';
        text[size++] = left > 2 ? digits[word & 63] : '=';
    }
    fwrite(text, 1, size, out->stream);
    out->count = 0;
}

// Bytes from the lowest to the highest, independent of the byte order of the machine.
static void put(carom_base64 *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        out->bytes[out->count++] = (unsigned char)(value >> 8 * i);
        if (out->count == CAROM_BASE64_CAPACITY)
            flush(out);
    }
}

void carom_base64_uint16(carom_base64 *out, uint16_t value) {
    put(out, value, 2);
}

void carom_base64_int32(carom_base64 *out, int32_t value) {
    put(out, (uint32_t)value, 4);
}

void carom_base64_real(carom_base64 *out, double value) {
    // the bits of the double, without a conversion
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(out, bits, 8);
}

void carom_base64_end(carom_base64 *out) {
    flush(out);
}
