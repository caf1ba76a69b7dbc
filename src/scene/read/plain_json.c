// SPDX-License-Identifier: MIT
// Writes a scene as JSON. The meaning of a plain scalar is that of YAML 1.2: null, true and false, decimal numbers;
// everything else, and everything in quotes, is text. Numbers of another form than in JSON (.5, +1, 1.) are written again
// with the same bits.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/numerals.h"
#include "scene/read/yaml.h"
#include "scene/scene.h"

static const char *skip_digits(const char *s) {
    while (isdigit((unsigned char)*s))
        s++;
    return s;
}

// The end of an exponent at `s`; `s` itself if there is none, NULL if it has no digits.
static const char *skip_exponent(const char *s) {
    if (*s != 'e' && *s != 'E')
        return s;
    s += s[1] == '+' || s[1] == '-' ? 2 : 1;
    const char *end = skip_digits(s);
    return end > s ? end : NULL;
}

// A decimal number: [-+]? ( digits [. digits?] | . digits ) exponent?  *json: JSON has the same form.
static bool is_number(const char *text, bool *json) {
    const char *s = text + (*text == '-' || *text == '+');
    const char *whole = skip_digits(s), *point = whole;
    // no sign +, no leading zero, digits on both sides of the point
    *json = *text != '+' && whole > s && (*s != '0' || whole == s + 1);
    if (*point == '.') {
        const char *part = skip_digits(point + 1);
        if (whole == s && part == point + 1)
            return false;
        *json = *json && part > point + 1;
        point = part;
    } else if (whole == s)
        return false;
    const char *end = skip_exponent(point);
    return end && *end == 0;
}

static void put_scalar(const carom_tree *tree, carom_text *json) {
    bool same;
    if (carom_tree_is_null(tree))
        carom_text_append(json, "null", 4);
    else if (tree->quoted)
        carom_json_string(json, tree->text);
    else if (strcmp(tree->text, "true") == 0 || strcmp(tree->text, "false") == 0)
        carom_text_append(json, tree->text, strlen(tree->text));
    else if (!is_number(tree->text, &same))
        carom_json_string(json, tree->text);
    else if (same)
        carom_text_append(json, tree->text, strlen(tree->text));
    else
        carom_json_real(json, strtod(tree->text, NULL));
}

// The depth is that of the tree, which is limited where it is read.
static void put(const carom_tree *tree, carom_text *json) {
    if (tree->kind == CAROM_TREE_SCALAR) {
        put_scalar(tree, json);
        return;
    }
    bool map = tree->kind == CAROM_TREE_MAP;
    carom_text_append(json, map ? "{" : "[", 1);
    for (int i = 0; i < tree->count; i++) {
        if (i)
            carom_text_append(json, ", ", 2);
        if (map) {
            carom_json_string(json, tree->branches[i].key);
            carom_text_append(json, ": ", 2);
        }
        put(tree->branches[i].value, json);
    }
    carom_text_append(json, map ? "}" : "]", 1);
}

carom_status carom_scene_json(const char *text, size_t size, const char *name, char **json, carom_error *error) {
    *json = NULL;
    carom_report report = {.file = name};
    carom_text written = {0};
    carom_arena *arena = carom_arena_create();
    carom_numerals numerals = carom_numerals_enter();
    const carom_tree *root = arena ? carom_yaml_parse(text, size, CAROM_YAML, NULL, arena, &report) : NULL;
    if (root)
        put(root, &written);
    carom_numerals_leave(numerals);
    report.failed = report.failed || !arena || written.failed;
    carom_arena_release(arena);
    carom_status status = carom_report_close(&report, CAROM_OK, NULL, error);
    if (status)
        carom_text_release(&written);
    *json = written.data;
    return status;
}
