// SPDX-License-Identifier: MIT
// Decodes scalars: YAML 1.2, section 5.7 (escapes) and 7.3 (styles); pairs of surrogates as in JSON (RFC
// 8259, section 7).
#include "scene/read/scalar.h"

#include <stdint.h>
#include <string.h>

// Encodes a character in UTF-8; returns the number of bytes.
static size_t put_utf8(uint32_t character, char *text) {
    if (character < 0x80) {
        text[0] = (char)character;
        return 1;
    }
    if (character < 0x800) {
        text[0] = (char)(0xc0 | character >> 6);
        text[1] = (char)(0x80 | (character & 0x3f));
        return 2;
    }
    if (character < 0x10000) {
        text[0] = (char)(0xe0 | character >> 12);
        text[1] = (char)(0x80 | (character >> 6 & 0x3f));
        text[2] = (char)(0x80 | (character & 0x3f));
        return 3;
    }
    text[0] = (char)(0xf0 | character >> 18);
    text[1] = (char)(0x80 | (character >> 12 & 0x3f));
    text[2] = (char)(0x80 | (character >> 6 & 0x3f));
    text[3] = (char)(0x80 | (character & 0x3f));
    return 4;
}

// Exactly `digits` hexadecimal digits.
static bool get_hex(const char *bytes, const char *end, int digits, uint32_t *value) {
    *value = 0;
    if (end - bytes < digits)
        return false;
    for (int i = 0; i < digits; i++) {
        char c = bytes[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return false;
        *value = *value << 4 | (uint32_t)digit;
    }
    return true;
}

// Decodes one escape. `at` points behind the backslash and is moved behind the escape. Returns NULL or a
// message.
static const char *unescape(const char **at, const char *end, uint32_t *character) {
    // escapes of one letter and the characters they stand for, in the same order
    static const char letters[] = "0abtnvfre\"/\\ \tN_LP";
    static const uint16_t meanings[] = {0, 7, 8, 9, 10, 11, 12, 13, 27, '"', '/', '\\', ' ', 9, 0x85, 0xa0, 0x2028, 0x2029};
    if (*at == end)
        return "a backslash at the end of a text";
    char letter = *(*at)++;
    int digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    if (!digits) {
        const char *found = letter ? strchr(letters, letter) : NULL;
        *character = found ? meanings[found - letters] : 0;
        return found ? NULL : "an unknown escape (\\\\ writes a backslash)";
    }
    if (!get_hex(*at, end, digits, character))
        return "an escape with too few hexadecimal digits";
    *at += digits;

    // JSON writes characters beyond U+FFFF as two escapes, a high and a low surrogate
    uint32_t low;
    bool high = *character >= 0xd800 && *character < 0xdc00;
    if (high && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u' && get_hex(*at + 2, end, 4, &low) && low >= 0xdc00 &&
        low < 0xe000) {
        *character = 0x10000 + ((*character - 0xd800) << 10) + (low - 0xdc00);
        *at += 6;
    }
    bool valid = *character <= 0x10ffff && (*character < 0xd800 || *character >= 0xe000);
    return valid ? NULL : "an escape that is not a character";
}

const char *carom_scalar_decode(const char *bytes, size_t size, carom_scalar_style style, char *text) {
    const char *end = bytes + size;
    size_t used = 0;
    while (bytes < end) {
        char c = *bytes++;
        if (style == CAROM_SCALAR_SINGLE && c == '\'' && bytes < end)
            bytes++;
        if (style != CAROM_SCALAR_DOUBLE || c != '\\') {
            text[used++] = c;
            continue;
        }
        uint32_t character;
        const char *fault = unescape(&bytes, end, &character);
        if (!fault && character == 0)
            fault = "a text may not contain the character \\0";
        if (fault)
            return fault;
        // The output never exceeds the input: an escape is at least as long as the character it stands for,
        // except \L and \P (two bytes for three), which are refused if they would not fit.
        char encoded[4];
        size_t length = put_utf8(character, encoded);
        if (used + length > size)
            return "an escape that is not used in scenes";
        memcpy(text + used, encoded, length);
        used += length;
    }
    text[used] = 0;
    return NULL;
}
