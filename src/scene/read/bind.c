// SPDX-License-Identifier: MIT
// The binder walks the table of keys (keys.h) and the tree of the file side by side. Each shape of key has
// one function that reads a value of that shape into its member of the definition. A fault becomes a
// finding with its place in the file, and reading goes on, so that one run reports all faults.
#include "scene/read/bind.h"

#include <math.h>
#include <string.h>

#include "carom/text.h"
#include "scene/expect.h"
#include "scene/read/value.h"
#include "scene/read/words.h"
#include "scene/scene.h"

// State of a reading: its memory, its report, and the path of the current value.
typedef struct binder {
    const carom_tree *root; // of the scene, for its units; NULL: there is none
    carom_arena *arena;
    carom_report *report;
    carom_text path; // of the value being read, for messages: bodies[0].mesh
} binder;

// The path is NULL until something is printed to it.
static const char *path(const binder *b) {
    return b->path.data ? b->path.data : "";
}

// Appends a key to the path; returns its former length, to which leave() restores it.
static size_t enter_key(binder *b, const char *key) {
    size_t mark = b->path.size;
    carom_text_print(&b->path, "%s%s", mark ? "." : "", key);
    return mark;
}

// The same for an item of a list.
static size_t enter_item(binder *b, int index) {
    size_t mark = b->path.size;
    carom_text_print(&b->path, "[%d]", index);
    return mark;
}

// Shortens the path to a former length.
static void leave(binder *b, size_t mark) {
    b->path.size = mark;
    if (b->path.data)
        b->path.data[mark] = 0;
}

// Memory of the arena; a failure is recorded in the report and becomes a separate error.
static void *allocate(binder *b, int64_t count, size_t size) {
    void *memory = carom_arena_allocate(b->arena, count, size);
    b->report->failed |= !memory;
    return memory;
}

// The standard finding: what was expected, and what was found.
static void unexpected(binder *b, const carom_tree *tree, const char *expected) {
    char shown[CAROM_SHOWN_MAX];
    carom_report_add(b->report, tree->place, path(b), "expected %s, found %s", expected, carom_value_found(tree, shown));
}

// Findings so far, including those beyond the limit. A caller compares counts to determine whether a value was read without a
// fault.
static int finding_count(const binder *b) {
    return b->report->findings.count + b->report->dropped;
}

static void bind_map(binder *b, const carom_key *keys, int count, const carom_tree *tree, void *fields);

// Fills in the default of a key that is not given. The members of a map are filled in one by one, unless
// the map itself may be absent.
static void fill_default(const carom_key *key, void *fields) {
    char *member = (char *)fields + key->offset;
    if (key->shape == CAROM_KEY_PARAM && key->param->initial)
        carom_param_parse(key->param, key->param->initial, member, NULL);
    if (key->shape == CAROM_KEY_WORDS)
        *(unsigned *)member = key->word_default;
    if (key->shape != CAROM_KEY_MAP || key->optional)
        return;
    // a map that can be off is on by default, unless the table says otherwise
    if (key->can_be_off)
        *(bool *)member = !key->off;
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    for (int i = 0; i < count; i++)
        fill_default(&keys[i], fields);
}

static void unknown_key(binder *b, const carom_branch *branch, const carom_key *keys, int count) {
    char shown[CAROM_SHOWN_MAX], answer[CAROM_WORD_MAX];
    carom_word_unknown(branch->key, keys, count, answer, sizeof answer);
    carom_report_add(b->report, branch->place, path(b), "unknown key %s%s", carom_show_text(branch->key, shown), answer);
}

static void bind_list(binder *b, const carom_key *key, const carom_tree *tree, void *fields);

// Items of lists.
static const carom_param name_row = {.name = "", .type = CAROM_PARAM_NAME};
static const carom_param number_row = {.name = "", .type = CAROM_PARAM_REAL, CAROM_RANGE_NONNEGATIVE};

