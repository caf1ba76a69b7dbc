// SPDX-License-Identifier: MIT
// Reads the values of a varied key of a study from "KEY=A,B,FROM:TO:COUNT". A value is stored as text for the reader of
// overrides. Numbers are written in a canonical form, so that equal points are recognised however they were written.
#include "scene/study/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "math/functions.h"

enum {
    DIGITS = 12,    // of a number that a range makes: 0.3 instead of 0.30000000000000004
    NUMBER_MAX = 64 // bytes of a number; longer ones are texts
};

// Length of the text up to a separator that is not within brackets or quotes.
static size_t part_size(const char *text, size_t end, char separator) {
    int depth = 0;
    char quote = 0;
    size_t size = 0;
    for (; size < end; size++) {
        char c = text[size];
        if (quote) {
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[' || c == '{') {
            depth++;
        } else if (c == ']' || c == '}') {
            depth--;
        } else if (c == separator && depth <= 0) {
            break;
        }
    }
    return size;
}

static void trim(const char **text, size_t *size) {
    while (*size > 0 && (**text == ' ' || **text == '\t')) {
        (*text)++;
        (*size)--;
    }
    while (*size > 0 && strchr(" \t\r", (*text)[*size - 1]))
        (*size)--;
}

// True if the text is a finite decimal number, as YAML has them.
static bool is_number(const char *text, size_t size, double *number) {
    char copy[NUMBER_MAX];
    if (size == 0 || size >= sizeof copy)
        return false;
    memcpy(copy, text, size);
    copy[size] = 0;
    // strtod also reads "inf", "nan" and hexadecimal numbers
    if (strspn(copy, "+-.0123456789eE") != size)
        return false;
    char *end;
    *number = strtod(copy, &end);
    return !*end && isfinite(*number);
}

// The shortest text that reads back as the same number.
static void print_number(double number, char text[static NUMBER_MAX]) {
    // -0 and 0 are the same value
    number = number == 0 ? 0 : number;
    for (int digits = DIGITS; digits <= 17; digits++) {
        snprintf(text, NUMBER_MAX, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            return;
    }
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for the points of the study");
}

// Adds a value and takes ownership of the text.
static carom_status add_owned(carom_axis *axis, char *value, carom_error *error) {
    char **values = value ? realloc(axis->values, ((size_t)axis->count + 1) * sizeof *values) : NULL;
    if (!values) {
        free(value);
        return no_memory(error);
    }
    axis->values = values;
    axis->values[axis->count++] = value;
    return CAROM_OK;
}

carom_status carom_axis_add(carom_axis *axis, const char *text, size_t size, carom_error *error) {
    trim(&text, &size);
    double number;
    char form[NUMBER_MAX];
    if (is_number(text, size, &number)) {
        print_number(number, form);
        return add_owned(axis, strdup(form), error);
    }
    return add_owned(axis, strndup(text, size), error);
}

// A number rounded to the digits of ranges.
static carom_status add_rounded(carom_axis *axis, double number, carom_error *error) {
    char text[NUMBER_MAX];
    snprintf(text, sizeof text, "%.*g", DIGITS, number);
    return carom_axis_add(axis, text, strlen(text), error);
}

// The parts of FROM:TO:COUNT:log.
typedef struct range {
    int part_count;
    double numbers[3];
    bool log;
} range;

// Returns false if the text is no range: it has no colon, or does not begin with a number.
static bool scan_range(const char *text, size_t size, range *r, bool *good) {
    *r = (range){0};
    *good = true;
    double unused;
    if (part_size(text, size, ':') == size || !is_number(text, part_size(text, size, ':'), &unused))
        return false;
    while (*good && size > 0) {
        size_t part = part_size(text, size, ':');
        if (r->part_count > 1 && part == 3 && strncmp(text, "log", 3) == 0 && part == size)
            r->log = true;
        else if (r->part_count < 3 && is_number(text, part, &r->numbers[r->part_count]))
            r->part_count++;
        else
            *good = false;
        // a colon at the end is a fault
        *good = *good && size != part + 1;
        text += part < size ? part + 1 : part;
        size -= part < size ? part + 1 : part;
    }
    *good = *good && r->part_count >= 2;
    return true;
}

// The ends of a logarithmic range must have the same sign, and neither may be 0.
static bool can_be_log(double from, double to) {
    return (from > 0 && to > 0) || (from < 0 && to < 0);
}

static carom_status add_range(carom_axis *axis, const range *r, carom_error *error) {
    double from = r->numbers[0], to = r->numbers[1];
    if (!(r->numbers[2] >= 1 && r->numbers[2] <= CAROM_STUDY_POINTS_MAX) || r->numbers[2] != floor(r->numbers[2]))
        return carom_fail(error, CAROM_BAD_INPUT, "--vary %s: the count of a range is a whole number from 1 to %d", axis->key,
                          CAROM_STUDY_POINTS_MAX);
    int count = (int)r->numbers[2];
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && !status; i++) {
        double part = count > 1 ? (double)i / (count - 1) : 0;
        // the ends are exact
        double value = i == 0           ? from
                       : i == count - 1 ? to
                       : r->log         ? from * carom_pow(to / from, part)
                                        : from + part * (to - from);
        status = add_rounded(axis, value, error);
    }
    return status;
}

static carom_status add_item(carom_axis *axis, const char *text, size_t size, bool sampled, carom_error *error) {
    trim(&text, &size);
    range r;
    bool good;
    if (size == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "--vary %s: a value is missing after = or next to a comma", axis->key);
    if (!scan_range(text, size, &r, &good))
        return carom_axis_add(axis, text, size, error);
    if (!good)
        return carom_fail(error, CAROM_BAD_INPUT, "--vary %s: '%.*s' is no range (FROM:TO:COUNT or FROM:TO:COUNT:log)",
                          axis->key, (int)(size < 100 ? size : 100), text);
    if (r.log && !can_be_log(r.numbers[0], r.numbers[1]))
        return carom_fail(error, CAROM_BAD_INPUT, "--vary %s: a logarithmic range has ends of one sign, and none is 0",
                          axis->key);
    if (r.part_count == 3)
        return add_range(axis, &r, error);
    if (!sampled)
        return carom_fail(error, CAROM_BAD_INPUT, "--vary %s: '%.*s' has no count (FROM:TO:COUNT, or FROM:TO with --random)",
                          axis->key, (int)(size < 100 ? size : 100), text);
    if (r.numbers[0] == r.numbers[1])
        return carom_fail(error, CAROM_BAD_INPUT, "--vary %s: the range is empty", axis->key);
    axis->continuous = true;
    axis->log = r.log;
    axis->from = r.numbers[0];
    axis->to = r.numbers[1];
    return CAROM_OK;
}

carom_status carom_axis_read(const char *text, bool sampled, carom_axis *axis, carom_error *error) {
    *axis = (carom_axis){0};
    // an '=' within quotes belongs to the key
    size_t size = part_size(text, strlen(text), '=');
    if (size == 0 || !text[size])
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--vary expects KEY=VALUES, such as contact.friction=0,0.1,0.3, found '%.200s'", text);
    axis->key = strndup(text, size);
    if (!axis->key)
        return no_memory(error);
    carom_status status = CAROM_OK;
    int items = 0;
    for (const char *rest = text + size + 1; !status; items++) {
        size_t end = strlen(rest), part = part_size(rest, end, ',');
        status = add_item(axis, rest, part, sampled, error);
        if (part == end)
            break;
        rest += part + 1;
    }
    if (!status && axis->continuous && items > 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "--vary %s: a range FROM:TO stands alone", axis->key);
    return status;
}

void carom_axis_release(carom_axis *axis) {
    for (int i = 0; i < axis->count; i++)
        free(axis->values[i]);
    free(axis->values);
    free(axis->key);
    *axis = (carom_axis){0};
}
