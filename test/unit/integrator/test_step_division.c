// SPDX-License-Identifier: MIT
// Tests src/integrator/step_division.c.
// The rule by which a nominal step is divided into substeps.
#include "../../support.h"
#include "integrator/step_division.h"

enum { WHOLE = 1 << CAROM_PACE_FINEST, ROOM = 16 };

// A carom_pace with its own memory.
typedef struct setting {
    double memory[ROOM], seen[ROOM];
    carom_pace pace;
    int64_t place;
} setting;

static void start(setting *s) {
    *s = (setting){.pace.whole = 1};
    s->pace.memory = s->memory;
    s->pace.seen = s->seen;
}

// One drift, of at most the length `want`. Returns the level chosen for it.
static int drift(setting *s, double want) {
    assert_true(carom_pace_choose(&s->pace, want, s->place, (carom_pace_energy){0}));
    int level = carom_pace_level(&s->pace);
    // a substep begins at a multiple of its length
    assert_int_equal(s->place % (WHOLE >> level), 0);
    s->place = (s->place + (WHOLE >> level)) % WHOLE;
    return level;
}

static int drifts_until(setting *s, double want, int level) {
    int count = 0;
    while (drift(s, want) != level) {
        count++;
        assert_in_range(count, 0, 4096);
    }
    return count;
}

static void a_step_that_is_short_enough_is_left_alone(void **unused) {
    (void)unused;
    setting s;
    start(&s);
    for (int i = 0; i < 100; i++)
        assert_int_equal(drift(&s, 1), 0);
    for (int i = 0; i < ROOM; i++)
        assert_true(s.memory[i] == 0);
}

static void parts_shrink_at_once_to_the_level_that_is_needed(void **unused) {
    (void)unused;
    setting s;
    start(&s);
    assert_int_equal(drift(&s, 0.3), 2);
    assert_true(carom_pace_step(&s.pace) == 0.25);
    assert_int_equal(drift(&s, 0.01), 7);
}

static void parts_grow_by_one_level_after_a_wait_and_on_the_coarser_grid(void **unused) {
    (void)unused;
    setting s;
    start(&s);
    assert_int_equal(drift(&s, 0.125), 3);
    // after about sixteen kicks with a larger `want`, at a multiple of two substeps; one drift is made already
    int count = drifts_until(&s, 2, 2);
    assert_in_range(count, 15, 16);
    assert_int_equal(s.place % (WHOLE >> 2), 0);
}

// Substeps grow only if 0.9 of `want` is sufficient for the longer one.
static void parts_do_not_grow_without_something_to_spare(void **unused) {
    (void)unused;
    setting s;
    start(&s);
    assert_int_equal(drift(&s, 0.5), 1);
    for (int i = 0; i < 100; i++)
        assert_int_equal(drift(&s, 1.05), 1);
    drifts_until(&s, 1.12, 0);
}

static void the_wait_doubles_where_parts_grew_too_early(void **unused) {
    (void)unused;
    setting s;
    start(&s);
    int waits[7];
    for (int i = 0; i < 7; i++) {
        drift(&s, 0.5);
        waits[i] = drifts_until(&s, 2, 0);
    }
    for (int i = 0; i < 5; i++)
        assert_in_range(waits[i], (16 << i) - 1, (16 << i) + 1);
    // at most 256
    assert_in_range(waits[5], 255, 257);
    assert_in_range(waits[6], 255, 257);
}

static void fine_levels_do_not_learn(void **unused) {
    (void)unused;
    setting s;
    start(&s);
    for (int i = 0; i < 5; i++) {
        drift(&s, ldexp(1, -6));
        assert_in_range(drifts_until(&s, 2, 5), 14, 17);
    }
}

static void there_is_a_finest_part(void **unused) {
    (void)unused;
    setting s;
    start(&s);
    assert_true(carom_pace_choose(&s.pace, ldexp(1, -CAROM_PACE_FINEST), 0, (carom_pace_energy){0}));
    assert_false(carom_pace_choose(&s.pace, ldexp(0.99, -CAROM_PACE_FINEST), 0, (carom_pace_energy){0}));
    assert_false(carom_pace_choose(&s.pace, 0, 0, (carom_pace_energy){0}));
    assert_false(carom_pace_choose(&s.pace, NAN, 0, (carom_pace_energy){0}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_that_is_short_enough_is_left_alone),
        cmocka_unit_test(parts_shrink_at_once_to_the_level_that_is_needed),
        cmocka_unit_test(parts_grow_by_one_level_after_a_wait_and_on_the_coarser_grid),
        cmocka_unit_test(parts_do_not_grow_without_something_to_spare),
        cmocka_unit_test(the_wait_doubles_where_parts_grew_too_early),
        cmocka_unit_test(fine_levels_do_not_learn),
        cmocka_unit_test(there_is_a_finest_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
