// SPDX-License-Identifier: MIT
// Writes a scene with every default filled in. Keys follow the order of the table, so that the dump of a
// dump is the same text. Keys that are optional and empty are left out: writing them would change their
// meaning.
#include <ctype.h>
#include <string.h>

#include "base/numerals.h"
#include "base/stream.h"
#include "scene/scene.h"
#include "scene/schema.h"

// Two blanks for each level.
static void indent(FILE *stream, int depth) {
    fprintf(stream, "%*s", 2 * depth, "");
}

// Plain if that reads back as the same text, otherwise quoted. A title such as "true" or "null" needs
// quotes.
static void dump_text(const char *text, FILE *stream) {
    static const char *const taken[] = {"null", "Null", "NULL", "true", "false"};
    bool plain = carom_form_name.matches(text);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        plain = plain && strcmp(text, taken[i]) != 0;
    if (plain)
        fputs(text, stream);
    else
        carom_key_quote(text, stream);
}

// A value as carom_param_print writes it, which reads back with the same bits.
static void dump_param(const carom_key *key, const void *fields, FILE *stream) {
    const char *member = (const char *)fields + key->offset;
    char text[CAROM_PRINTED_MAX];
    carom_param_print(key->param, member, text, sizeof text);
    if (key->param->type == CAROM_PARAM_NAME || key->param->type == CAROM_PARAM_TEXT)
        dump_text(text, stream);
    else
        fputs(text, stream);
}

// An optional name that is empty is left out: an empty text is not a name.
static bool is_no_name(const carom_key *key, const void *fields) {
    return key->shape == CAROM_KEY_PARAM && key->param->type == CAROM_PARAM_NAME && key->param->initial &&
           !*((const char *)fields + key->offset + key->param->offset);
}

// A kind with its parameters on one line: {line: {from: [0, 0, 0], to: [10, 0, 0], elements: 100}}
static void dump_pick(const carom_pick *pick, FILE *stream) {
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_kind_expand(pick->kind, keys);
    fprintf(stream, "{%s: {", pick->kind->name);
    const char *separator = "";
    for (int i = 0; i < count; i++) {
        if (is_no_name(&keys[i], pick->params))
            continue;
        fprintf(stream, "%s%s: ", separator, keys[i].name);
        dump_param(&keys[i], pick->params, stream);
        separator = ", ";
    }
    fputs("}}", stream);
}

// Vectors, rows, names and words are written as flow lists on one line. A list of `count` rows of so many numbers; 0 columns:
// of numbers alone.
static void dump_rows(const double *values, int count, int columns, FILE *stream) {
    static const carom_param number = {.name = "", .type = CAROM_PARAM_REAL};
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "[", stream);
        for (int c = 0; c < (columns ? columns : 1); c++) {
            char text[64];
            carom_param_print(&number, &values[i * (columns ? columns : 1) + c], text, sizeof text);
            fprintf(stream, "%s%s", c ? ", " : columns ? "[" : "", text);
        }
        fputs(columns ? "]" : "", stream);
    }
    fputc(']', stream);
}

static void dump_names(int count, const char (*names)[CAROM_NAME_MAX], FILE *stream) {
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "[", stream);
        dump_text(names[i], stream);
    }
    fputc(']', stream);
}

// Words in the order of the table, whatever the order in the file was.
static void dump_words(const carom_key *key, unsigned given, FILE *stream) {
    const char *separator = "[";
    for (int i = 0; key->words[i]; i++) {
        if (!(given & 1u << i))
            continue;
        fprintf(stream, "%s%s", separator, key->words[i]);
        separator = ", ";
    }
    fputc(']', stream);
}

static void dump_map(const carom_key *keys, int count, const void *fields, int depth, bool in_item, FILE *stream);

// Items begin with a dash, their keys are indented by two levels.
static void dump_list(const carom_key *key, const carom_list *list, int depth, FILE *stream) {
    if (list->count == 0)
        fputs(" []", stream);
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    for (int i = 0; i < list->count; i++) {
        fputc('\n', stream);
        indent(stream, depth + 1);
        fputs("- ", stream);
        dump_map(keys, count, (const char *)list->items + (size_t)i * key->item_size, depth + 2, true, stream);
    }
}

// A map that is off is the word `false`; otherwise its keys follow on lines of their own.
static void dump_section(const carom_key *key, const void *fields, int depth, FILE *stream) {
    if (key->can_be_off && !*(const bool *)((const char *)fields + key->offset)) {
        fputs(" false", stream);
        return;
    }
    const carom_list *list = key->as_list ? (const carom_list *)((const char *)fields + key->as_list->offset) : NULL;
    if (list && list->count > 0) {
        dump_list(key->as_list, list, depth, stream);
        return;
    }
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    fputc('\n', stream);
    dump_map(keys, count, fields, depth + 1, false, stream);
}

// Writes a gate: the condition alone, or {gate: ..., exact: ..., source: ...} if more than the condition is
// given. Conditions are always quoted: "< 1" would not be a plain scalar.
static void dump_gate(const carom_scene_gate *gate, const carom_key *keys, int count, FILE *stream) {
    bool is_long = false;
    for (int i = 0; i < count; i++)
        is_long |= keys[i].optional && !carom_key_is_empty(&keys[i], gate);
    fprintf(stream, "%s: %s\"%s\"", gate->name, is_long ? "{gate: " : "", gate->condition);
    for (int i = 0; i < count; i++) {
        if (!keys[i].optional || carom_key_is_empty(&keys[i], gate))
            continue;
        fprintf(stream, ", %s: ", keys[i].name);
        dump_param(&keys[i], gate, stream);
    }
    if (is_long)
        fputc('}', stream);
}

