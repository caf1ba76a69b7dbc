// SPDX-License-Identifier: MIT
// The syntax of an Abaqus deck: keyword lines begin with one star, comments with two, and all others are data lines of fields
// separated by commas. Letters are compared without regard to case.
#ifndef CAROM_MESH_FILES_INP_KEYWORD_H
#define CAROM_MESH_FILES_INP_KEYWORD_H

#include "mesh/files/scan.h"

enum {
    CAROM_INP_PARAMETERS_MAX = 16, // of one keyword; further ones are ignored, no keyword that is read has as many
    CAROM_INP_KEYWORD_MAX = 1024,  // bytes of a keyword with its continuation lines
};

// The two arguments of %.*s in a message, which shows at most 60 bytes of a word.
#define CAROM_INP_SHOWN(words) (words).size > 60 ? 60 : (int)(words).size, (words).text

typedef struct carom_inp_keyword {
    const unsigned char *place;
    char text[CAROM_INP_KEYWORD_MAX]; // the whole line, continuation lines joined
    carom_words name;
    int count;
    carom_words keys[CAROM_INP_PARAMETERS_MAX], values[CAROM_INP_PARAMETERS_MAX];
} carom_inp_keyword;

bool carom_inp_at_end_of_line(carom_scan *scan);
// Goes to the next line that is neither empty nor a comment.
void carom_inp_skip_comments(carom_scan *scan);
// True at the beginning of a data line; false at a keyword or at the end.
bool carom_inp_data_line(carom_scan *scan);
// True if a field begins like a number, and not like a name.
bool carom_inp_is_number(const carom_scan *scan);
// Takes a comma, or stays at the end of the line; fails at anything else.
bool carom_inp_end_field(carom_scan *scan);
// Without blanks and quotes around it.
carom_words carom_inp_trim(const char *text, size_t size);
// The text up to the end of the field; the cursor stays there.
carom_words carom_inp_read_word(carom_scan *scan);
// A word for a message, as manuals print it: in capitals, with unprintable bytes replaced, as much as fits.
void carom_inp_capitals(carom_words word, char *text, size_t size);

// Reads the keyword at the cursor.
bool carom_inp_read_keyword(carom_scan *scan, carom_inp_keyword *k);
// The value of a parameter (empty if it has none); NULL if the keyword does not have it.
const carom_words *carom_inp_parameter(const carom_inp_keyword *k, const char *key);
// The number of a node or element: from 1 to INT_MAX.
bool carom_inp_read_id(carom_scan *scan, const char *what, int64_t *id);

#endif
