// SPDX-License-Identifier: MIT
// Tests src/integrator/energy_momentum.
// The integrator `energy-momentum` away from the paper: planes, restraints, loads and damping in its books, other schemes,
// other settings of contact, self-contact, threads, and steps that fail.
#include "../support.h"
#include "carom/threads.h"
#include "integrator/energy_momentum/energy_momentum.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

static const carom_hex8_params full = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
static const carom_hex8_params one_point = {.integration = CAROM_HEX8_ONE_POINT, .hourglass = 0.1};

static carom_energy_momentum_params defaults(void) {
    carom_energy_momentum_params p;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "energy-momentum");
    carom_param_defaults(kind->params, kind->param_count, &p);
    return p;
}

static void add_box(bench *b, const double from[3], const double to[3], const int elements[3], const double velocity[3],
                    const char *law, const carom_hex8_params *params) {
    carom_box_params box = {.grading = {1, 1, 1}};
    memcpy(box.from, from, sizeof box.from);
    memcpy(box.to, to, sizeof box.to);
    memcpy(box.elements, elements, sizeof box.elements);
    carom_body_def *body = bench_add(b, "box", &box, velocity);
    carom_elastic_params *room = &b->materials[b->def.body_count - 1];
    *room = (carom_elastic_params){100, 0.3, 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), params};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), law), room};
}

// What came from outside explains all of momentum, and energy is where the books say.
static void check_books(const bench *b, bool turns, double tolerance) {
    const carom_state *state = carom_sim_state(b->sim);
    carom_ledger_row row = carom_sim_ledger(b->sim);
    const carom_books *books = &state->books;
    double scale = fabs(books->initial_total) + fabs(row.total) + row.friction;
    assert_near(row.residual, 0, tolerance * scale);
    for (int i = 0; i < 3; i++) {
        assert_near(row.momentum[i], books->initial_momentum[i] + books->booked.impulse[i], tolerance);
        if (turns)
            assert_near(row.angular_momentum[i], books->initial_angular_momentum[i] + books->booked.angular_impulse[i],
                        tolerance);
    }
}

static void run_checked(bench *b, bool turns, double tolerance) {
    while (!carom_sim_done(b->sim)) {
        assert_ok(carom_sim_step(b->sim, error));
        check_books(b, turns, tolerance);
    }
}

// A block bounces off a plane, with friction, for all laws and both integrations.
static void bounce(void **state) {
    (void)state;
    static const char *const laws[] = {"linear", "st-venant-kirchhoff", "neo-hookean"};
    static const carom_plane_def floor = {.name = "floor", .normal = {0.6, 0, 0.8}};
    for (int i = 0; i < 6; i++) {
        bench b;
        bench_start(&b);
        b.def.contact.friction = 0.3;
        b.def.contact.restitution = 1;
        b.def.contact.planes = &floor;
        b.def.contact.plane_count = 1;
        b.def.gravity[2] = -1;
        add_box(&b, VECTOR(0, 0, 0.1), VECTOR(1, 1, 1.1), (const int[3]){2, 2, 2}, VECTOR(0, 0.3, -1), laws[i % 3],
                i < 3 ? &full : &one_point);
        carom_energy_momentum_params p = defaults();
        bench_simulate_by(&b, "energy-momentum", &p, 1.5, 0.02);
        // the linear law resists rotation
        run_checked(&b, i % 3 != 0, 1e-11);
        const carom_state *s = carom_sim_state(b.sim);
        assert_true(carom_state_contact_events(s) > 10 && bench_ledger(&b).friction > 1e-3);
        assert_true(bench_ledger(&b).penetration < 0.02);
        bench_end(&b);
    }
}

