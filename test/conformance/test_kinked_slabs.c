// SPDX-License-Identifier: MIT
// multisymplectic: elastic bounces by the hundred keep energy and momentum, for bars on a floor, between walls, against each
// other, driven, at any step up to half the stable one, in any units, and for beams; nothing overlaps.
#include "../support.h"
#include "model/model.h"
#include "model/state.h"
#include "model/state/ledger.h"

static const carom_multisymplectic_params kinked = {.contact_integrator = 1};
static const carom_multisymplectic_params tips = {.contact_integrator = 2};
static const carom_multisymplectic_params printed = {.contact_integrator = 1, .contact_rule = CAROM_RULE_PRINTED};

// A run: the largest and the last part of an energy that the books do not explain, momentum that nobody booked, overlap.
typedef struct outcome {
    double residual, last, account, largest, momentum, penetration;
    int64_t events;
} outcome;

static outcome watch(bench *b, double scale) {
    outcome o = {0};
    double start[3];
    const carom_books *books = &carom_sim_state(b->sim)->books;
    memcpy(start, bench_ledger(b).momentum, sizeof start);
    while (!carom_sim_done(b->sim)) {
        assert_ok(carom_sim_step(b->sim, error));
        carom_ledger_row row = bench_ledger(b);
        o.last = row.residual / scale;
        o.residual = fmax(o.residual, fabs(o.last));
        o.account = row.account / scale;
        o.largest = row.largest_account / scale;
        o.penetration = fmax(o.penetration, row.penetration);
        carom_accounts now = carom_ledger_accounts(carom_sim_state(b->sim));
        for (int i = 0; i < 3; i++)
            o.momentum = fmax(o.momentum, fabs(row.momentum[i] - start[i] - now.impulse[i]));
    }
    o.events = books->contact_events;
    return o;
}

// The book of an elastic bounce has nothing open but the account, which has `limit` at most.
static void check(const outcome *o, double limit, double momentum) {
    if (!(o->residual < limit + 1e-11) || !(o->largest < limit))
        fail_msg("residual %g, account %g, limit %g", o->residual, o->largest, limit);
    assert_near(o->last, o->account, 1e-11);
    assert_true(o->momentum < 1e-13 * momentum);
    assert_true(o->penetration < 1e-14);
}

// The speed of impact, in units of the wave speed.
static const double impact_speed = 0.05;

// A bar falls on a floor; length, mass, and wave speed are the units.
static void drop(bench *b, int elements, double part, double end, double length, double time, carom_bar_strain strain,
                 const carom_multisymplectic_params *method) {
    static const carom_plane_def floor = {.name = "floor", .normal = {0, 0, 1}};
    double speed = length / time;
    bench_start(b);
    b->def.gravity[2] = -0.01 * speed / time;
    b->def.contact.restitution = 1;
    b->def.contact.plane_count = 1;
    b->def.contact.planes = &floor;
    bench_add_bar(b, VECTOR(0, 0, 0.01 * length), VECTOR(0, 0, 1.01 * length), elements, VECTOR(0, 0, -impact_speed * speed),
                  strain);
    b->materials[0].young = speed * speed;
    bench_simulate_by(b, "multisymplectic", method, end * time, part * time / elements);
}

// What is open at a time is small and does not grow; the limits are about twice the largest of ten thousand bounces.
static void bounces(void **state) {
    (void)state;
    static const struct {
        int elements;
        double part, limit;
    } cases[] = {{1, 0.25, 1e-3}, {1, 0.5, 0.02},  {2, 0.25, 5e-4},  {2, 0.5, 0.01},   {4, 0.25, 2e-4},
                 {4, 0.5, 0.007}, {4, 0.63, 0.02}, {16, 0.5, 0.005}, {16, 0.25, 2e-4}, {4, 0.05, 1e-9}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bench b;
        double energy = 0.5 * impact_speed * impact_speed + 1e-4;
        // a bounce takes 12 units of time
        drop(&b, cases[c].elements, cases[c].part, 1200, 1, 1, CAROM_BAR_SMALL, &kinked);
        outcome o = watch(&b, energy);
        assert_true(o.events > 100);
        // gravity has brought an impulse of 12
        check(&o, cases[c].limit, 12);
        bench_end(&b);
    }
}

