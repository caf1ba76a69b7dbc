// SPDX-License-Identifier: MIT
// libfyaml serves as a tokenizer only: it delivers events, and this file builds the tree, resolves aliases
// and finds duplicate keys. Errors of the library are collected and reworded; nothing is ever printed.
#include "scene/read/yaml.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "scene/read/encoding.h"
#include "scene/read/scalar.h"

// More anchors indicate an attack rather than a scene.
enum { ANCHORS_MAX = 1000 };

// A map or list that is still open.
typedef struct frame {
    carom_tree *tree;
    carom_branch *branches; // grows; moved into the arena at the end
    int64_t capacity;
    const char *key; // of the value that comes next; NULL: a key comes next
    carom_place key_place;
    char bracket; // '[' or '{' if it began with one, else 0
} frame;

// An anchor and the value that its aliases share.
typedef struct anchor {
    const char *name;
    carom_tree *tree;
    bool open; // its map or list is still being read
} anchor;

// The tree under construction. Frames are the path from the root to the innermost open collection.
typedef struct builder {
    carom_arena *arena;
    carom_report *report;
    const char *origin;
    const char *text; // the input
    size_t size;
    int depth;
    frame frames[CAROM_TREE_DEPTH_MAX];
    int anchor_count;
    anchor *anchors; // ANCHORS_MAX
    const carom_tree *root;
    bool stopped; // a fault after which nothing more can be read
} builder;

// Place of a mark of the library, which counts from 0; `back` columns are subtracted for an opening quote.
static carom_place place_of(const builder *b, const struct fy_mark *mark, int back) {
    carom_place place = {b->origin, 1, 1};
    if (mark && !b->origin) {
        place.line = mark->line + 1;
        place.column = mark->column + 1 - back > 0 ? mark->column + 1 - back : 1;
    } else if (b->origin) {
        place.line = place.column = 0;
    }
    return place;
}

// The innermost flow collection ([...] or {...}) that is still open, or NULL. Most confusing errors of YAML
// come from a bracket that was not closed.
static const frame *open_bracket(const builder *b) {
    for (int i = b->depth - 1; i >= 0; i--)
        if (b->frames[i].bracket)
            return &b->frames[i];
    return NULL;
}

// Names an open bracket in a message: "the '[' of line 5".
static void show_bracket(const frame *f, char text[static 48]) {
    if (f->tree->place.origin)
        snprintf(text, 48, "the '%c'", f->bracket);
    else
        snprintf(text, 48, "the '%c' of line %d", f->bracket, f->tree->place.line);
}

// Ends the reading with a finding: after such a fault the rest cannot be parsed.
#define stop(b, place, ...)                                    \
    do {                                                       \
        carom_report_add((b)->report, place, "", __VA_ARGS__); \
        (b)->stopped = true;                                   \
    } while (0)

// Lack of memory is an error of its own, not a finding.
static void stop_for_memory(builder *b) {
    b->report->failed = true;
    b->stopped = true;
}

// The text of a token in the arena; NULL after a fault. It is decoded here from the source, because the
// library leaks memory when it resolves more than a few escapes.
static const char *token_text(builder *b, struct fy_token *token, carom_place place) {
    enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    const struct fy_mark *start = token ? fy_token_start_mark(token) : NULL, *end = token ? fy_token_end_mark(token) : NULL;
    size_t size = start && end && end->input_pos > start->input_pos ? end->input_pos - start->input_pos : 0;
    if (style == FYSS_LITERAL || style == FYSS_FOLDED || (size && start->line != end->line)) {
        // a plain value over several lines is usually a bracket that was not closed
        const frame *f = style == FYSS_PLAIN ? open_bracket(b) : NULL;
        char bracket[48];
        if (f) {
            show_bracket(f, bracket);
            stop(b, place, "a value must be on one line (is %s closed, or a comma missing?)", bracket);
        } else {
            stop(b, place, "a value must be on one line");
        }
        return NULL;
    }
    // the library must not point beyond the text
    if (size && end->input_pos > b->size) {
        stop(b, place, "this is not YAML");
        return NULL;
    }
    char *text = carom_arena_allocate(b->arena, (int64_t)size + 1, 1);
    if (!text) {
        stop_for_memory(b);
        return NULL;
    }
    const char *fault = carom_scalar_decode(size ? b->text + start->input_pos : "", size,
                                            style == FYSS_SINGLE_QUOTED   ? CAROM_SCALAR_SINGLE
                                            : style == FYSS_DOUBLE_QUOTED ? CAROM_SCALAR_DOUBLE
                                                                          : CAROM_SCALAR_PLAIN,
                                            text);
    if (fault)
        stop(b, place, "%s", fault);
    return fault ? NULL : text;
}