// Writes what was expected; if a name of a body was given instead of the map that selects a part of it, shows that map.
static void expect_body(const carom_key *key, const carom_tree *tree, char *text, size_t size) {
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    char name[CAROM_NAME_MAX];
    bool body = false, point = false, plain = tree->kind == CAROM_TREE_SCALAR && !carom_tree_is_null(tree);
    for (int i = 0; i < count; i++) {
        body = body || strcmp(keys[i].name, "body") == 0;
        point = point || strcmp(keys[i].name, "point") == 0;
    }
    if (body && plain && carom_param_parse(&name_row, tree->text, name, NULL) == CAROM_OK)
        snprintf(text, size, "a map such as {body: %s%s}", name, point ? ", point: [x, y, z]" : "");
}

// A map with keys of its own. A map that can be off may also be `true` (on, with defaults) or `false`.
static void bind_section(binder *b, const carom_key *key, const carom_tree *tree, void *fields) {
    if (key->can_be_off) {
        bool plain = tree->kind == CAROM_TREE_SCALAR && !tree->quoted;
        bool on = plain && strcmp(tree->text, "true") == 0, off = plain && strcmp(tree->text, "false") == 0;
        if (on || off) {
            fill_default(key, fields);
            *(bool *)((char *)fields + key->offset) = on;
            return;
        }
    }
    if (key->as_list && tree->kind == CAROM_TREE_LIST) {
        fill_default(key, fields);
        bind_list(b, key->as_list, tree, fields);
        return;
    }
    if (tree->kind != CAROM_TREE_MAP) {
        fill_default(key, fields);
        char expected[256];
        carom_key_expected(key, expected, sizeof expected);
        // YAML reads `end:1` as a text, not as a key with a value
        bool lacks_blank = tree->kind == CAROM_TREE_SCALAR && !tree->quoted && strchr(tree->text, ':');
        // a body with the key `obstacle` is checked as one
        bool obstacle = strcmp(key->name, "obstacle") == 0;
        if (obstacle)
            *(bool *)((char *)fields + key->offset) = true;
        if (!lacks_blank && !obstacle)
            expect_body(key, tree, expected, sizeof expected);
        unexpected(b, tree,
                   lacks_blank ? "a map, with a blank after each colon"
                   : obstacle  ? "a map, {} for one at rest"
                               : expected);
        return;
    }
    if (key->can_be_off || key->optional)
        *(bool *)((char *)fields + key->offset) = true;
    carom_key keys[CAROM_KEYS_MAX];
    bind_map(b, keys, carom_keys_expand(key->keys, keys), tree, fields);
}

// Checks a group of keys of which an item may have at most one, or must have exactly one.
static void check_rivals(binder *b, const char *const *names, bool must, const carom_tree *tree) {
    if (!names)
        return;
    carom_text list = {0};
    const carom_branch *last = NULL;
    int given = 0;
    for (int i = 0; names[i]; i++) {
        const carom_branch *branch = carom_tree_branch(tree, names[i]);
        carom_text_print(&list, "%s'%s'", !i ? "" : names[i + 1] ? ", " : " and ", names[i]);
        given += branch != NULL;
        last = branch ? branch : last;
    }
    if (given > 1 || (must && !given))
        carom_report_add(b->report, given ? last->place : tree->place, path(b), "expected %s one of %s, found %d",
                         must ? "exactly" : "at most", list.data ? list.data : "them", given);
    b->report->failed |= list.failed;
    carom_text_release(&list);
}

// A list of maps: each item starts from item_empty (or zeros) and is read with the keys of the list.
static void bind_list(binder *b, const carom_key *key, const carom_tree *tree, void *fields) {
    if (tree->kind != CAROM_TREE_LIST) {
        unexpected(b, tree, "a list");
        return;
    }
    if (tree->count < key->least)
        carom_report_add(b->report, tree->place, path(b), "expected at least one %s, found none", key->item);
    carom_list *list = (carom_list *)((char *)fields + key->offset);
    list->items = allocate(b, tree->count, key->item_size);
    if (!list->items)
        return;
    // items at fault stay in the list: indices must agree with the file
    list->count = tree->count;

    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    for (int i = 0; i < tree->count; i++) {
        char *item = (char *)list->items + (size_t)i * key->item_size;
        if (key->item_empty)
            memcpy(item, key->item_empty, key->item_size);
        size_t mark = enter_item(b, i);
        const carom_tree *value = tree->branches[i].value;
        if (value->kind == CAROM_TREE_MAP) {
            bind_map(b, keys, count, value, item);
            check_rivals(b, key->exactly_one, true, value);
            check_rivals(b, key->at_most_one, false, value);
        } else {
            unexpected(b, value, "a map");
        }
        leave(b, mark);
    }
}

