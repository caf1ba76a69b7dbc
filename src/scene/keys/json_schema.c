// SPDX-License-Identifier: MIT
// The table of keys as JSON Schema (draft 2020-12), for editors and other programs. The schema accepts
// exactly what the reader accepts as far as JSON Schema can express it; rules between entries (names that must
// exist) are left to `carom check`.
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/numerals.h"
#include "base/stream.h"
#include "scene/expect.h"
#include "scene/scene.h"
#include "scene/schema.h"

// A writer of indented JSON. It keeps track of the nesting and of the commas.
typedef struct writer {
    FILE *stream;
    int depth;
    bool empty; // no member in the innermost braces yet
} writer;

// Begins the next member of an object (with its name) or of an array.
static void next(writer *w, const char *name) {
    fprintf(w->stream, "%s\n%*s", w->empty ? "" : ",", 2 * w->depth, "");
    w->empty = false;
    if (name) {
        carom_key_quote(name, w->stream);
        fputs(": ", w->stream);
    }
}

// Opens an object or an array; `name` is NULL within an array.
static void begin(writer *w, const char *name, char bracket) {
    if (w->depth)
        next(w, name);
    fputc(bracket, w->stream);
    w->depth++;
    w->empty = true;
}

// Closes an object or an array; an empty one stays on one line.
static void end(writer *w, char bracket) {
    w->depth--;
    if (!w->empty)
        fprintf(w->stream, "\n%*s", 2 * w->depth, "");
    fputc(bracket, w->stream);
    w->empty = false;
}

// A member whose value is a string.
static void member(writer *w, const char *name, const char *value) {
    next(w, name);
    carom_key_quote(value, w->stream);
}

// A value that is JSON already.
static void raw(writer *w, const char *name, const char *value) {
    next(w, name);
    fputs(value, w->stream);
}

// Members as a template shows them: "items: {type: 'array', minItems: 2, description: %s, maxItems: %d}". Names have no quotes,
// texts have single ones, and all else is JSON already. An argument stands for a name or a text (%s), a double (%g, 17 digits
// restore the same bits) or an int (%d). Brackets may be left open for the output of other functions.
static void put(writer *w, const char *template, ...) {
    enum { WORD_MAX = 32 };
    char word[WORD_MAX], longest_name[WORD_MAX];
    const char *name = NULL;
    va_list arguments;
    va_start(arguments, template);
    for (const char *at = template; *at;) {
        if (*at == '{' || *at == '[')
            begin(w, name, *at);
        if (*at == '}' || *at == ']')
            end(w, *at);
        if (strchr("{}[]", *at))
            name = NULL;
        bool quoted = *at == '\'';
        size_t size = quoted ? strcspn(++at, "'") : strcspn(at, "{}[]:, ");
        snprintf(word, sizeof word, "%.*s", (int)size, at);
        at += size;
        bool names = *at == ':' && !quoted;
        // the quote, colon, bracket, comma or blank behind the word
        at += *at && (size == 0 || quoted || names || !strchr("{}[]", *at));
        if (size == 0)
            continue;
        const char *value = strcmp(word, "%s") == 0 ? va_arg(arguments, const char *) : NULL;
        if (names) {
            strcpy(longest_name, word);
            name = value ? value : longest_name;
            continue;
        }
        if (strcmp(word, "%g") == 0)
            snprintf(word, sizeof word, "%.17g", va_arg(arguments, double));
        if (strcmp(word, "%d") == 0)
            snprintf(word, sizeof word, "%d", va_arg(arguments, int));
        if (value || quoted)
            member(w, name, value ? value : word);
        else
            raw(w, name, word);
        name = NULL;
    }
    va_end(arguments);
}

// An array of strings; the words `true` and `false` are truth values.
static void words(writer *w, const char *name, const char *const *list) {
    begin(w, name, '[');
    for (; *list; list++)
        if (strcmp(*list, "true") == 0 || strcmp(*list, "false") == 0)
            raw(w, NULL, *list);
        else
            member(w, NULL, *list);
    end(w, ']');
}

// The range of a number; a row with min = max = 0 has none. Integers are limited by the type int as well.
static void write_range(writer *w, const carom_param *param) {
    bool whole = param->type == CAROM_PARAM_INT || param->type == CAROM_PARAM_INT3;
    if (param->min == 0 && param->max == 0)
        return;
    if (isfinite(param->min))
        put(w, "%s: %g", param->flags & CAROM_PARAM_OPEN_MIN ? "exclusiveMinimum" : "minimum", param->min);
    if (isfinite(param->max))
        put(w, "%s: %g", param->flags & CAROM_PARAM_OPEN_MAX ? "exclusiveMaximum" : "maximum", param->max);
    else if (whole)
        put(w, "maximum: %d", INT_MAX);
}

