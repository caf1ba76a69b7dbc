// SPDX-License-Identifier: MIT
// Helpers around the table of keys: expansion of parameter tables, required and empty keys, and the wording
// of messages.
#include "scene/schema.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/text.h"
#include "scene/expect.h"

// The pattern below as code. isalpha() is that of the C locale, which the reader sets.
static bool is_name(const char *text) {
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_' && *text != '-')
            return false;
    return true;
}

// Names appear in paths, file columns and command lines, so they contain nothing that would need quoting
// there.
const carom_form carom_form_name = {
    .expected = "a name (letters, digits, '_' and '-', not starting with a digit)",
    .pattern = "^[A-Za-z_][A-Za-z0-9_-]*$",
    .matches = is_name,
};

// A key made from a row of a parameter table.
static carom_key param_key(const carom_param *param, size_t offset) {
    return (carom_key){.shape = CAROM_KEY_PARAM, .param = param, .offset = offset};
}

// Completes a key from its parameter row: name, documentation, and the form of names that the user invents
// (key `name`).
static void complete(carom_key *key) {
    if (key->shape != CAROM_KEY_PARAM)
        return;
    key->name = key->param->name;
    key->doc = key->param->doc;
    if (key->param->type == CAROM_PARAM_NAME && strcmp(key->name, "name") == 0)
        key->form = &carom_form_name;
}

// Replaces each PARAMS entry by one key for each row of its table.
int carom_keys_expand(const carom_key *keys, carom_key expanded[CAROM_KEYS_MAX]) {
    int count = 0;
    for (; keys->shape != CAROM_KEY_END; keys++) {
        int param_count = 1;
        const carom_param *params = keys->shape == CAROM_KEY_PARAMS ? keys->params(&param_count) : NULL;
        for (int i = 0; i < param_count && count < CAROM_KEYS_MAX; i++) {
            expanded[count] = params ? param_key(&params[i], keys->offset) : *keys;
            complete(&expanded[count++]);
        }
    }
    return count;
}

int carom_kind_expand(const carom_kind *kind, carom_key expanded[CAROM_KEYS_MAX]) {
    int count = 0;
    for (int i = 0; i < kind->param_count && count < CAROM_KEYS_MAX; i++) {
        expanded[count] = param_key(&kind->params[i], 0);
        complete(&expanded[count++]);
    }
    return count;
}

int carom_key_parts(const carom_key *keys, int count, int i) {
    size_t size = strlen(keys[i].name);
    int parts = 0;
    while (i + 1 + parts < count && strncmp(keys[i + 1 + parts].name, keys[i].name, size) == 0 &&
           keys[i + 1 + parts].name[size] == '.')
        parts++;
    return parts;
}

const char *carom_key_part_name(const carom_key *part) {
    return strchr(part->name, '.') + 1;
}

// A map is required if one of its keys is.
static bool needs_something(const carom_key *keys) {
    carom_key expanded[CAROM_KEYS_MAX];
    int count = carom_keys_expand(keys, expanded);
    for (int i = 0; i < count; i++)
        if (carom_key_is_required(&expanded[i]))
            return true;
    return false;
}

bool carom_key_is_required(const carom_key *key) {
    if (key->optional)
        return false;
    switch (key->shape) {
    case CAROM_KEY_PARAM: return !key->param->initial;
    case CAROM_KEY_PICK: return true;
    case CAROM_KEY_NAMES:
    case CAROM_KEY_CONDITION: return true;
    case CAROM_KEY_LIST: return key->least > 0;
    case CAROM_KEY_MAP: return needs_something(key->keys);
    default: return false;
    }
}

// Each type has a value that a scene cannot contain and that marks an absent key.
bool carom_key_is_empty(const carom_key *key, const void *fields) {
    const char *member = (const char *)fields + key->offset;
    if (!key->optional)
        return false;
    if (key->shape == CAROM_KEY_PICK)
        return !((const carom_pick *)member)->kind;
    if (key->shape == CAROM_KEY_VECTORS)
        return ((const carom_vector_list *)member)->count == 0;
    if (key->shape == CAROM_KEY_TABLE || key->shape == CAROM_KEY_LIST || key->shape == CAROM_KEY_WORDLIST ||
        key->shape == CAROM_KEY_NUMBERS)
        return ((const carom_list *)member)->count == 0;
    if (key->shape == CAROM_KEY_MAP)
        return !*(const bool *)member;
    if (key->shape != CAROM_KEY_PARAM)
        return false;
    member += key->param->offset;
    const double *vector = (const double *)member;
    switch (key->param->type) {
    case CAROM_PARAM_INT: return *(const int *)member == CAROM_AUTO;
    case CAROM_PARAM_REAL: return isnan(*(const double *)member);
    // NaN marks a vector that may be zero
    case CAROM_PARAM_VEC3:
        return isnan(vector[0]) ||
               (key->param->flags & CAROM_PARAM_NONZERO && vector[0] == 0 && vector[1] == 0 && vector[2] == 0);
    case CAROM_PARAM_NAME:
    case CAROM_PARAM_TEXT: return !*member;
    default: return false;
    }
}

