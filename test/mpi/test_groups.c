// SPDX-License-Identifier: MIT
// Tests src/contact/impact/drift_groups_shared.c, and what processes share of a drift in drift_check.c.
// Every process has the same random scenes. Impacts that all of them resolve together are compared with those that each
// resolves by itself: the same bits, and planted faults are found.
#include "../drifts.h"
#include "parallel/parallel.h"

static carom_together together = {.always = true};

static void same_bits(void **state) {
    (void)state;
    // more processes than cores are slow
    tally sum = compare(CAROM_DRIFT_ALWAYS, carom_parallel_size() > 3 ? SCENES / 5 : SCENES, &together);
    assert_int_equal(sum.different, 0);
    assert_true(sum.grouped > 0.8 * sum.drifts);
    assert_true(sum.groups > 1.5 * sum.grouped);
    // all have done the same
    assert_true(carom_parallel_equal((uint64_t)sum.runs << 32 | (uint64_t)sum.groups));
}

static void faults(void **state) {
    (void)state;
    int scenes = carom_parallel_size() > 3 ? 60 : 300;
    assert_true(compare(CAROM_DRIFT_FAULT_LEAVES_OUT, scenes, &together).different > 0);
    // one process sees the marks of all its groups
    if (carom_parallel_size() > 1)
        assert_true(compare(CAROM_DRIFT_FAULT_IGNORES, scenes, &together).different > 0);
}

int main(void) {
    carom_error error;
    if (carom_parallel_start(&error) || carom_together_create(&together, &error))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(faults)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    carom_together_release(&together);
    carom_parallel_stop();
    return failed;
}
