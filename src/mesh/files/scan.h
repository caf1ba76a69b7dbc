// SPDX-License-Identifier: MIT
// A cursor over the bytes of a file. All that it returns has been checked for presence and form. A function that fails returns
// false (NULL) and leaves a message with the place in the file; the first message is kept.
#ifndef CAROM_MESH_FILES_SCAN_H
#define CAROM_MESH_FILES_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/status.h"

// A part of a text.
typedef struct carom_words {
    const char *text;
    size_t size;
} carom_words;

// All of a text.
static inline carom_words carom_words_of(const char *text) {
    return (carom_words){text, strlen(text)};
}

typedef struct carom_scan {
    const char *name; // of the file, for messages
    const unsigned char *begin, *at, *end;
    bool binary;                  // messages name the byte instead of the line
    bool swap;                    // numbers in binary have the other byte order
    carom_status status;          // of the first failure
    carom_error *error;           // its message; may be NULL
    const unsigned char *counted; // lines were counted up to this place,
    int64_t line;                 // which is in this line
} carom_scan;

carom_scan carom_scan_start(const char *name, const void *bytes, size_t size, carom_error *error);

// The line of a place, from 1.
int64_t carom_scan_line(carom_scan *scan, const unsigned char *at);

// "name:line:column: message" or "name: byte N: message" at `at` (NULL: at the cursor), as CAROM_BAD_INPUT. Returns false.
bool carom_scan_fail(carom_scan *scan, const unsigned char *at, const char *format, ...) CAROM_PRINTF(3, 4);
// "expected WHAT, found WORD" at the cursor. Returns false.
bool carom_scan_expected(carom_scan *scan, const char *what);
// CAROM_NO_MEMORY. Returns false.
bool carom_scan_no_memory(carom_scan *scan);

static inline int64_t carom_scan_left(const carom_scan *scan) {
    return scan->end - scan->at;
}

// Skips the byte order mark that some editors put before text in UTF-8.
void carom_scan_mark(carom_scan *scan);

// Skips blanks; carom_scan_space skips ends of lines too.
void carom_scan_blank(carom_scan *scan);
void carom_scan_space(carom_scan *scan);

// The rest of the line without its end and without blanks around it; the cursor goes to the next line. False at the end of the
// file, which is not a failure.
bool carom_scan_rest(carom_scan *scan, carom_words *rest);

// Goes to the next line.
void carom_scan_next_line(carom_scan *scan);

// The next word, ended by blanks or the end of a line, after any space. False at the end of the file, which is no failure.
bool carom_scan_word(carom_scan *scan, carom_words *word);

// If the text continues with this word, without regard to case, moves the cursor behind it and returns true.
bool carom_scan_accept(carom_scan *scan, const char *word);

// The next word, which must be one of `count` words: its index among them; `count` after a failure.
size_t carom_scan_choose(carom_scan *scan, const char *const *words, size_t count, const char *what);

// The next whole or real number, after any space. A number is decimal and finite, correctly rounded, with a point in any
// locale; it must end where a word ends or at a comma, a slash or a tag. `what` names it in a message.
bool carom_scan_whole(carom_scan *scan, const char *what, int64_t *value);
bool carom_scan_number(carom_scan *scan, const char *what, double *value);

// A number of items, each of which takes at least `least` bytes after it. Fails if the rest of the file is too short to hold
// them, or if they are more than INT_MAX.
bool carom_scan_count(carom_scan *scan, const char *what, int64_t least, int64_t *count);
bool carom_scan_check_count(carom_scan *scan, const char *what, int64_t least, int64_t count);

// Fails at `place` (as carom_scan_fail does) because `count` items do not fit into the bytes that are left.
bool carom_scan_fail_short(carom_scan *scan, const unsigned char *place, const char *what, int64_t count, int64_t left);

// `size` bytes; fails if the file ends before.
const unsigned char *carom_scan_take(carom_scan *scan, int64_t size, const char *what);

// Types of numbers in binary.
typedef enum carom_number_type {
    CAROM_INT8,
    CAROM_UINT8,
    CAROM_INT16,
    CAROM_UINT16,
    CAROM_INT32,
    CAROM_UINT32,
    CAROM_INT64,
    CAROM_UINT64,
    CAROM_FLOAT32,
    CAROM_FLOAT64,
    CAROM_NUMBER_TYPES // none of them
} carom_number_type;

// Bytes of a number; 0 for no type.
int carom_scan_bytes_of(carom_number_type type);

// Numbers at a place that was taken. The whole number of a real type is -1; unsigned numbers above the range of int64_t are
// negative.
int64_t carom_scan_whole_at(const carom_scan *scan, const unsigned char *bytes, carom_number_type type);
double carom_scan_real_at(const carom_scan *scan, const unsigned char *bytes, carom_number_type type);

// The next number of a text or, if the scan is binary, of a binary file; only then it has a type.
bool carom_scan_next_whole(carom_scan *scan, carom_number_type type, const char *what, int64_t *value);
bool carom_scan_next_real(carom_scan *scan, carom_number_type type, const char *what, double *value);
// Three of them.
bool carom_scan_next_point(carom_scan *scan, carom_number_type type, const char *what, double x[3]);

// True if both are equal without regard to case.
bool carom_scan_same(carom_words text, const char *word);
// The index of a text among `count` words, without regard to case; `count` if it is none of them.
size_t carom_scan_find(carom_words text, const char *const *words, size_t count);

#endif