// Directions that are no axes, prescribed velocities that change in time, live loads, damping: all is booked.
static void outside(void **state) {
    (void)state;
    static const double table[3][2] = {{0, 0}, {0.5, 1}, {1, 0.2}};
    static const carom_restraint_def restraints[3] = {
        {.where = {.body = "body0", .set = "xmin", .node = CAROM_AUTO},
         .direction_count = 1,
         .direction = {{1, 1, 0}},
         .velocity = {0.1, 0.1, 0},
         .schedule = {.count = 3, .points = table}},
        {.where = {.body = "body1", .set = "xmax", .node = CAROM_AUTO},
         .direction_count = 2,
         .direction = {{0, 1, 1}, {1, 0, 0}}},
        {.where = {.body = "body1", .set = "xmin", .node = CAROM_AUTO},
         .direction_count = 3,
         .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
         .velocity = {0, 0, 0.05}},
    };
    static const carom_load_def loads[2] = {
        {.where = {.body = "body0", .set = "zmax", .node = CAROM_AUTO}, .force = {0.1, 0.2, -0.3}},
        {.where = {.body = "body0", .set = "ymax", .node = CAROM_AUTO}, .pressure = 0.5, .schedule = {.ramp = 0.5}},
    };
    bench b;
    bench_start(&b);
    b.def.contact.enabled = false;
    add_box(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){2, 2, 2}, VECTOR(0, 0, 0), "st-venant-kirchhoff", &full);
    add_box(&b, VECTOR(3, 0, 0), VECTOR(4, 1, 1), (const int[3]){2, 1, 1}, VECTOR(0, 0.1, 0.2), "neo-hookean", &full);
    b.bodies[0].damping.mass = 0.4;
    b.def.restraints = restraints;
    b.def.restraint_count = 3;
    b.def.loads = loads;
    b.def.load_count = 2;
    carom_energy_momentum_params p = defaults();
    bench_simulate_by(&b, "energy-momentum", &p, 2, 0.05);
    run_checked(&b, true, 1e-11);
    const carom_state *s = carom_sim_state(b.sim);
    assert_true(carom_sim_ledger(b.sim).damping > 1e-4);

    // restrained directions move as prescribed
    for (int r = 0; r < b.model->restraints.count; r++) {
        const carom_restraint *item = &b.model->restraints.items[r];
        double u[3], way = item->node < carom_model_body_begin(b.model, 1) ? 0.1 * sqrt(2) * (0.25 + 0.3 + 0.2) : 0;
        carom_difference(carom_state_positions(s)[item->node], b.model->X[item->node], u);
        if (item->count == 1)
            assert_near(fabs(carom_dot(u, item->direction[0])), way, 2e-3);
        if (item->count == 2) {
            assert_near(carom_dot(u, item->direction[0]), 0, 1e-15);
            assert_near(carom_dot(u, item->direction[1]), 0, 1e-15);
        }
        if (item->count == 3)
            assert_near(u[2], 0.1, 1e-14);
    }
    bench_end(&b);
}

static void start_impact(bench *b, double friction) {
    bench_start(b);
    b->def.contact.friction = friction;
    b->def.contact.restitution = 1;
    add_box(b, VECTOR(0.1, 0.2, 1.1), VECTOR(0.9, 0.8, 1.7), (const int[3]){3, 2, 2}, VECTOR(0.5, 0.2, -1), "neo-hookean",
            &full);
    add_box(b, VECTOR(0, 0, 0), VECTOR(1.3, 1, 1), (const int[3]){3, 3, 2}, VECTOR(0, 0, 0), "st-venant-kirchhoff", &full);
}

// Both sides, nodes, tetrahedra of contact alike: momenta and energy are exact for every choice.
static void choices(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        bench b;
        start_impact(&b, i % 2 ? 0.4 : 0);
        carom_energy_momentum_params p = defaults();
        p.slave = i % 3;
        p.quadrature = i / 2 % 2;
        p.velocity_update = i == 7 ? CAROM_EM_UPDATE_SMALLEST : CAROM_EM_UPDATE_ON;
        bench_simulate_by(&b, "energy-momentum", &p, 1, 0.02);
        run_checked(&b, true, 1e-11);
        carom_ledger_row row = bench_ledger(&b);
        assert_near(row.projection, 0, 1e-12);
        assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 10 && (row.friction > 1e-6) == (i % 2 == 1));
        bench_end(&b);
    }
}