static carom_tree *new_tree(builder *b, carom_tree_kind kind, carom_place place) {
    carom_tree *tree = carom_arena_allocate(b->arena, 1, sizeof *tree);
    if (!tree) {
        stop_for_memory(b);
        return NULL;
    }
    *tree = (carom_tree){.kind = kind, .place = place, .weight = 1};
    return tree;
}

// Adds a value, finished or just opened, to the innermost open map or list.
static void attach(builder *b, const carom_tree *tree, carom_place place) {
    if (b->depth == 0) {
        b->root = tree;
        return;
    }
    frame *f = &b->frames[b->depth - 1];
    carom_branch *branches = carom_grow(f->branches, f->tree->count, &f->capacity, sizeof *branches);
    if (!branches) {
        stop_for_memory(b);
        return;
    }
    f->branches = branches;
    f->branches[f->tree->count++] = (carom_branch){f->key, f->key ? f->key_place : place, tree};
    f->key = NULL;
}

// True if the next value of the map on top must be a key.
static bool expects_key(const builder *b) {
    const frame *f = b->depth ? &b->frames[b->depth - 1] : NULL;
    return f && f->tree->kind == CAROM_TREE_MAP && !f->key;
}

// An anchor on a map or list is open until its end: an alias inside would make a cycle.
static void define_anchor(builder *b, struct fy_token *token, carom_tree *tree, bool open) {
    if (!token || b->stopped)
        return;
    const char *name = token_text(b, token, tree->place);
    if (!name)
        return;
    if (b->anchor_count == ANCHORS_MAX)
        stop(b, tree->place, "more than %d anchors", ANCHORS_MAX);
    else
        b->anchors[b->anchor_count++] = (anchor){name, tree, open};
}

// A key or a value. Quotes decide later whether a value may be a number, so `quoted` is kept.
static void read_scalar(builder *b, const struct fy_event_scalar_data *data) {
    enum fy_scalar_style style = data->value ? fy_token_scalar_style(data->value) : FYSS_PLAIN;
    bool in_quotes = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    const struct fy_mark *start = data->value ? fy_token_start_mark(data->value) : NULL;
    const struct fy_mark *end = data->value ? fy_token_end_mark(data->value) : NULL;
    frame *f = b->depth ? &b->frames[b->depth - 1] : NULL;

    // a value that is not written (no token, or an empty one) has the place of its key
    bool absent = !start || (style == FYSS_PLAIN && end && start->input_pos == end->input_pos);
    carom_place place = place_of(b, absent ? NULL : start, in_quotes);
    if (absent && f)
        place = f->key ? f->key_place : f->tree->place;
    if (data->tag) {
        // types follow from the table of keys; a tag could only contradict it
        stop(b, place, "tags (such as !!float) are not used in scenes: remove this one");
        return;
    }
    const char *text = token_text(b, data->value, place);
    if (!text)
        return;
    if (expects_key(b)) {
        if (data->anchor) {
            stop(b, place, "a key cannot have an anchor (&name)");
            return;
        }
        f->key = text;
        f->key_place = place;
        return;
    }
    carom_tree *tree = new_tree(b, CAROM_TREE_SCALAR, place);
    if (!tree)
        return;
    tree->text = text;
    tree->quoted = style != FYSS_PLAIN;
    define_anchor(b, data->anchor, tree, false);
    attach(b, tree, place);
    if (f && ++f->tree->weight > CAROM_TREE_WEIGHT_MAX)
        stop(b, place, "more than %d values", CAROM_TREE_WEIGHT_MAX);
}

