// SPDX-License-Identifier: MIT
// Reads single values. The parameter row decides whether a value is valid; this file explains why it is not.
#include "scene/read/value.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "carom/text.h"

const char *carom_value_found(const carom_tree *tree, char shown[CAROM_SHOWN_MAX]) {
    if (tree->kind == CAROM_TREE_MAP)
        return "a map";
    if (tree->kind == CAROM_TREE_LIST) {
        snprintf(shown, CAROM_SHOWN_MAX, "a list of %d", tree->count);
        return shown;
    }
    return carom_tree_is_null(tree) ? "nothing" : carom_show_text(tree->text, shown);
}

const char *carom_value_nearest(const char *word, const char *const *words, int count, char hint[CAROM_SHOWN_MAX]) {
    const char *nearest = carom_text_nearest(word, words, count);
    hint[0] = 0;
    if (nearest)
        snprintf(hint, CAROM_SHOWN_MAX, " (did you mean '%s'?)", nearest);
    return hint;
}

const char *carom_value_list(const char *const *words, int count, char text[CAROM_SHOWN_MAX]) {
    // less the bytes of ", ...)" and the zero
    enum { END = CAROM_SHOWN_MAX - 7 };
    int used = 0, i = 0;
    for (; i < count && used + (int)strlen(words[i]) + 11 < END; i++)
        used += snprintf(text + used, (size_t)(CAROM_SHOWN_MAX - used), "%s%s", i ? ", " : " (known: ", words[i]);
    text[used] = 0;
    if (i)
        snprintf(text + used, (size_t)(CAROM_SHOWN_MAX - used), i < count ? ", ...)" : ")");
    return text;
}

// True if the text would be read as a number.
static bool is_number(const char *text) {
    double ignored;
    static const carom_param row = {.name = "", .type = CAROM_PARAM_REAL};
    return carom_param_parse(&row, text, &ignored, NULL) == CAROM_OK;
}