// Virtual tips close and open inside slabs. Their limit is about half of the stable step; at 0.45 of that accounts are open for
// some steps.
static void virtual_tips(void **state) {
    (void)state;
    static const struct {
        int elements;
        double part, limit;
    } cases[] = {{2, 0.1, 1e-3},  {2, 0.25, 0.01}, {4, 0.05, 1e-4},  {4, 0.1, 1e-3},
                 {4, 0.25, 0.01}, {16, 0.1, 1e-3}, {16, 0.25, 0.01}, {4, 0.4, 0.1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        bench b;
        drop(&b, cases[c].elements, cases[c].part, 1200, 1, 1, CAROM_BAR_SMALL, &tips);
        outcome o = watch(&b, 0.5 * impact_speed * impact_speed + 1e-4);
        assert_true(o.events > 100);
        check(&o, cases[c].limit, 12);
        bench_end(&b);
    }
}

// A beam that falls on its end (`lean` 0) or tumbles. Returns its largest energy error after half of the time.
static double tumble(double lean, double part, const carom_multisymplectic_params *method) {
    static const carom_plane_def floor = {.name = "floor", .normal = {0, 0, 1}};
    static const carom_elastic_params law = {.young = 1, .density = 1, .poisson = 0.3};
    static const carom_exact_beam_params section = {.section = CAROM_SECTION_RECTANGLE,
                                                    .width = 0.2,
                                                    .height = 0.3,
                                                    .axis = {0, 1, 0},
                                                    .shear_factor = 1,
                                                    .torsion_factor = 1};
    bench b;
    bench_start(&b);
    b.def.gravity[2] = -0.01;
    b.def.contact.restitution = 1;
    b.def.contact.plane_count = 1;
    b.def.contact.planes = &floor;
    carom_line_params line = {.from = {0, 0, 0.1}, .to = {lean, 0, 1}, .elements = 4};
    carom_body_def *body = bench_add(&b, "line", &line, VECTOR(0, 0, -impact_speed));
    memcpy(body->spin, VECTOR(0.1 * lean, 0.2 * lean, 0.3 * lean), sizeof body->spin);
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "exact-beam"), &section};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &law};
    bench_build(&b);
    bench_simulate_by(&b, "multisymplectic", method, 400, part * carom_model_stable_step(b.model));
    double worst = 0, energy = bench_ledger(&b).kinetic;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        const carom_state *now = carom_sim_state(b.sim);
        if (now->step % 16)
            continue;
        carom_ledger_row row = bench_ledger(&b);
        assert_true(row.penetration < 1e-12);
        if (now->time > 200)
            worst = fmax(worst, fabs(row.residual) / energy);
    }
    assert_true(carom_sim_state(b.sim)->books.contact_events > 100);
    bench_end(&b);
    return worst;
}

// The error of beams is of second order and does not grow; by the printed rule it walks, which the beam on its end shows early.
static void beams(void **state) {
    (void)state;
    for (int l = 0; l < 2; l++) {
        double coarse = tumble(l, 0.05, &kinked), fine = tumble(l, 0.0125, &kinked);
        double walks = l ? HUGE_VAL : tumble(l, 0.05, &printed);
        if (!(coarse < 0.02 && fine < 0.2 * coarse && coarse < 0.5 * walks))
            fail_msg("lean %d: %g, %g at a quarter of the step, printed rule %g", l, coarse, fine, walks);
    }
}

// The same bar in millimetres and milliseconds, and in kilometres: the same accounts.
static void units(void **state) {
    (void)state;
    static const double lengths[] = {1, 1000, 1e-3}, times[] = {1, 1000, 7};
    for (int u = 0; u < 3; u++) {
        bench b;
        double speed = lengths[u] / times[u], mass = lengths[u];
        drop(&b, 4, 0.5, 600, lengths[u], times[u], CAROM_BAR_SMALL, &kinked);
        outcome o = watch(&b, mass * speed * speed * (0.5 * impact_speed * impact_speed + 1e-4));
        o.penetration /= lengths[u];
        check(&o, 0.007, mass * speed);
        bench_end(&b);
    }
}