// Gates in the order of the file.
static void dump_gates(const carom_key *key, const carom_list *list, int depth, FILE *stream) {
    const carom_scene_gate *gates = list->items;
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    if (list->count == 0)
        fputs(" {}", stream);
    for (int i = 0; i < list->count; i++) {
        fputc('\n', stream);
        indent(stream, depth + 1);
        dump_gate(&gates[i], keys, count, stream);
    }
}

// True if a part of a value differs from its default, so that the value has to be written as a map. The first
// part is the value itself.
static bool is_in_parts(const carom_key *parts, int count, const void *fields) {
    for (int p = 1; p < count; p++) {
        char text[CAROM_PRINTED_MAX];
        carom_param_print(parts[p].param, (const char *)fields + parts[p].offset, text, sizeof text);
        if (strcmp(text, parts[p].param->initial) != 0)
            return true;
    }
    return false;
}

static void dump_parts(const carom_key *parts, int count, const void *fields, FILE *stream) {
    for (int p = 0; p < count; p++) {
        fprintf(stream, "%s%s: ", p ? ", " : ": {", carom_key_part_name(&parts[p]));
        dump_param(&parts[p], fields, stream);
    }
    fputc('}', stream);
}

// One key and its value, without the final newline. Nested values begin a new line, others follow on the
// same line.
static void dump_key(const carom_key *key, const void *fields, int depth, FILE *stream) {
    const char *member = (const char *)fields + key->offset;
    fprintf(stream, "%s:", key->name);
    switch (key->shape) {
    case CAROM_KEY_MAP: dump_section(key, fields, depth, stream); return;
    case CAROM_KEY_LIST: dump_list(key, (const carom_list *)member, depth, stream); return;
    case CAROM_KEY_GATES: dump_gates(key, (const carom_list *)member, depth, stream); return;
    default: break;
    }
    fputc(' ', stream);
    const carom_list *list = (const carom_list *)member;
    const void *names = member;
    const carom_vector_list *vectors = (const carom_vector_list *)member;
    if (key->shape == CAROM_KEY_PARAM)
        dump_param(key, fields, stream);
    else if (key->shape == CAROM_KEY_PICK)
        dump_pick((const carom_pick *)member, stream);
    else if (key->shape == CAROM_KEY_VECTORS)
        dump_rows(vectors->items[0], vectors->count, 3, stream);
    else if (key->shape == CAROM_KEY_TABLE || key->shape == CAROM_KEY_NUMBERS)
        dump_rows(list->items, list->count, key->columns, stream);
    else if (key->shape == CAROM_KEY_WORDS)
        dump_words(key, *(const unsigned *)member, stream);
    else if (key->shape == CAROM_KEY_NAMES)
        dump_names(key->columns, names, stream);
    else if (key->shape == CAROM_KEY_WORDLIST)
        dump_names(list->count, list->items, stream);
}

// True if a key has a meaning only together with another key, and that one is absent.
static bool is_alone(const carom_key *keys, int count, const char *needs_key, const void *fields) {
    for (int i = 0; needs_key && i < count; i++)
        if (strcmp(keys[i].name, needs_key) == 0)
            return carom_key_is_empty(&keys[i], fields);
    return false;
}

// True if a key is replaced by another key that is present (`time` by `analysis`).
static bool is_replaced(const carom_key *keys, int count, const char *unless, const void *fields) {
    for (int i = 0; unless && i < count; i++)
        if (strcmp(keys[i].name, unless) == 0)
            return !carom_key_is_empty(&keys[i], fields);
    return false;
}

// The keys of a map. The first key of a list item is on the line of its dash.
static void dump_map(const carom_key *keys, int count, const void *fields, int depth, bool in_item, FILE *stream) {
    bool first = true;
    for (int i = 0, parts = 0; i < count; i += 1 + parts) {
        parts = carom_key_parts(keys, count, i);
        if (carom_key_is_empty(&keys[i], fields) || is_alone(keys, count, keys[i].needs_key, fields) ||
            is_replaced(keys, count, keys[i].unless, fields))
            continue;
        if (!first)
            fputc('\n', stream);
        if (!first || !in_item)
            indent(stream, depth);
        first = false;
        if (is_in_parts(&keys[i + 1], parts, fields)) {
            fputs(keys[i].name, stream);
            dump_parts(&keys[i + 1], parts, fields, stream);
        } else
            dump_key(&keys[i], fields, depth, stream);
    }
}

// A decimal point in every locale, as the reader expects.
static carom_status dump_scene(const carom_scene *scene, FILE *stream) {
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(carom_schema(), keys);
    carom_numerals numerals = carom_numerals_enter();
    dump_map(keys, count, &scene->def, 0, false, stream);
    carom_numerals_leave(numerals);
    fputc('\n', stream);
    return ferror(stream) ? CAROM_IO : CAROM_OK;
}

char *carom_scene_text(const carom_scene *scene) {
    carom_stream stream;
    carom_stream_open(&stream);
    if (stream.file)
        dump_scene(scene, stream.file);
    return carom_stream_close(&stream);
}