// An alias shares the tree of its anchor; the weight counts it in full, so that nested aliases cannot
// expand exponentially (the "billion laughs" attack).
static void read_alias(builder *b, struct fy_token *token) {
    carom_place place = place_of(b, token ? fy_token_start_mark(token) : NULL, 1);
    const char *name = token_text(b, token, place);
    if (!name)
        return;
    char shown[CAROM_SHOWN_MAX];
    if (expects_key(b)) {
        stop(b, place, "an alias (*%s) cannot be a key", name);
        return;
    }
    // the latest anchor of that name is valid (section 3.2.2.2)
    const anchor *found = NULL;
    for (int i = b->anchor_count - 1; i >= 0 && !found; i--)
        if (strcmp(b->anchors[i].name, name) == 0)
            found = &b->anchors[i];
    if (!found || found->open) {
        stop(b, place, "alias %s %s", carom_show_text(name, shown), found ? "stands inside its own anchor" : "has no anchor");
        return;
    }
    attach(b, found->tree, place);
    if (b->stopped || b->depth == 0)
        return;
    int64_t *weight = &b->frames[b->depth - 1].tree->weight;
    *weight += found->tree->weight;
    if (*weight > CAROM_TREE_WEIGHT_MAX)
        stop(b, place, "aliases expand to more than %d values", CAROM_TREE_WEIGHT_MAX);
}

// Begins a map or list. It is attached at once, and its entries are added when it is closed.
static void open_collection(builder *b, struct fy_event *event, carom_tree_kind kind) {
    struct fy_token *tag = kind == CAROM_TREE_MAP ? event->mapping_start.tag : event->sequence_start.tag;
    struct fy_token *name = kind == CAROM_TREE_MAP ? event->mapping_start.anchor : event->sequence_start.anchor;
    const struct fy_mark *start = fy_event_start_mark(event);
    carom_place place = place_of(b, start, 0);
    if (tag)
        stop(b, place, "tags (such as !!map) are not used in scenes: remove this one");
    else if (expects_key(b))
        stop(b, place, "a key must be a word, not a %s", kind == CAROM_TREE_MAP ? "map" : "list");
    else if (b->depth == CAROM_TREE_DEPTH_MAX)
        stop(b, place, "more than %d levels of maps and lists", CAROM_TREE_DEPTH_MAX);
    carom_tree *tree = b->stopped ? NULL : new_tree(b, kind, place);
    if (!tree)
        return;
    attach(b, tree, place);
    define_anchor(b, name, tree, true);
    if (b->stopped)
        return;
    // remember the bracket of a flow collection, for messages
    char first = start && start->input_pos < b->size ? b->text[start->input_pos] : 0;
    b->frames[b->depth++] = (frame){.tree = tree, .bracket = first == '[' || first == '{' ? first : 0};
}

// Equal keys in the order of the file.
static int compare_keys(const void *a, const void *b) {
    const carom_branch *first = *(carom_branch *const *)a, *second = *(carom_branch *const *)b;
    int order = strcmp(first->key, second->key);
    return order ? order : (first > second) - (first < second);
}

// Reports duplicate keys and keeps the first of each. Sorting keeps this fast for large maps.
static void remove_duplicates(builder *b, carom_tree *map) {
    carom_branch **sorted = carom_allocate(map->count, sizeof *sorted);
    if (!sorted) {
        stop_for_memory(b);
        return;
    }
    for (int i = 0; i < map->count; i++)
        sorted[i] = &map->branches[i];
    qsort(sorted, (size_t)map->count, sizeof *sorted, compare_keys);

    const carom_branch *first = map->count ? sorted[0] : NULL;
    for (int i = 1; i < map->count; i++) {
        if (strcmp(first->key, sorted[i]->key) != 0) {
            first = sorted[i];
            continue;
        }
        char shown[CAROM_SHOWN_MAX];
        carom_show_text(first->key, shown);
        if (first->place.origin)
            carom_report_add(b->report, sorted[i]->place, "", "key %s is given twice", shown);
        else
            carom_report_add(b->report, sorted[i]->place, "", "key %s is given twice (first in line %d)", shown,
                             first->place.line);
        // marked for removal
        sorted[i]->value = NULL;
    }
    free(sorted);

    int kept = 0;
    for (int i = 0; i < map->count; i++)
        if (map->branches[i].value)
            map->branches[kept++] = map->branches[i];
    map->count = kept;
}

