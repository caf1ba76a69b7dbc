// SPDX-License-Identifier: MIT
// An override is a path and a value in YAML: a.b[0].c=value. It changes a copy of the tree along the path
// and shares the rest, so that a value reached through an alias changes only at the given path.
#include "scene/override.h"

#include <ctype.h>
#include <string.h>

#include "scene/yaml.h"

enum {
    STEPS_MAX = 32,     // of a path; no scene is nested that deeply
    INDEX_MAX = 1000000 // of a list; keeps the sum of digits from overflowing
};

// One step of a path: a key, or an index if `key` is NULL. `end` is the length of the text up to and
// including this step, for messages.
typedef struct step {
    const char *key;
    int index;
    int end;
} step;

// An override being applied: its text, its steps, and where findings go.
typedef struct override {
    const char *path; // as written
    carom_place place;
    carom_arena *arena;
    carom_report *report;
    int step_count;
    step steps[STEPS_MAX];
} override;

// Reports a fault together with the path up to where it occurred. Always returns false.
static bool fault(override *o, const char *path_end, const char *message) {
    carom_report_add(o->report, o->place, "", "'%.*s': %s", (int)(path_end - o->path), o->path, message);
    return false;
}

// Appends a step; keys are copied into the arena, since the tree will refer to them.
static bool add_step(override *o, const char *key, size_t size, int index, const char *at) {
    if (o->step_count == STEPS_MAX)
        return fault(o, at, "the path is too long");
    char *copy = NULL;
    if (key) {
        copy = carom_arena_allocate(o->arena, (int64_t)size + 1, 1);
        if (!copy) {
            o->report->failed = true;
            return false;
        }
        memcpy(copy, key, size);
    }
    o->steps[o->step_count++] = (step){copy, index, (int)(at - o->path)};
    return true;
}

// An index in brackets; the limit is checked while the digits are read.
static bool parse_index(override *o, const char **cursor) {
    const char *at = *cursor + 1;
    int index = 0;
    const char *digits = at;
    while (isdigit((unsigned char)*at) && index <= INDEX_MAX)
        index = 10 * index + (*at++ - '0');
    if (at == digits || *at != ']')
        return fault(o, at, "expected an index such as [0]");
    *cursor = at + 1;
    return add_step(o, NULL, 0, index, at + 1);
}

// A key, up to the next '.', '[' or '='; in quotes it may contain these.
static bool parse_key(override *o, const char **cursor) {
    const char *start = *cursor, *end;
    if (*start == '\'' || *start == '"') {
        end = strchr(start + 1, *start);
        if (!end)
            return fault(o, start + 1, "the quote is not closed");
        *cursor = end + 1;
        return add_step(o, start + 1, (size_t)(end - start - 1), 0, end + 1);
    }
    end = start + strcspn(start, ".[=");
    if (end == start)
        return fault(o, end, "expected a key here");
    *cursor = end;
    return add_step(o, start, (size_t)(end - start), 0, end);
}

// The grammar is key (.key | [index])* '='. The cursor ends behind the '='.
static bool parse_path(override *o, const char **cursor) {
    if (!parse_key(o, cursor))
        return false;
    while (**cursor != '=') {
        bool good;
        if (**cursor == '[') {
            good = parse_index(o, cursor);
        } else if (**cursor == '.') {
            (*cursor)++;
            good = parse_key(o, cursor);
        } else {
            return fault(o, *cursor, **cursor ? "expected '.', '[' or '=' here" : "expected '=' and a value");
        }
        if (!good)
            return false;
    }
    (*cursor)++;
    return true;
}

// `element: bar` is short for `element: {bar: {}}`; a path that goes on below `bar` first expands it.
static const carom_tree *unfold(override *o, const carom_tree *tree, const char *key) {
    if (!tree || carom_tree_is_null(tree))
        return NULL;
    if (tree->kind != CAROM_TREE_SCALAR || strcmp(tree->text, key) != 0)
        return tree;
    carom_tree *map = carom_arena_allocate(o->arena, 1, sizeof *map);
    if (!map) {
        o->report->failed = true;
        return tree;
    }
    *map = (carom_tree){.kind = CAROM_TREE_MAP, .place = tree->place, .weight = 1};
    return carom_tree_with(o->arena, CAROM_TREE_MAP, NULL, 0, (carom_branch){key, tree->place, map});
}

// A copy of `tree` with the value at the steps from `at` on; missing maps are created. NULL after a fault.
static const carom_tree *set(override *o, const carom_tree *tree, int at, const carom_tree *value) {
    if (at == o->step_count)
        return value;
    const step *s = &o->steps[at];
    carom_tree_kind kind = s->key ? CAROM_TREE_MAP : CAROM_TREE_LIST;
    // null counts as absent: `output:` without a value may be filled
    tree = s->key ? unfold(o, tree, s->key) : tree && carom_tree_is_null(tree) ? NULL : tree;
    const char *here = o->path + (at ? o->steps[at - 1].end : 0);
    if (tree && tree->kind != kind) {
        fault(o, here, s->key ? "this is not a map" : "this is not a list");
        return NULL;
    }

    int count = tree ? tree->count : 0, index = s->index;
    if (s->key) {
        index = 0;
        while (index < count && strcmp(tree->branches[index].key, s->key) != 0)
            index++;
        // an index equal to the count appends
    } else if (index > count) {
        char message[96];
        snprintf(message, sizeof message, "there is no [%d]: the list has %d, and a new one would be [%d]", index, count,
                 count);
        fault(o, here, message);
        return NULL;
    }
    const carom_tree *old = index < count ? tree->branches[index].value : NULL;
    const carom_tree *changed = set(o, old, at + 1, value);
    if (!changed)
        return NULL;
    const carom_tree *copy =
        carom_tree_with(o->arena, kind, tree, index, (carom_branch){.key = s->key, .place = o->place, .value = changed});
    o->report->failed |= !copy;
    return copy;
}

const carom_tree *carom_override_apply(const carom_tree *root, const char *text, carom_arena *arena, carom_report *report) {
    // findings about the value name the override as it was typed
    static const char prefix[] = "--set ";
    char *origin = carom_arena_allocate(arena, (int64_t)(sizeof prefix + strlen(text)), 1);
    if (!origin) {
        report->failed = true;
        return root;
    }
    strcpy(origin, prefix);
    strcat(origin, text);
    override o = {.path = text, .place = {.origin = origin}, .arena = arena, .report = report};

    const char *cursor = text;
    if (!parse_path(&o, &cursor))
        return root;
    // the value may be anything that YAML can write on one line
    const carom_tree *value = carom_yaml_parse(cursor, strlen(cursor), CAROM_YAML, origin, arena, report);
    const carom_tree *changed = value ? set(&o, root, 0, value) : NULL;
    return changed ? changed : root;
}