// The printed rule on the same bar: that these tests can fail.
static void printed_rule_walks(void **state) {
    (void)state;
    bench b;
    drop(&b, 4, 0.25, 1200, 1, 1, CAROM_BAR_SMALL, &printed);
    double worst = 0;
    while (!carom_sim_done(b.sim) && carom_sim_step(b.sim, NULL) == CAROM_OK)
        worst = fmax(worst, fabs(bench_ledger(&b).residual) / (0.5 * impact_speed * impact_speed));
    assert_true(worst > 0.1);
    bench_end(&b);
}

// Green's strain: free flight keeps another energy than impacts do, and audits compare the two.
static void nonlinear(void **state) {
    (void)state;
    bench b;
    double last = HUGE_VAL;
    for (int p = 0; p < 3; p++) {
        drop(&b, 4, 0.5 / (1 << p), 3000, 1, 1, CAROM_BAR_GREEN, &kinked);
        outcome o = watch(&b, 0.5 * impact_speed * impact_speed + 1e-4);
        assert_true(o.events > 250);
        // second order, from 6 % at half the stable step
        assert_true(o.residual < 0.06 && o.residual < 0.5 * last);
        assert_true(o.momentum < 1e-12 && o.penetration < 1e-14);
        last = o.residual;
        bench_end(&b);
    }
}

// Two bars of different material and mesh and a point mass between two walls: all impacts are between bodies that deform, but
// for those with the walls. `out` turns the line on which they lie.
static void between_walls(bench *b, const double out[3], double part, const carom_multisymplectic_params *method) {
    static carom_plane_def walls[2];
    walls[0] = (carom_plane_def){.name = "left"};
    walls[1] = (carom_plane_def){.name = "right"};
    double a[4][3], v[3][3];
    for (int i = 0; i < 3; i++) {
        walls[0].normal[i] = out[i];
        walls[1].normal[i] = -out[i];
        walls[0].point[i] = -0.3 * out[i];
        walls[1].point[i] = 4 * out[i];
        static const double at[] = {0, 1, 1.2, 2.7}, speeds[] = {0.05, -0.03, 0.11};
        for (int k = 0; k < 4; k++)
            a[k][i] = at[k] * out[i];
        for (int k = 0; k < 3; k++)
            v[k][i] = speeds[k] * out[i];
    }
    bench_start(b);
    b->def.contact.restitution = 1;
    b->def.contact.plane_count = 2;
    b->def.contact.planes = walls;
    bench_add_bar(b, a[0], a[1], 5, v[0], CAROM_BAR_SMALL);
    bench_add_bar(b, a[2], a[3], 12, v[1], CAROM_BAR_SMALL);
    b->materials[1] = (carom_elastic_params){.young = 3, .density = 0.5};
    // a wall has no virtual tip for a point mass
    if (method->contact_integrator == 1)
        bench_add_point(b, VECTOR(3 * out[0], 3 * out[1], 3 * out[2]), 0.2, v[2]);
    bench_build(b);
    bench_simulate_by(b, "multisymplectic", method, 2000, part * carom_model_stable_step(b->model));
}

static void walls(void **state) {
    (void)state;
    static const double lines[][3] = {{1, 0, 0}, {0.6, 0, -0.8}};
    for (int l = 0; l < 2; l++)
        for (int p = 0; p < 4; p++) {
            bench b;
            between_walls(&b, lines[l], (p % 2 ? 0.5 : 0.25) / (1 + p / 2), p < 2 ? &kinked : &tips);
            outcome o = watch(&b, bench_ledger(&b).total);
            assert_true(o.events > 100);
            check(&o, p < 2 ? p ? 1e-3 : 1e-5 : 1e-2, 1);
            bench_end(&b);
        }
}