// The kind of that name in the catalogue; otherwise a finding with the names that exist and the nearest of
// them.
static const carom_kind *find_kind(binder *b, const carom_key *key, const char *name, carom_place place) {
    const carom_catalogue *catalogue = key->catalogue();
    const carom_kind *kind = carom_catalogue_find(catalogue, name);
    if (kind)
        return kind;
    const char *names[CAROM_KEYS_MAX];
    int count = 0;
    for (; count < catalogue->count && count < CAROM_KEYS_MAX; count++)
        names[count] = catalogue->kinds[count]->name;
    char shown[CAROM_SHOWN_MAX], hint[CAROM_SHOWN_MAX], expected[256];
    const char *answer = carom_word_answer(name);
    carom_value_nearest(name, names, count, hint);
    if (key->catalogue == carom_materials && carom_substance_find(name))
        snprintf(hint, sizeof hint, ": a substance of the library is {use: %s}", name);
    carom_key_expected(key, expected, sizeof expected);
    // a hint for the word itself is better than a similar word
    carom_report_add(b->report, place, path(b), "expected %s, found %s%s%s", expected, carom_show_text(name, shown),
                     answer ? ": " : hint, answer ? answer : "");
    return NULL;
}

// {use: NAME}: a substance of the library, whose numbers are converted to the units of the scene.
static void bind_substance(binder *b, const carom_key *key, const carom_tree *value, void *fields) {
    int count;
    const carom_substance *all = carom_substances(&count), *found = NULL;
    const char *name = value->kind == CAROM_TREE_SCALAR && !carom_tree_is_null(value) ? value->text : NULL;
    size_t mark = enter_key(b, "use");
    if (!name) {
        unexpected(b, value, "the name of a substance (`carom info materials` lists them)");
    } else if (!(found = carom_substance_find(name))) {
        const char **names = allocate(b, count, sizeof *names);
        char hint[CAROM_SHOWN_MAX] = "", shown[CAROM_SHOWN_MAX];
        int alike = 0;
        // those of that family, such as steel-304 for `steel`; else a similar word
        for (int i = 0; names && i < count; i++)
            if (strncmp(all[i].name, name, strlen(name)) == 0 && all[i].name[strlen(name)] == '-')
                names[alike++] = all[i].name;
        if (alike > 0)
            carom_value_list(names, alike, hint);
        for (int i = 0; names && alike == 0 && i < count; i++)
            names[i] = all[i].name;
        carom_report_add(b->report, value->place, path(b), "there is no substance %s%s (`carom info materials` lists them)",
                         carom_show_text(name, shown),
                         !names || alike > 0 ? hint : carom_value_nearest(name, names, count, hint));
    }
    char reason[256];
    double sizes[3];
    if (found && !carom_scene_unit_sizes(carom_tree_get(b->root, "units"), sizes, reason, sizeof reason)) {
        carom_report_add(b->report, value->place, path(b), "%s", reason);
        found = NULL;
    }
    leave(b, mark);
    void *params = found ? allocate(b, 1, carom_catalogue_find(carom_materials(), found->law)->params_size) : NULL;
    if (params)
        *(carom_pick *)((char *)fields + key->offset) = carom_substance_pick(found, sizes[0], sizes[1], sizes[2], params);
}

