// SPDX-License-Identifier: MIT
// The table of keys as JSON Schema (draft 2020-12), for editors and other programs. The schema accepts
// exactly what the reader accepts as far as JSON Schema can say it; rules between entries (names that must
// exist) are left to `carom check`.
#include <limits.h>
#include <math.h>
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

// Names and documentation are ASCII without control characters: only quotes and backslashes need escaping.
static void text(writer *w, const char *bytes) {
    fputc('"', w->stream);
    for (; *bytes; bytes++) {
        if (*bytes == '"' || *bytes == '\\')
            fputc('\\', w->stream);
        fputc(*bytes, w->stream);
    }
    fputc('"', w->stream);
}

// Begins the next member of an object (with its name) or of an array.
static void next(writer *w, const char *name) {
    fprintf(w->stream, "%s\n%*s", w->empty ? "" : ",", 2 * w->depth, "");
    w->empty = false;
    if (name) {
        text(w, name);
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
    text(w, value);
}

// A value that is JSON already.
static void raw(writer *w, const char *name, const char *value) {
    next(w, name);
    fputs(value, w->stream);
}

// 17 digits restore the same bits.
static void number(writer *w, const char *name, double value) {
    next(w, name);
    fprintf(w->stream, "%.17g", value);
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
        number(w, param->flags & CAROM_PARAM_OPEN_MIN ? "exclusiveMinimum" : "minimum", param->min);
    if (isfinite(param->max))
        number(w, param->flags & CAROM_PARAM_OPEN_MAX ? "exclusiveMaximum" : "maximum", param->max);
    else if (whole)
        number(w, "maximum", INT_MAX);
}

// A number, or the word `auto` if the row allows it.
static void write_number(writer *w, const carom_param *param) {
    bool choice = param->flags & CAROM_PARAM_ALLOW_AUTO;
    if (choice) {
        begin(w, "anyOf", '[');
        begin(w, NULL, '{');
        member(w, "const", "auto");
        end(w, '}');
        begin(w, NULL, '{');
    }
    member(w, "type", param->type == CAROM_PARAM_INT ? "integer" : "number");
    write_range(w, param);
    if (choice) {
        end(w, '}');
        end(w, ']');
    }
}

// Three numbers; NONZERO means that at least one of them differs from 0.
static void write_vector(writer *w, const carom_param *param) {
    member(w, "type", "array");
    begin(w, "items", '{');
    member(w, "type", param->type == CAROM_PARAM_INT3 ? "integer" : "number");
    write_range(w, param);
    end(w, '}');
    raw(w, "minItems", "3");
    raw(w, "maxItems", "3");
    if (param->flags & CAROM_PARAM_NONZERO) {
        begin(w, "contains", '{');
        begin(w, "not", '{');
        raw(w, "const", "0");
        end(w, '}');
        end(w, '}');
    }
}

// Rows of two numbers.
static void write_pairs(writer *w, const carom_param *param) {
    member(w, "type", "array");
    begin(w, "items", '{');
    member(w, "type", "array");
    begin(w, "items", '{');
    member(w, "type", "number");
    write_range(w, param);
    end(w, '}');
    raw(w, "minItems", "2");
    raw(w, "maxItems", "2");
    end(w, '}');
    number(w, "maxItems", CAROM_PAIRS_MAX);
}

// A text without a form may look like anything, also like a number, which YAML editors then take for one.
static void write_text(writer *w, const carom_key *key) {
    if (key->form)
        member(w, "type", "string");
    else
        words(w, "type", (const char *const[]){"string", "number", "boolean", NULL});
    raw(w, "minLength", "1");
    // the length limit counts characters in JSON Schema and bytes in the reader: the reader is stricter
    number(w, "maxLength", (key->param->type == CAROM_PARAM_NAME ? CAROM_NAME_MAX : CAROM_TEXT_MAX) - 1);
    if (key->form)
        member(w, "pattern", key->form->pattern);
}

// One value: its type, range or choices, and its default.
static void write_param(writer *w, const carom_key *key) {
    const carom_param *param = key->param;
    switch (param->type) {
    case CAROM_PARAM_REAL:
    case CAROM_PARAM_INT: write_number(w, param); break;
    case CAROM_PARAM_BOOL: member(w, "type", "boolean"); break;
    case CAROM_PARAM_CHOICE: words(w, "enum", param->choices); break;
    case CAROM_PARAM_NAME:
    case CAROM_PARAM_TEXT: write_text(w, key); break;
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
    member(w, "description", description);
}

static void write_key(writer *w, const carom_key *key);

// Lists the required keys: those replaced by another key (`unless`), or those that are not.
static void write_required(writer *w, const carom_key *keys, int count, const char *unless) {
    begin(w, "required", '[');
    for (int i = 0; i < count; i++)
        if (carom_key_is_required(&keys[i]) && !keys[i].unless == !unless)
            member(w, NULL, keys[i].name);
    end(w, ']');
}

// A value or the map of its parts, all of which are required.
static void write_with_parts(writer *w, const carom_key *key, int count) {
    begin(w, "anyOf", '[');
    begin(w, NULL, '{');
    write_key(w, key);
    end(w, '}');
    begin(w, NULL, '{');
    member(w, "type", "object");
    begin(w, "properties", '{');
    for (int p = 1; p <= count; p++) {
        begin(w, carom_key_part_name(&key[p]), '{');
        write_key(w, &key[p]);
        end(w, '}');
    }
    end(w, '}');
    begin(w, "required", '[');
    for (int p = 1; p <= count; p++)
        member(w, NULL, carom_key_part_name(&key[p]));
    end(w, ']');
    raw(w, "additionalProperties", "false");
    end(w, '}');
    end(w, ']');
}

// The members of an object schema for these keys. If some keys stand in for another one (`integrator` and
// `time` for `analysis`), exactly one of the two groups is required.
static void write_object(writer *w, const carom_key *keys, int count) {
    member(w, "type", "object");
    begin(w, "properties", '{');
    for (int i = 0, parts = 0; i < count; i += 1 + parts) {
        parts = carom_key_parts(keys, count, i);
        begin(w, keys[i].name, '{');
        if (parts)
            write_with_parts(w, &keys[i], parts);
        else
            write_key(w, &keys[i]);
        end(w, '}');
    }
    end(w, '}');
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
        begin(w, "oneOf", '[');
        begin(w, NULL, '{');
        write_required(w, keys, count, other);
        end(w, '}');
        begin(w, NULL, '{');
        words(w, "required", (const char *const[]){other, NULL});
        end(w, '}');
        end(w, ']');
    }
    raw(w, "additionalProperties", "false");
}

static void write_list(writer *w, const carom_key *key);

// A map that can be off may also be true or false, and some may be lists.
static void write_map(writer *w, const carom_key *key) {
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    bool either = key->can_be_off || key->as_list;
    if (either) {
        begin(w, "anyOf", '[');
        begin(w, NULL, '{');
        if (key->as_list)
            write_list(w, key->as_list);
        else
            member(w, "type", "boolean");
        end(w, '}');
        begin(w, NULL, '{');
    }
    write_object(w, keys, count);
    if (either) {
        end(w, '}');
        end(w, ']');
    }
}

// A list of maps. "not required: [a, b]" says that a and b must not occur together.
static void write_list(writer *w, const carom_key *key) {
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    member(w, "type", "array");
    if (key->least)
        number(w, "minItems", key->least);
    begin(w, "items", '{');
    write_object(w, keys, count);
    if (key->exactly_one) {
        begin(w, "oneOf", '[');
        for (int i = 0; key->exactly_one[i]; i++) {
            begin(w, NULL, '{');
            words(w, "required", (const char *const[]){key->exactly_one[i], NULL});
            end(w, '}');
        }
        end(w, ']');
    }
    if (key->at_most_one) {
        begin(w, "not", '{');
        words(w, "required", key->at_most_one);
        end(w, '}');
    }
    end(w, '}');
}

// The names of the library of materials.
static void write_use(writer *w) {
    int count;
    const carom_substance *all = carom_substances(&count);
    begin(w, "use", '{');
    member(w, "description", "A substance of the library, in the units of the scene.");
    begin(w, "enum", '[');
    for (int i = 0; i < count; i++)
        member(w, NULL, all[i].name);
    end(w, ']');
    end(w, '}');
}

// One kind of a catalogue: its name alone if it has no required parameters, or a map with exactly one key.
static void write_pick(writer *w, const carom_key *key) {
    const carom_catalogue *catalogue = key->catalogue();
    carom_key keys[CAROM_KEYS_MAX];
    begin(w, "anyOf", '[');

    // the name alone, for kinds without required parameters
    for (int k = 0; k < catalogue->count; k++) {
        int count = carom_kind_expand(catalogue->kinds[k], keys);
        bool needs = false;
        for (int i = 0; i < count; i++)
            needs |= carom_key_is_required(&keys[i]);
        if (needs)
            continue;
        begin(w, NULL, '{');
        member(w, "const", catalogue->kinds[k]->name);
        member(w, "description", catalogue->kinds[k]->summary);
        end(w, '}');
    }
    begin(w, NULL, '{');
    member(w, "type", "object");
    begin(w, "properties", '{');
    for (int k = 0; k < catalogue->count; k++) {
        begin(w, catalogue->kinds[k]->name, '{');
        member(w, "description", catalogue->kinds[k]->summary);
        write_object(w, keys, carom_kind_expand(catalogue->kinds[k], keys));
        end(w, '}');
    }
    if (key->catalogue == carom_materials)
        write_use(w);
    end(w, '}');
    // exactly one key: the kind
    raw(w, "minProperties", "1");
    raw(w, "maxProperties", "1");
    raw(w, "additionalProperties", "false");
    end(w, '}');
    end(w, ']');
}

// One to three vectors.
static void write_vectors(writer *w) {
    static const carom_param row = {.name = "", .type = CAROM_PARAM_VEC3, .flags = CAROM_PARAM_NONZERO};
    member(w, "type", "array");
    raw(w, "minItems", "1");
    raw(w, "maxItems", "3");
    begin(w, "items", '{');
    write_vector(w, &row);
    end(w, '}');
}

// Rows of a fixed number of columns; ascending times are left to the reader.
static void write_rows(writer *w, const carom_key *key) {
    member(w, "type", "array");
    raw(w, "minItems", "1");
    begin(w, "items", '{');
    member(w, "type", "array");
    begin(w, "items", '{');
    member(w, "type", "number");
    end(w, '}');
    number(w, "minItems", key->columns);
    number(w, "maxItems", key->columns);
    end(w, '}');
}

// A fixed number of names.
static void write_list_of_names(writer *w, const carom_key *key) {
    static const carom_param name = {.name = "", .type = CAROM_PARAM_NAME};
    carom_key item = {.shape = CAROM_KEY_PARAM, .name = key->name, .param = &name};
    member(w, "type", "array");
    begin(w, "items", '{');
    write_text(w, &item);
    end(w, '}');
    number(w, "minItems", key->columns);
    number(w, "maxItems", key->columns);
}

// Any number of names, and of numbers.
static void write_wordlist(writer *w) {
    static const carom_param name = {.name = "", .type = CAROM_PARAM_NAME};
    carom_key item = {.shape = CAROM_KEY_PARAM, .name = "", .param = &name};
    member(w, "type", "array");
    raw(w, "minItems", "1");
    begin(w, "items", '{');
    write_text(w, &item);
    end(w, '}');
}

static void write_numbers(writer *w) {
    member(w, "type", "array");
    raw(w, "minItems", "1");
    begin(w, "items", '{');
    member(w, "type", "number");
    raw(w, "minimum", "0");
    end(w, '}');
}

// A set of words, each at most once.
static void write_words(writer *w, const carom_key *key) {
    member(w, "type", "array");
    raw(w, "minItems", "1");
    raw(w, "uniqueItems", "true");
    begin(w, "items", '{');
    words(w, "enum", key->words);
    end(w, '}');
}

// A condition is a text that matches the pattern, or a number (equal).
static void write_condition(writer *w) {
    begin(w, "anyOf", '[');
    begin(w, NULL, '{');
    member(w, "type", "number");
    end(w, '}');
    begin(w, NULL, '{');
    member(w, "type", "string");
    member(w, "pattern", carom_condition_pattern);
    end(w, '}');
    end(w, ']');
}

// A gate: a condition alone, or a map that contains one. `exact` and `published` exclude each other.
static void write_gate(writer *w, const carom_key *keys, int count) {
    static const char *const values[] = {"exact", "published", NULL};
    begin(w, "anyOf", '[');
    begin(w, NULL, '{');
    write_condition(w);
    end(w, '}');
    begin(w, NULL, '{');
    write_object(w, keys, count);
    begin(w, "not", '{');
    words(w, "required", values);
    end(w, '}');

    // a value needs its source: either `source` is present, or neither of the values is
    begin(w, "anyOf", '[');
    begin(w, NULL, '{');
    words(w, "required", (const char *const[]){"source", NULL});
    end(w, '}');
    begin(w, NULL, '{');
    begin(w, "not", '{');
    begin(w, "anyOf", '[');
    for (int i = 0; values[i]; i++) {
        begin(w, NULL, '{');
        words(w, "required", (const char *const[]){values[i], NULL});
        end(w, '}');
    }
    end(w, ']');
    end(w, '}');
    end(w, '}');
    end(w, ']');
    end(w, '}');
    end(w, ']');
}

// BODY-BODY.peak_force and so on: bodies are named in the same file.
static void write_pair_gates(writer *w, const carom_key *keys, int count) {
    int quantity_count;
    const carom_pair_quantity *quantities = carom_pair_quantities(&quantity_count);
    for (int i = 0; i < quantity_count; i++) {
        char pattern[128];
        snprintf(pattern, sizeof pattern, "^[A-Za-z_][A-Za-z0-9_-]*-[A-Za-z0-9_-]+\\.%s$", quantities[i].name);
        begin(w, pattern, '{');
        member(w, "description", quantities[i].doc);
        write_gate(w, keys, count);
        end(w, '}');
    }
}

// OBSTACLE.peak_force and so on.
static void write_cell_gates(writer *w, const carom_key *keys, int count) {
    int quantity_count;
    const carom_cell_quantity *quantities = carom_cell_quantities(&quantity_count);
    for (int i = 0; i < quantity_count; i++) {
        char pattern[128];
        snprintf(pattern, sizeof pattern, "^[A-Za-z_][A-Za-z0-9_]*\\.%s$", quantities[i].name);
        begin(w, pattern, '{');
        member(w, "description", quantities[i].doc);
        write_gate(w, keys, count);
        end(w, '}');
    }
}

// Known results, and columns of probes by a pattern, because probes are named in the same file.
static void write_gates(writer *w, const carom_key *key) {
    int quantity_count;
    const carom_quantity *quantities = carom_quantities(&quantity_count);
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    member(w, "type", "object");
    begin(w, "properties", '{');
    for (int i = 0; i < quantity_count; i++) {
        begin(w, quantities[i].name, '{');
        member(w, "description", quantities[i].doc);
        write_gate(w, keys, count);
        end(w, '}');
    }
    end(w, '}');
    begin(w, "patternProperties", '{');
    // NAME.x, NAME.ux, NAME.vx and so on
    begin(w, "^[A-Za-z_][A-Za-z0-9_-]*\\.[uv]?[xyz]$", '{');
    member(w, "description", "The last value of a column of probes.csv.");
    write_gate(w, keys, count);
    end(w, '}');
    begin(w, "^[A-Za-z_][A-Za-z0-9_-]*\\.max_filtered_(acceleration|force)$", '{');
    member(w, "description", "The largest filtered acceleration of a probe, or force on it.");
    write_gate(w, keys, count);
    end(w, '}');
    begin(w, "^.+\\.(max_von_mises|max_principal|min_principal|max_strain)$", '{');
    member(w, "description", "The largest stress or strain of a body over all steps.");
    write_gate(w, keys, count);
    end(w, '}');
    write_pair_gates(w, keys, count);
    write_cell_gates(w, keys, count);
    end(w, '}');
    raw(w, "additionalProperties", "false");
}

// The schema of one key: its description, then the members that its shape needs.
static void write_key(writer *w, const carom_key *key) {
    write_description(w, key);
    switch (key->shape) {
    case CAROM_KEY_PARAM: write_param(w, key); break;
    case CAROM_KEY_MAP: write_map(w, key); break;
    case CAROM_KEY_LIST: write_list(w, key); break;
    case CAROM_KEY_PICK: write_pick(w, key); break;
    case CAROM_KEY_VECTORS: write_vectors(w); break;
    case CAROM_KEY_TABLE: write_rows(w, key); break;
    case CAROM_KEY_WORDS: write_words(w, key); break;
    case CAROM_KEY_NAMES: write_list_of_names(w, key); break;
    case CAROM_KEY_WORDLIST: write_wordlist(w); break;
    case CAROM_KEY_NUMBERS: write_numbers(w); break;
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
    begin(&w, NULL, '{');
    member(&w, "$schema", "https://json-schema.org/draft/2020-12/schema");
    member(&w, "title", "carom scene");
    write_object(&w, keys, count);
    end(&w, '}');
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
