// SPDX-License-Identifier: MIT
// Tests src/base/text.c.
// The growing string, and the word of a list that is most similar to a misspelt one.
#include "../../support.h"
#include "carom/text.h"

static void growth(void **state) {
    (void)state;
    carom_text text = {0};
    char expected[40000];
    size_t size = 0;
    for (int i = 0; i < 5000; i++) {
        carom_text_print(&text, "%d,", i);
        size += (size_t)sprintf(expected + size, "%d,", i);
        assert_int_equal(text.size, size);
        assert_true(text.capacity > text.size);
        assert_int_equal(text.data[size], 0);
    }
    assert_string_equal(text.data, expected);
    assert_false(text.failed);
    carom_text_release(&text);
    assert_true(text.data == NULL && text.size == 0 && text.capacity == 0);
}

// Bytes of any value and pieces of any size can be appended, also at the limits of the capacity.
static void bytes(void **state) {
    (void)state;
    for (int piece = 0; piece < 300; piece++) {
        carom_text text = {0};
        char part[300];
        for (int i = 0; i < piece; i++)
            part[i] = (char)(7 * i);
        for (int repeat = 1; repeat <= 3; repeat++) {
            carom_text_append(&text, part, (size_t)piece);
            assert_int_equal(text.size, repeat * piece);
            assert_memory_equal(text.data + (repeat - 1) * piece, part, piece);
            assert_int_equal(text.data[text.size], 0);
        }
        carom_text_release(&text);
    }

    // an empty piece makes an empty string, not NULL
    carom_text text = {0};
    carom_text_append(&text, NULL, 0);
    assert_string_equal(text.data, "");
    carom_text_print(&text, "%s", "");
    assert_int_equal(text.size, 0);
    carom_text_release(&text);
    carom_text_release(&text);
}

static const char *nearest(const char *word) {
    static const char *const words[] = {"young", "poisson", "density", "restitution", "friction", "resolve", "at", "to"};
    return carom_text_nearest(word, words, sizeof words / sizeof *words);
}

static void nearest_word(void **state) {
    (void)state;
    // the word itself; with a letter missing, added or replaced; with two letters swapped
    assert_string_equal(nearest("density"), "density");
    assert_string_equal(nearest("densty"), "density");
    assert_string_equal(nearest("densityy"), "density");
    assert_string_equal(nearest("tensity"), "density");
    assert_string_equal(nearest("dnesity"), "density");
    assert_string_equal(nearest("yuong"), "young");
    assert_string_equal(nearest("ta"), "at");
    assert_string_equal(nearest("restitutoin"), "restitution");
    assert_string_equal(nearest("coefficient_restitution") ? "something" : "nothing", "nothing");
}

static void far_words(void **state) {
    (void)state;
    const char *const strangers[] = {"banana", "x", "", "colour", "viscosity", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "gnuoy"};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        if (nearest(strangers[i]))
            fail_msg("'%s' is taken for '%s'", strangers[i], nearest(strangers[i]));
    assert_null(carom_text_nearest("word", NULL, 0));

    // a word longer than all in the list
    char monster[1000];
    memset(monster, 'y', sizeof monster);
    monster[sizeof monster - 1] = 0;
    assert_null(nearest(monster));
}

// Two swapped letters count as one error; the first of equally similar words is returned.
static void order(void **state) {
    (void)state;
    assert_string_equal(carom_text_nearest("abdc", (const char *const[]){"abxy", "abcd"}, 2), "abcd");
    assert_string_equal(carom_text_nearest("abcx", (const char *const[]){"abcy", "abcz"}, 2), "abcy");
    assert_string_equal(carom_text_nearest("abcx", (const char *const[]){"abyy", "abcz"}, 2), "abcz");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth),    cmocka_unit_test(bytes), cmocka_unit_test(nearest_word),
        cmocka_unit_test(far_words), cmocka_unit_test(order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