// The schemes for comparison: momentum is exact, energy is not.
static void other_schemes(void **state) {
    (void)state;
    for (int scheme = CAROM_EM_MIDPOINT; scheme <= CAROM_EM_NEWMARK; scheme++) {
        bench b;
        start_impact(&b, 0);
        carom_energy_momentum_params p = defaults();
        p.scheme = scheme;
        bench_simulate_by(&b, "energy-momentum", &p, 1, 0.02);
        carom_ledger_row start = bench_ledger(&b);
        bench_run(&b);
        carom_ledger_row end = bench_ledger(&b);
        double d[3];
        carom_difference(end.momentum, start.momentum, d);
        assert_true(carom_norm(d) < 1e-13);
        carom_difference(end.angular_momentum, start.angular_momentum, d);
        assert_true(scheme == CAROM_EM_NEWMARK || carom_norm(d) < 1e-13);
        assert_true(fabs(end.residual) > 1e-7 * start.total && fabs(end.residual) < 0.2 * start.total);
        assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 10);
        bench_end(&b);
    }
}

// Without contact, trapezoidal Newmark and the midpoint rule conserve a linear law exactly.
static void linear_schemes(void **state) {
    (void)state;
    for (int scheme = 0; scheme < 3; scheme++) {
        bench b;
        bench_start(&b);
        b.def.contact.enabled = false;
        add_box(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){2, 1, 1}, VECTOR(0, 0, 0), "linear", &full);
        memcpy(b.bodies[0].spin, VECTOR(0.1, -0.2, 0.1), sizeof b.bodies[0].spin);
        carom_energy_momentum_params p = defaults();
        p.scheme = scheme;
        bench_simulate_by(&b, "energy-momentum", &p, 3, 0.1);
        double start = bench_ledger(&b).total;
        bench_run(&b);
        assert_near(bench_ledger(&b).residual, 0, 1e-13 * start);
        assert_true(bench_ledger(&b).internal > 0);
        bench_end(&b);
    }
}

static void threads(void **state) {
    (void)state;
    static const int counts[4] = {1, 2, 3, 8};
    uint64_t first = 0;
    for (int i = 0; i < 4; i++) {
        bench b;
        carom_set_threads(counts[i]);
        start_impact(&b, 0.4);
        carom_energy_momentum_params p = defaults();
        bench_simulate_by(&b, "energy-momentum", &p, 0.4, 0.02);
        bench_run(&b);
        uint64_t hash = carom_state_hash(carom_sim_state(b.sim));
        assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 0);
        if (i == 0)
            first = hash;
        assert_true(hash == first);
        bench_end(&b);
    }
    carom_set_threads(0);
}

// A run that goes on from a file, in the middle of an impact, has the same bits.
static void resume(void **state) {
    (void)state;
    uint64_t hashes[2];
    carom_energy_momentum_params p = defaults();
    for (int i = 0; i < 2; i++) {
        bench b;
        start_impact(&b, 0.4);
        bench_simulate_by(&b, "energy-momentum", &p, 0.4, 0.02);
        for (int n = 0; n < 12 && i == 1; n++)
            assert_ok(carom_sim_step(b.sim, error));
        if (i == 1) {
            assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 0);
            assert_ok(carom_sim_save(b.sim, "energy_momentum.carom", error));
            carom_sim_release(b.sim);
            b.sim = NULL;
            bench_simulate_by(&b, "energy-momentum", &p, 0.4, 0.02);
            assert_ok(carom_sim_load(b.sim, "energy_momentum.carom", error));
            remove("energy_momentum.carom");
        }
        bench_run(&b);
        hashes[i] = carom_state_hash(carom_sim_state(b.sim));
        bench_end(&b);
    }
    assert_true(hashes[0] == hashes[1]);
}

