// SPDX-License-Identifier: MIT
// A growing string, and a search for the most similar word, for suggestions.
#include "carom/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(carom_text *text, size_t more) {
    // one byte more, for the final zero
    size_t needed = text->size + more + 1;
    if (needed <= text->capacity)
        return true;
    size_t capacity = text->capacity ? text->capacity : 64;
    // Doubling keeps the cost of n appends linear in n.
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

// `bytes` may be NULL if `size` is zero, for which memcpy is undefined.
void carom_text_append(carom_text *text, const char *bytes, size_t size) {
    if (!reserve(text, size))
        return;
    if (size)
        memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = 0;
}

void carom_text_print(carom_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    // the first pass determines the size; it consumes the arguments, so that the second one needs a copy
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (size >= 0 && reserve(text, (size_t)size)) {
        vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
        text->size += (size_t)size;
    }
    va_end(again);
}

void carom_text_release(carom_text *text) {
    free(text->data);
    *text = (carom_text){0};
}

enum { WORD_MAX = 64 }; // longer than any key of a scene; keeps the table of distances on the stack

// The edit distance with transpositions of neighbouring letters (the restricted Damerau-Levenshtein distance): row[i][j] is the
// distance of the first i letters of `a` from the first j letters of `b`. The recurrence uses the two previous rows, so
// that three are stored.
static int distance(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b);
    // too long for a misspelt key
    if (n > WORD_MAX || m > WORD_MAX)
        return INT_MAX;
    int row[3][WORD_MAX + 1];
    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            // the cheapest of replacement, deletion and insertion
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            // two swapped letters, the most frequent typing error, cost one step
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

const char *carom_text_nearest(const char *word, const char *const *words, int count) {
    // up to a third of the letters may be wrong; of equally similar words the first one is returned
    int limit = (int)strlen(word) / 3 + 1;
    const char *nearest = NULL;
    for (int i = 0; i < count; i++) {
        int d = distance(word, words[i]);
        if (d < limit || (d == limit && !nearest)) {
            nearest = words[i];
            limit = d;
        }
    }
    return nearest;
}
