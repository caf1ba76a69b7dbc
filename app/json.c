// SPDX-License-Identifier: MIT
#include "app/json.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Deeper nesting than any summary has. The bound keeps a hostile file from exhausting the stack. No number that carom writes is
// longer than 64 characters.
enum { DEPTH_MAX = 32, NUMBER_MAX = 64 };

// The text has no final zero, so every look ahead is compared with `end`.
typedef struct reader {
    const char *next, *end;
} reader;

static void skip_space(reader *r) {
    // strchr also finds the zero that ends its string, hence the second condition.
    while (r->next < r->end && strchr(" \t\r\n", *r->next) && *r->next)
        r->next++;
}

static bool take(reader *r, const char *word) {
    size_t size = strlen(word);
    if ((size_t)(r->end - r->next) < size || memcmp(r->next, word, size) != 0)
        return false;
    r->next += size;
    return true;
}

// Four hexadecimal digits; -1 if there are fewer.
static int read_hex(reader *r) {
    int code = 0;
    for (int i = 0; i < 4; i++) {
        if (r->next >= r->end || !isxdigit((unsigned char)*r->next))
            return -1;
        char c = *r->next++;
        code = 16 * code + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return code;
}

// A character of the basic plane; halves of a pair become U+FFFD each.
static char *put_character(char *out, int code) {
    if (code >= 0xd800 && code < 0xe000)
        code = 0xfffd;
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xc0 | (code >> 6));
        *out++ = (char)(0x80 | (code & 63));
    } else {
        *out++ = (char)(0xe0 | (code >> 12));
        *out++ = (char)(0x80 | ((code >> 6) & 63));
        *out++ = (char)(0x80 | (code & 63));
    }
    return out;
}

// The string after its opening quote; NULL if it is not one.
static char *read_string(reader *r) {
    // No escape is longer when decoded than when written, so the rest of the text is room enough.
    char *string = malloc((size_t)(r->end - r->next) + 1), *out = string;
    while (string && r->next < r->end && *r->next != '"') {
        char c = *r->next++;
        if (c != '\\') {
            *out++ = c;
            continue;
        }
        static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
        if (r->next >= r->end)
            break;
        char letter = *r->next++;
        const char *place = letter ? strchr(letters, letter) : NULL;
        int code = letter == 'u' ? read_hex(r) : place ? meanings[place - letters] : -1;
        // A zero would end the string for its readers.
        if (code <= 0) {
            free(string);
            return NULL;
        }
        out = put_character(out, code);
    }
    if (!string || !take(r, "\"")) {
        free(string);
        return NULL;
    }
    *out = 0;
    // many strings of a long text must not have its length each
    char *fit = realloc(string, (size_t)(out - string) + 1);
    return fit ? fit : string;
}

// Copied first: strtod needs a final zero, and would accept "inf", "nan" and hexadecimal numbers, which JSON does not have.
static bool read_number(reader *r, double *number) {
    char text[NUMBER_MAX];
    size_t size = 0;
    while (r->next + size < r->end && size < sizeof text - 1 && strchr("+-.0123456789eE", r->next[size]) && r->next[size]) {
        text[size] = r->next[size];
        size++;
    }
    text[size] = 0;
    char *end;
    *number = strtod(text, &end);
    if (size == 0 || *end)
        return false;
    r->next += size;
    return true;
}

static carom_json *read_value(reader *r, int depth);

// Items up to the closing bracket, with keys in an object.
static bool read_items(reader *r, carom_json *value, const char *close, int depth) {
    // Each item is linked before the next is read, so that a failure leaves a list that can be released.
    carom_json **place = &value->item;
    skip_space(r);
    if (take(r, close))
        return true;
    for (;;) {
        char *key = NULL;
        skip_space(r);
        if (value->type == CAROM_JSON_OBJECT) {
            key = take(r, "\"") ? read_string(r) : NULL;
            skip_space(r);
            if (!key || !take(r, ":")) {
                free(key);
                return false;
            }
        }
        *place = read_value(r, depth + 1);
        if (!*place) {
            free(key);
            return false;
        }
        (*place)->key = key;
        place = &(*place)->next;
        skip_space(r);
        if (take(r, close))
            return true;
        if (!take(r, ","))
            return false;
    }
}

static bool fill_value(reader *r, carom_json *value, int depth) {
    skip_space(r);
    if (take(r, "null"))
        return true;
    // A value starts as null; the type is set before the attempt, and is of no importance if all attempts fail.
    value->type = CAROM_JSON_BOOL;
    if (take(r, "false"))
        return true;
    value->boolean = take(r, "true");
    if (value->boolean)
        return true;
    if (take(r, "\"")) {
        value->type = CAROM_JSON_STRING;
        value->string = read_string(r);
        return value->string != NULL;
    }
    if (take(r, "[")) {
        value->type = CAROM_JSON_LIST;
        return read_items(r, value, "]", depth);
    }
    if (take(r, "{")) {
        value->type = CAROM_JSON_OBJECT;
        return read_items(r, value, "}", depth);
    }
    value->type = CAROM_JSON_NUMBER;
    return read_number(r, &value->number);
}

static carom_json *read_value(reader *r, int depth) {
    carom_json *value = depth < DEPTH_MAX ? calloc(1, sizeof *value) : NULL;
    if (value && fill_value(r, value, depth))
        return value;
    carom_json_release(value);
    return NULL;
}

carom_json *carom_json_parse(const char *text, size_t size) {
    reader r = {text, text + size};
    carom_json *value = read_value(&r, 0);
    skip_space(&r);
    // Text after the value is an error: the file may be two files run together.
    if (value && r.next == r.end)
        return value;
    carom_json_release(value);
    return NULL;
}

// Recursive in depth, which is bounded, and iterative along lists, which are not.
void carom_json_release(carom_json *value) {
    while (value) {
        carom_json *next = value->next;
        carom_json_release(value->item);
        free(value->string);
        free(value->key);
        free(value);
        value = next;
    }
}

const carom_json *carom_json_member(const carom_json *value, const char *key) {
    if (!value || value->type != CAROM_JSON_OBJECT)
        return NULL;
    for (const carom_json *item = value->item; item; item = item->next)
        if (strcmp(item->key, key) == 0)
            return item;
    return NULL;
}

double carom_json_number(const carom_json *value, const char *key) {
    const carom_json *member = carom_json_member(value, key);
    return member && member->type == CAROM_JSON_NUMBER ? member->number : (double)NAN;
}

const char *carom_json_text(const carom_json *value, const char *key) {
    const carom_json *member = carom_json_member(value, key);
    return member && member->type == CAROM_JSON_STRING ? member->string : "";
}

bool carom_json_truth(const carom_json *value, const char *key) {
    const carom_json *member = carom_json_member(value, key);
    return member && member->type == CAROM_JSON_BOOL && member->boolean;
}

int carom_json_count(const carom_json *value) {
    int count = 0;
    for (const carom_json *item = value ? value->item : NULL; item; item = item->next)
        count++;
    return count;
}
