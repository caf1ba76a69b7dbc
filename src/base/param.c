// SPDX-License-Identifier: MIT
// Reads, checks, prints and hashes the parameters that a user sets, each described by a row of a table (carom/param.h). The
// default of a row is a text that is read by the same code as the value in a scene, so that every default can also be given in
// a scene.
#include "base/param.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/numerals.h"
#include "base/platform.h"

static void *field(const carom_param *param, void *fields) {
    return (char *)fields + param->offset;
}

static const void *const_field(const carom_param *param, const void *fields) {
    return (const char *)fields + param->offset;
}

size_t carom_param_size(carom_param_type type) {
    switch (type) {
    case CAROM_PARAM_REAL: return sizeof(double);
    case CAROM_PARAM_INT:
    case CAROM_PARAM_CHOICE: return sizeof(int);
    case CAROM_PARAM_BOOL: return sizeof(bool);
    case CAROM_PARAM_NAME: return CAROM_NAME_MAX;
    case CAROM_PARAM_TEXT: return CAROM_TEXT_MAX;
    case CAROM_PARAM_VEC3: return 3 * sizeof(double);
    case CAROM_PARAM_INT3: return 3 * sizeof(int);
    case CAROM_PARAM_PAIRS: return sizeof(carom_pairs);
    }
    return 0;
}

// A row without an initial value is one that the user must give; its field is left zero.
void carom_param_defaults(const carom_param *params, int count, void *fields) {
    for (int i = 0; i < count; i++) {
        // cleared completely, so that the bytes after a short name are zero and structs can be compared
        memset(field(&params[i], fields), 0, carom_param_size(params[i].type));
        if (params[i].initial)
            carom_param_parse(&params[i], params[i].initial, fields, NULL);
    }
}

uint64_t carom_param_hash(uint64_t hash, const carom_param *params, int count, const void *fields) {
    for (int i = 0; i < count; i++) {
        const void *source = const_field(&params[i], fields);
        // only the used part of a text or a list of rows is hashed
        bool text = params[i].type == CAROM_PARAM_NAME || params[i].type == CAROM_PARAM_TEXT;
        if (params[i].type == CAROM_PARAM_PAIRS) {
            const carom_pairs *pairs = source;
            if (pairs->count > 0)
                hash = carom_hash(hash, pairs->rows, (size_t)pairs->count * sizeof *pairs->rows);
            continue;
        }
        hash = carom_hash(hash, source, text ? strlen(source) : carom_param_size(params[i].type));
    }
    return hash;
}

// A row without a range has both bounds zero, the value of omitted initialisers.
static bool has_range(const carom_param *param) {
    return param->min != 0 || param->max != 0;
}

static void expected_pairs(const carom_param *param, char *text, size_t size) {
    bool positive = has_range(param) && param->min == 0;
    const char *range = !positive ? "" : param->flags & CAROM_PARAM_OPEN_MIN ? " > 0" : " >= 0";
    snprintf(text, size, "a list of at most %d rows of two numbers%s", CAROM_PAIRS_MAX, range);
}

