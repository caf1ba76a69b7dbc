// SPDX-License-Identifier: MIT
// A growing string, and the distance between two words.
#ifndef CAROM_BASE_TEXT_H
#define CAROM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/status.h"

// Start from {0}. `data` is NULL while empty and ends with a zero otherwise. When memory runs out, `failed` is set and the text
// stays as it was.
typedef struct carom_text {
    char *data;
    size_t size, capacity;
    bool failed;
} carom_text;

void carom_text_append(carom_text *text, const char *bytes, size_t size);
void carom_text_print(carom_text *text, const char *format, ...) CAROM_PRINTF(2, 3);
void carom_text_release(carom_text *text);

// The word nearest to `word` in letters inserted, left out, exchanged or swapped; NULL if none of the `count` words is close
// enough to be what the user meant.
const char *carom_text_nearest(const char *word, const char *const *words, int count);

#endif
