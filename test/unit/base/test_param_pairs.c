// SPDX-License-Identifier: MIT
// Tests src/base/param.c.
//
// Parameters that are lists of pairs of numbers: parsing, printing, ranges, hashes.
#include "../../support.h"
#include "base/param.h"

static const carom_param row = {
    .name = "curve", .type = CAROM_PARAM_PAIRS, .unit = "1, force", .initial = "[]", CAROM_RANGE_NONNEGATIVE, .doc = "Rows."};

static void reads(void **state) {
    (void)state;
    carom_pairs pairs;
    assert_ok(carom_param_parse(&row, "[]", &pairs, error));
    assert_int_equal(pairs.count, 0);
    assert_ok(carom_param_parse(&row, " [ [0, 1.5e3],[2 ,  3 ] ] ", &pairs, error));
    assert_int_equal(pairs.count, 2);
    assert_true(pairs.rows[0][0] == 0 && pairs.rows[0][1] == 1500 && pairs.rows[1][0] == 2 && pairs.rows[1][1] == 3);
    const char *const wrong[] = {"",          "0",          "[0, 1]",     "[[0]]",      "[[0, 1, 2]]", "[[0, 1] [2, 3]]",
                                 "[[0, 1],]", "[[0, 1]",    "[[0, x]]",   "[[0, 1]]]",  "[[, 1]]",     "[[0, 1], 2]",
                                 "[[-1, 0]]", "[[0, nan]]", "[[0, inf]]", "[[0, 1]] x", "[[0; 1]]"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused(carom_param_parse(&row, wrong[i], &pairs, error), CAROM_BAD_INPUT,
                       "expected a list of at most 32 rows of two numbers >= 0");
}

static void limits(void **state) {
    (void)state;
    char text[2000] = "[";
    for (int i = 0; i < CAROM_PAIRS_MAX; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s[%d, 1]", i ? ", " : "", i);
    carom_pairs pairs;
    size_t end = strlen(text);
    strcpy(text + end, "]");
    assert_ok(carom_param_parse(&row, text, &pairs, error));
    assert_int_equal(pairs.count, CAROM_PAIRS_MAX);
    strcpy(text + end, ", [40, 1]]");
    assert_refused(carom_param_parse(&row, text, &pairs, error), CAROM_BAD_INPUT, "at most 32 rows");
    pairs = (carom_pairs){.count = CAROM_PAIRS_MAX + 1};
    assert_refused(carom_param_check(&row, &pairs, error), CAROM_BAD_INPUT, "at most 32 rows");
    pairs = (carom_pairs){1, {{0, NAN}}};
    assert_refused(carom_param_check(&row, &pairs, error), CAROM_BAD_INPUT, "two numbers >= 0");
}

static void round_trip(void **state) {
    (void)state;
    uint64_t seed = 71;
    for (int trial = 0; trial < 200; trial++) {
        carom_pairs pairs = {.count = trial % (CAROM_PAIRS_MAX + 1)}, back;
        for (int i = 0; i < 2 * pairs.count; i++)
            pairs.rows[i / 2][i % 2] = random_real(&seed, 0, 1) * pow(10, random_real(&seed, -300, 300));
        char text[CAROM_PRINTED_MAX];
        carom_param_print(&row, &pairs, text, sizeof text);
        assert_ok(carom_param_parse(&row, text, &back, error));
        assert_memory_equal(&pairs, &back, sizeof back);
    }
}

// An empty list does not change a hash: a material that gains such a parameter keeps the hashes of its scenes.
static void hashes(void **state) {
    (void)state;
    carom_pairs none = {0}, one = {1, {{1, 2}}}, more = {1, {{1, 2}, {3, 4}}};
    assert_true(carom_param_hash(5, &row, 1, &none) == 5);
    assert_true(carom_param_hash(5, &row, 1, &one) != 5);
    assert_true(carom_param_hash(5, &row, 1, &one) == carom_param_hash(5, &row, 1, &more));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads), cmocka_unit_test(limits), cmocka_unit_test(round_trip),
                                       cmocka_unit_test(hashes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