// The words after "expected" in an error message, also used by the manual and by `carom info`.
void carom_param_expected(const carom_param *param, char *text, size_t size) {
    const char *automatic = param->flags & CAROM_PARAM_ALLOW_AUTO ? " or auto" : "";
    switch (param->type) {
    case CAROM_PARAM_REAL:
    case CAROM_PARAM_INT: {
        const char *noun = param->type == CAROM_PARAM_INT ? "a whole number" : "a number";
        bool open_min = param->flags & CAROM_PARAM_OPEN_MIN, open_max = param->flags & CAROM_PARAM_OPEN_MAX;
        if (!has_range(param))
            snprintf(text, size, "%s%s", noun, automatic);
        // %.10g prints the bounds of all tables exactly and without trailing zeros.
        else if (isinf(param->max))
            snprintf(text, size, "%s %s %.10g%s", noun, open_min ? ">" : ">=", param->min, automatic);
        else if (open_min || open_max)
            snprintf(text, size, "%s %s %.10g and %s %.10g%s", noun, open_min ? ">" : ">=", param->min,
                     open_max ? "<" : "<=", param->max, automatic);
        else
            snprintf(text, size, "%s from %.10g to %.10g%s", noun, param->min, param->max, automatic);
        break;
    }
    case CAROM_PARAM_BOOL: snprintf(text, size, "true or false"); break;
    case CAROM_PARAM_CHOICE: {
        size_t used = (size_t)snprintf(text, size, "one of");
        for (int i = 0; param->choices[i] && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s %s", i ? "," : "", param->choices[i]);
        break;
    }
    case CAROM_PARAM_NAME: snprintf(text, size, "a name of at most %d bytes", CAROM_NAME_MAX - 1); break;
    case CAROM_PARAM_TEXT: snprintf(text, size, "a text of at most %d bytes", CAROM_TEXT_MAX - 1); break;
    case CAROM_PARAM_VEC3:
        snprintf(text, size, "three numbers [x, y, z]%s", param->flags & CAROM_PARAM_NONZERO ? ", not all zero" : "");
        break;
    case CAROM_PARAM_INT3:
        if (has_range(param) && !isinf(param->max))
            snprintf(text, size, "three whole numbers [x, y, z] from %g to %g", param->min, param->max);
        else
            snprintf(text, size, "three whole numbers [x, y, z]");
        break;
    case CAROM_PARAM_PAIRS: expected_pairs(param, text, size); break;
    }
}

static carom_status unexpected(const carom_param *param, const char *found, carom_error *error) {
    char expected[512];
    carom_param_expected(param, expected, sizeof expected);
    return carom_fail(error, CAROM_BAD_INPUT, "expected %s, found %s", expected, found);
}

// Accepts a text that consists of one decimal number. strtod alone would also accept hexadecimal numbers, "inf", "nan" and
// leading white space.
static bool parse_number(const char *text, double *value) {
    const char *digits = text + (*text == '-' || *text == '+');
    // One digit after an optional point: ".5" is a number, "." is not.
    if (!isdigit((unsigned char)digits[*digits == '.']))
        return false;
    // Neither a decimal number nor its exponent has any of these letters.
    if (strpbrk(text, "xXpPnNiI"))
        return false;
    char *end;
    carom_numerals numerals = carom_numerals_enter();
    *value = strtod(text, &end);
    carom_numerals_leave(numerals);
    return *end == 0 && isfinite(*value);
}

static carom_status parse_vector(const carom_param *param, const char *text, double vector[3], carom_error *error) {

    // the text is "[x, y, z]" with any spaces in between; it is copied because strsep modifies it
    char copy[256];
    if (strlen(text) >= sizeof copy)
        return unexpected(param, "a longer text", error);
    strcpy(copy, text);
    char *cursor = copy + strspn(copy, " ");
    char *close = strrchr(cursor, ']');
    if (*cursor != '[' || !close || close[1 + strspn(close + 1, " ")])
        return unexpected(param, text, error);
    *close = 0;
    int count = 0;
    char *rest = cursor + 1;
    // an empty word, as in "[1,,2]", is rejected as a number
    for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
        word += strspn(word, " ");
        size_t length = strlen(word);
        while (length && word[length - 1] == ' ')
            word[--length] = 0;
        if (count == 3 || !parse_number(word, &vector[count]))
            return unexpected(param, text, error);
        count++;
    }
    return count == 3 ? CAROM_OK : unexpected(param, text, error);
}

// The text is "[[a, b], [c, d]]" with any spaces in between.
static carom_status parse_pairs(const carom_param *param, const char *text, carom_pairs *pairs, carom_error *error) {
    const char *cursor = text + strspn(text, " ");
    memset(pairs, 0, sizeof *pairs);
    if (*cursor++ != '[')
        return unexpected(param, text, error);
    cursor += strspn(cursor, " ");
    while (*cursor == '[' && pairs->count < CAROM_PAIRS_MAX) {
        double *row = pairs->rows[pairs->count++];
        for (int i = 0; i < 2; i++) {
            char word[64];
            cursor += 1 + strspn(cursor + 1, " ");
            size_t length = strcspn(cursor, " ,]");
            snprintf(word, sizeof word, "%.*s", (int)length, cursor);
            cursor += length + strspn(cursor + length, " ");
            if (length >= sizeof word || !parse_number(word, &row[i]) || *cursor != (i ? ']' : ','))
                return unexpected(param, text, error);
        }
        cursor += 1 + strspn(cursor + 1, " ");
        if (*cursor != ',')
            break;
        cursor += 1 + strspn(cursor + 1, " ");
        if (*cursor != '[')
            return unexpected(param, text, error);
    }
    return *cursor == ']' && !cursor[1 + strspn(cursor + 1, " ")] ? CAROM_OK : unexpected(param, text, error);
}

