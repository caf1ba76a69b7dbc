// SPDX-License-Identifier: MIT
// Tests src/base/profile.c, src/sim/profile_table.c.
// Phases can be nested, their times add up to the total time, and a profile that is off measures nothing.
#include <string.h>
#include <time.h>

#include "../../support.h"
#include "base/profile.h"
#include "carom/run.h"

static void pass_some_time(void) {
    const struct timespec time = {.tv_nsec = 2000000};
    nanosleep(&time, NULL);
}

static void work_some_time(void) {
    double begin = carom_profile_work();
    while (carom_profile_work() < begin + 0.002) {
    }
}

static void phases_nest(void **state) {
    (void)state;
    carom_profile profile = {0};
    double begin = carom_profile_clocks().wall;
    carom_profile_start(&profile);
    carom_phase outer = carom_profile_enter(&profile, CAROM_PHASE_HITS);
    assert_int_equal(outer, CAROM_PHASE_OTHER);
    pass_some_time();
    carom_phase inner = carom_profile_enter(&profile, CAROM_PHASE_SEARCH);
    assert_int_equal(inner, CAROM_PHASE_HITS);
    pass_some_time();
    carom_profile_enter(&profile, inner);
    carom_profile_enter(&profile, outer);
    carom_profile_stop(&profile);
    double passed = carom_profile_clocks().wall - begin, sum = 0;
    for (int i = 0; i < CAROM_PHASE_COUNT; i++)
        sum += profile.time[i].wall;
    assert_true(profile.time[CAROM_PHASE_HITS].wall >= 0.002);
    assert_true(profile.time[CAROM_PHASE_SEARCH].wall >= 0.002);
    assert_true(profile.time[CAROM_PHASE_WAITING].wall == 0);
    assert_true(sum >= 0.004 && sum <= passed);
}

static void nothing_while_off(void **state) {
    (void)state;
    carom_profile profile = {0};
    carom_profile_enter(&profile, CAROM_PHASE_HITS);
    assert_int_equal(carom_profile_enter(NULL, CAROM_PHASE_HITS), CAROM_PHASE_OTHER);
    carom_profile_stop(&profile);
    for (int i = 0; i < CAROM_PHASE_COUNT; i++)
        assert_true(profile.time[i].wall == 0);
}

// Work has its own clock, independent of that of the phases, and is measured only while this is switched on.
static void work_of_a_part(void **state) {
    (void)state;
    for (int times = 0; times < 2; times++) {
        carom_profile profile = {0};
        if (times)
            carom_profile_start(&profile);
        work_some_time();
        carom_profile_measure_work(&profile, true);
        carom_phase outer = carom_profile_enter(&profile, CAROM_PHASE_ELEMENTS);
        work_some_time();
        assert_int_equal(carom_profile_enter(&profile, outer), CAROM_PHASE_ELEMENTS);
        carom_profile_measure_work(&profile, false);
        double work = profile.work[CAROM_PHASE_ELEMENTS];
        assert_true(work >= 0.002 && profile.work[CAROM_PHASE_OTHER] < 0.002);
        carom_profile_enter(&profile, CAROM_PHASE_ELEMENTS);
        work_some_time();
        carom_profile_enter(&profile, CAROM_PHASE_OTHER);
        assert_true(profile.work[CAROM_PHASE_ELEMENTS] == work);
        assert_int_equal(profile.on, times);
        carom_profile_stop(&profile);
        assert_int_equal(profile.time[CAROM_PHASE_ELEMENTS].wall >= 0.004, times);
    }
}

static void table_of_phases(void **state) {
    (void)state;
    carom_summary summary = {.threads = 4};
    assert_null(carom_profile_table(&summary));
    summary.profile[CAROM_PHASE_ELEMENTS] = (carom_phase_time){3, 9};
    summary.profile[CAROM_PHASE_REST] = (carom_phase_time){1, 1};
    char *text = carom_profile_table(&summary);
    assert_non_null(strstr(text, "  elements         3.000      75.0 %       9.000        75 %\n"));
    assert_non_null(strstr(text, "  rest             1.000      25.0 %       1.000        25 %\n"));
    assert_non_null(strstr(text, "  all              4.000     100.0 %      10.000        62 %\n"));
    assert_null(strstr(text, "hits"));
    carom_free(text);
    for (int i = 0; i < CAROM_PHASE_COUNT; i++)
        assert_true(carom_phase_name((carom_phase)i)[0] != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_nest),
        cmocka_unit_test(nothing_while_off),
        cmocka_unit_test(work_of_a_part),
        cmocka_unit_test(table_of_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
