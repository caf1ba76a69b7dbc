// SPDX-License-Identifier: MIT
// JSON as the command reads it: the summaries and records that carom writes.
#ifndef CAROM_APP_JSON_H
#define CAROM_APP_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/text.h"

typedef enum carom_json_type {
    CAROM_JSON_NULL,
    CAROM_JSON_BOOL,
    CAROM_JSON_NUMBER,
    CAROM_JSON_STRING,
    CAROM_JSON_LIST,
    CAROM_JSON_OBJECT,
} carom_json_type;

typedef struct carom_json {
    carom_json_type type;
    bool boolean;
    double number;
    char *string;            // UTF-8
    char *key;               // in an object
    struct carom_json *item; // first of a list or object
    struct carom_json *next; // of the list or object that it is in
} carom_json;

// The value of a whole text, or NULL if it is not JSON. Release with carom_json_release.
carom_json *carom_json_parse(const char *text, size_t size);
void carom_json_release(carom_json *value);

// A member of an object, or NULL; `value` may be NULL.
const carom_json *carom_json_member(const carom_json *value, const char *key);
// Values of members; a missing one, or one of another type, is NaN, "" or false.
double carom_json_number(const carom_json *value, const char *key);
const char *carom_json_text(const carom_json *value, const char *key);
bool carom_json_truth(const carom_json *value, const char *key);
// Writes a member that is a text (NULL: null), then the text `after`.
void carom_json_put_text(carom_text *text, const char *key, const char *value, const char *after);
// Writes a list of texts.
void carom_json_put_list(carom_text *text, const char *const *items, int count);
// Number of items of a list or object.
int carom_json_count(const carom_json *value);

#endif
