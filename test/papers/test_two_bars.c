// SPDX-License-Identifier: MIT
// Cirak & West, section 6.1: two bars collide. Compared with the exact solution: the tips are together and at rest until
// t = 20, then they separate with velocities -0.1 and +0.1.
#include "../support.h"

typedef struct outcome {
    double release, momentum, energy_change, tip_error, tip_rms, gap, tip_speed, restitution, projection, residual;
    double largest_residual; // with the oscillation of leapfrog
    double unexplained;      // without it
} outcome;

static outcome collide(int resolve, double restitution, double step) {
    bench b;
    bench_start(&b);
    b.def.contact.resolve = resolve;
    b.def.contact.restitution = restitution;
    bench_add_bar(&b, VECTOR(-10, 0, 0), VECTOR(0, 0, 0), 100, VECTOR(0.1, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(10, 0, 0), 100, VECTOR(-0.1, 0, 0), CAROM_BAR_SMALL);
    bench_simulate(&b, 40, step);

    outcome o = {0};
    double start = bench_ledger(&b).total, squares = 0;
    int samples = 0;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        const carom_state *state = carom_sim_state(b.sim);
        const double(*x)[3] = carom_state_positions(state), (*v)[3] = carom_state_velocities(state);
        double t = carom_state_time(state), exact = t < 20 ? 0 : -0.1 * (t - 20);
        carom_ledger_row row = bench_ledger(&b);
        o.tip_error = fmax(o.tip_error, fmax(fabs(x[100][0] - exact), fabs(x[101][0] + exact)));
        o.momentum = fmax(o.momentum, fabs(row.momentum[0]));
        o.unexplained = fmax(o.unexplained, fabs(row.residual) / start);
        o.largest_residual = fmax(o.largest_residual, fabs(row.residual + row.oscillation) / start);
        // in contact, past the first bounces
        if (t > 1 && t < 19) {
            squares += v[100][0] * v[100][0];
            samples++;
        }
        if (t < 19) {
            o.gap = fmax(o.gap, fabs(x[101][0] - x[100][0]));
            o.tip_speed = fmax(o.tip_speed, fmax(fabs(v[100][0]), fabs(v[101][0])));
        }
    }
    carom_ledger_row row = bench_ledger(&b);
    o.energy_change = row.total / start - 1;
    o.restitution = row.restitution / start;
    o.projection = row.projection / start;
    o.residual = (row.residual + row.oscillation) / start;
    o.tip_rms = sqrt(squares / samples);
    o.release = carom_state_pair(carom_sim_state(b.sim), 0).last_contact;
    bench_end(&b);
    return o;
}

// The paper's scheme at its two steps.
static void projection(void **state) {
    (void)state;
    outcome coarse = collide(CAROM_RESOLVE_PROJECTION, 1, 0.05), fine = collide(CAROM_RESOLVE_PROJECTION, 1, 0.01);
    for (int i = 0; i < 2; i++) {
        outcome o = i ? fine : coarse;
        assert_near(o.release, 20, 0.3);
        assert_near(o.momentum, 0, 1e-14);
        assert_true(o.energy_change <= 0 && o.energy_change > -0.01);
        assert_near(o.tip_error, 0, 0.035);
        // the whole loss is that of contact, and is recorded in the column `projection`
        assert_near(o.restitution, 0, 0);
        assert_near(o.projection, -o.energy_change, 4e-4);
    }
    // rms 0.0134 and 0.0049
    assert_true(coarse.tip_rms > 2 * fine.tip_rms);
    assert_near(coarse.tip_rms, 0.0134, 1e-4);
    assert_near(fine.tip_rms, 0.0049, 1e-4);
}

// Contact at its exact time, leapfrog form: no oscillation at all, and the loss is the mass of the two tips stopped once,
// (h1 + h2)/(4 L) = 0.5 %.
static void drift(void **state) {
    (void)state;
    const double steps[3] = {0.05, 0.02, 0.01}, residual[3] = {3.4e-4, 5.3e-5, 1.3e-5};
    for (int i = 0; i < 3; i++) {
        outcome o = collide(CAROM_RESOLVE_EXACT, 0, steps[i]);
        assert_near(o.gap, 0, 1e-16);
        assert_near(o.tip_speed, 0, 1e-16);
        assert_near(o.release, 20, 0.15);
        assert_near(o.momentum, 0, 1e-14);
        assert_near(o.restitution, 0.005, 1e-12);
        assert_near(o.projection, 0, 1e-15);
        assert_near(o.tip_error, 0, 0.035);
        // second order: a step smaller by 5 leaves a residual smaller by 25
        assert_true(o.residual > 0 && o.residual < residual[i]);
        assert_true(o.largest_residual < 1.5 * residual[i]);
        // all of it is the oscillation of leapfrog
        assert_near(o.unexplained, 0, 1e-12);
    }
}

// Restitution 1 inside the drift: each impact conserves the kinetic energy; the tips collide many times, and the momentum is
// conserved.
static void repeated_elastic_impacts(void **state) {
    (void)state;
    outcome o = collide(CAROM_RESOLVE_EXACT, 1, 0.05);
    assert_near(o.restitution, 0, 0);
    assert_near(o.momentum, 0, 1e-14);
    assert_near(o.release, 20, 0.3);
    assert_true(fabs(o.energy_change) < 0.03);
    assert_near(o.residual, o.energy_change, 1e-12);
}

// The result does not depend on position and direction: the same impact along an oblique line far from the origin.
static void oblique_line(void **state) {
    (void)state;
    const double d[3] = {1 / sqrt(14), 2 / sqrt(14), 3 / sqrt(14)}, origin[3] = {1000, -300, 50};
    double from[3], middle[3], to[3], left[3], right[3];
    for (int i = 0; i < 3; i++) {
        from[i] = origin[i] - 10 * d[i], middle[i] = origin[i], to[i] = origin[i] + 10 * d[i];
        left[i] = 0.1 * d[i], right[i] = -0.1 * d[i];
    }
    bench b;
    bench_start(&b);
    bench_add_bar(&b, from, middle, 100, left, CAROM_BAR_SMALL);
    bench_add_bar(&b, middle, to, 100, right, CAROM_BAR_SMALL);
    bench_simulate(&b, 40, 0.05);
    bench_run(&b);
    carom_ledger_row row = bench_ledger(&b);
    const carom_state *s = carom_sim_state(b.sim);
    assert_near(row.restitution, 0.0005, 1e-9);
    assert_near(row.oscillation, 3.4e-5, 1e-6);
    assert_near(row.residual, 0, 1e-12);
    assert_near(carom_state_pair(s, 0).last_contact, 20.1, 0.051);
    assert_int_equal(carom_state_events(s, CAROM_EVENT_CONTACT_SETTLED), 0);
    assert_true(carom_state_contact_events(s) < 450);
    for (int i = 0; i < 3; i++)
        assert_near(row.momentum[i], 0, 1e-13);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(projection), cmocka_unit_test(drift),
                                       cmocka_unit_test(repeated_elastic_impacts), cmocka_unit_test(oblique_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
