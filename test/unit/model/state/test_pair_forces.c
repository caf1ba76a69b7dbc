// SPDX-License-Identifier: MIT
// Tests src/model/state/pair_forces.c.
// Peak forces of pairs against closed forms: the impulse of a bouncing point mass, the weight of one at rest.
#include "../../../support.h"
#include "carom/contact.h"
#include "carom/run.h"
#include "model/state/pair_forces.h"

static const carom_plane_def floor_plane = {.name = "floor", .normal = {0, 0, 1}};

static void on_floor(bench *b, double height, double speed, double gravity, double restitution) {
    bench_start(b);
    bench_add_point(b, VECTOR(0, 0, height), 3, VECTOR(0, 0, -speed));
    memcpy(b->def.gravity, VECTOR(0, 0, -gravity), sizeof b->def.gravity);
    b->def.contact.planes = &floor_plane;
    b->def.contact.plane_count = 1;
    b->def.contact.restitution = restitution;
    bench_simulate(b, 1, 0.01);
}

// Mass 3 with speed 2 is reflected: the impulse is 2 m v, the force is this over the window, and the contact time is one
// window.
static void one_bounce(void **state) {
    (void)state;
    for (int steps = 1; steps <= 10; steps++) {
        bench b;
        on_floor(&b, 0.5, 2, 0, 1);
        carom_sim_set_force_window(b.sim, 0.01 * steps);
        double window = carom_sim_force_window(b.sim);
        assert_near(window, 0.01 * steps, 1e-15);
        bench_run(&b);
        carom_pair_record pair = carom_state_pair(carom_sim_state(b.sim), 0);
        assert_near(pair.impulse, 12, 1e-13);
        assert_near(pair.peak_force, 12 / window, 1e-10 / window);
        // the window in which the mass arrives, at t = 0.25
        assert_true(pair.peak_time >= 0.25 - 1e-12 && pair.peak_time <= 0.25 + window + 0.01 + 1e-12);
        assert_near(pair.contact_time, window, 1e-12);
        assert_near(pair.last_contact, pair.first_contact, 1e-12);
        assert_near(carom_summary_restitution(b.sim, &pair), 1, 1e-13);
        bench_end(&b);
    }
}

// At rest the force is the weight in every window except the first, which includes the half kick of the start.
static void weight(void **state) {
    (void)state;
    bench b;
    on_floor(&b, 0, 0, 10, 0);
    carom_sim_set_force_window(b.sim, 0.1);
    bench_run(&b);
    carom_pair_record pair = carom_state_pair(carom_sim_state(b.sim), 0);
    assert_near(pair.peak_force, 30 * (1 + 0.5 * 0.01 / 0.1), 30 * 0.05);
    assert_true(pair.peak_force > 29.9);
    assert_near(pair.contact_time, 1, 1e-12);
    // a pair in contact has no restitution
    assert_true(isnan(carom_summary_restitution(b.sim, &pair)));
    bench_end(&b);
}

// An incomplete window counts with its full length, so that the peak is not that of a short time.
static void unfinished_window(void **state) {
    (void)state;
    bench b;
    on_floor(&b, 0.5, 2, 0, 1);
    carom_sim_set_force_window(b.sim, 0.2);
    double before = 0;
    for (int i = 0; i < 40; i++) {
        assert_ok(carom_sim_step(b.sim, error));
        const carom_state *now = carom_sim_state(b.sim);
        double peak = carom_state_pair_count(now) ? carom_state_pair(now, 0).peak_force : 0;
        assert_true(peak <= 12 / 0.2 + 1e-9);
        assert_true(peak >= before - 1e-12);
        before = peak;
    }
    assert_near(before, 60, 1e-9);
    // reading the record does not change it
    carom_pair_record a = carom_state_pair(carom_sim_state(b.sim), 0), again = carom_state_pair(carom_sim_state(b.sim), 0);
    assert_memory_equal(&a, &again, sizeof a);
    bench_end(&b);
}

// The automatic window is a thousandth of the run, one step here; the window cannot be changed after the first step.
static void automatic(void **state) {
    (void)state;
    bench b;
    on_floor(&b, 0.5, 2, 0, 1);
    assert_near(carom_sim_force_window(b.sim), 0.01, 1e-15);
    assert_ok(carom_sim_step(b.sim, error));
    carom_sim_set_force_window(b.sim, 0.5);
    assert_near(carom_sim_force_window(b.sim), 0.01, 1e-15);
    bench_end(&b);

    // for elastic bodies it is at least four stable steps
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 4, VECTOR(1, 0, 0), CAROM_BAR_SMALL);
    bench_simulate(&b, 1, 0.125);
    assert_near(carom_sim_force_window(b.sim), 1, 1e-12);
    bench_end(&b);
}

// Just after the last contact it is not known whether a pair has separated.
static void parting(void **state) {
    (void)state;
    bench b;
    on_floor(&b, 0.5, 2, 0, 0.5);
    carom_sim_set_force_window(b.sim, 0.1);
    while (carom_state_pair_count(carom_sim_state(b.sim)) == 0)
        assert_ok(carom_sim_step(b.sim, error));
    for (int i = 0; i < 20; i++) {
        carom_pair_record pair = carom_state_pair(carom_sim_state(b.sim), 0);
        double passed = carom_state_time(carom_sim_state(b.sim)) - pair.last_contact;
        double found = carom_summary_restitution(b.sim, &pair);
        if (passed < 0.1)
            assert_true(isnan(found));
        else
            assert_near(found, 0.5, 1e-13);
        // if the centres of mass do not separate, there is no restitution, rather than a negative one
        pair.separation = -1;
        assert_true(isnan(carom_summary_restitution(b.sim, &pair)));
        assert_ok(carom_sim_step(b.sim, error));
    }
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_bounce), cmocka_unit_test(weight),  cmocka_unit_test(unfinished_window),
        cmocka_unit_test(automatic),  cmocka_unit_test(parting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