// Reads {kind: {parameters}}, or the name of a kind alone, which means all its defaults.
static void bind_pick(binder *b, const carom_key *key, const carom_tree *tree, void *fields) {
    static const carom_tree nothing = {.kind = CAROM_TREE_MAP};
    const carom_tree *use = key->catalogue == carom_materials && tree->count == 1 ? carom_tree_get(tree, "use") : NULL;
    if (use) {
        bind_substance(b, key, use, fields);
        return;
    }
    bool bare = tree->kind == CAROM_TREE_SCALAR && !carom_tree_is_null(tree);
    if (!bare && (tree->kind != CAROM_TREE_MAP || tree->count != 1)) {
        char expected[256], shown[CAROM_SHOWN_MAX];
        carom_key_expected(key, expected, sizeof expected);
        const char *found = carom_value_found(tree, shown);
        if (key->catalogue == carom_materials && tree->kind == CAROM_TREE_MAP && carom_tree_get(tree, "use")) {
            carom_report_add(b->report, tree->place, path(b),
                             "`use` must be the only key: to change numbers of a substance write its law with all of them, "
                             "as shown by `carom info NAME`");
            return;
        }
        // one that is known, next to one that is not
        const carom_branch *known = NULL, *unknown = NULL;
        for (int i = 0; tree->kind == CAROM_TREE_MAP && i < tree->count; i++)
            *(carom_catalogue_find(key->catalogue(), tree->branches[i].key) ? &known : &unknown) = &tree->branches[i];
        if (known && unknown) {
            carom_report_add(b->report, unknown->place, path(b), "unknown %s; give one %s",
                             carom_show_text(unknown->key, shown), key->name);
            return;
        }
        if (tree->kind == CAROM_TREE_MAP) {
            snprintf(shown, sizeof shown, "%d of them", tree->count);
            found = tree->count ? shown : "an empty map";
        }
        carom_report_add(b->report, tree->place, path(b), "expected %s, found %s", expected, found);
        return;
    }

    const char *name = bare ? tree->text : tree->branches[0].key;
    const carom_kind *kind = find_kind(b, key, name, bare ? tree->place : tree->branches[0].place);
    // an unknown kind has no parameters to read
    void *params = kind ? allocate(b, 1, kind->params_size) : NULL;
    if (!params)
        return;
    int before = finding_count(b);
    size_t mark = enter_key(b, name);
    // a bare name reads like an empty map at its place: missing parameters are reported there
    carom_tree empty = nothing;
    empty.place = tree->place;
    const carom_tree *values = bare ? &empty : tree->branches[0].value;
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_kind_expand(kind, keys);
    char none[3 * CAROM_NAME_MAX];
    snprintf(none, sizeof none, "{} (it has no parameters: write `%s: %s`)", key->name, name);
    if (values->kind == CAROM_TREE_MAP)
        bind_map(b, keys, count, values, params);
    else
        unexpected(b, values,
                   count == 0                          ? none
                   : strcmp(keys[0].name, "path") == 0 ? "a map of its parameters, {path: ...}"
                                                       : "a map of its parameters");
    leave(b, mark);

    // a faulty choice is left empty, so that later checks do not report the same fault again
    if (finding_count(b) == before)
        *(carom_pick *)((char *)fields + key->offset) = (carom_pick){kind, params};
}

// True if a value is a list of `least` to `most` items (0: any number); otherwise says what was expected.
static bool is_list(binder *b, const carom_key *key, const carom_tree *tree, int least, int most) {
    char expected[256];
    if (tree->kind == CAROM_TREE_LIST && tree->count >= least && (!most || tree->count <= most))
        return true;
    carom_key_expected(key, expected, sizeof expected);
    unexpected(b, tree, expected);
    return false;
}

// Reads an item of a list like a single parameter.
static bool bind_item(binder *b, const carom_key *key, const carom_param *row, const carom_tree *list, int index, void *to) {
    carom_key item = {.shape = CAROM_KEY_PARAM, .name = key->name, .param = row};
    size_t mark = enter_item(b, index);
    bool good = carom_value_read(&item, list->branches[index].value, to, path(b), b->report);
    leave(b, mark);
    return good;
}

