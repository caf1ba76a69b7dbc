// SPDX-License-Identifier: MIT
// Catalogues: lists of all integrators, elements, materials or mesh generators. A kind is one entry of a catalogue, with a name
// and a table of its parameters; a pick is a kind with values of its parameters (carom/param.h). Search by name, defaults,
// checks of values, and registration of kinds by programs.
#include "base/catalogue.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/param.h"
#include "carom/text.h"

const carom_kind *carom_catalogue_find(const carom_catalogue *catalogue, const char *name) {
    for (int i = 0; i < catalogue->count; i++)
        if (strcmp(catalogue->kinds[i]->name, name) == 0)
            return catalogue->kinds[i];
    return NULL;
}

carom_pick carom_pick_of(const carom_catalogue *catalogue, const char *name, void *params, carom_error *error) {
    const carom_kind *kind = carom_catalogue_find(catalogue, name);
    if (!kind) {
        const char *names[CAROM_CATALOGUE_MAX];
        for (int i = 0; i < catalogue->count; i++)
            names[i] = catalogue->kinds[i]->name;
        // a misspelt name is the most frequent error in scenes
        const char *nearest = carom_text_nearest(name, names, catalogue->count);
        carom_fail(error, CAROM_BAD_INPUT, "there is no %s '%s'%s%s%s", catalogue->family, name,
                   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
        return (carom_pick){0};
    }
    if (params)
        carom_param_defaults(kind->params, kind->param_count, params);
    return (carom_pick){kind, params};
}

// For parameters that were not given: fails at the first row without a default.
static carom_status check_required(const carom_kind *kind, carom_error *error) {
    for (int i = 0; i < kind->param_count; i++)
        if (!kind->params[i].initial)
            return carom_fail(error, CAROM_BAD_INPUT, "%s.%s: it has no default and must be given", kind->name,
                              kind->params[i].name);
    return CAROM_OK;
}

carom_status carom_pick_check(const carom_pick *pick, carom_error *error) {
    const carom_kind *kind = pick->kind;
    if (!kind)
        return carom_fail(error, CAROM_BAD_INPUT, "nothing was picked");
    if (!pick->params)
        return check_required(kind, error);
    for (int i = 0; i < kind->param_count; i++) {
        carom_error reason;
        if (carom_param_check(&kind->params[i], pick->params, &reason))
            return carom_fail(error, CAROM_BAD_INPUT, "%s.%s: %s", kind->name, kind->params[i].name, reason.message);
    }
    return CAROM_OK;
}

carom_status carom_pick_copy(const carom_pick *pick, void **params, carom_error *error) {
    *params = NULL;
    carom_status status = carom_pick_check(pick, error);
    if (status)
        return status;
    const carom_kind *kind = pick->kind;
    *params = carom_allocate(1, kind->params_size);
    if (!*params)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the parameters of %s", kind->name);
    // a pick without parameters has the defaults of its kind
    if (pick->params && kind->params_size)
        memcpy(*params, pick->params, kind->params_size);
    else
        carom_param_defaults(kind->params, kind->param_count, *params);
    return CAROM_OK;
}

// A key of YAML that needs no quotes: a letter, then letters, digits, '-' and '_'.
static bool is_word(const char *name) {
    bool good = name && isalpha((unsigned char)*name) && strlen(name) < CAROM_NAME_MAX;
    for (const char *c = name; good && *c; c++)
        good = isalnum((unsigned char)*c) || *c == '-' || *c == '_';
    return good;
}

// Checks that a row lies within the struct, has the entries that its type requires, and a valid default.
static carom_status check_row(const carom_kind *kind, const carom_param *row, void *fields, carom_error *error) {
    carom_error reason;
    if (!is_word(row->name))
        return carom_fail(error, CAROM_BAD_INPUT, "%s: the name of a parameter is not a valid key of a scene", kind->name);
    // with a wrong offset a scene could write outside of the struct
    if (row->offset + carom_param_size(row->type) > kind->params_size)
        return carom_fail(error, CAROM_BAD_INPUT, "%s.%s: it lies outside the parameter struct of %zu bytes", kind->name,
                          row->name, kind->params_size);
    if (row->type == CAROM_PARAM_CHOICE && !row->choices)
        return carom_fail(error, CAROM_BAD_INPUT, "%s.%s: a choice requires a list of words", kind->name, row->name);
    if (!row->unit || !row->doc)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s.%s: it requires a unit (\"\" for a pure number) and a sentence of "
                          "documentation",
                          kind->name, row->name);
    // the default is parsed as in a scene, into a temporary struct
    if (row->initial && carom_param_parse(row, row->initial, fields, &reason))
        return carom_fail(error, CAROM_BAD_INPUT, "%s.%s: the default is not allowed: %s", kind->name, row->name,
                          reason.message);
    return CAROM_OK;
}

carom_status carom_catalogue_add(carom_catalogue *catalogue, const carom_kind **kinds, const carom_kind *kind,
                                 carom_error *error) {
    if (!is_word(kind->name))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a name of a kind begins with a letter and has letters, digits, '-' and '_' only, at most %d",
                          CAROM_NAME_MAX - 1);
    if (carom_catalogue_find(catalogue, kind->name))
        return carom_fail(error, CAROM_BAD_INPUT, "there is already a %s '%s'", catalogue->family, kind->name);
    if (catalogue->count == CAROM_CATALOGUE_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "a family has at most %d kinds", CAROM_CATALOGUE_MAX);
    if (!kind->summary || !kind->reference)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: it requires a summary and a reference, which may be \"\"", kind->name);
    void *fields = carom_allocate(1, kind->params_size);
    if (!fields)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory to register %s", kind->name);
    carom_status status = CAROM_OK;
    for (int i = 0; i < kind->param_count && !status; i++)
        status = check_row(kind, &kind->params[i], fields, error);
    free(fields);
    if (status)
        return status;
    kinds[catalogue->count++] = kind;
    return CAROM_OK;
}