// Keys of carom, and their symbols in textbooks and names in other programs, each between blanks.
static const char *const other_names[][2] = {
    {"young", " E young_modulus youngs_modulus elastic_modulus modulus "},
    {"poisson", " nu poissons_ratio poisson_ratio "},
    {"density", " rho mass_density "},
    {"area", " A "},
    {"mass", " m "},
    {"velocity", " v speed "},
    {"step", " dt time_step timestep "},
    {"end", " t_end end_time duration "},
    {"gravity", " g "},
    {"friction", " mu coefficient_of_friction friction_coefficient cof "},
    {"restitution", " e cor coefficient_of_restitution "},
};

const char *carom_key_other_name(const char *word) {
    char between[64];
    // a word with blanks is no such name
    bool plain = *word && !strchr(word, ' ') && snprintf(between, sizeof between, " %s ", word) < (int)sizeof between;
    for (size_t i = 0; plain && i < sizeof other_names / sizeof *other_names; i++)
        if (strstr(other_names[i][1], between))
            return other_names[i][0];
    return NULL;
}

// The key whose name is the first `size` bytes of a word.
static const char *find_name(const char *word, size_t size, const carom_key *keys, int count) {
    for (int i = 0; i < count; i++)
        if (strlen(keys[i].name) == size && strncmp(keys[i].name, word, size) == 0)
            return keys[i].name;
    return NULL;
}

// Suggestions in this order: a key whose colon lacks its blank, a name from another program, the nearest
// spelling.
const char *carom_key_meant(const char *word, const carom_key *keys, int count) {
    const char *found = strchr(word, ':') ? find_name(word, strcspn(word, ":"), keys, count) : NULL;
    const char *other = carom_key_other_name(word);
    if (!found && other)
        found = find_name(other, strlen(other), keys, count);
    if (found)
        return found;
    const char *names[CAROM_KEYS_MAX];
    for (int i = 0; i < count; i++)
        names[i] = keys[i].name;
    return carom_text_nearest(word, names, count);
}

bool carom_key_is_misspelt(const carom_tree *map, const carom_key *keys, int count, const char *name) {
    // keys examined for a misspelling; a map with more has another fault
    enum { IS_CHECKED = 100 };
    for (int i = 0; i < map->count && i < IS_CHECKED; i++) {
        const char *key = map->branches[i].key;
        const char *meant = carom_key_meant(key, keys, count);
        bool unknown = !meant || strcmp(meant, key) != 0;
        if (unknown && ((meant && strcmp(meant, name) == 0) || strcmp(key, "<<") == 0))
            return true;
    }
    return false;
}

// The text completes a sentence: "expected ..., found ...".
void carom_key_expected(const carom_key *key, char *text, size_t size) {
    switch (key->shape) {
    case CAROM_KEY_PARAM:
        if (key->form)
            snprintf(text, size, "%s", key->form->expected);
        // a range of one number: say the number
        else if (key->param->type == CAROM_PARAM_INT && key->param->min == key->param->max && key->param->min != 0)
            snprintf(text, size, "%g", key->param->min);
        else
            carom_param_expected(key->param, text, size);
        break;
    case CAROM_KEY_LIST: snprintf(text, size, "a list (%s)", key->name); break;
    case CAROM_KEY_VECTORS: snprintf(text, size, "a list of one to three vectors [x, y, z]"); break;
    case CAROM_KEY_TABLE: snprintf(text, size, "a list of rows %s", key->row); break;
    case CAROM_KEY_NAMES: snprintf(text, size, "a list of %d names", key->columns); break;
    case CAROM_KEY_WORDLIST: snprintf(text, size, "a list of names"); break;
    case CAROM_KEY_NUMBERS: snprintf(text, size, "a list of numbers >= 0"); break;
    case CAROM_KEY_CONDITION: snprintf(text, size, "%s", carom_condition_expected); break;
    case CAROM_KEY_PICK:
    case CAROM_KEY_WORDS: {
        bool pick = key->shape == CAROM_KEY_PICK;
        size_t used = (size_t)snprintf(text, size, pick ? "one %s of:" : "a list of words out of:", key->name);
        for (int i = 0; used < size && (pick ? i < key->catalogue()->count : key->words[i] != NULL); i++)
            used += (size_t)snprintf(text + used, size - used, "%s %s", i ? "," : "",
                                     pick ? key->catalogue()->kinds[i]->name : key->words[i]);
        break;
    }
    default:
        snprintf(text, size,
                 key->can_be_off ? "a map or false"
                 : key->as_list  ? "a map or a list of %ss"
                                 : "a map",
                 key->as_list ? key->as_list->item : "");
        break;
    }
}

void carom_key_quote(const char *text, FILE *stream) {
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}
