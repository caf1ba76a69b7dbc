// SPDX-License-Identifier: MIT
// Tests src/scene/read/plain_json.c.
// Conversion of the YAML of scenes to JSON: numbers and texts, aliases, errors.
#include "../../../support.h"
#include "carom/scene.h"

static void expect(const char *yaml, const char *wanted) {
    char *json;
    carom_error error = {0};
    assert_int_equal(carom_scene_json(yaml, strlen(yaml), "s.yaml", &json, &error), CAROM_OK);
    assert_string_equal(json, wanted);
    carom_free(json);
}

static void values(void **state) {
    (void)state;
    expect("{}", "{}");
    expect("a: [1, -2.5e3, true, false, null, ~, word]", "{\"a\": [1, -2.5e3, true, false, null, null, \"word\"]}");
    // numbers that JSON writes differently
    expect("[.5, +1, 1., 007, -.25e1]", "[0.5, 1, 1, 7, -2.5]");
    // texts that look like numbers
    expect("[1e, ., +, 1.2.3, 0x10, 1 2, e5, '1']", "[\"1e\", \".\", \"+\", \"1.2.3\", \"0x10\", \"1 2\", \"e5\", \"1\"]");
    expect("a: \"q\\\"\\n\"", "{\"a\": \"q\\\"\\u000a\"}");
    expect("a: {b: {c: []}}", "{\"a\": {\"b\": {\"c\": []}}}");
}

// An alias is replaced by its value.
static void aliases(void **state) {
    (void)state;
    expect("a: &x [1]\nb: *x", "{\"a\": [1], \"b\": [1]}");
}

static void faults(void **state) {
    (void)state;
    char *json;
    carom_error error = {0};
    assert_int_equal(carom_scene_json("a: [1", 5, "s.yaml", &json, &error), CAROM_BAD_INPUT);
    assert_null(json);
    assert_non_null(strstr(error.message, "s.yaml:1:"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(aliases), cmocka_unit_test(faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
