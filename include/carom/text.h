// SPDX-License-Identifier: MIT
// A growing string, and the distance between two words.
#ifndef CAROM_TEXT_H
#define CAROM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Start from {0}. `data` is NULL while empty and ends with a zero otherwise. If memory is short, `failed` is set and the text
// does not change.
typedef struct carom_text {
    char *data;            // owned
    size_t size, capacity; // bytes used, without the final zero, and bytes there are
    bool failed;           // memory ran out at least once: the text is not complete
} carom_text;

// Adds bytes, which may contain zeros.
CAROM_API void carom_text_append(carom_text *text, const char *bytes, size_t size);
// Adds what printf would print, in the locale of the caller.
CAROM_API void carom_text_print(carom_text *text, const char *format, ...) CAROM_PRINTF(2, 3);
// Frees the text and leaves it empty, ready to be used again.
CAROM_API void carom_text_release(carom_text *text);

// The word with the smallest edit distance to `word` (letters inserted, omitted, replaced or transposed); NULL if none of the
// `count` words is close enough.
CAROM_API const char *carom_text_nearest(const char *word, const char *const *words, int count);

// Values in the syntax of JSON.
//
// A string in quotes; NULL is null. Bytes that are not UTF-8 become U+FFFD.
CAROM_API void carom_json_string(carom_text *text, const char *string);
// A number that reads back with the same bits; null if it is not finite.
CAROM_API void carom_json_real(carom_text *text, double value);

#ifdef __cplusplus
}
#endif
#endif
