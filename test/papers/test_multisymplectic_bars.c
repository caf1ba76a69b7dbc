// SPDX-License-Identifier: MIT
// Demoures et al., section 4: two bars collide, six sets of data, contact time integrators 1 and 2. Against the exact solution
// by characteristics: the tips stay together until the first wave returns, with the velocity and force that the impedances
// give.
#include "../support.h"
#include "model/state.h"
#include "model/state/accounts.h"

typedef struct bar {
    double length, mass, young;
    int elements;
    double velocity;
} bar;

// What the exact solution says: when the force ends after the contact at `contact`, impulse, and velocities of the mass
// centres.
typedef struct experiment {
    const char *name;
    bar left, right;
    double contact, release, impulse, after[2];
} experiment;

static const experiment experiments[] = {
    {"1", {10, 1, 1, 50, 0.1}, {10, 1, 1, 50, -0.1}, 1, 20, 2, {-0.1, 0.1}},
    {"2", {10, 1, 1, 50, 0.1}, {10, 5, 1, 50, -0.1}, 1, 20, 2.7639320, {-0.1763932, -0.0447214}},
    {"3", {10, 1, 1, 50, 0.1}, {10, 1, 5, 50, -0.1}, 1, 20, 1.7507764, {-0.0750776, 0.0750776}},
    {"4", {10, 1, 1, 50, 0.1}, {5, 1, 1, 25, -0.1}, 1, 10, 1, {0, 0.1}},
    {"5", {10, 1, 1, 50, 0.1}, {10, 1, 1, 25, -0.1}, 1, 20, 2, {-0.1, 0.1}},
    {"6", {10, 1, 1, 50, 0}, {10, 1, 1, 50, -1}, 0.2, 20, 10, {-1, 0}},
};
enum { SETS = sizeof experiments / sizeof *experiments };

typedef struct outcome {
    double energy, momentum, penetration, release, impulse, after[2];
    double shown; // error of the momentum of the velocities of the state
    double tip;   // largest velocity of the virtual tip while closed
    int64_t events;
} outcome;

static void add(bench *b, const bar *rod, double at) {
    int i = b->def.body_count;
    bench_add_bar(b, VECTOR(at, 0, 0), VECTOR(at + rod->length, 0, 0), rod->elements, VECTOR(rod->velocity, 0, 0),
                  CAROM_BAR_SMALL);
    b->materials[i] = (carom_elastic_params){.young = rod->young, .density = rod->mass};
}

// The momentum of the velocities of the state, and the mass.
static double body_momentum(const carom_sim *sim, int body, double *m) {
    const carom_model *model = carom_sim_model(sim);
    const double *mass = carom_model_mass(model), (*v)[3] = carom_state_velocities(carom_sim_state(sim));
    double p = *m = 0;
    int begin = carom_model_body_begin(model, body);
    for (int k = begin; k < begin + carom_model_body_size(model, body); k++)
        p += mass[k] * v[k][0], *m += mass[k];
    return p;
}

static double centre_velocity(const carom_sim *sim, int body) {
    double m, p = body_momentum(sim, body, &m);
    return p / m;
}

static outcome collide(const experiment *e, int integrator, double step) {
    bench b;
    bench_start(&b);
    b.def.contact.restitution = 1;
    add(&b, &e->left, -e->left.length);
    add(&b, &e->right, 0.2);
    carom_multisymplectic_params params = {.contact_integrator = integrator, .contact_rule = CAROM_RULE_PRINTED};
    bench_simulate_by(&b, "multisymplectic", &params, 40, step);

    outcome o = {0};
    carom_ledger_row first = bench_ledger(&b);
    int tip = e->left.elements;
    double mass, before = NAN; // the tip at the step before, if it was closed there
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        carom_ledger_row row = bench_ledger(&b);
        const carom_state *state = carom_sim_state(b.sim);
        const double(*x)[3] = carom_state_positions(state);
        o.energy = fmax(o.energy, fabs(row.total - first.total) / first.total);
        o.momentum = fmax(o.momentum, fabs(row.momentum[0] - first.momentum[0]));
        o.penetration = fmax(o.penetration, row.penetration);
        bool closed = x[tip + 1][0] - x[tip][0] < 1e-12;
        if (closed && isfinite(before))
            o.tip = fmax(o.tip, fabs(x[tip][0] - before) / step);
        before = closed ? x[tip][0] : NAN;
        double shown = body_momentum(b.sim, 0, &mass) + body_momentum(b.sim, 1, &mass);
        o.shown = fmax(o.shown, fabs(shown - first.momentum[0]));
    }
    carom_pair_record pair = carom_state_pair(carom_sim_state(b.sim), 0);
    assert_near(pair.first_contact, e->contact, 1e-12);
    o.release = pair.last_contact - pair.first_contact;
    o.impulse = pair.impulse;
    o.events = pair.events;
    for (int i = 0; i < 2; i++)
        o.after[i] = centre_velocity(b.sim, i);
    bench_end(&b);
    return o;
}

