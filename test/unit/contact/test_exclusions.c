// SPDX-License-Identifier: MIT
// Tests src/contact/exclusions.c.
// Exclusions from contact: seams of pairs of nodes, and bodies without contact to themselves or each other.
#include "contact/exclusions.h"

#include "../../support.h"

static void joins_features_by_their_nodes(void **state) {
    (void)state;
    carom_exclusions e = {0};
    // pairs in any order, one of them three times
    const int pairs[][2] = {{5, 1}, {0, 4}, {1, 5}, {0, 3}, {5, 1}};
    assert_false(carom_exclusions_at_seam(&e, 1, (const int[]){0}, 1, (const int[]){4}));
    assert_false(carom_exclusions_at_seam(NULL, 1, (const int[]){0}, 1, (const int[]){4}));
    assert_ok(carom_exclusions_add_seams(6, NULL, 0, &e, error));
    assert_null(e.seam_begin);
    assert_ok(carom_exclusions_add_seams(6, pairs, 5, &e, error));
    assert_int_equal(e.seam_begin[6], 6);
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            bool opposite =
                (a == 0 && (b == 3 || b == 4)) || (b == 0 && (a == 3 || a == 4)) || (a == 1 && b == 5) || (a == 5 && b == 1);
            assert_int_equal(carom_exclusions_at_seam(&e, 1, &a, 1, &b), opposite);
        }
    // one pair of nodes on opposite sides is sufficient; both nodes on one side are not
    assert_true(carom_exclusions_at_seam(&e, 3, (const int[]){2, 1, 0}, 2, (const int[]){2, 4}));
    assert_false(carom_exclusions_at_seam(&e, 3, (const int[]){2, 1, 0}, 2, (const int[]){2, 1}));
    carom_exclusions_release(&e);
}

static void copies_both_lists(void **state) {
    (void)state;
    carom_exclusions e = {0}, copy;
    assert_ok(carom_exclusions_build(3, (const int[][2]){{0, 2}}, 1, &e, error));
    assert_ok(carom_exclusions_add_seams(4, (const int[][2]){{1, 3}}, 1, &e, error));
    assert_true(carom_exclusions_copy(&e, &copy));
    carom_exclusions_release(&e);
    assert_int_equal(copy.others[copy.begin[2]], 0);
    assert_true(carom_exclusions_at_seam(&copy, 1, (const int[]){3}, 1, (const int[]){1}));
    carom_exclusions_release(&copy);
    // the copy of empty exclusions is empty
    assert_true(carom_exclusions_copy(&e, &copy));
    assert_null(copy.begin);
    assert_null(copy.seam_begin);
    carom_exclusions_release(&copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_features_by_their_nodes),
        cmocka_unit_test(copies_both_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
