// SPDX-License-Identifier: MIT
// Writes texts and numbers in the syntax of JSON. JSON text must be valid UTF-8 (RFC 8259), but names and messages may contain
// any bytes. Each byte that is not part of a valid character is replaced by U+FFFD, as the Unicode standard recommends.
#include "carom/text.h"

#include <math.h>

#include "output/tables/number.h"

// Length of the UTF-8 character at `s`, or 0 if the bytes are not one. 0xc0 and 0xc1 would begin overlong
// forms of ASCII.
static int character_size(const unsigned char *s) {
    if (s[0] < 0x80)
        return 1;
    int size = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    for (int i = 1; i < size; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    // overlong forms of three and four bytes, surrogates, code points beyond U+10FFFF
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return size;
}

void carom_json_string(carom_text *text, const char *string) {
    if (!string) {
        carom_text_append(text, "null", 4);
        return;
    }
    carom_text_append(text, "\"", 1);
    for (const unsigned char *s = (const unsigned char *)string; *s;) {
        int size = character_size(s);
        if (size == 0)
            carom_text_print(text, "\\ufffd");
        else if (*s == '"' || *s == '\\')
            carom_text_print(text, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            carom_text_print(text, "\\u%04x", *s);
        else
            carom_text_append(text, (const char *)s, (size_t)size);
        s += size ? size : 1;
    }
    carom_text_append(text, "\"", 1);
}

void carom_json_real(carom_text *text, double value) {
    // JSON has neither infinity nor NaN
    if (!isfinite(value)) {
        carom_text_append(text, "null", 4);
        return;
    }
    char number[CAROM_NUMBER_MAX];
    int size = carom_number_print(value, number);
    carom_text_append(text, number, (size_t)size);
}