// A step that does not converge is halved; if that is not allowed, the run fails, says what stalled, and keeps the state
// before.
static void failure(void **state) {
    (void)state;
    bench b;
    start_impact(&b, 0.4);
    carom_energy_momentum_params p = defaults();
    p.iterations = 2;
    p.halvings = 0;
    bench_simulate_by(&b, "energy-momentum", &p, 1, 0.02);
    carom_error error = {0};
    carom_status status = CAROM_OK;
    carom_ledger_row last = bench_ledger(&b);
    while (!carom_sim_done(b.sim) && !(status = carom_sim_step(b.sim, &error)))
        last = bench_ledger(&b);
    assert_int_equal(status, CAROM_NUMERICAL);
    assert_non_null(strstr(error.message, "body0"));
    carom_ledger_row kept = bench_ledger(&b);
    assert_true(kept.time == last.time && kept.total == last.total && kept.time > 0);
    bench_end(&b);

    // with halves it goes on
    start_impact(&b, 0.4);
    p.iterations = 4;
    p.halvings = 12;
    bench_simulate_by(&b, "energy-momentum", &p, 0.4, 0.05);
    run_checked(&b, true, 1e-11);
    carom_balance_counts counts = carom_energy_momentum_counts(&b.sim->stepper);
    assert_true(counts.solves > 8);
    bench_end(&b);
}

// What the method has no answer for is refused with a reason.
static void refusals(void **state) {
    (void)state;
    carom_energy_momentum_params p = defaults();
    const carom_integrator *method = (const carom_integrator *)carom_catalogue_find(carom_integrators(), "energy-momentum");
    bench b;
    start_impact(&b, 0);
    b.def.contact.restitution = 0.5;
    bench_build(&b);
    assert_refused(method->accepts(b.model, &p, error), CAROM_BAD_INPUT, "restitution: 1");
    bench_end(&b);
    start_impact(&b, 0);
    b.bodies[0].damping.stiffness = 0.1;
    bench_build(&b);
    assert_refused(method->accepts(b.model, &p, error), CAROM_BAD_INPUT, "stiffness damping");
    bench_end(&b);
}

// A strip bent to a C closes on itself: the ends push each other apart instead of passing through.
static void self_contact(void **state) {
    (void)state;
    enum { COLUMNS = 24 };
    bench b;
    bench_start(&b);
    b.def.contact.self = true;
    b.def.contact.restitution = 1;
    carom_rectangle_params strip = {.from = {0, 0, 0}, .to = {COLUMNS, 1, 0}, .columns = COLUMNS, .rows = 1};
    carom_body_def *body = bench_add(&b, "rectangle", &strip, VECTOR(0, 0, 0));
    carom_mesh *mesh = &b.meshes[0];
    for (int k = 0; k < mesh->node_count; k++) {
        double angle = 6.0 * mesh->nodes[k][0] / COLUMNS, radius = 4 + mesh->nodes[k][1];
        mesh->nodes[k][0] = -radius * cos(angle);
        mesh->nodes[k][1] = radius * sin(angle);
    }
    static const carom_plane_element_params plane = {.thickness = 1};
    b.materials[0] = (carom_elastic_params){100, 0.3, 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "quad4"), &plane};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &b.materials[0]};
    bench_build(&b);
    // the two ends, which look at each other at angles 0 and 6, fly together
    for (int k = 0; k < b.model->node_count; k++) {
        double angle = atan2(b.model->X[k][1], -b.model->X[k][0]);
        b.model->v0[k][1] = fabs(angle) < 0.8 ? (angle >= 0 ? -1.2 : 1.2) : 0;
    }
    carom_energy_momentum_params p = defaults();
    bench_simulate_by(&b, "energy-momentum", &p, 3, 0.02);
    run_checked(&b, true, 1e-10);
    assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 5);
    assert_true(bench_ledger(&b).penetration < 0.05);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounce),        cmocka_unit_test(outside),        cmocka_unit_test(choices),
        cmocka_unit_test(other_schemes), cmocka_unit_test(linear_schemes), cmocka_unit_test(threads),
        cmocka_unit_test(resume),        cmocka_unit_test(failure),        cmocka_unit_test(refusals),
        cmocka_unit_test(self_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