// One to three vectors [x, y, z], none of them zero.
static void bind_vectors(binder *b, const carom_key *key, const carom_tree *tree, void *fields) {
    if (!is_list(b, key, tree, 1, 3))
        return;
    carom_vector_list *member = (carom_vector_list *)((char *)fields + key->offset);
    static const carom_param row = {.name = "", .type = CAROM_PARAM_VEC3, .flags = CAROM_PARAM_NONZERO};
    int before = finding_count(b);
    for (int i = 0; i < tree->count; i++)
        bind_item(b, key, &row, tree, i, member->items[i]);
    if (finding_count(b) == before)
        member->count = tree->count;
}

// Rows of numbers with ascending times in the first column.
static void bind_table(binder *b, const carom_key *key, const carom_tree *tree, void *fields) {
    if (!is_list(b, key, tree, 1, 0))
        return;
    double *rows = allocate(b, (int64_t)tree->count * key->columns, sizeof *rows);
    static const carom_param number = {.name = "", .type = CAROM_PARAM_REAL};
    int before = finding_count(b);
    for (int i = 0; rows && i < tree->count; i++) {
        const carom_tree *row = tree->branches[i].value;
        size_t mark = enter_item(b, i);
        bool fits = row->kind == CAROM_TREE_LIST && row->count == key->columns, good = fits;
        if (!fits)
            unexpected(b, row, key->row);
        for (int c = 0; fits && c < key->columns; c++)
            good &= bind_item(b, key, &number, row, c, &rows[i * key->columns + c]);
        const double *now = &rows[i * key->columns];
        // ascent is checked only while all rows are good: a missing number must not cause a second finding
        if (good && i > 0 && finding_count(b) == before && !(now[0] > now[-key->columns]))
            carom_report_add(b->report, row->place, path(b), "times must ascend: %g follows %g", now[0], now[-key->columns]);
        leave(b, mark);
    }
    if (rows && finding_count(b) == before)
        *(carom_list *)((char *)fields + key->offset) = (carom_list){tree->count, rows};
}

// A fixed number of names.
static void bind_names(binder *b, const carom_key *key, const carom_tree *tree, void *fields) {
    if (!is_list(b, key, tree, key->columns, key->columns))
        return;
    for (int i = 0; i < key->columns; i++)
        bind_item(b, key, &name_row, tree, i, (char *)fields + key->offset + (size_t)i * CAROM_NAME_MAX);
}

// A list of any number of names or of numbers, each read like a single parameter.
static void bind_values(binder *b, const carom_key *key, const carom_param *row, size_t size, const carom_tree *tree,
                        void *fields) {
    if (!is_list(b, key, tree, 1, 0))
        return;
    char *values = allocate(b, tree->count, size);
    int before = finding_count(b);
    for (int i = 0; values && i < tree->count; i++)
        bind_item(b, key, row, tree, i, values + (size_t)i * size);
    if (values && finding_count(b) == before)
        *(carom_list *)((char *)fields + key->offset) = (carom_list){tree->count, values};
}

// A list of words from a fixed set, stored as bits.
static void bind_words(binder *b, const carom_key *key, const carom_tree *tree, void *fields) {
    if (!is_list(b, key, tree, 1, 0))
        return;
    char expected[256];
    carom_key_expected(key, expected, sizeof expected);
    // the list of words ends with NULL
    int word_count = 0;
    while (key->words[word_count])
        word_count++;
    unsigned *member = (unsigned *)((char *)fields + key->offset);
    for (int i = 0; i < tree->count; i++) {
        const carom_tree *value = tree->branches[i].value;
        const char *text = value->kind == CAROM_TREE_SCALAR ? value->text : "";
        int word = 0;
        while (word < word_count && strcmp(text, key->words[word]) != 0)
            word++;
        size_t mark = enter_item(b, i);
        char shown[CAROM_SHOWN_MAX], hint[CAROM_SHOWN_MAX];
        // `expected` begins "a list of words out of:"; only the words are quoted here
        if (word == word_count)
            carom_report_add(b->report, value->place, path(b), "expected one of%s, found %s%s", strchr(expected, ':') + 1,
                             carom_value_found(value, shown), carom_value_nearest(text, key->words, word_count, hint));
        else if (*member & 1u << word)
            carom_report_add(b->report, value->place, path(b), "'%s' is given twice", text);
        else
            *member |= 1u << word;
        leave(b, mark);
    }
}

