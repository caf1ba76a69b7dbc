// SPDX-License-Identifier: MIT
// Parses the list of methods of carom compare, option --integrators.
#include "app/compare/variant.h"

#include <stdlib.h>
#include <string.h>

#include "carom/integrator.h"
#include "carom/text.h"

// Maximum number of names that a misspelt one is compared with.
enum { NAMES_MAX = 64 };

// Length of the text up to a separator that is not within brackets or quotes.
static size_t part_size(const char *text, char separator) {
    // Values of a scene may be lists or maps, in which commas and colons are part of the value.
    int depth = 0;
    char quote = 0;
    size_t size = 0;
    for (; text[size]; size++) {
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

static const carom_param *find_param(const carom_kind *kind, const char *name, size_t size) {
    for (int i = 0; i < kind->param_count; i++)
        if (strlen(kind->params[i].name) == size && strncmp(kind->params[i].name, name, size) == 0)
            return &kind->params[i];
    return NULL;
}

// `step` is accepted in addition to the parameters of the method, and is one of the suggested names.
static carom_status unknown_param(const carom_kind *kind, const char *name, size_t size, carom_error *error) {
    char word[CAROM_NAME_MAX];
    const char *names[NAMES_MAX] = {"step"};
    int count = 1;
    for (int i = 0; i < kind->param_count && count < NAMES_MAX; i++)
        names[count++] = kind->params[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(size < sizeof word ? size : sizeof word - 1), name);
    const char *nearest = carom_text_nearest(word, names, count);
    return carom_fail(error, CAROM_BAD_INPUT, "--integrators: %s has no parameter '%s' (%s%s%s)", kind->name, word,
                      nearest ? "did you mean '"
                              : "step, a parameter of the method, or a key of the scene such as contact.resolve",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

// Adds a setting as an override of the scene: "step=0.01" becomes "time.step=0.01", a parameter P of the method becomes
// "integrator.METHOD.P", and a key with a dot is not changed.
static carom_status read_setting(carom_variant *variant, const char *text, size_t size, carom_error *error) {
    const char *equals = memchr(text, '=', size);
    size_t key = equals ? (size_t)(equals - text) : 0;
    if (key == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "--integrators: expected NAME=VALUE after the colon of '%s'", variant->name);
    if (variant->setting_count == CAROM_VARIANT_SETTINGS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "--integrators: '%s' sets more than %d values", variant->name,
                          CAROM_VARIANT_SETTINGS_MAX);
    carom_text setting = {0};
    if (key == 4 && strncmp(text, "step", 4) == 0)
        carom_text_print(&setting, "time.");
    else if (find_param(variant->kind, text, key))
        carom_text_print(&setting, "integrator.%s.", variant->kind->name);
    else if (!memchr(text, '.', key))
        return unknown_param(variant->kind, text, key, error);
    carom_text_append(&setting, text, size);
    if (setting.failed) {
        carom_text_release(&setting);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the variants");
    }
    variant->settings[variant->setting_count++] = setting.data;
    return CAROM_OK;
}

static carom_status unknown_method(const char *name, carom_error *error) {
    const carom_catalogue *all = carom_integrators();
    const char *names[NAMES_MAX];
    carom_text list = {0};
    int count = all->count < NAMES_MAX ? all->count : NAMES_MAX;
    for (int i = 0; i < count; i++) {
        names[i] = all->kinds[i]->name;
        carom_text_print(&list, "%s%s", i ? ", " : "", names[i]);
    }
    const char *nearest = carom_text_nearest(name, names, count);
    carom_status status = nearest ? carom_fail(error, CAROM_BAD_INPUT,
                                               "--integrators: unknown integrator '%s' (did you mean '%s'?)", name, nearest)
                                  : carom_fail(error, CAROM_BAD_INPUT, "--integrators: unknown integrator '%s' (there are %s)",
                                               name, list.data ? list.data : "others");
    carom_text_release(&list);
    return status;
}

static void name_folder(carom_variant *variant) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.=+";
    memcpy(variant->folder, variant->name, sizeof variant->folder);
    for (char *c = variant->folder; *c; c++)
        if (!strchr(plain, *c))
            *c = '_';
}

static carom_status read_variant(carom_variant *variant, const char *text, size_t size, carom_error *error) {
    // the folder and the files in it must fit in a path
    if (size == 0 || size > 200)
        return carom_fail(error, CAROM_BAD_INPUT, "--integrators: expected names of 1 to 200 bytes between the commas");
    memcpy(variant->name, text, size);
    name_folder(variant);
    char method[CAROM_TEXT_MAX];
    size_t at = part_size(variant->name, ':');
    snprintf(method, sizeof method, "%.*s", (int)at, variant->name);
    variant->kind = carom_catalogue_find(carom_integrators(), method);
    if (!variant->kind)
        return unknown_method(method, error);
    carom_status status = CAROM_OK;
    while (!status && variant->name[at] == ':') {
        const char *setting = &variant->name[at + 1];
        size_t length = part_size(setting, ':');
        status = read_setting(variant, setting, length, error);
        at += 1 + length;
    }
    return status;
}

static carom_status add(carom_variants *variants, const char *text, size_t size, carom_error *error) {
    carom_variant *items = realloc(variants->items, ((size_t)variants->count + 1) * sizeof *items);
    if (!items)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the variants");
    variants->items = items;
    carom_variant *variant = &items[variants->count++];
    *variant = (carom_variant){0};
    carom_status status = read_variant(variant, text, size, error);
    for (int i = 0; !status && i < variants->count - 1; i++)
        if (strcmp(items[i].folder, variant->folder) == 0)
            status = carom_fail(error, CAROM_BAD_INPUT, "--integrators: '%s' is given twice", variant->name);
    return status;
}

carom_status carom_variants_read(const char *list, carom_variants *variants, carom_error *error) {
    *variants = (carom_variants){0};
    carom_status status = CAROM_OK;
    const carom_catalogue *all = carom_integrators();
    for (int i = 0; !list && !status && i < all->count; i++)
        status = add(variants, all->kinds[i]->name, strlen(all->kinds[i]->name), error);
    while (list && !status) {
        size_t size = part_size(list, ',');
        status = add(variants, list, size, error);
        list = list[size] ? list + size + 1 : NULL;
    }
    return status;
}

void carom_variants_release(carom_variants *variants) {
    for (int i = 0; i < variants->count; i++)
        for (int s = 0; s < variants->items[i].setting_count; s++)
            free(variants->items[i].settings[s]);
    free(variants->items);
    *variants = (carom_variants){0};
}
