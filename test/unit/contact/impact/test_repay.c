// SPDX-License-Identifier: MIT
// Tests src/contact/impact/repay.c.
// Elastic impacts inside a step: the energy error of a reflection is corrected, and the remainder is repaid at the next kicks.
#include "../../../collision.h"
#include "carom/threads.h"
#include "contact/impact/repay.h"

static const carom_plane_def floor_plane = {.name = "floor", .normal = {0, 0, 1}};

static void under_gravity(bench *b, double restitution) {
    bench_start(b);
    memcpy(b->def.gravity, VECTOR(0, 0, -10), sizeof b->def.gravity);
    b->def.contact.restitution = restitution;
    b->def.contact.plane_count = 1;
    b->def.contact.planes = &floor_plane;
}

// A ball bounces under a constant force: wherever in a step it meets the floor, energy changes by restitution only.
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
        // the n-th loss is (1 - e^2) e^(2 (n - 1)) of the energy; the drift follows a chord of the parabola, an error of
        // m (h g)^2/8
        double left = pow(restitution, 2 * bounces), energy = m * 10 * height, chord = m * 0.137 * 0.137 / 8;
        assert_true(bounces >= 3);
        assert_near(bench_ledger(&b).restitution, energy * (1 - left), bounces * chord);
        bench_end(&b);
    }
}

// A ball that comes to rest: all losses are recorded while it bounces. At rest m (h g)^2/8 is missing, which is no loss by
// contact: the kinetic energy in flight exceeds by this amount the energy that leapfrog conserves.
static void to_rest(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        bench b;
        double step = 0.03 / (1 << i), hump = step * step * 100 / 8;
        under_gravity(&b, 0.5);
        bench_add_point(&b, VECTOR(0, 0, 1), 1, VECTOR(0, 0, 0));
        bench_simulate(&b, 3, step);
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            carom_ledger_row row = bench_ledger(&b);
            double unexplained = row.residual + row.oscillation;
            assert_near(unexplained, row.kinetic > 1e-20 ? 0 : -hump, row.kinetic > 1e-20 ? 1e-12 : 1e-11);
            assert_near(row.residual, 0, 1e-11);
        }
        assert_near(bench_ledger(&b).kinetic, 0, 1e-20);
        bench_end(&b);
    }
}

// Two crossing ridges meet edge on edge; one of them is held or driven upwards. Returns the largest residual over the energy.
static double two_ridges(double e, bool obstacle_first, double speed, double friction, double step, carom_ledger_row *end) {
    char text[2000], obstacle[500], mover[500];
    const char *material = "element: hex8, material: {neo-hookean: {young: 1000, poisson: 0.3, density: 1}}";
    snprintf(obstacle, sizeof obstacle,
             "  - {name: w, mesh: {box: {from: [-2, -0.5, -0.5], to: [2, 0.5, 0.5], elements: [1, 1, 1]}}, %s,\n"
             "     place: {axis: [1, 0, 0], angle: 45, translate: [0, 0, -0.70710678]}}\n",
             material);
    snprintf(mover, sizeof mover,
             "  - {name: a, mesh: {box: {from: [-0.5, -2, -0.5], to: [0.5, 2, 0.5], elements: [1, 2, 1]}}, %s,\n"
             "     velocity: [0, 0, -1], place: {axis: [0, 1, 0], angle: 45, translate: [0.013, 0.2, 0.75710678]}}\n",
             material);
    snprintf(text, sizeof text,
             "integrator: newmark-dcr\ntime: {end: 0.25, step: %g}\nbodies:\n%s%s"
             "contact: {restitution: %g, friction: %g}\nrestraints: [{body: w, fix: xyz, velocity: [0.5, 0, %g]}]\n",
             step, obstacle_first ? obstacle : mover, obstacle_first ? mover : obstacle, e, friction, speed);
    collision c;
    collision_parse(&c, text);
    double energy = collision_ledger(&c).total, largest = 0;
    while (!carom_sim_done(c.sim)) {
        assert_ok(carom_sim_step(c.sim, error));
        largest = fmax(largest, fabs(collision_ledger(&c).residual) / energy);
    }
    *end = collision_ledger(&c);
    assert_true(carom_state_pair(carom_sim_state(c.sim), 0).events > 0);
    collision_end(&c);
    return largest;
}

// The energy error belongs to the body that can move, whichever side comes first in the contact.
static void obstacles(void **state) {
    (void)state;
    static const struct {
        double e, speed, friction;
    } cases[] = {{0.5, 0, 0}, {0.9, 0, 0}, {1, 0, 0}, {1, 5, 0}, {0.5, 5, 0}, {1, 0, 0.5}, {0.9, 0, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carom_ledger_row first, second, fine;
        double largest = two_ridges(cases[i].e, true, cases[i].speed, cases[i].friction, 0.002, &first);
        assert_true(largest < 4e-3);
        assert_true(two_ridges(cases[i].e, true, cases[i].speed, cases[i].friction, 0.0005, &fine) < largest / 4);
        two_ridges(cases[i].e, false, cases[i].speed, cases[i].friction, 0.002, &second);
        assert_near(second.restitution, first.restitution, 1e-9 * first.total);
        assert_near(second.kinetic, first.kinetic, 1e-9 * first.total);
    }
}

// The largest residual of two bars that collide elastically and rattle, over their energy; *end: the residual at the end.
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
        carom_ledger_row now = bench_ledger(&b);
        largest = fmax(largest, fabs(now.residual + now.oscillation) / energy);
        // the whole residual is the open account
        assert_near(now.residual, now.account, 1e-12 * energy);
    }
    carom_ledger_row row = bench_ledger(&b);
    assert_near(row.restitution, 0, 0);
    assert_near(row.projection, 0, 0);
    assert_near(row.momentum[0], 0, 1e-15);
    assert_true(carom_state_pair(carom_sim_state(b.sim), 0).events > 10);
    *end = fabs(row.residual + row.oscillation) / energy;
    bench_end(&b);
    return largest;
}

