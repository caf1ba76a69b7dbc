// SPDX-License-Identifier: MIT
// Tests src/contact/impact/drift_groups.c.
// Impacts resolved group by group give the bits of one loop over all events in random scenes; deliberate faults are detected.
#include "../../../drifts.h"

static void same_bits(void **state) {
    (void)state;
    tally sum = compare(CAROM_DRIFT_ALWAYS, SCENES, NULL);
    assert_int_equal(sum.different, 0);
    // groups were used, often several in a drift, and some had to be run again
    assert_true(sum.impacts > 5 * SCENES);
    assert_true(sum.grouped > 0.8 * sum.drifts);
    assert_true(sum.groups > 1.5 * sum.grouped);
    assert_true(sum.runs > sum.groups);
}

static void faults(void **state) {
    (void)state;
    assert_true(compare(CAROM_DRIFT_FAULT_LEAVES_OUT, 300, NULL).different > 0);
    assert_true(compare(CAROM_DRIFT_FAULT_IGNORES, 300, NULL).different > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
