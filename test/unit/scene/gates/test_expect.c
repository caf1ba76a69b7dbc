// SPDX-License-Identifier: MIT
// Tests src/scene/gates/expect.c.
// Conditions of `expect`, and the quantities to which they apply.
#include "../../../support.h"
#include "scene/expect.h"

static bool holds(const char *text, double value) {
    carom_condition condition;
    if (!carom_condition_parse(text, &condition))
        fail_msg("'%s' is not read", text);
    return carom_condition_holds(&condition, value);
}

static void conditions(void **state) {
    (void)state;
    assert_true(holds("< 1", 0.999));
    assert_false(holds("< 1", 1));
    assert_true(holds("<= 1", 1));
    assert_false(holds("<=1", 1.001));
    assert_true(holds("> -1e-3", 0));
    assert_false(holds("> 0", 0));
    assert_true(holds(">=0", 0));
    assert_true(holds("== 3", 3));
    assert_false(holds("== 3", 3.0000001));
    assert_true(holds("0", 0));
    assert_true(holds(" 19.7 .. 20.3 ", 19.7));
    assert_true(holds("19.7..20.3", 20.3));
    assert_false(holds("19.7 .. 20.3", 20.31));
    assert_true(holds("-.5...5", 0.25));
    static const char *const all[] = {"< 1", "<= 1", "> 1", ">= 1", "== 1", "1", "-1 .. 1"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_false(holds(all[i], NAN));
}

static void faulty_conditions(void **state) {
    (void)state;
    static const char *const bad[] = {"",     "<",      "< <1",  "=< 1",  "= 1",  "small",  "1 2",         "1 ..",
                                      ".. 1", "2 .. 1", "< nan", "< inf", "!= 1", "< 0x10", "1 .. 2 .. 3", "< 1 .. 2"};
    carom_condition condition;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (carom_condition_parse(bad[i], &condition))
            fail_msg("'%s' is read", bad[i]);
}

static double value_of(const char *name, const carom_summary *summary) {
    carom_subject subject;
    char hint[128];
    if (!carom_subject_find(name, NULL, 0, &subject, hint, sizeof hint))
        fail_msg("%s is unknown", name);
    return carom_subject_value(&subject, NULL, NULL, summary);
}

static void quantities(void **state) {
    (void)state;
    carom_pair_record pairs[] = {{.first_contact = 2, .last_contact = 3}, {.first_contact = 1, .last_contact = 5}};
    carom_summary summary = {
        .steps = 7,
        .contact_events = 4,
        .energy_error = 0.25,
        .momentum_error = 1e-15,
        .angular_momentum_error = 2e-15,
        .max_penetration = 0.5,
        .intersections = 6,
        .energy_scale = 2,
        .first = {.total = 3},
        .last = {.total = 2, .restitution = 0.5, .friction = 0.25, .projection = -0.125, .residual = -0.0625},
        .events = {1, 2},
        .pair_count = 2,
        .pairs = pairs,
    };
    assert_true(value_of("steps", &summary) == 7);
    assert_true(value_of("contact_events", &summary) == 4);
    assert_true(value_of("energy_error", &summary) == 0.25);
    assert_true(value_of("momentum_error", &summary) == 1e-15);
    assert_true(value_of("angular_momentum_error", &summary) == 2e-15);
    assert_true(value_of("max_penetration", &summary) == 0.5);
    assert_true(value_of("intersections", &summary) == 6);
    assert_true(value_of("first_contact", &summary) == 1);
    assert_true(value_of("last_contact", &summary) == 5);
    assert_true(value_of("restitution_loss", &summary) == 0.25);
    assert_true(value_of("friction_loss", &summary) == 0.125);
    assert_true(value_of("projection_loss", &summary) == -0.0625);
    assert_true(value_of("energy_change", &summary) == -0.5);
    assert_true(value_of("final_residual", &summary) == 0.03125);
    assert_true(value_of("numerical_events", &summary) == 3);

    // quantities of events that did not occur have no value
    carom_summary quiet = {.energy_scale = 0};
    assert_true(isnan(value_of("first_contact", &quiet)));
    assert_true(isnan(value_of("last_contact", &quiet)));
    assert_true(isnan(value_of("macroscopic_restitution", &quiet)));
    assert_true(value_of("restitution_loss", &quiet) == 0);

    // every row of the table has a name and a description
    int count;
    const carom_quantity *table = carom_quantities(&count);
    for (int i = 0; i < count; i++)
        assert_true(table[i].doc[strlen(table[i].doc) - 1] == '.');
}

static void probe_columns(void **state) {
    (void)state;
    carom_probe_def probes[] = {{.name = "tip", .displacement = true}, {.name = "end", .position = true, .velocity = true}};
    carom_subject subject;
    char hint[128];
    assert_true(carom_subject_find("tip.uy", probes, 2, &subject, hint, sizeof hint));
    assert_null(subject.quantity);
    assert_int_equal(subject.probe, 0);
    assert_int_equal(subject.column, 4);
    assert_true(carom_subject_find("end.z", probes, 2, &subject, hint, sizeof hint));
    assert_int_equal(subject.probe, 1);
    assert_false(carom_subject_find("tip.vx", probes, 2, &subject, hint, sizeof hint));
    assert_string_equal(hint, ": add `velocity` to `record` of probe 'tip'");
    assert_false(carom_subject_find("energy", probes, 2, &subject, hint, sizeof hint));
    assert_false(carom_subject_find("last_contct", probes, 2, &subject, hint, sizeof hint));
    assert_string_equal(hint, " (did you mean 'last_contact'?)");
    probes[1].angular_velocity = true;
    assert_true(carom_subject_find("end.wy", probes, 2, &subject, hint, sizeof hint));
    assert_int_equal(subject.column, 13);
    assert_false(carom_subject_find("end.py", probes, 2, &subject, hint, sizeof hint));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions),
        cmocka_unit_test(faulty_conditions),
        cmocka_unit_test(quantities),
        cmocka_unit_test(probe_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