// A number, or the word `auto` if the row allows it.
static void write_number(writer *w, const carom_param *param) {
    bool choice = param->flags & CAROM_PARAM_ALLOW_AUTO;
    if (choice)
        put(w, "anyOf: [{const: 'auto'}, {");
    put(w, "type: %s", param->type == CAROM_PARAM_INT ? "integer" : "number");
    write_range(w, param);
    if (choice)
        put(w, "}]");
}

// Three numbers; NONZERO means that at least one of them differs from 0.
static void write_vector(writer *w, const carom_param *param) {
    put(w, "type: 'array', items: {type: %s", param->type == CAROM_PARAM_INT3 ? "integer" : "number");
    write_range(w, param);
    put(w, "}, minItems: 3, maxItems: 3");
    if (param->flags & CAROM_PARAM_NONZERO)
        put(w, "contains: {not: {const: 0}}");
}

// Rows of two numbers.
static void write_pairs(writer *w, const carom_param *param) {
    put(w, "type: 'array', items: {type: 'array', items: {type: 'number'");
    write_range(w, param);
    put(w, "}, minItems: 2, maxItems: 2}, maxItems: %d", CAROM_PAIRS_MAX);
}

// A text without a form may have any content, also that of a number, which YAML editors then read as one.
static void write_text(writer *w, const carom_form *form, const carom_param *param) {
    put(w, form ? "type: 'string'" : "type: ['string', 'number', 'boolean']");
    // the length limit counts characters in JSON Schema and bytes in the reader: the reader is stricter
    put(w, "minLength: 1, maxLength: %d", (param->type == CAROM_PARAM_NAME ? CAROM_NAME_MAX : CAROM_TEXT_MAX) - 1);
    if (form)
        put(w, "pattern: %s", form->pattern);
}

// One value: its type, range or choices, and its default.
static void write_param(writer *w, const carom_key *key) {
    const carom_param *param = key->param;
    switch (param->type) {
    case CAROM_PARAM_REAL:
    case CAROM_PARAM_INT: write_number(w, param); break;
    case CAROM_PARAM_BOOL: put(w, "type: 'boolean'"); break;
    case CAROM_PARAM_CHOICE: words(w, "enum", param->choices); break;
    case CAROM_PARAM_NAME:
    case CAROM_PARAM_TEXT: write_text(w, key->form, param); break;
    case CAROM_PARAM_VEC3:
    case CAROM_PARAM_INT3: write_vector(w, param); break;
    case CAROM_PARAM_PAIRS: write_pairs(w, param); break;
    }
    if (!param->initial)
        return;
    // defaults are stored as text in the syntax of a scene; words need quotes in JSON
    bool quoted = param->type == CAROM_PARAM_CHOICE || param->type == CAROM_PARAM_NAME || param->type == CAROM_PARAM_TEXT ||
                  strcmp(param->initial, "auto") == 0;
    if (quoted)
        member(w, "default", param->initial);
    else
        raw(w, "default", param->initial);
}

// The documentation of the key, with the unit of its value.
static void write_description(writer *w, const carom_key *key) {
    const char *unit = key->shape == CAROM_KEY_PARAM ? key->param->unit : NULL;
    char description[512];
    snprintf(description, sizeof description, unit && *unit ? "%s Unit: %s." : "%s", key->doc, unit);
    put(w, "description: %s", description);
}

static void write_key(writer *w, const carom_key *key);

// Lists the required keys: those that another key can replace if `unless` is given, the others if it is NULL.
static void write_required(writer *w, const carom_key *keys, int count, const char *unless) {
    put(w, "required: [");
    for (int i = 0; i < count; i++)
        if (carom_key_is_required(&keys[i]) && !keys[i].unless == !unless)
            put(w, "%s", keys[i].name);
    put(w, "]");
}

// A value or the map of its parts, all of which are required.
static void write_with_parts(writer *w, const carom_key *key, int count) {
    put(w, "anyOf: [{");
    write_key(w, key);
    put(w, "}, {type: 'object', properties: {");
    for (int p = 1; p <= count; p++) {
        put(w, "%s: {", carom_key_part_name(&key[p]));
        write_key(w, &key[p]);
        put(w, "}");
    }
    put(w, "}, required: [");
    for (int p = 1; p <= count; p++)
        put(w, "%s", carom_key_part_name(&key[p]));
    put(w, "], additionalProperties: false}]");
}