static bool is_auto(const carom_param *param, const char *text) {
    return (param->flags & CAROM_PARAM_ALLOW_AUTO) && strcmp(text, "auto") == 0;
}

static carom_status parse_real(const carom_param *param, const char *text, double *target, carom_error *error) {
    double number = NAN;
    if (!is_auto(param, text) && !parse_number(text, &number))
        return unexpected(param, text, error);
    *target = number;
    return CAROM_OK;
}

// An integer may be written as 1e3 or 2.0. `auto` is stored as -1, so that -1 cannot be given if `auto` is allowed.
static carom_status parse_int(const carom_param *param, const char *text, int *target, carom_error *error) {
    double number = CAROM_AUTO;
    bool automatic = is_auto(param, text);
    if (!automatic && (!parse_number(text, &number) || number != floor(number) || fabs(number) > INT_MAX))
        return unexpected(param, text, error);
    if (!automatic && (param->flags & CAROM_PARAM_ALLOW_AUTO) && number < 0)
        return unexpected(param, text, error);
    *target = (int)number;
    return CAROM_OK;
}

static carom_status parse_choice(const carom_param *param, const char *text, int *target, carom_error *error) {
    for (int i = 0; param->choices[i]; i++)
        if (strcmp(text, param->choices[i]) == 0) {
            *target = i;
            return CAROM_OK;
        }
    return unexpected(param, text, error);
}

static carom_status parse_text(const carom_param *param, const char *text, char *target, carom_error *error) {
    size_t size = param->type == CAROM_PARAM_NAME ? CAROM_NAME_MAX : CAROM_TEXT_MAX;
    if (strlen(text) >= size)
        return unexpected(param, "a longer one", error);
    strcpy(target, text);
    return CAROM_OK;
}

static carom_status parse_int3(const carom_param *param, const char *text, int target[3], carom_error *error) {
    double vector[3];
    carom_status status = parse_vector(param, text, vector, error);
    if (status)
        return status;
    for (int i = 0; i < 3; i++)
        if (vector[i] != floor(vector[i]) || fabs(vector[i]) > INT_MAX)
            return unexpected(param, text, error);
    for (int i = 0; i < 3; i++)
        target[i] = (int)vector[i];
    return CAROM_OK;
}

// Reads a value according to the type of its row. carom_param_check then checks the range of numbers and vectors; values of
// other types are valid if they can be read.
carom_status carom_param_parse(const carom_param *param, const char *text, void *fields, carom_error *error) {
    void *target = field(param, fields);
    carom_status status = CAROM_OK;
    switch (param->type) {
    case CAROM_PARAM_REAL: status = parse_real(param, text, target, error); break;
    case CAROM_PARAM_INT: status = parse_int(param, text, target, error); break;
    case CAROM_PARAM_VEC3: status = parse_vector(param, text, target, error); break;
    case CAROM_PARAM_INT3: status = parse_int3(param, text, target, error); break;
    case CAROM_PARAM_PAIRS: status = parse_pairs(param, text, target, error); break;
    case CAROM_PARAM_CHOICE: return parse_choice(param, text, target, error);
    case CAROM_PARAM_NAME:
    case CAROM_PARAM_TEXT: return parse_text(param, text, target, error);
    case CAROM_PARAM_BOOL:
        if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
            return unexpected(param, text, error);
        *(bool *)target = text[0] == 't';
        return CAROM_OK;
    }
    return status || is_auto(param, text) ? status : carom_param_check(param, fields, error);
}

// False also for NaN, by the form of the comparisons.
static bool in_range(const carom_param *param, double value) {
    if (!has_range(param))
        return isfinite(value);
    // infinite values are invalid even if a bound is infinite
    if (!(value >= param->min && value <= param->max) || isinf(value))
        return false;
    if ((param->flags & CAROM_PARAM_OPEN_MIN) && value == param->min)
        return false;
    return !((param->flags & CAROM_PARAM_OPEN_MAX) && value == param->max);
}