// Pressed together, the bars collide repeatedly under varying forces; the error is of second order in the step.
static void rattle(void **state) {
    (void)state;
    double end[2], largest[2];
    for (int i = 0; i < 2; i++)
        largest[i] = two_bars(0.01 / (1 << (2 * i)), &end[i]);
    assert_true(largest[0] < 0.005 && end[0] < 0.001);
    assert_true(largest[1] < largest[0] / 8 && end[1] < 1e-4);
}

// An elastic ball with friction lies on the floor under a load: it must slide as far as Coulomb's law predicts, although kicks
// return a part of the normal impulses. Returns its position.
static double slide(double speed, double slope, double time, double step) {
    bench b;
    under_gravity(&b, 1);
    b.def.gravity[0] = 10 * slope;
    b.def.contact.friction = 0.5;
    bench_add_point(&b, VECTOR(0, 0, 0), 2, VECTOR(speed, 0, 0));
    bench_simulate(&b, time, step);
    double friction = 0, hump = 2 * step * step * 100 / 8;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        carom_ledger_row row = bench_ledger(&b);
        assert_true(row.friction >= friction);
        assert_near(row.residual, 0, 1.01 * hump);
        friction = row.friction;
    }
    double way = carom_state_positions(carom_sim_state(b.sim))[0][0];
    bench_end(&b);
    return way;
}

static void pressed_friction(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        double step = 0.004 / (1 << i);
        // v^2/(2 mu g), up to second order in the step; on slopes below mu it sticks, above it slides by (slope - mu) g t^2/2
        assert_near(slide(1, 0, 0.4, step), 0.1, 5 * step * step);
        assert_near(slide(0, 0.2, 0.4, step), 0, 1e-15);
        assert_near(slide(0, 0.45, 0.4, step), 0, 1e-15);
        assert_near(slide(0, 0.8, 0.4, step), 0.24, 1e-12);
    }
}

enum { MANY = 5001 };

// The velocity change kept for the next drift is the same for all nodes at once, for nodes in a list, and on any number of
// threads; it is half of the change if other forces cause the other half.
static void kept_kicks(void **state) {
    (void)state;
    double(*v)[3] = calloc(5 * MANY, sizeof *v), *mass = calloc(MANY, sizeof *mass);
    int *list = calloc(MANY, sizeof *list);
    assert_true(v && mass && list);
    double(*before)[3] = v, (*after)[3] = v + MANY, (*kick)[3] = v + 2 * MANY, (*listed)[3] = v + 3 * MANY;
    double(*other)[3] = v + 4 * MANY;
    uint64_t seed = 7;
    for (int k = 0; k < MANY; k++) {
        mass[k] = 2;
        list[k] = k;
        for (int i = 0; i < 3; i++) {
            before[k][i] = random_real(&seed, -1, 1);
            after[k][i] = random_real(&seed, -1, 1);
        }
    }
    carom_repay_space space = {0};
    carom_impacts impacts = {0};
    carom_contact_interval all = {.mobility.mass = mass, .node_count = MANY, .kick_part = 0.3, .step = 0.5}, some = all;
    some.nodes = list;
    for (int threads = 1; threads <= 3; threads++) {
        carom_set_threads(threads);
        memset(kick, 0, MANY * sizeof *kick);
        carom_repay_measure(&all, &space, NULL, NULL, (const double(*)[3])before, (const double(*)[3])after, &impacts, kick);
        carom_repay_measure(&some, &space, NULL, NULL, (const double(*)[3])before, (const double(*)[3])after, &impacts, listed);
        assert_memory_equal(kick, listed, MANY * sizeof *kick);
        for (int k = 0; k < MANY; k++)
            for (int i = 0; i < 3; i++) {
                assert_true(kick[k][i] == (after[k][i] - before[k][i]) / 0.3);
                other[k][i] = kick[k][i] * 2;
            }
    }
    all.other = (const double(*)[3])other;
    carom_repay_measure(&all, &space, NULL, NULL, (const double(*)[3])before, (const double(*)[3])after, &impacts, kick);
    for (int k = 0; k < MANY; k++)
        for (int i = 0; i < 3; i++)
            assert_true(kick[k][i] == 0.5 * listed[k][i]);
    carom_set_threads(1);
    free(v);
    free(mass);
    free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(constant_force),   cmocka_unit_test(to_rest),
                                       cmocka_unit_test(obstacles),        cmocka_unit_test(rattle),
                                       cmocka_unit_test(pressed_friction), cmocka_unit_test(kept_kicks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
