// SPDX-License-Identifier: MIT
// Tests src/scene/tree.c, src/scene/read/yaml.c, src/scene/read/encoding.c, src/scene/read/scalar.c.
// Parsing of text to a tree: values, positions in the text, and refusals.
#include "../../support.h"
#include "scene/read/encoding.h"
#include "scene/read/scalar.h"
#include "scene/read/yaml.h"

typedef struct reading {
    carom_arena *arena;
    carom_report report;
    const carom_tree *root;
} reading;

static reading read_text(const char *text, size_t size, carom_yaml_dialect dialect) {
    reading r = {.arena = carom_arena_create(), .report = {.file = "test"}};
    r.root = carom_yaml_parse(text, size, dialect, NULL, r.arena, &r.report);
    carom_report_sort(&r.report);
    assert_false(r.report.failed);
    assert_true(r.root || r.report.findings.count > 0);
    return r;
}

static void end(reading *r) {
    carom_findings_release(&r->report.findings);
    carom_arena_release(r->arena);
}

static void expect_place(carom_place place, int line, int column) {
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

// The text is refused with this message at this place.
static void expect_fault(const char *text, int line, int column, const char *message) {
    reading r = read_text(text, strlen(text), CAROM_YAML);
    assert_null(r.root);
    assert_string_equal(r.report.findings.items[0].message, message);
    assert_int_equal(r.report.findings.items[0].line, line);
    assert_int_equal(r.report.findings.items[0].column, column);
    end(&r);
}

static void places_and_kinds(void **state) {
    (void)state;
    static const char text[] = "a: 1\nbé: {c: \"2\", d: [x, 'y']}\nlist:\n  - e: ~\n  -\n";
    reading r = read_text(text, strlen(text), CAROM_YAML);
    assert_non_null(r.root);
    assert_int_equal(r.root->kind, CAROM_TREE_MAP);
    assert_int_equal(r.root->count, 3);
    assert_int_equal(r.root->weight, 11);

    const carom_tree *a = carom_tree_get(r.root, "a");
    assert_string_equal(a->text, "1");
    assert_false(a->quoted);
    expect_place(a->place, 1, 4);

    // columns count characters, not bytes; a quoted text starts at its quote
    const carom_tree *b = carom_tree_get(r.root, "bé");
    expect_place(carom_tree_branch(r.root, "bé")->place, 2, 1);
    expect_place(b->place, 2, 5);
    expect_place(carom_tree_branch(b, "c")->place, 2, 6);
    assert_true(carom_tree_get(b, "c")->quoted);
    expect_place(carom_tree_get(b, "c")->place, 2, 9);
    const carom_tree *d = carom_tree_get(b, "d");
    assert_int_equal(d->count, 2);
    expect_place(carom_tree_at(d, 1)->place, 2, 21);
    assert_null(carom_tree_at(d, 2));
    assert_null(carom_tree_at(d, -1));
    assert_null(carom_tree_get(d, "c"));

    const carom_tree *list = carom_tree_get(r.root, "list");
    assert_true(carom_tree_is_null(carom_tree_get(carom_tree_at(list, 0), "e")));
    assert_true(carom_tree_is_null(carom_tree_at(list, 1)));
    assert_false(carom_tree_is_null(a));
    end(&r);
}

static void aliases_are_shared(void **state) {
    (void)state;
    static const char text[] = "a: &x {b: 1}\nc: *x\nd: [*x, *x]\n";
    reading r = read_text(text, strlen(text), CAROM_YAML);
    const carom_tree *a = carom_tree_get(r.root, "a");
    assert_ptr_equal(a, carom_tree_get(r.root, "c"));
    assert_ptr_equal(a, carom_tree_at(carom_tree_get(r.root, "d"), 1));
    assert_int_equal(r.root->weight, 1 + 2 + 2 + 5);
    end(&r);
}

static void line_ends_and_marks(void **state) {
    (void)state;
    static const char text[] = "\xef\xbb\xbf"
                               "a: 1\r\nb: \"two\"\r\n";
    reading r = read_text(text, strlen(text), CAROM_YAML);
    assert_string_equal(carom_tree_get(r.root, "a")->text, "1");
    assert_string_equal(carom_tree_get(r.root, "b")->text, "two");
    expect_place(carom_tree_get(r.root, "a")->place, 1, 4);
    expect_place(carom_tree_get(r.root, "b")->place, 2, 4);
    end(&r);
}

static void double_keys(void **state) {
    (void)state;
    static const char text[] = "a: 1\nb: 2\na: 3\nb: 4\na: 5\n";
    reading r = read_text(text, strlen(text), CAROM_YAML);
    assert_int_equal(r.report.findings.count, 3);
    assert_string_equal(r.report.findings.items[0].message, "key 'a' is given twice (first in line 1)");
    assert_int_equal(r.report.findings.items[0].line, 3);
    assert_int_equal(r.report.findings.items[2].line, 5);
    assert_string_equal(carom_tree_get(r.root, "a")->text, "1");
    assert_int_equal(r.root->count, 2);
    end(&r);
}

static void refused(void **state) {
    (void)state;
    expect_fault("", 1, 1, "the scene is empty");
    expect_fault("a: *b\n", 1, 4, "alias 'b' has no anchor");
    expect_fault("a: &b [1, *b]\n", 1, 11, "alias 'b' stands inside its own anchor");
    expect_fault("a: 1\n---\nb: 1\n", 2, 1, "a second document begins here: remove it, a scene is one document");
    expect_fault("a: !!int 1\n", 1, 10, "tags (such as !!float) are not used in scenes: remove this one");
    expect_fault("[1]: 2\n", 1, 1, "a key must be a word, not a list");
    expect_fault("a: |\n  x\n  y\n", 2, 1, "a value must be on one line");
    reading r = read_text("a: b\0c", 6, CAROM_YAML);
    assert_null(r.root);
    assert_string_equal(r.report.findings.items[0].message, "control character U+0000 is not allowed");
    end(&r);
}

static void too_deep_and_too_many(void **state) {
    (void)state;
    char text[256] = "";
    memset(text, '[', CAROM_TREE_DEPTH_MAX);
    memset(text + CAROM_TREE_DEPTH_MAX, ']', CAROM_TREE_DEPTH_MAX);
    reading r = read_text(text, strlen(text), CAROM_YAML);
    assert_non_null(r.root);
    end(&r);
    memset(text, '[', CAROM_TREE_DEPTH_MAX + 1);
    expect_fault(text, 1, CAROM_TREE_DEPTH_MAX + 1, "more than 48 levels of maps and lists");

    // ten million values in five lines, by aliases
    carom_report report = {.file = "test"};
    carom_arena *arena = carom_arena_create();
    char bomb[2048] = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (char c = 'b'; c < 'h'; c++) {
        char line[128];
        int used = snprintf(line, sizeof line, "%c: &%c [", c, c);
        for (int i = 0; i < 10; i++)
            used += snprintf(line + used, sizeof line - (size_t)used, "%s*%c", i ? ", " : "", c - 1);
        strcat(strcat(bomb, line), "]\n");
    }
    assert_null(carom_yaml_parse(bomb, strlen(bomb), CAROM_YAML, NULL, arena, &report));
    assert_string_equal(report.findings.items[0].message, "aliases expand to more than 1000000 values");
    carom_findings_release(&report.findings);
    carom_arena_release(arena);
}

static void json(void **state) {
    (void)state;
    static const char text[] = "{\"a\": [1, true, null, \"x\\u00e9\\ud83d\\ude00\\/\"]}";
    reading r = read_text(text, strlen(text), CAROM_JSON);
    const carom_tree *list = carom_tree_get(r.root, "a");
    assert_string_equal(carom_tree_at(list, 0)->text, "1");
    assert_string_equal(carom_tree_at(list, 3)->text, "xé😀/");
    end(&r);
}

static void expect_decoded(const char *bytes, carom_scalar_style style, const char *expected) {
    char text[128];
    assert_null(carom_scalar_decode(bytes, strlen(bytes), style, text));
    assert_string_equal(text, expected);
}

static void scalars(void **state) {
    (void)state;
    char text[128];
    expect_decoded("it's \\n", CAROM_SCALAR_PLAIN, "it's \\n");
    expect_decoded("it''s ''", CAROM_SCALAR_SINGLE, "it's '");
    expect_decoded("\\t\\\"\\\\\\x41\\u20ac\\U0001F600\\e\\_", CAROM_SCALAR_DOUBLE, "\t\"\\A€😀\x1b\xc2\xa0");
    assert_non_null(carom_scalar_decode("\\ud83d", 6, CAROM_SCALAR_DOUBLE, text));
    assert_non_null(carom_scalar_decode("\\u12", 4, CAROM_SCALAR_DOUBLE, text));
    assert_non_null(carom_scalar_decode("\\U00110000", 10, CAROM_SCALAR_DOUBLE, text));
    assert_non_null(carom_scalar_decode("\\0", 2, CAROM_SCALAR_DOUBLE, text));
    assert_non_null(carom_scalar_decode("\\", 1, CAROM_SCALAR_DOUBLE, text));
}

static void encoding(void **state) {
    (void)state;
    carom_encoding_fault fault;
    static const char *const good[] = {"", "a\tb\r\n", "\xef\xbb\xbfz", "é€😀", "\xc2\x85"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(carom_encoding_check(good[i], strlen(good[i]), &fault));
    static const char *const bad[] = {"\x80",      "\xc3", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                      "\xff\xfez", "\x1b", "\x7f",     "\xc2\x80",     "\xef\xbf\xbf", "a\xef\xbb\xbf"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(carom_encoding_check(bad[i], strlen(bad[i]), &fault));
    assert_false(carom_encoding_check("aé\nb\xff", 6, &fault));
    assert_int_equal(fault.line, 2);
    assert_int_equal(fault.column, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_kinds),
        cmocka_unit_test(aliases_are_shared),
        cmocka_unit_test(line_ends_and_marks),
        cmocka_unit_test(double_keys),
        cmocka_unit_test(refused),
        cmocka_unit_test(too_deep_and_too_many),
        cmocka_unit_test(json),
        cmocka_unit_test(scalars),
        cmocka_unit_test(encoding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