static void all_sets(void **state) {
    (void)state;
    for (int i = 0; i < SETS; i++) {
        const experiment *e = &experiments[i];
        double closing = e->left.velocity - e->right.velocity;
        for (int integrator = 1; integrator <= 2; integrator++) {
            outcome o = collide(e, integrator, 0.015);
            assert_near(o.momentum, 0, 1e-13);
            assert_near(o.shown, 0, 1e-13);
            assert_true(o.energy < (integrator == 1 ? 2e-3 : 4e-4));
            assert_true(o.penetration < 1e-15);
            assert_near(o.release, e->release, 0.5);
            // waves of the mesh take 2 % of the impulse at most
            assert_near(o.impulse, e->impulse, 0.02 * e->impulse);
            for (int k = 0; k < 2; k++)
                assert_near(o.after[k], e->after[k], 0.02 * closing);
            // integrator 1 rattles, integrator 2 stays closed
            assert_true(integrator == 1 ? o.events > 30 : o.events <= (i == 2 ? 40 : 6));
        }
    }
}

// The energy error falls with the square of the step: smoothly for integrator 2, on the whole for the rattling of integrator 1.
static void second_order(void **state) {
    (void)state;
    for (int i = 0; i < SETS; i++)
        for (int integrator = 1; integrator <= 2; integrator++) {
            outcome coarse = collide(&experiments[i], integrator, 0.015);
            outcome fine = collide(&experiments[i], integrator, 0.015 / 16);
            assert_true(fine.energy < coarse.energy / (integrator == 1 ? 50 : 180));
            assert_true(fine.energy < (integrator == 1 ? 5e-6 : 1.5e-6));
        }
}

// The point of integrator 2: between bars that mirror each other the tip does not move.
static void tip_at_rest(void **state) {
    (void)state;
    outcome o = collide(&experiments[0], 2, 0.015);
    assert_true(o.tip < 1e-12);
    assert_true(o.events < 6);
}

// A bar against a wall is one half of that: it leaves as fast as it came, after 2 L/c, and the wall gave 2 m v.
static void wall(void **state) {
    (void)state;
    for (int integrator = 1; integrator <= 2; integrator++) {
        bench b;
        bench_start(&b);
        carom_plane_def plane = {.name = "wall", .point = {0.1, 0, 0}, .normal = {-1, 0, 0}};
        b.def.contact.restitution = 1;
        b.def.contact.plane_count = 1;
        b.def.contact.planes = &plane;
        add(&b, &experiments[0].left, -10);
        carom_multisymplectic_params params = {.contact_integrator = integrator, .contact_rule = CAROM_RULE_PRINTED};
        bench_simulate_by(&b, "multisymplectic", &params, 40, 0.015);
        carom_ledger_row first = bench_ledger(&b);
        bench_run(&b);
        carom_ledger_row last = bench_ledger(&b);
        carom_pair_record pair = carom_state_pair(carom_sim_state(b.sim), 0);
        assert_near(pair.first_contact, 1, 1e-12);
        assert_near(pair.last_contact, 21, 0.5);
        assert_near(pair.impulse, 2, 0.04);
        // all that the bar lost went into the wall
        assert_near(last.momentum[0] + pair.impulse, first.momentum[0], 1e-13);
        assert_true(fabs(last.residual) < 1e-3 * first.total);
        bench_end(&b);
    }
}

// Five bars in a row, touching: the last one leaves with the velocity of the first.
static void cradle(void **state) {
    (void)state;
    for (int integrator = 1; integrator <= 2; integrator++) {
        bench b;
        bench_start(&b);
        b.def.contact.restitution = 1;
        bar rod = {2, 1, 1, 40, 0};
        for (int i = 0; i < 5; i++) {
            rod.velocity = i == 0 ? 0.05 : 0;
            add(&b, &rod, 2 * i - (i == 0 ? 0.1 : 0));
        }
        carom_multisymplectic_params params = {.contact_integrator = integrator, .contact_rule = CAROM_RULE_PRINTED};
        bench_simulate_by(&b, "multisymplectic", &params, 20, 0.005);
        carom_ledger_row first = bench_ledger(&b);
        bench_run(&b);
        carom_ledger_row last = bench_ledger(&b);
        assert_near(last.momentum[0], first.momentum[0], 1e-14);
        assert_true(fabs(last.residual) < 0.01 * first.total);
        assert_near(centre_velocity(b.sim, 0), 0, 0.05 * 0.1);
        assert_near(centre_velocity(b.sim, 4), 0.05, 0.05 * 0.1);
        bench_end(&b);
    }
}

