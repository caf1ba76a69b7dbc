// SPDX-License-Identifier: MIT
// Elastic contact inside a step: the error of a reflection is corrected, and what is left is returned.
#include "../support.h"

static const carom_plane_def floor_plane = {.name = "floor", .normal = {0, 0, 1}};

static void under_gravity(bench *b, double restitution) {
    bench_start(b);
    memcpy(b->def.gravity, VECTOR(0, 0, -10), sizeof b->def.gravity);
    b->def.contact.restitution = restitution;
    b->def.contact.plane_count = 1;
    b->def.contact.planes = &floor_plane;
}

// A ball bounces under a constant force, wherever in a step it meets the floor: no energy is lost or found but by restitution.
static void constant_force(void **state) {
    (void)state;
    for (int e = 0; e < 2; e++) {
        bench b;
        double restitution = e ? 0.8 : 1, m = 2, height = 1;
        under_gravity(&b, restitution);
        bench_add_point(&b, VECTOR(0, 0, height), m, VECTOR(0.3, 0, 0));
        bench_simulate(&b, e ? 3 : 10, 0.0137);
        int bounces = 0;
        double before = 0;
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            carom_ledger_row row = bench_ledger(&b);
            assert_near(row.residual, 0, 1e-12);
            double v = carom_state_velocities(carom_sim_state(b.sim))[0][2];
            bounces += v > 0 && before < 0;
            before = v;
        }
        // the n-th loss is (1 - e^2) e^(2 (n - 1)) of the energy; flight is a chord of the parabola, which makes m (h g)^2/8 each time
        double left = pow(restitution, 2 * bounces), energy = m * 10 * height, chord = m * 0.137 * 0.137 / 8;
        assert_true(bounces >= 3);
        assert_near(bench_ledger(&b).restitution, energy * (1 - left), bounces * chord);
        bench_end(&b);
    }
}

// The largest residual of two bars that meet elastically and rattle, over their energy; and what is left of it in the end.
static double two_bars(double step, double *end) {
    bench b;
    bench_start(&b);
    b.def.contact.restitution = 1;
    bench_add_bar(&b, VECTOR(-1.001, 0, 0), VECTOR(-0.001, 0, 0), 20, VECTOR(0.1, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(&b, VECTOR(0.001, 0, 0), VECTOR(1.001, 0, 0), 25, VECTOR(-0.1, 0, 0), CAROM_BAR_SMALL);
    bench_simulate(&b, 3, step);
    double energy = bench_ledger(&b).total, largest = 0;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        largest = fmax(largest, fabs(bench_ledger(&b).residual) / energy);
    }
    carom_ledger_row row = bench_ledger(&b);
    assert_near(row.restitution, 0, 0);
    assert_near(row.projection, 0, 0);
    assert_near(row.momentum[0], 0, 1e-15);
    assert_true(carom_state_pair(carom_sim_state(b.sim), 0).events > 10);
    *end = fabs(row.residual) / energy;
    bench_end(&b);
    return largest;
}

// Pressed together they hit each other again and again, under forces that change; the error is one of second order.
static void rattle(void **state) {
    (void)state;
    double end[2], largest[2];
    for (int i = 0; i < 2; i++)
        largest[i] = two_bars(0.01 / (1 << (2 * i)), &end[i]);
    assert_true(largest[0] < 0.005 && end[0] < 0.001);
    assert_true(largest[1] < largest[0] / 8 && end[1] < 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(constant_force), cmocka_unit_test(rattle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