// The members of an object schema for these keys. If some keys stand in for another one (`integrator` and
// `time` for `analysis`), exactly one of the two groups is required.
static void write_object(writer *w, const carom_key *keys, int count) {
    put(w, "type: 'object', properties: {");
    for (int i = 0, parts = 0; i < count; i += 1 + parts) {
        parts = carom_key_parts(keys, count, i);
        put(w, "%s: {", keys[i].name);
        if (parts)
            write_with_parts(w, &keys[i], parts);
        else
            write_key(w, &keys[i]);
        put(w, "}");
    }
    put(w, "}");
    // "required" must not be empty in older drafts, so it is written only if there is a key
    bool any = false;
    const char *other = NULL;
    for (int i = 0; i < count; i++) {
        any |= carom_key_is_required(&keys[i]) && !keys[i].unless;
        other = keys[i].unless ? keys[i].unless : other;
    }
    if (any)
        write_required(w, keys, count, NULL);
    if (other) {
        put(w, "oneOf: [{");
        write_required(w, keys, count, other);
        put(w, "}, {required: [%s]}]", other);
    }
    put(w, "additionalProperties: false");
}

static void write_list(writer *w, const carom_key *key);

// A map that can be off may also be true or false, and some may be lists.
static void write_map(writer *w, const carom_key *key) {
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    bool either = key->can_be_off || key->as_list;
    if (either) {
        put(w, "anyOf: [{");
        if (key->as_list)
            write_list(w, key->as_list);
        else
            put(w, "type: 'boolean'");
        put(w, "}, {");
    }
    write_object(w, keys, count);
    if (either)
        put(w, "}]");
}

// A list of maps. "not required: [a, b]" says that a and b must not occur together.
static void write_list(writer *w, const carom_key *key) {
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    put(w, "type: 'array'");
    if (key->least)
        put(w, "minItems: %d", key->least);
    put(w, "items: {");
    write_object(w, keys, count);
    if (key->exactly_one) {
        put(w, "oneOf: [");
        for (int i = 0; key->exactly_one[i]; i++)
            put(w, "{required: [%s]}", key->exactly_one[i]);
        put(w, "]");
    }
    if (key->at_most_one) {
        put(w, "not: {");
        words(w, "required", key->at_most_one);
        put(w, "}");
    }
    put(w, "}");
}

// The names of the library of materials.
static void write_use(writer *w) {
    int count;
    const carom_substance *all = carom_substances(&count);
    put(w, "use: {description: %s, enum: [", "A substance of the library, in the units of the scene.");
    for (int i = 0; i < count; i++)
        put(w, "%s", all[i].name);
    put(w, "]}");
}

// One kind of a catalogue: its name alone if it has no required parameters, or a map with exactly one key.
static void write_pick(writer *w, const carom_key *key) {
    const carom_catalogue *catalogue = key->catalogue();
    carom_key keys[CAROM_KEYS_MAX];
    put(w, "anyOf: [");

    // the name alone, for kinds without required parameters
    for (int k = 0; k < catalogue->count; k++) {
        int count = carom_kind_expand(catalogue->kinds[k], keys);
        bool needs = false;
        for (int i = 0; i < count; i++)
            needs |= carom_key_is_required(&keys[i]);
        if (!needs)
            put(w, "{const: %s, description: %s}", catalogue->kinds[k]->name, catalogue->kinds[k]->summary);
    }
    put(w, "{type: 'object', properties: {");
    for (int k = 0; k < catalogue->count; k++) {
        put(w, "%s: {description: %s", catalogue->kinds[k]->name, catalogue->kinds[k]->summary);
        write_object(w, keys, carom_kind_expand(catalogue->kinds[k], keys));
        put(w, "}");
    }
    if (key->catalogue == carom_materials)
        write_use(w);
    // exactly one key: the kind
    put(w, "}, minProperties: 1, maxProperties: 1, additionalProperties: false}]");
}

// Lists of vectors, of rows of numbers (ascending times are left to the reader), of names, of numbers, of words.
static void write_items(writer *w, const carom_key *key) {
    static const carom_param vector = {.name = "", .type = CAROM_PARAM_VEC3, .flags = CAROM_PARAM_NONZERO};
    static const carom_param name = {.name = "", .type = CAROM_PARAM_NAME};
    // a set of words has each of them at most once
    put(w, key->shape == CAROM_KEY_VECTORS ? "type: 'array', minItems: 1, maxItems: 3, items: {"
           : key->shape == CAROM_KEY_WORDS ? "type: 'array', minItems: 1, uniqueItems: true, items: {"
           : key->shape == CAROM_KEY_NAMES ? "type: 'array', items: {"
                                           : "type: 'array', minItems: 1, items: {");
    switch (key->shape) {
    case CAROM_KEY_VECTORS: write_vector(w, &vector); break;
    case CAROM_KEY_WORDS: words(w, "enum", key->words); break;
    case CAROM_KEY_NUMBERS: put(w, "type: 'number', minimum: 0"); break;
    case CAROM_KEY_TABLE: put(w, "type: 'array', items: {type: 'number'}"); break;
    default: write_text(w, NULL, &name); break;
    }
    // a fixed number of names, or of columns
    if (key->shape == CAROM_KEY_NAMES)
        put(w, "}");
    if (key->columns)
        put(w, "minItems: %d, maxItems: %d", key->columns, key->columns);
    if (key->shape != CAROM_KEY_NAMES)
        put(w, "}");
}