// Checks a field from a scene or from a C program, with the same limits for both.
carom_status carom_param_check(const carom_param *param, const void *fields, carom_error *error) {
    const void *source = const_field(param, fields);
    bool good = true;
    switch (param->type) {
    case CAROM_PARAM_REAL: {
        double value = *(const double *)source;
        // `auto` of a real number is stored as NaN
        good = in_range(param, value) || (isnan(value) && (param->flags & CAROM_PARAM_ALLOW_AUTO));
        break;
    }
    case CAROM_PARAM_INT: {
        int value = *(const int *)source;
        good = in_range(param, value) || (value == CAROM_AUTO && (param->flags & CAROM_PARAM_ALLOW_AUTO));
        break;
    }
    case CAROM_PARAM_CHOICE: {
        int count = 0;
        while (param->choices[count])
            count++;
        good = *(const int *)source >= 0 && *(const int *)source < count;
        break;
    }
    case CAROM_PARAM_VEC3: {
        const double *v = source;
        for (int i = 0; i < 3; i++)
            good = good && in_range(param, v[i]);
        // a direction, whose length must not overflow
        if (param->flags & CAROM_PARAM_NONZERO) {
            double length = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
            good = good && length > 0 && isfinite(length);
        }
        break;
    }
    case CAROM_PARAM_INT3:
        for (int i = 0; i < 3; i++)
            good = good && in_range(param, ((const int *)source)[i]);
        break;
    case CAROM_PARAM_PAIRS: {
        const carom_pairs *pairs = source;
        good = pairs->count >= 0 && pairs->count <= CAROM_PAIRS_MAX;
        for (int i = 0; good && i < 2 * pairs->count; i++)
            good = in_range(param, pairs->rows[i / 2][i % 2]);
        break;
    }
    case CAROM_PARAM_BOOL:
    case CAROM_PARAM_NAME:
    case CAROM_PARAM_TEXT: break;
    }
    if (good)
        return CAROM_OK;
    char found[128];
    carom_param_print(param, fields, found, sizeof found);
    return unexpected(param, found, error);
}

// Prints the shortest decimal text that is read as the same number; 17 digits always suffice.
static void print_number(double value, char *text, size_t size) {
    carom_numerals numerals = carom_numerals_enter();
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    carom_numerals_leave(numerals);
}

static void print_pairs(const carom_pairs *pairs, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "[");
    for (int i = 0; i < pairs->count && used < size; i++) {
        char a[32], b[32];
        print_number(pairs->rows[i][0], a, sizeof a);
        print_number(pairs->rows[i][1], b, sizeof b);
        used += (size_t)snprintf(text + used, size - used, "%s[%s, %s]", i ? ", " : "", a, b);
    }
    if (used < size)
        snprintf(text + used, size - used, "]");
}

void carom_param_print(const carom_param *param, const void *fields, char *text, size_t size) {
    const void *source = const_field(param, fields);
    switch (param->type) {
    case CAROM_PARAM_REAL:
        if (isnan(*(const double *)source) && (param->flags & CAROM_PARAM_ALLOW_AUTO))
            snprintf(text, size, "auto");
        else
            print_number(*(const double *)source, text, size);
        break;
    case CAROM_PARAM_INT:
        if (*(const int *)source == CAROM_AUTO && (param->flags & CAROM_PARAM_ALLOW_AUTO))
            snprintf(text, size, "auto");
        else
            snprintf(text, size, "%d", *(const int *)source);
        break;
    case CAROM_PARAM_BOOL: snprintf(text, size, "%s", *(const bool *)source ? "true" : "false"); break;
    case CAROM_PARAM_CHOICE: {
        int index = *(const int *)source, count = 0;
        while (param->choices[count])
            count++;
        if (index >= 0 && index < count)
            snprintf(text, size, "%s", param->choices[index]);
        else
            // possible only for a struct that was set in C
            snprintf(text, size, "choice %d", index);
        break;
    }
    case CAROM_PARAM_NAME:
    case CAROM_PARAM_TEXT: snprintf(text, size, "%s", (const char *)source); break;
    case CAROM_PARAM_VEC3: {
        char part[3][32];
        for (int i = 0; i < 3; i++)
            print_number(((const double *)source)[i], part[i], sizeof part[i]);
        snprintf(text, size, "[%s, %s, %s]", part[0], part[1], part[2]);
        break;
    }
    case CAROM_PARAM_INT3: {
        const int *v = source;
        snprintf(text, size, "[%d, %d, %d]", v[0], v[1], v[2]);
        break;
    }
    case CAROM_PARAM_PAIRS: print_pairs(source, text, size); break;
    }
}
