// SPDX-License-Identifier: MIT
// An override is a path and a value in YAML: a.b[0].c=value. It changes a copy of the tree along the path
// and shares the other branches, so that a value reached through an alias changes only at the given path.
//
// An entry of a list is found by its index, bodies[0], or by its name, bodies.left: the value of its key `name`. Names do
// not begin with a digit, so bodies.0 is an index as well. One component of a vector that the file leaves out, velocity[2],
// is set, with the defaults of the others.
#include "scene/read/override.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "carom/text.h"
#include "scene/read/yaml.h"
#include "scene/schema.h"

enum {
    STEPS_MAX = 32,      // of a path; no scene is nested that deeply
    INDEX_MAX = 1000000, // of a list; keeps the sum of digits from overflowing
    NAMES_MAX = 64,      // of a list, for a message
    MESSAGE_MAX = 400,   // of a fault
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

// The names in a list for a message: "it has 'left', 'right'". Long lists are cut.
static void list_names(const carom_tree *list, const char *key, char *text, size_t size) {
    const char *names[NAMES_MAX];
    int count = 0;
    for (int i = 0; i < list->count && count < NAMES_MAX; i++) {
        const carom_tree *name = carom_tree_get(list->branches[i].value, "name");
        if (name && name->kind == CAROM_TREE_SCALAR)
            names[count++] = name->text;
    }
    const char *nearest = carom_text_nearest(key, names, count);
    size_t used = 0;
    if (count == 0)
        snprintf(text, size, "its entries have no names: use an index such as [0]");
    else if (nearest)
        snprintf(text, size, "there is no '%s' (did you mean '%s'?)", key, nearest);
    else
        used = (size_t)snprintf(text, size, "there is no '%.64s' (there %s", key, count > 1 ? "are" : "is");
    for (int i = 0; i < count && used > 0 && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s'%.64s'%s", i ? ", " : " ", names[i], i == count - 1 ? ")" : "");
}

// The index of the entry that has this name, or whose index the digits of `key` are; -1 after a fault.
static int find_entry(override *o, const carom_tree *list, const char *key, const char *here) {
    if (strspn(key, "0123456789") == strlen(key) && strlen(key) < 7)
        return atoi(key);
    int found = -1, count = 0;
    for (int i = 0; i < list->count; i++) {
        const carom_tree *name = carom_tree_get(list->branches[i].value, "name");
        if (name && name->kind == CAROM_TREE_SCALAR && strcmp(name->text, key) == 0) {
            found = i;
            count++;
        }
    }
    if (count == 1)
        return found;
    char message[MESSAGE_MAX];
    if (count == 0)
        list_names(list, key, message, sizeof message);
    else
        snprintf(message, sizeof message, "%d entries are called '%s': use an index such as [%d]", count, key, found);
    fault(o, here, message);
    return -1;
}

static const carom_key *find_key(const carom_key *keys, int count, const char *name) {
    for (int i = 0; name && i < count; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

// The vector at the first `count` steps, NULL if there is none. The path is followed through the table of keys: an entry of a
// list is one step, and so is the kind of a pick.
static const carom_param *find_vector(const override *o, int count) {
    carom_key keys[CAROM_KEYS_MAX];
    int key_count = carom_keys_expand(carom_schema(), keys);
    for (int i = 0; i < count; i++) {
        const carom_key *found = find_key(keys, key_count, o->steps[i].key);
        if (!found)
            return NULL;
        carom_key key = *found;
        bool vector =
            key.shape == CAROM_KEY_PARAM && (key.param->type == CAROM_PARAM_VEC3 || key.param->type == CAROM_PARAM_INT3);
        if (i == count - 1)
            return vector ? key.param : NULL;
        // some maps may be written as a list; then an index follows
        bool listed = key.as_list && !o->steps[i + 1].key;
        if (key.shape == CAROM_KEY_MAP && !listed) {
            key_count = carom_keys_expand(key.keys, keys);
        } else if (key.shape == CAROM_KEY_LIST || listed) {
            key_count = carom_keys_expand(listed ? key.as_list->keys : key.keys, keys);
            i++;
        } else if (key.shape == CAROM_KEY_PICK && o->steps[i + 1].key) {
            const carom_kind *kind = carom_catalogue_find(key.catalogue(), o->steps[++i].key);
            key_count = kind ? carom_kind_expand(kind, keys) : 0;
        } else {
            return NULL;
        }
    }
    return NULL;
}

// The list that a step with an index refers to: the present one, or the default of a vector that was left out.
static const carom_tree *open_list(override *o, const carom_tree *tree, int at) {
    if (tree && !carom_tree_is_null(tree))
        return tree;
    const carom_param *vector = find_vector(o, at);
    const char *text = vector ? vector->initial : NULL;
    return text ? carom_yaml_parse(text, strlen(text), CAROM_YAML, o->place.origin, o->arena, o->report) : NULL;
}

// The branch that step `at` goes to; -1 after a fault. An index or a place equal to the count is a new one.
static int find_branch(override *o, const carom_tree *tree, int at, const char *here) {
    const step *s = &o->steps[at];
    int count = tree ? tree->count : 0, index = s->index;
    if (s->key && (!tree || tree->kind == CAROM_TREE_MAP)) {
        index = 0;
        while (index < count && strcmp(tree->branches[index].key, s->key) != 0)
            index++;
        return index;
    }
    if (s->key)
        index = find_entry(o, tree, s->key, here);
    bool beyond = index > 2 && find_vector(o, at);
    if (index <= count && !beyond)
        return index;
    char message[MESSAGE_MAX];
    if (beyond)
        snprintf(message, sizeof message, "there is no [%d]: the components of a vector are [0], [1] and [2]", index);
    else
        snprintf(message, sizeof message, "there is no [%d]: the list has %d, and a new one would be [%d]", index, count,
                 count);
    fault(o, here, message);
    return -1;
}

// A copy of `tree` with the value at the steps from `at` on; missing maps are created. NULL after a fault.
static const carom_tree *set(override *o, const carom_tree *tree, int at, const carom_tree *value) {
    if (at == o->step_count)
        return value;
    const step *s = &o->steps[at];
    // null counts as absent: `output:` without a value may be filled
    tree = s->key ? unfold(o, tree, s->key) : open_list(o, tree, at);
    bool named = s->key && tree && tree->kind == CAROM_TREE_LIST;
    carom_tree_kind kind = s->key && !named ? CAROM_TREE_MAP : CAROM_TREE_LIST;
    const char *here = o->path + (at ? o->steps[at - 1].end : 0);
    if (tree && tree->kind != kind) {
        fault(o, here, s->key ? "this is not a map" : "this is not a list");
        return NULL;
    }

    int count = tree ? tree->count : 0, index = find_branch(o, tree, at, here);
    if (index < 0)
        return NULL;
    const carom_tree *old = index < count ? tree->branches[index].value : NULL;
    const carom_tree *changed = set(o, old, at + 1, value);
    if (!changed)
        return NULL;
    const carom_tree *copy = carom_tree_with(o->arena, kind, tree, index,
                                             (carom_branch){.key = named ? NULL : s->key, .place = o->place, .value = changed});
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
    // the value may be anything that YAML can express on one line
    const carom_tree *value = carom_yaml_parse(cursor, strlen(cursor), CAROM_YAML, origin, arena, report);
    const carom_tree *changed = value ? set(&o, root, 0, value) : NULL;
    return changed ? changed : root;
}
