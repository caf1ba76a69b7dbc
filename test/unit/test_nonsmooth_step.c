// SPDX-License-Identifier: MIT
// The integrator `nonsmooth-newmark` away from the paper: the identity of its energy, planes, restraints, loads and damping in its books, implicit elements,
// penalties, gaps, threads, files, and steps that fail.
#include "../support.h"
#include "carom/threads.h"
#include "integrator/nonsmooth_newmark.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

static const carom_hex8_params full = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};

static carom_nonsmooth_newmark_params defaults(void) {
    carom_nonsmooth_newmark_params p;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "nonsmooth-newmark");
    carom_param_defaults(kind->params, kind->param_count, &p);
    return p;
}

static void add_box(bench *b, const double from[3], const double to[3], const int elements[3], const double velocity[3],
                    const char *law) {
    carom_box_params box = {.grading = {1, 1, 1}};
    memcpy(box.from, from, sizeof box.from);
    memcpy(box.to, to, sizeof box.to);
    memcpy(box.elements, elements, sizeof box.elements);
    carom_body_def *body = bench_add(b, "box", &box, velocity);
    carom_elastic_params *room = &b->materials[b->def.body_count - 1];
    *room = (carom_elastic_params){100, 0.3, 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &full};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), law), room};
}

// E - (h^2/8) a.M a, which smooth linear motion keeps exactly; a along free directions.
static double shadow(const bench *b, double drag) {
    const carom_state *state = carom_sim_state(b->sim);
    const double(*force)[3] = (const double(*)[3])carom_state_find_array(state, "forces");
    const carom_ledger_row row = carom_state_ledger(state);
    double h = carom_sim_step_size(b->sim), sum = 0;
    for (int k = 0; k < b->model->node_count; k++) {
        const carom_restraint *r = carom_restraint_of(&b->model->restraints, k);
        double f[3], m = b->model->mass[k];
        carom_copy(force[k], f);
        if (k < b->model->bodies[0].node_count)
            carom_add_scaled(-drag * m, state->v[k], f);
        if (r)
            carom_restraint_project(r, f);
        sum += carom_dot(f, f) / m;
    }
    return row.total + row.friction + row.restitution + row.projection + row.damping - 0.125 * h * h * sum;
}

// What came from outside explains all of momentum, and energy is where the books say.
static void run_checked(bench *b, bool turns, bool linear, double drag, double tolerance) {
    double start = shadow(b, drag), scale = fabs(start) + fabs(bench_ledger(b).kinetic) + 0.1;
    while (!carom_sim_done(b->sim)) {
        double rubbed = bench_ledger(b).friction;
        assert_ok(carom_sim_step(b->sim, error));
        const carom_state *state = carom_sim_state(b->sim);
        carom_ledger_row row = carom_state_ledger(state);
        const carom_books *books = &state->books;
        assert_true(row.friction >= rubbed - 1e-16);
        if (linear)
            assert_near(shadow(b, drag), start, tolerance * scale);
        for (int i = 0; i < 3; i++) {
            assert_near(row.momentum[i], books->initial_momentum[i] + books->booked.impulse[i], tolerance);
            if (turns)
                assert_near(row.angular_momentum[i], books->initial_angular_momentum[i] + books->booked.angular_impulse[i],
                            tolerance);
        }
    }
}

// A block bounces off a plane, with friction: the shadow energy changes by contact alone, exactly if elements are linear.
static void bounce(void **state) {
    (void)state;
    static const char *const laws[] = {"linear", "st-venant-kirchhoff", "neo-hookean"};
    static const carom_plane_def floor = {.name = "floor", .normal = {0.6, 0, 0.8}};
    for (int i = 0; i < 6; i++) {
        bench b;
        bench_start(&b);
        b.def.contact.friction = i < 3 ? 0.3 : 0;
        b.def.contact.planes = &floor;
        b.def.contact.plane_count = 1;
        b.def.gravity[2] = -1;
        add_box(&b, VECTOR(0, 0, 0.1), VECTOR(1, 1, 1.1), (const int[3]){2, 2, 2}, VECTOR(0, 0.3, -1), laws[i % 3]);
        carom_nonsmooth_newmark_params p = defaults();
        bench_simulate_by(&b, "nonsmooth-newmark", &p, 1.5, 0.01);
        // the linear law resists rotation
        run_checked(&b, i % 3 != 0, i % 3 == 0, 0, 1e-12);
        const carom_state *s = carom_sim_state(b.sim);
        carom_ledger_row row = bench_ledger(&b);
        assert_true(carom_state_contact_events(s) > 10 && (row.friction > 1e-3) == (i < 3));
        assert_true(row.penetration < 1e-14 && fabs(row.residual) < 2e-3);
        assert_true(row.projection > 0);
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
    static const carom_plane_def floor = {.name = "floor", .point = {0, 0, -0.02}, .normal = {0, 0, 1}};
    for (int i = 0; i < 4; i++) {
        bench b;
        bench_start(&b);
        bool linear = i % 2 == 0, damped = i < 2;
        b.def.contact.planes = &floor;
        b.def.contact.plane_count = 1;
        b.def.contact.friction = 0.2;
        add_box(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){2, 2, 2}, VECTOR(0, 0, 0),
                linear ? "linear" : "st-venant-kirchhoff");
        add_box(&b, VECTOR(3, 0, 0), VECTOR(4, 1, 1), (const int[3]){2, 1, 1}, VECTOR(0, 0.1, 0.2),
                linear ? "linear" : "neo-hookean");
        b.bodies[0].damping.mass = damped ? 0.4 : 0;
        b.def.restraints = restraints;
        b.def.restraint_count = 3;
        b.def.loads = loads;
        b.def.load_count = 2;
        carom_nonsmooth_newmark_params p = defaults();
        bench_simulate_by(&b, "nonsmooth-newmark", &p, 2, 0.01);
        run_checked(&b, !linear, linear, damped ? 0.4 : 0, 1e-12);
        const carom_state *s = carom_sim_state(b.sim);
        assert_true((carom_state_ledger(s).damping > 1e-4) == damped);
        assert_true(carom_state_contact_events(s) > 0);

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
                assert_near(u[2], 0.1, 1e-13);
        }
        bench_end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounce), cmocka_unit_test(outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
