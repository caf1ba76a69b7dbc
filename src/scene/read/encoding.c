// SPDX-License-Identifier: MIT
// YAML 1.2, section 5.1: a stream consists of tab, line feed, carriage return and printable characters;
// carom accepts UTF-8 only. Checking this first gives better messages than the parser and protects it from
// arbitrary bytes.
#include "scene/read/encoding.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Length of the UTF-8 sequence at `byte`; 0 if it is truncated, overlong, a surrogate, or beyond U+10FFFF.
static int decode(const unsigned char *byte, size_t left, uint32_t *character) {
    if (byte[0] < 0x80) {
        *character = byte[0];
        return 1;
    }
    int length = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
    if (byte[0] < 0xc2 || byte[0] > 0xf4 || left < (size_t)length)
        return 0;
    uint32_t value = byte[0] & (0xffu >> (length + 1));
    for (int i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (byte[i] & 0x3f);
    }
    // the smallest character that needs a sequence of this length
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return 0;
    *character = value;
    return length;
}

// Section 5.1: no control characters except tab, line ends and NEL (0x85), and neither U+FFFE nor U+FFFF.
static bool printable(uint32_t character) {
    if (character < 0x20)
        return character == '\t' || character == '\n' || character == '\r';
    if (character >= 0x7f && character < 0xa0)
        return character == 0x85;
    return character != 0xfffe && character != 0xffff;
}

bool carom_encoding_check(const char *text, size_t size, carom_encoding_fault *fault) {
    const unsigned char *byte = (const unsigned char *)text;
    fault->line = fault->column = 1;

    // a UTF-16 file gets a better message than "stray byte"
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
        snprintf(fault->message, sizeof fault->message, "the file is UTF-16; expected UTF-8");
        return false;
    }

    // a byte order mark of UTF-8 at the start is allowed
    size_t at = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < size) {
        uint32_t character;
        int length = decode(byte + at, size - at, &character);
        if (length == 0) {
            snprintf(fault->message, sizeof fault->message, "byte 0x%02x is not UTF-8", byte[at]);
            return false;
        }
        // a byte order mark inside a file comes from concatenated files
        if (!printable(character) || character == 0xfeff) {
            snprintf(fault->message, sizeof fault->message, "control character U+%04X is not allowed", (unsigned)character);
            return false;
        }
        at += (size_t)length;
        fault->column++;
        if (character == '\n' || (character == '\r' && (at == size || byte[at] != '\n'))) {
            fault->line++;
            fault->column = 1;
        }
    }
    return true;
}