// Moves the entries into the arena and adds their weight to the enclosing collection.
static void close_collection(builder *b) {
    frame *f = &b->frames[--b->depth];
    carom_tree *tree = f->tree;
    tree->branches = carom_arena_allocate(b->arena, tree->count, sizeof *tree->branches);
    if (tree->branches && tree->count)
        memcpy(tree->branches, f->branches, (size_t)tree->count * sizeof *tree->branches);
    free(f->branches);
    if (!tree->branches) {
        tree->count = 0;
        stop_for_memory(b);
        return;
    }
    if (tree->kind == CAROM_TREE_MAP)
        remove_duplicates(b, tree);
    for (int i = b->anchor_count - 1; i >= 0; i--)
        if (b->anchors[i].tree == tree)
            b->anchors[i].open = false;
    if (b->depth == 0)
        return;
    int64_t *weight = &b->frames[b->depth - 1].tree->weight;
    *weight += tree->weight;
    if (*weight > CAROM_TREE_WEIGHT_MAX)
        stop(b, tree->place, "more than %d values", CAROM_TREE_WEIGHT_MAX);
}

// One event of the parser. Events of streams and of document ends carry no data.
static void read_event(builder *b, struct fy_event *event, int *documents) {
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++*documents > 1)
            stop(b, place_of(b, fy_event_start_mark(event), 0),
                 "a second document begins here: remove it, a scene is one document");
        break;
    case FYET_SCALAR: read_scalar(b, &event->scalar); break;
    case FYET_ALIAS: read_alias(b, event->alias.anchor); break;
    case FYET_MAPPING_START: open_collection(b, event, CAROM_TREE_MAP); break;
    case FYET_SEQUENCE_START: open_collection(b, event, CAROM_TREE_LIST); break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: close_collection(b); break;
    default: break;
    }
}

// True if only blanks and line ends follow a place.
static bool is_at_end(const builder *b, int line, int column) {
    const char *at = b->text, *end = b->text + b->size;
    for (; line > 1 && at < end; at++)
        line -= *at == '\n';
    at += column - 1 < end - at ? column - 1 : end - at;
    while (at < end && strchr(" \t\r\n", *at))
        at++;
    return at == end;
}

// Reports a message of the library, with `{...}` and `[...]` in place of its terms of YAML.
static void report_plainly(builder *b, carom_place place, const char *message, const char *hint) {
    static const char *const terms[][2] = {{"flow mapping", "{...}"}, {"flow sequence", "[...]"}};
    for (int i = 0; i < 2; i++) {
        const char *term = strstr(message, terms[i][0]);
        if (!term)
            continue;
        carom_report_add(b->report, place, "", "%.*s%s%s%s", (int)(term - message), message, terms[i][1],
                         term + strlen(terms[i][0]), hint);
        return;
    }
    carom_report_add(b->report, place, "", "%s%s", message, hint);
}

// Passes on a message of the library, reworded if its cause is an open bracket or a missing blank after a
// colon.
static void report_error(builder *b, carom_place place, const char *message) {
    const frame *f = open_bracket(b);
    char bracket[48] = "", hint[64] = "";
    if (f)
        show_bracket(f, bracket);
    // the library reports a missing bracket at the end of the text; the place of the opening bracket helps
    // more
    if (f && strstr(message, "wrongly indented flow"))
        snprintf(hint, sizeof hint, " (is %s closed?)", bracket);
    bool ended = strstr(message, "without a closing") ||
                 (strstr(message, "missing comma in flow") && is_at_end(b, place.line, place.column));
    if (f && ended)
        carom_report_add(b->report, f->tree->place, "", "this '%c' is not closed", f->bracket);
    else if (f && strstr(message, "mismatched flow"))
        carom_report_add(b->report, place, "", "%s is not closed before this", bracket);
    else if (strstr(message, "invalid multiline plain key"))
        carom_report_add(b->report, place, "", "this is not a key (is there a blank after each colon?)");
    else
        report_plainly(b, place, message, hint);
}