// Two bars meet: what the exact solution says, with an energy error of rounding and open account.
static void two_bars(void **state) {
    (void)state;
    for (int p = 0; p < 3; p++) {
        bench b;
        bench_start(&b);
        b.def.contact.restitution = 1;
        bench_add_bar(&b, VECTOR(-10, 0, 0), VECTOR(0, 0, 0), 50, VECTOR(0.1, 0, 0), CAROM_BAR_SMALL);
        bench_add_bar(&b, VECTOR(0.2, 0, 0), VECTOR(10.2, 0, 0), 50, VECTOR(-0.1, 0, 0), CAROM_BAR_SMALL);
        bench_simulate_by(&b, "multisymplectic", &kinked, 40, p == 0 ? 0.015 : 0.05 * p);
        outcome o = watch(&b, 0.1);
        check(&o, 1e-3, 1);
        carom_pair_record pair = carom_state_pair(carom_sim_state(b.sim), 0);
        assert_near(pair.first_contact, 1, 1e-12);
        assert_near(pair.last_contact, 21, 0.5);
        assert_near(pair.impulse, 2, 0.04);
        bench_end(&b);
    }
}

// A bar that is pulled along with constant velocity hits one at rest: the work of the drive is in the books.
static void driven(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    carom_restraint_def pull = {.where = {.body = "body0", .set = "start", .node = CAROM_AUTO},
                                .direction_count = 1,
                                .direction = {{1, 0, 0}},
                                .velocity = {0.05}};
    b.def.restraint_count = 1;
    b.def.restraints = &pull;
    b.def.contact.restitution = 1;
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 6, VECTOR(0.05, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(&b, VECTOR(1.2, 0, 0), VECTOR(2.2, 0, 0), 6, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    bench_simulate_by(&b, "multisymplectic", &kinked, 60, 0.05);
    outcome o = watch(&b, 0.00125);
    assert_true(o.events > 0);
    check(&o, 0.01, 1);
    bench_end(&b);
    // the printed rule knows nothing of that work
    bench_start(&b);
    b.def.restraint_count = 1;
    b.def.restraints = &pull;
    b.def.contact.restitution = 1;
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 6, VECTOR(0.05, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(&b, VECTOR(1.2, 0, 0), VECTOR(2.2, 0, 0), 6, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    bench_build(&b);
    carom_time_def time = carom_default_time_def();
    time.end = 1, time.step = 0.01;
    carom_pick pick = {carom_catalogue_find(carom_integrators(), "multisymplectic"), &printed};
    assert_refused(carom_sim_create(b.model, pick, &time, &b.sim, error), CAROM_BAD_INPUT, "prescribed motion");
    bench_end(&b);
}

// `start: slab` takes the initial velocities as those of the whole first step, by both rules alike.
static void first_slab(void **state) {
    (void)state;
    double x[2][3];
    for (int r = 0; r < 2; r++) {
        carom_multisymplectic_params method = r ? printed : kinked;
        method.start = CAROM_START_SLAB;
        bench b;
        drop(&b, 4, 0.2, 1, 1, 1, CAROM_BAR_SMALL, &method);
        assert_ok(carom_sim_step(b.sim, error));
        const double(*now)[3] = carom_state_positions(carom_sim_state(b.sim));
        assert_near(now[0][2], 0.01 - 0.05 * 0.05, 1e-17);
        for (int i = 0; i < 20; i++)
            assert_ok(carom_sim_step(b.sim, error));
        memcpy(x[r], now[2], sizeof x[r]);
        bench_end(&b);
    }
    // the tip has hit by then: same motion up to the error of the rules
    assert_near(x[0][2], x[1][2], 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces),    cmocka_unit_test(virtual_tips),
        cmocka_unit_test(units),      cmocka_unit_test(printed_rule_walks),
        cmocka_unit_test(walls),      cmocka_unit_test(two_bars),
        cmocka_unit_test(nonlinear),  cmocka_unit_test(driven),
        cmocka_unit_test(first_slab), cmocka_unit_test(beams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