// A condition is kept as text, so that a dump repeats it as it was written; here only its syntax is
// checked.
static void bind_condition(binder *b, const carom_tree *tree, char member[static CAROM_NAME_MAX]) {
    carom_condition condition;
    bool fits = tree->kind == CAROM_TREE_SCALAR && strlen(tree->text) < CAROM_NAME_MAX;
    if (fits && carom_condition_parse(tree->text, &condition))
        strcpy(member, tree->text);
    else if (fits && condition.relation == CAROM_RELATION_BETWEEN && condition.first > condition.second)
        carom_report_add(b->report, tree->place, path(b), "'%s' is empty: the smaller number comes first", tree->text);
    else
        unexpected(b, tree, carom_condition_expected);
}

// The long form of a gate: a condition together with the value known from theory or from a publication, and
// its source. Without a source such a value could not be checked.
static void bind_long_gate(binder *b, const carom_key *key, const carom_tree *tree, carom_scene_gate *gate) {
    static const char *const values[] = {"exact", "published", NULL};
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(key->keys, keys);
    bind_map(b, keys, count, tree, gate);
    check_rivals(b, values, false, tree);
    bool valued = carom_tree_get(tree, "exact") || carom_tree_get(tree, "published");
    if (valued && !carom_tree_get(tree, "source") && !carom_key_is_misspelt(tree, keys, count, "source"))
        carom_report_add(b->report, tree->place, path(b), "missing key 'source': say where the value comes from");
}

// Pairs of a result and its gate. Whether the result exists is checked later, when the probes are known.
static void bind_gates(binder *b, const carom_key *key, const carom_tree *tree, void *fields) {
    if (tree->kind != CAROM_TREE_MAP) {
        unexpected(b, tree, "a map");
        return;
    }
    carom_list *list = (carom_list *)((char *)fields + key->offset);
    carom_scene_gate *gates = allocate(b, tree->count, sizeof *gates);
    if (!gates)
        return;
    *list = (carom_list){tree->count, gates};
    for (int i = 0; i < tree->count; i++) {
        const carom_branch *branch = &tree->branches[i];
        char shown[CAROM_SHOWN_MAX];
        // NaN marks a value that is not given
        gates[i].exact = gates[i].published = NAN;
        // a name longer than any result
        if (strlen(branch->key) >= sizeof gates[i].name) {
            carom_report_add(b->report, branch->place, path(b), "unknown result %s", carom_show_text(branch->key, shown));
            continue;
        }
        // kept even if the condition is at fault, so that the name is still checked
        strcpy(gates[i].name, branch->key);
        size_t mark = enter_key(b, branch->key);
        if (branch->value->kind == CAROM_TREE_MAP)
            bind_long_gate(b, key, branch->value, &gates[i]);
        else
            bind_condition(b, branch->value, gates[i].condition);
        leave(b, mark);
    }
}

// Dispatches by shape. PARAMS rows are resolved by carom_keys_expand and do not occur here.
static void bind_key(binder *b, const carom_key *key, const carom_tree *tree, void *fields) {
    switch (key->shape) {
    case CAROM_KEY_PARAM: carom_value_read(key, tree, fields, path(b), b->report); break;
    case CAROM_KEY_MAP: bind_section(b, key, tree, fields); break;
    case CAROM_KEY_LIST: bind_list(b, key, tree, fields); break;
    case CAROM_KEY_PICK: bind_pick(b, key, tree, fields); break;
    case CAROM_KEY_VECTORS: bind_vectors(b, key, tree, fields); break;
    case CAROM_KEY_TABLE: bind_table(b, key, tree, fields); break;
    case CAROM_KEY_WORDS: bind_words(b, key, tree, fields); break;
    case CAROM_KEY_NAMES: bind_names(b, key, tree, fields); break;
    case CAROM_KEY_WORDLIST: bind_values(b, key, &name_row, CAROM_NAME_MAX, tree, fields); break;
    case CAROM_KEY_NUMBERS: bind_values(b, key, &number_row, sizeof(double), tree, fields); break;
    case CAROM_KEY_CONDITION: bind_condition(b, tree, (char *)fields + key->offset); break;
    case CAROM_KEY_GATES: bind_gates(b, key, tree, fields); break;
    case CAROM_KEY_PARAMS:
    case CAROM_KEY_END: break;
    }
}