// A row of equal point masses is a cradle too, exact; all hits at one time.
static void simultaneous(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    b.def.contact.restitution = 1;
    bench_add_point(&b, VECTOR(-1, 0, 0), 2, VECTOR(1, 0, 0));
    for (int i = 0; i < 4; i++)
        bench_add_point(&b, VECTOR(1e-9 * i, 0, 0), 2, VECTOR(0, 0, 0));
    bench_add_point(&b, VECTOR(1, 0, 0), 2, VECTOR(-1, 0, 0));
    carom_multisymplectic_params params = {.contact_integrator = 1, .contact_rule = CAROM_RULE_PRINTED};
    bench_simulate_by(&b, "multisymplectic", &params, 1.5, 0.3);
    bench_run(&b);
    const double(*v)[3] = carom_state_velocities(carom_sim_state(b.sim));
    const double expected[6] = {-1, 0, 0, 0, 0, 1};
    for (int k = 0; k < 6; k++)
        assert_near(v[k][0], expected[k], 1e-7);
    assert_near(bench_ledger(&b).residual, 0, 1e-14);
    bench_end(&b);
}

// Bars pushed against a wall and each other for a long time: weak contacts without end. Nothing passes through, all momentum is
// booked, and what settling them costs stays small.
static void pressed(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    carom_plane_def plane = {.name = "wall", .normal = {-1, 0, 0}};
    carom_load_def push = {.where = {.body = "body0", .set = "start", .node = CAROM_AUTO}, .force = {0.01, 0, 0}};
    b.def.contact.restitution = 1;
    b.def.contact.plane_count = 1;
    b.def.contact.planes = &plane;
    b.def.load_count = 1;
    b.def.loads = &push;
    bar rod = {2, 1, 1, 10, 0};
    add(&b, &rod, -4);
    add(&b, &rod, -2);
    carom_multisymplectic_params params = {.contact_integrator = 1, .contact_rule = CAROM_RULE_PRINTED};
    bench_simulate_by(&b, "multisymplectic", &params, 60, 0.02);
    double energy = 0, most = 0;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        carom_ledger_row row = bench_ledger(&b);
        const carom_state *now = carom_sim_state(b.sim);
        assert_true(row.penetration < 1e-12);
        assert_near(row.momentum[0], carom_accounts_value(&now->books.booked).impulse[0], 1e-13);
        energy = fmax(energy, fabs(row.total));
        most = fmax(most, row.internal + row.kinetic);
    }
    assert_true(most > 1e-4 && energy < 0.01 * most);
    bench_end(&b);
}

static void refusals(void **state) {
    (void)state;
    carom_sim *sim;
    carom_time_def time = carom_default_time_def();
    time.end = 1, time.step = 0.01;
    carom_multisymplectic_params params = {.contact_integrator = 2};
    carom_pick pick = {carom_catalogue_find(carom_integrators(), "multisymplectic"), &params};
    bench b;

    // losses
    bench_start(&b);
    add(&b, &experiments[0].left, -10);
    add(&b, &experiments[0].right, 0.2);
    bench_build(&b);
    assert_refused(carom_sim_create(b.model, pick, &time, &sim, error), CAROM_BAD_INPUT, "restitution: 1");
    bench_end(&b);

    // ghosts need bars
    bench_start(&b);
    b.def.contact.restitution = 1;
    bench_add_point(&b, VECTOR(0, 0, 0), 1, VECTOR(0, 0, 0));
    bench_add_point(&b, VECTOR(1, 0, 0), 1, VECTOR(0, 0, 0));
    bench_build(&b);
    assert_refused(carom_sim_create(b.model, pick, &time, &sim, error), CAROM_BAD_INPUT, "needs a bar");
    bench_end(&b);

    // of two elements
    bench_start(&b);
    b.def.contact.restitution = 1;
    bar rod = {2, 1, 1, 1, 0};
    for (int i = 0; i < 3; i++)
        add(&b, &rod, 3 * i);
    bench_build(&b);
    assert_refused(carom_sim_create(b.model, pick, &time, &sim, error), CAROM_BAD_INPUT, "at least two elements");
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sets), cmocka_unit_test(second_order), cmocka_unit_test(tip_at_rest), cmocka_unit_test(wall),
        cmocka_unit_test(cradle),   cmocka_unit_test(simultaneous), cmocka_unit_test(pressed),     cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
