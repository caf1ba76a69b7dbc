// SPDX-License-Identifier: MIT
// Tests src/contact/impact/drift_groups.c.
// Impacts resolved group by group give the bits of one loop over all events in random scenes; deliberate faults are detected.
#include <float.h>

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

// A node closes on a held face at a distance below rounding, and nothing else moves.
static void failures(void **state) {
    (void)state;
    uint64_t seed = 1;
    scene s;
    start(&s, &seed);
    static const double face[3][3] = {{0, 0, 0.5}, {0, 1, 0.5}, {1, 0, 0.5}};
    for (int b = 0; b < BODIES; b++)
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++) {
                s.x[4 * b + k][i] = (k < 3 ? face[k][i] : (const double[]){0.2, 0.2, b == 2 ? 0.5 + DBL_EPSILON / 2 : 0.1}[i]);
                s.x[4 * b + k][i] += (i == 0 && b != 2) * 3 * b + (i == 2 && b == 2 && k < 3);
                s.w[4 * b + k][i] = s.v[4 * b + k][i] = 0;
            }
    s.w[11][2] = s.v[11][2] = -0.1;
    carom_broad_need need = {.w = (const double(*)[3])s.w, .step = 1, .allowance = ALLOWANCE, .margin = 0.5, .thickness = 0.01};
    bool renewed;
    assert_ok(carom_broad_update(&s.broad, (const double(*)[3])s.x, need, &renewed, error));
    static resolution one, many;
    assert_int_equal(try(&s, CAROM_DRIFT_NEVER, 1, NULL, &one), CAROM_NUMERICAL);
    assert_true(one.impacts.spent);
    assert_int_equal(try(&s, CAROM_DRIFT_ALWAYS, 1, NULL, &many), CAROM_NUMERICAL);
    assert_true(many.impacts.spent);
    assert_memory_equal(one.impacts.crossing, many.impacts.crossing, sizeof one.impacts.crossing);
    land(&one);
    land(&many);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(faults), cmocka_unit_test(failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