// Ignores case: NaN, nan and NAN are the same mistake.
static bool is_word(const char *text, const char *const *words, int count) {
    for (int i = 0; i < count; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

// Explains why a text that resembles a number is not accepted as one; "" if there is nothing to add.
static const char *number_hint(const carom_param *param, const carom_tree *tree) {
    static const char *const infinite[] = {"nan", ".nan", "inf", ".inf", "infinity"};
    const char *text = tree->text;
    const char *unsigned_text = text + (*text == '-' || *text == '+');
    if (is_number(text) && tree->quoted)
        return " in quotes (numbers are not quoted)";
    if (is_number(text) && strcmp(param->name, "schema") == 0)
        return strtod(text, NULL) > param->max ? " (the scene needs a newer carom)" : "";
    if (is_number(text)) {
        bool unlimited = param->type == CAROM_PARAM_INT && isinf(param->max);
        return unlimited && strtod(text, NULL) > INT_MAX ? " (at most 2147483647)" : "";
    }
    if (tree->quoted)
        return strchr(text, ',') && strspn(text, "0123456789+-,") == strlen(text) ? " (the decimal mark is a point)" : "";
    if (is_word(unsigned_text, infinite, sizeof infinite / sizeof *infinite))
        return " (a number must be finite)";
    if (!isdigit((unsigned char)unsigned_text[unsigned_text[0] == '.']))
        return "";
    // 1_000, 1,000 or 1 000
    if (strspn(unsigned_text, "0123456789_,' ") == strlen(unsigned_text))
        return " (digits are not grouped)";
    // hexadecimal, octal or binary
    if (unsigned_text[0] == '0' && isalpha((unsigned char)unsigned_text[1]) && tolower((unsigned char)unsigned_text[1]) != 'e')
        return " (a number is written in decimal)";
    char *end;
    strtod(text, &end);
    if (*end == 0)
        return " (beyond the range of numbers)";
    return isalpha((unsigned char)*end) || *end == ' ' ? " (write the number alone, without a unit)" : "";
}

// The truth values of YAML 1.1.
static const char *bool_hint(const char *text) {
    static const char *const words[] = {"yes", "no", "on", "off", "y", "n", "true", "false"};
    return is_word(text, words, sizeof words / sizeof *words) ? " (YAML 1.2 has only true and false)" : "";
}

// The nearest of the allowed words.
static const char *choice_hint(const carom_param *param, const char *text, char hint[CAROM_SHOWN_MAX]) {
    int count = 0;
    while (param->choices[count])
        count++;
    return carom_value_nearest(text, param->choices, count, hint);
}

// Reports a value that does not fit its row; always returns false.
static bool unexpected(const carom_key *key, const carom_tree *tree, const char *path, carom_report *report, const char *hint) {
    char expected[256], shown[CAROM_SHOWN_MAX];
    carom_key_expected(key, expected, sizeof expected);
    carom_report_add(report, tree->place, path, "expected %s, found %s%s", expected, carom_value_found(tree, shown), hint);
    return false;
}

static bool read_number(const carom_key *key, const carom_tree *tree, void *fields, const char *path, carom_report *report) {
    // a number is never quoted; the word `auto` may be, and in JSON must be
    bool readable = tree->kind == CAROM_TREE_SCALAR && (!tree->quoted || strcmp(tree->text, "auto") == 0);
    if (readable && carom_param_parse(key->param, tree->text, fields, NULL) == CAROM_OK)
        return true;
    bool scalar = tree->kind == CAROM_TREE_SCALAR && !carom_tree_is_null(tree);
    return unexpected(key, tree, path, report, scalar ? number_hint(key->param, tree) : "");
}

// A choice may be quoted, a truth value may not.
static bool read_word(const carom_key *key, const carom_tree *tree, void *fields, const char *path, carom_report *report) {
    bool quotable = key->param->type == CAROM_PARAM_CHOICE;
    bool scalar = tree->kind == CAROM_TREE_SCALAR && !carom_tree_is_null(tree);
    if (scalar && (quotable || !tree->quoted) && carom_param_parse(key->param, tree->text, fields, NULL) == CAROM_OK)
        return true;
    char hint[CAROM_SHOWN_MAX];
    return unexpected(key, tree, path, report,
                      !scalar    ? ""
                      : quotable ? choice_hint(key->param, tree->text, hint)
                                 : bool_hint(tree->text));
}

// A text of one line that fits its member and has the required form.
static bool read_text(const carom_key *key, const carom_tree *tree, void *fields, const char *path, carom_report *report) {
    if (tree->kind != CAROM_TREE_SCALAR || carom_tree_is_null(tree) || !tree->text[0])
        return unexpected(key, tree, path, report, "");
    for (const char *c = tree->text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return unexpected(key, tree, path, report, " (it must be one line)");

    size_t capacity = key->param->type == CAROM_PARAM_NAME ? CAROM_NAME_MAX : CAROM_TEXT_MAX;
    if (strlen(tree->text) >= capacity) {
        carom_report_add(report, tree->place, path, "expected at most %zu bytes, found %zu", capacity - 1, strlen(tree->text));
        return false;
    }
    // other YAML readers would read a body called `true` as a truth value
    bool truth = !tree->quoted && (strcmp(tree->text, "true") == 0 || strcmp(tree->text, "false") == 0);
    if (key->form && truth)
        return unexpected(key, tree, path, report, " (a text only in quotes)");
    if (key->form && !key->form->matches(tree->text))
        return unexpected(key, tree, path, report, "");
    return carom_param_parse(key->param, tree->text, fields, NULL) == CAROM_OK || unexpected(key, tree, path, report, "");
}

static bool read_vector(const carom_key *key, const carom_tree *tree, void *fields, const char *path, carom_report *report) {
    if (tree->kind != CAROM_TREE_LIST || tree->count != 3)
        return unexpected(key, tree, path, report, "");

    // each component is read as a number of its own, with its own place
    bool good = true;
    for (int i = 0; i < 3; i++) {
        carom_param component = *key->param;
        bool whole = key->param->type == CAROM_PARAM_INT3;
        component.type = whole ? CAROM_PARAM_INT : CAROM_PARAM_REAL;
        // a single component may be zero
        component.flags &= ~(unsigned)CAROM_PARAM_NONZERO;
        component.offset += (size_t)i * (whole ? sizeof(int) : sizeof(double));
        carom_key component_key = {.shape = CAROM_KEY_PARAM, .name = key->name, .param = &component};
        char component_path[256];
        snprintf(component_path, sizeof component_path, "%s[%d]", path, i);
        good &= read_number(&component_key, tree->branches[i].value, fields, component_path, report);
    }
    carom_error error;
    if (good && carom_param_check(key->param, fields, &error) != CAROM_OK) {
        carom_report_add(report, tree->place, path, "%s", error.message);
        return false;
    }
    return good;
}

// Rows of two numbers, each read as a number of its own.
static bool read_pairs(const carom_key *key, const carom_tree *tree, void *fields, const char *path, carom_report *report) {
    if (tree->kind != CAROM_TREE_LIST || tree->count > CAROM_PAIRS_MAX)
        return unexpected(key, tree, path, report, "");
    carom_pairs *pairs = (carom_pairs *)((char *)fields + key->param->offset);
    bool good = true;
    *pairs = (carom_pairs){0};
    for (int i = 0; i < tree->count; i++) {
        const carom_tree *row = tree->branches[i].value;
        char row_path[256];
        snprintf(row_path, sizeof row_path, "%s[%d]", path, i);
        if (row->kind != CAROM_TREE_LIST || row->count != 2) {
            char shown[CAROM_SHOWN_MAX];
            carom_report_add(report, row->place, row_path, "expected two numbers, found %s", carom_value_found(row, shown));
            good = false;
            continue;
        }
        for (int c = 0; c < 2; c++) {
            carom_param number = *key->param;
            number.type = CAROM_PARAM_REAL;
            number.offset = 0;
            carom_key number_key = {.shape = CAROM_KEY_PARAM, .name = key->name, .param = &number};
            char number_path[300];
            snprintf(number_path, sizeof number_path, "%s[%d]", row_path, c);
            good &= read_number(&number_key, row->branches[c].value, &pairs->rows[i][c], number_path, report);
        }
        pairs->count = i + 1;
    }
    return good;
}

// Dispatches by type. `fields` is the struct of the enclosing map.
bool carom_value_read(const carom_key *key, const carom_tree *tree, void *fields, const char *path, carom_report *report) {
    void *member = (char *)fields + key->offset;
    switch (key->param->type) {
    case CAROM_PARAM_REAL:
    case CAROM_PARAM_INT: return read_number(key, tree, member, path, report);
    case CAROM_PARAM_BOOL:
    case CAROM_PARAM_CHOICE: return read_word(key, tree, member, path, report);
    case CAROM_PARAM_NAME:
    case CAROM_PARAM_TEXT: return read_text(key, tree, member, path, report);
    case CAROM_PARAM_VEC3:
    case CAROM_PARAM_INT3: return read_vector(key, tree, member, path, report);
    case CAROM_PARAM_PAIRS: return read_pairs(key, tree, member, path, report);
    }
    return false;
}