// A condition is a text that matches the pattern, or a number (equal).
static void write_condition(writer *w) {
    put(w, "anyOf: [{type: 'number'}, {type: 'string', pattern: %s}]", carom_condition_pattern);
}

// A gate: a condition alone, or a map that contains one. `exact` and `published` exclude each other, and a value needs its
// source: either `source` is present, or neither of the values is.
static void write_gate(writer *w, const char *name, const char *doc, const carom_key *keys, int count) {
    put(w, "%s: {description: %s, anyOf: [{", name, doc);
    write_condition(w);
    put(w, "}, {");
    write_object(w, keys, count);
    put(w, "not: {required: ['exact', 'published']}, anyOf: [{required: ['source']}, "
           "{not: {anyOf: [{required: ['exact']}, {required: ['published']}]}}]}]}");
}

// Known results, and those of probes, bodies, pairs and load cells by patterns, because these are named in the same file.
static void write_gates(writer *w, const carom_key *key) {
    static const char *const columns[][2] = {
        // NAME.x, NAME.ux, NAME.vx and so on
        {"^[A-Za-z_][A-Za-z0-9_-]*\\.[uv]?[xyz]$", "The last value of a column of probes.csv."},
        {"^[A-Za-z_][A-Za-z0-9_-]*\\.max_filtered_(acceleration|force)$",
         "The largest filtered acceleration of a probe, or force on it."},
        {"^.+\\.(max_von_mises|max_principal|min_principal|max_strain)$",
         "The largest stress or strain of a body over all steps."},
    };
    int quantity_count, pair_count, cell_count;
    const carom_quantity *quantities = carom_quantities(&quantity_count);
    const carom_pair_quantity *pairs = carom_pair_quantities(&pair_count);
    const carom_cell_quantity *cells = carom_cell_quantities(&cell_count);
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    char pattern[128];
    put(w, "type: 'object', properties: {");
    for (int i = 0; i < quantity_count; i++)
        write_gate(w, quantities[i].name, quantities[i].doc, keys, count);
    put(w, "}, patternProperties: {");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        write_gate(w, columns[i][0], columns[i][1], keys, count);
    // BODY-BODY.peak_force and so on
    for (int i = 0; i < pair_count; i++) {
        snprintf(pattern, sizeof pattern, "^[A-Za-z_][A-Za-z0-9_-]*-[A-Za-z0-9_-]+\\.%s$", pairs[i].name);
        write_gate(w, pattern, pairs[i].doc, keys, count);
    }
    // OBSTACLE.peak_force and so on
    for (int i = 0; i < cell_count; i++) {
        snprintf(pattern, sizeof pattern, "^[A-Za-z_][A-Za-z0-9_]*\\.%s$", cells[i].name);
        write_gate(w, pattern, cells[i].doc, keys, count);
    }
    put(w, "}, additionalProperties: false");
}

// The schema of one key: its description, then the members that its shape needs.
static void write_key(writer *w, const carom_key *key) {
    write_description(w, key);
    switch (key->shape) {
    case CAROM_KEY_PARAM: write_param(w, key); break;
    case CAROM_KEY_MAP: write_map(w, key); break;
    case CAROM_KEY_LIST: write_list(w, key); break;
    case CAROM_KEY_PICK: write_pick(w, key); break;
    case CAROM_KEY_VECTORS:
    case CAROM_KEY_TABLE:
    case CAROM_KEY_WORDS:
    case CAROM_KEY_NAMES:
    case CAROM_KEY_WORDLIST:
    case CAROM_KEY_NUMBERS: write_items(w, key); break;
    case CAROM_KEY_CONDITION: write_condition(w); break;
    case CAROM_KEY_GATES: write_gates(w, key); break;
    case CAROM_KEY_PARAMS:
    case CAROM_KEY_END: break;
    }
}

// The root of the schema is the object of the whole file.
static void write_schema(FILE *stream) {
    writer w = {.stream = stream};
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(carom_schema(), keys);
    carom_numerals numerals = carom_numerals_enter();
    put(&w, "{$schema: %s, title: 'carom scene'", "https://json-schema.org/draft/2020-12/schema");
    write_object(&w, keys, count);
    put(&w, "}");
    fputc('\n', stream);
    carom_numerals_leave(numerals);
}

char *carom_scene_schema(void) {
    carom_stream stream;
    carom_stream_open(&stream);
    if (stream.file)
        write_schema(stream.file);
    return carom_stream_close(&stream);
}
