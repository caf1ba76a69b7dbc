// SPDX-License-Identifier: MIT
// Tests src/scene/read/words.c.
// Unknown words that other programs use get a hint, in any spelling; for keys of another map the message names the place.
#include "../../../support.h"
#include "scene/read/words.h"

static void test_answers(void **state) {
    (void)state;
    static const char *const same[] = {"johnson-cook", "Johnson_Cook", "JOHNSON COOK", "plastic", "PLASTIC", "yield"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_non_null(carom_word_answer(same[i]));
        assert_ptr_equal(carom_word_answer(same[i]), carom_word_answer("plastic"));
    }
    static const char *const answered[] = {
        "elastic-plastic", "viscosity", "hyperelastic", "mooney",  "undeformable", "joint",  "hinge", "obstacle", "wall",
        "floor",           "explicit",  "implicit",     "penalty", "RIGID BODY",   "spring", "c3d10", "damage"};
    for (size_t i = 0; i < sizeof answered / sizeof *answered; i++)
        assert_non_null(carom_word_answer(answered[i]));
    // no hint for words of carom, parts of words, and texts that are no words
    static const char *const none[] = {
        "", "-", " ", "neo-hookean", "plas", "astic yield", "a-word-that-is-longer-than-any-word-in-the-table"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(carom_word_answer(none[i]));
}

// There are no hints for kinds or keys that exist, since these would hide that the key is in the wrong place.
static void test_no_kind_is_answered(void **state) {
    (void)state;
    const carom_catalogue *catalogues[] = {carom_materials(), carom_elements(), carom_generators(), carom_integrators()};
    for (size_t c = 0; c < sizeof catalogues / sizeof *catalogues; c++)
        for (int k = 0; k < catalogues[c]->count; k++)
            if (strcmp(catalogues[c]->kinds[k]->name, "point") != 0)
                assert_null(carom_word_answer(catalogues[c]->kinds[k]->name));
}

static void test_elsewhere(void **state) {
    (void)state;
    char text[256];
    assert_string_equal(carom_word_places("gravity", text, sizeof text), "`gravity` is a key of the scene itself");
    assert_string_equal(carom_word_places("mu", text, sizeof text), "`friction` is a key of contact, contact.pairs[]");
    assert_string_equal(carom_word_places("E", text, sizeof text),
                        "`young` is a key of bodies[].material (linear, st-venant-kirchhoff, neo-hookean, ...)");
    assert_string_equal(carom_word_places("colour", text, sizeof text), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_no_kind_is_answered),
        cmocka_unit_test(test_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