// A value that is a map of its parts, all of which must be given.
static void bind_parts(binder *b, const carom_key *parts, int count, const carom_tree *tree, void *fields) {
    carom_key keys[CAROM_KEYS_MAX];
    carom_text all = {0};
    for (int i = 0; i < count; i++) {
        keys[i] = parts[i];
        keys[i].name = carom_key_part_name(&parts[i]);
        carom_text_print(&all, "%s`%s`", !i ? "" : i + 1 < count ? ", " : " and ", keys[i].name);
    }
    for (int i = 0; i < count; i++)
        if (!carom_tree_get(tree, keys[i].name) && !carom_key_is_misspelt(tree, keys, i + 1, keys[i].name))
            carom_report_add(b->report, tree->place, path(b), "missing key '%s': give %s, or one number", keys[i].name,
                             all.data ? all.data : "all");
    b->report->failed |= all.failed;
    carom_text_release(&all);
    bind_map(b, keys, count, tree, fields);
}

static void bind_map(binder *b, const carom_key *keys, int count, const carom_tree *tree, void *fields) {
    for (int i = 0, parts = 0; i < count; i += 1 + parts) {
        const carom_tree *value = carom_tree_get(tree, keys[i].name);
        parts = carom_key_parts(keys, count, i);
        for (int p = 1; p <= parts; p++)
            fill_default(&keys[i + p], fields);
        // a key such as `time` is neither required nor allowed together with the key that replaces it
        bool replaced = keys[i].unless && carom_tree_get(tree, keys[i].unless);
        if (value && replaced)
            carom_report_add(b->report, carom_tree_branch(tree, keys[i].name)->place, path(b),
                             "'%s' cannot be combined with '%s'", keys[i].name, keys[i].unless);
        if (!value) {
            fill_default(&keys[i], fields);
            if (carom_key_is_required(&keys[i]) && !replaced && !carom_key_is_misspelt(tree, keys, count, keys[i].name))
                carom_report_add(b->report, tree->place, path(b), "missing key '%s'", keys[i].name);
            continue;
        }
        size_t mark = enter_key(b, keys[i].name);
        if (parts && value->kind == CAROM_TREE_MAP)
            bind_parts(b, &keys[i + 1], parts, value, fields);
        else
            bind_key(b, &keys[i], value, fields);
        leave(b, mark);
    }
    for (int i = 0; i < tree->count; i++) {
        // every key of the file must be in the table
        int k = 0;
        while (k < count && strcmp(keys[k].name, tree->branches[i].key) != 0)
            k += 1 + carom_key_parts(keys, count, k);
        if (k == count)
            unknown_key(b, &tree->branches[i], keys, count);
    }
}

void carom_bind(const carom_tree *root, carom_scene_def *def, carom_arena *arena, carom_report *report) {
    binder b = {.root = root, .arena = arena, .report = report};
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(carom_schema(), keys);
    if (root->kind == CAROM_TREE_MAP)
        bind_map(&b, keys, count, root, def);
    else
        unexpected(&b, root, "a map (integrator: ..., time: ..., bodies: ...)");
    report->failed |= b.path.failed;
    carom_text_release(&b.path);
}

void carom_bind_mesh(const carom_tree *root, carom_pick *pick, carom_arena *arena, carom_report *report) {
    // a mesh alone is read like the key `mesh` of a body
    static const carom_key key = {.shape = CAROM_KEY_PICK, .name = "mesh", .catalogue = carom_generators};
    binder b = {.arena = arena, .report = report};
    *pick = (carom_pick){0};
    bind_pick(&b, &key, root, pick);
    report->failed |= b.path.failed;
    carom_text_release(&b.path);
}
