// SPDX-License-Identifier: MIT
// Reads JSON by libfyaml, whose nodes are converted to carom_json, and writes members of JSON objects.
#include "app/json.h"

#include <libfyaml.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_text(const char *text, size_t size, const char *wanted) {
    return size == strlen(wanted) && memcmp(text, wanted, size) == 0;
}

// A string with a final zero; NULL if memory is short, or if the text contains a zero.
static char *copy_text(const char *text, size_t size) {
    return text && !memchr(text, 0, size) ? strndup(text, size) : NULL;
}

// Quoted scalars are strings, others are words or numbers.
static bool fill_scalar(struct fy_node *node, carom_json *value) {
    size_t size;
    const char *text = fy_node_get_scalar(node, &size);
    if (fy_node_get_style(node) != FYNS_PLAIN) {
        value->type = CAROM_JSON_STRING;
        value->string = copy_text(text, size);
        return value->string != NULL;
    }
    value->boolean = is_text(text, size, "true");
    value->type = value->boolean || is_text(text, size, "false") ? CAROM_JSON_BOOL : CAROM_JSON_NULL;
    if (value->type == CAROM_JSON_BOOL || is_text(text, size, "null"))
        return true;
    char *copy = copy_text(text, size), *end = copy;
    value->type = CAROM_JSON_NUMBER;
    value->number = copy ? strtod(copy, &end) : 0;
    bool good = end && end != copy && !*end;
    free(copy);
    return good;
}

static carom_json *convert(struct fy_node *node);

// Each item is linked before the next is converted, so that a failure leaves a list that can be released.
static bool fill_items(struct fy_node *node, carom_json *value) {
    carom_json **place = &value->item;
    bool object = fy_node_is_mapping(node);
    value->type = object ? CAROM_JSON_OBJECT : CAROM_JSON_LIST;
    for (void *at = NULL;;) {
        struct fy_node_pair *pair = object ? fy_node_mapping_iterate(node, &at) : NULL;
        struct fy_node *item = object ? fy_node_pair_value(pair) : fy_node_sequence_iterate(node, &at);
        if (!(object ? (void *)pair : (void *)item))
            return true;
        if (!(*place = convert(item)))
            return false;
        size_t size = 0;
        const char *key = object ? fy_node_get_scalar(fy_node_pair_key(pair), &size) : NULL;
        if (object && !((*place)->key = copy_text(key, size)))
            return false;
        place = &(*place)->next;
    }
}

static carom_json *convert(struct fy_node *node) {
    carom_json *value = calloc(1, sizeof *value);
    if (value && node && (fy_node_is_scalar(node) ? fill_scalar(node, value) : fill_items(node, value)))
        return value;
    carom_json_release(value);
    return NULL;
}

carom_json *carom_json_parse(const char *text, size_t size) {
    // with errors collected, libfyaml prints none
    struct fy_diag_cfg silent;
    fy_diag_cfg_default(&silent);
    silent.fp = NULL;
    struct fy_diag *diag = fy_diag_create(&silent);
    if (!diag)
        return NULL;
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg settings = {.flags = FYPCF_QUIET | FYPCF_JSON_FORCE, .diag = diag};
    struct fy_document *document = fy_document_build_from_string(&settings, text, size);
    struct fy_node *root = document ? fy_document_root(document) : NULL;
    carom_json *value = root ? convert(root) : NULL;
    fy_document_destroy(document);
    fy_diag_destroy(diag);
    return value;
}

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

void carom_json_put_text(carom_text *text, const char *key, const char *value, const char *after) {
    carom_text_print(text, "\"%s\": ", key);
    carom_json_string(text, value);
    carom_text_append(text, after, strlen(after));
}

void carom_json_put_list(carom_text *text, const char *const *items, int count) {
    carom_text_print(text, "[");
    for (int i = 0; i < count; i++) {
        carom_text_print(text, i ? ", " : "");
        carom_json_string(text, items[i]);
    }
    carom_text_print(text, "]");
}