// Passes on the messages of the library, which usually stops at the first fault.
static void report_errors(builder *b, struct fy_diag *diag) {
    void *cursor = NULL;
    struct fy_diag_error *error;
    int count = 0;
    // errors after the eighth are consequences of earlier ones
    while ((error = fy_diag_errors_iterate(diag, &cursor)) && count < 8) {
        if (error->type != FYET_ERROR)
            continue;
        carom_place place = {b->origin, error->line > 0 ? error->line : 1, error->column > 0 ? error->column : 1};
        report_error(b, place, error->msg ? error->msg : "this is not YAML");
        count++;
    }
    if (count == 0)
        carom_report_add(b->report, place_of(b, NULL, 0), "", "this is not YAML");
}

// Feeds all events to the builder; a stream that ends early or in an error leaves no tree.
static void run_parser(builder *b, struct fy_parser *parser, struct fy_diag *diag) {
    int documents = 0;
    bool ended = false;
    struct fy_event *event;
    while (!b->stopped && (event = fy_parser_parse(parser))) {
        ended = event->type == FYET_STREAM_END;
        read_event(b, event, &documents);
        fy_parser_event_free(parser, event);
    }
    if (!b->stopped && (!ended || fy_parser_get_stream_error(parser))) {
        report_errors(b, diag);
        b->stopped = true;
    }
    // collections left open by a fault
    while (b->depth > 0)
        free(b->frames[--b->depth].branches);
}

// Size and encoding are checked before the text is passed to the library.
const carom_tree *carom_yaml_parse(const char *text, size_t size, carom_yaml_dialect dialect, const char *origin,
                                   carom_arena *arena, carom_report *report) {
    carom_place start = {origin, 1, 1};
    if (size > CAROM_YAML_SIZE_MAX) {
        carom_report_add(report, start, "", "a scene may have at most %zu MiB", CAROM_YAML_SIZE_MAX >> 20);
        return NULL;
    }
    carom_encoding_fault fault;
    if (!carom_encoding_check(text, size, &fault)) {
        carom_report_add(report, (carom_place){origin, fault.line, fault.column}, "", "%s", fault.message);
        return NULL;
    }

    // skip a byte order mark
    size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    builder b = {.arena = arena, .report = report, .origin = origin, .text = text + mark, .size = size - mark};
    b.anchors = carom_allocate(ANCHORS_MAX, sizeof *b.anchors);
    struct fy_diag_cfg diag_cfg;
    fy_diag_cfg_default(&diag_cfg);
    // no output of the library, errors are collected
    diag_cfg.fp = NULL;
    diag_cfg.level = FYET_ERROR;
    diag_cfg.colorize = false;
    struct fy_diag *diag = fy_diag_create(&diag_cfg);
    if (diag)
        fy_diag_set_collect_errors(diag, true);
    // no memory mapping: the text is already in memory and outlives the parser
    struct fy_parse_cfg cfg = {
        .flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_DISABLE_MMAP_OPT |
                 (dialect == CAROM_JSON ? FYPCF_JSON_FORCE : FYPCF_JSON_NONE),
        .diag = diag,
    };
    struct fy_parser *parser = diag ? fy_parser_create(&cfg) : NULL;
    if (b.anchors && parser && fy_parser_set_string(parser, b.text, b.size) == 0)
        run_parser(&b, parser, diag);
    else
        stop_for_memory(&b);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag); // also frees the collected errors, which an unref would not
    free(b.anchors);
    if (!b.stopped && !b.root)
        carom_report_add(report, start, "", origin ? "expected a value" : "the scene is empty");
    return b.stopped ? NULL : b.root;
}
