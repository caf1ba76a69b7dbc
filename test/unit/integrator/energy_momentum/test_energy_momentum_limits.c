// SPDX-License-Identifier: MIT
// Tests src/integrator/energy_momentum.
// The integrator `energy-momentum` at its limits: no self-contact through the interior of bodies, surfaces that approach by
// more than the reach in a step, and elements that a step would invert.
#include "../../../support.h"
#include "integrator/energy_momentum/workspace.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/watch/deformation.h"
#include "sim/sim.h"

static const carom_plane_element_params plane = {.thickness = 1};

static carom_energy_momentum_params defaults(void) {
    carom_energy_momentum_params p;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "energy-momentum");
    carom_param_defaults(kind->params, kind->param_count, &p);
    return p;
}

// A square of side 1, Young's modulus 1000.
static carom_body_def *add_square(bench *b, double x, double y, int elements, const double velocity[3]) {
    carom_rectangle_params square = {.from = {x, y, 0}, .to = {x + 1, y + 1, 0}, .columns = elements, .rows = elements};
    carom_body_def *body = bench_add(b, "rectangle", &square, velocity);
    carom_elastic_params *room = &b->materials[b->def.body_count - 1];
    *room = (carom_elastic_params){1000, 0.3, 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "quad4"), &plane};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "neo-hookean"), room};
    return body;
}

static int64_t events(const bench *b, carom_event event) {
    return carom_state_events(carom_sim_state(b->sim), event);
}

// A compressed block has no self-contact, upright or with corners of 45 degrees, for any mesh: the run is that without
// self-contact.
static void convex_blocks(void **state) {
    (void)state;
    static const carom_restraint_def base = {.where = {.body = "body0", .set = "ymin", .node = CAROM_AUTO},
                                             .direction_count = 2,
                                             .direction = {{1, 0, 0}, {0, 1, 0}}};
    carom_load_def load = {
        .where = {.body = "body0", .set = "ymax", .node = CAROM_AUTO}, .pressure = 200, .schedule = {.ramp = 0.5}};
    for (int i = 0; i < 8; i++) {
        bool slanted = i / 2 % 2;
        double top[2];
        for (int self = 0; self < 2; self++) {
            bench b;
            bench_start(&b);
            b.def.contact.friction = 0.5;
            b.def.contact.restitution = 1;
            b.def.contact.self = self;
            add_square(&b, 0, 0, i % 2 ? 16 : 8, VECTOR(0, 0, 0));
            carom_mesh *mesh = &b.meshes[0];
            for (int k = 0; k < mesh->node_count && slanted; k++)
                mesh->nodes[k][0] += mesh->nodes[k][1];
            b.def.restraints = &base;
            b.def.restraint_count = 1;
            load.pressure = slanted ? 50 : 200;
            b.def.loads = &load;
            b.def.load_count = 1;
            carom_energy_momentum_params p = defaults();
            p.quadrature = i / 4;
            bench_simulate_by(&b, "energy-momentum", &p, 0.6, 0.05);
            bench_run(&b);
            assert_int_equal(carom_state_contact_events(carom_sim_state(b.sim)), 0);
            assert_true(bench_ledger(&b).friction == 0);
            top[self] = carom_sim_state(b.sim)->x[b.model->node_count - 1][1];
            bench_end(&b);
        }
        assert_true(top[0] < (slanted ? 0.98 : 0.9));
        assert_near(top[1], top[0], 1e-9);
    }
}

static void start_flight(bench *b, const carom_energy_momentum_params *p, double speed, carom_on_event on_event) {
    bench_start(b);
    b->def.contact.restitution = 1;
    add_square(b, 0.1, 1.02, 4, VECTOR(0, -speed, 0));
    add_square(b, 0, 0, 4, VECTOR(0, 0, 0));
    bench_build(b);
    carom_time_def time = carom_default_time_def();
    time.end = 0.3;
    time.step = 0.1;
    time.on_event = on_event;
    carom_pick pick = {carom_catalogue_find(carom_integrators(), "energy-momentum"), p};
    assert_ok(carom_sim_create(b->model, pick, &time, &b->sim, error));
}

// Blocks that would move into or through each other in a step: the step is divided.
static void fast_flight(void **state) {
    (void)state;
    static const double speeds[3] = {4, 8, 14};
    carom_energy_momentum_params p = defaults();
    for (int i = 0; i < 3; i++) {
        bench b;
        start_flight(&b, &p, speeds[i], CAROM_ON_EVENT_STOP);
        double start = bench_ledger(&b).total;
        bench_run(&b);
        assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 0);
        assert_int_equal(events(&b, CAROM_EVENT_CONTACT_MISSED), 0);
        assert_near(bench_ledger(&b).total, start, 1e-9 * start);
        // the lower one was pushed down, and the upper one did not pass it
        carom_ledger_row row = bench_ledger(&b);
        assert_true(row.penetration < 0.1);
        assert_near(row.momentum[1], -speeds[i], 1e-10 * speeds[i]);
        const double(*x)[3] = (const double(*)[3])carom_sim_state(b.sim)->x;
        double mean[2] = {0};
        for (int k = 0; k < b.model->node_count; k++)
            mean[k >= b.model->bodies[1].node_begin] += x[k][1] / 25;
        assert_true(mean[0] > mean[1] + 0.5 && mean[1] < 0.5);
        bench_end(&b);
    }
}

// If the step must not be divided, this is an event, which ends the run or is counted; the overlap is then reported.
static void missed(void **state) {
    (void)state;
    carom_energy_momentum_params p = defaults();
    p.halvings = 0;
    static const double speeds[3] = {40, 60, 100};
    for (int i = 0; i < 3; i++) {
        bench b;
        start_flight(&b, &p, speeds[i], CAROM_ON_EVENT_STOP);
        assert_refused(carom_sim_step(b.sim, error), CAROM_NUMERICAL, "unseen at time 0.1");
        assert_true(bench_ledger(&b).time == 0);
        bench_end(&b);
        start_flight(&b, &p, speeds[i], CAROM_ON_EVENT_WARN);
        assert_ok(carom_sim_step(b.sim, error));
        assert_int_equal(events(&b, CAROM_EVENT_CONTACT_MISSED), 1);
        assert_near(bench_ledger(&b).penetration, 0.1 * speeds[i] - 0.02, 1e-9);
        bench_end(&b);
    }
}

// A body that passes without contact is no such event at any speed, nor is one that slides by more than the reach in a step.
static void fast_sliding(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        carom_energy_momentum_params p = defaults();
        p.halvings = i ? 0 : 10;
        bench b;
        bench_start(&b);
        b.def.contact.restitution = 1;
        add_square(&b, i ? -3 : 0, 1.001, 4, VECTOR(i ? 60 : 3.5, i ? 0 : -0.2, 0));
        add_square(&b, 0, 0, 4, VECTOR(0, 0, 0));
        bench_simulate_by(&b, "energy-momentum", &p, 0.2, 0.1);
        bench_run(&b);
        assert_int_equal(events(&b, CAROM_EVENT_CONTACT_MISSED), 0);
        assert_int_equal(((const carom_energy_momentum_workspace *)b.sim->stepper.workspace)->balance.counts.solves, 2);
        assert_true((carom_state_contact_events(carom_sim_state(b.sim)) > 0) == (i == 0));
        bench_end(&b);
    }
}

// A block is compressed to half of its height in one step, by its driven top; the prescribed displacement is larger than the
// first layer of elements, so that the start must distribute it.
static void driven(void **state) {
    (void)state;
    static const carom_restraint_def ends[2] = {
        {.where = {.body = "body0", .set = "ymin", .node = CAROM_AUTO},
         .direction_count = 2,
         .direction = {{1, 0, 0}, {0, 1, 0}}},
        {.where = {.body = "body0", .set = "ymax", .node = CAROM_AUTO},
         .direction_count = 2,
         .direction = {{1, 0, 0}, {0, 1, 0}},
         .velocity = {0, -1, 0}},
    };
    bench b;
    bench_start(&b);
    b.def.contact.restitution = 1;
    add_square(&b, 0, 0, 4, VECTOR(0, 0, 0));
    b.def.restraints = ends;
    b.def.restraint_count = 2;
    carom_energy_momentum_params p = defaults();
    bench_simulate_by(&b, "energy-momentum", &p, 0.5, 0.5);
    bench_run(&b);
    assert_near(bench_ledger(&b).residual, 0, 1e-9 * bench_ledger(&b).internal);
    assert_true(!carom_model_watch_deformation(b.model, (const double(*)[3])carom_sim_state(b.sim)->x).inverted[0]);
    // all rows of elements are compressed similarly: 0.125 on average
    const double(*x)[3] = (const double(*)[3])carom_sim_state(b.sim)->x;
    for (int row = 0; row < 4; row++)
        assert_in_range((int)(1e4 * (x[5 * (row + 1) + 2][1] - x[5 * row + 2][1])), 800, 1700);
    bench_end(&b);
}

// A block that would be inverted by the plane in a full step: the step is divided, and energy is conserved.
static void no_inversion(void **state) {
    (void)state;
    static const carom_plane_def floor = {.name = "floor", .normal = {0, 1, 0}};
    bench b;
    bench_start(&b);
    b.def.contact.restitution = 1;
    b.def.contact.planes = &floor;
    b.def.contact.plane_count = 1;
    add_square(&b, 0, 0.01, 4, VECTOR(0, -30, 0));
    carom_energy_momentum_params p = defaults();
    bench_simulate_by(&b, "energy-momentum", &p, 0.1, 0.05);
    double start = bench_ledger(&b).total;
    bench_run(&b);
    assert_near(bench_ledger(&b).total, start, 1e-9 * start);
    assert_true(!carom_model_watch_deformation(b.model, (const double(*)[3])carom_sim_state(b.sim)->x).inverted[0]);
    bench_end(&b);
}

// A block at rest on another or on a plane, or pressed, sinks as long as contact lasts with penalties alone; multipliers stop
// it at a fiftieth of an element, and energy and momenta remain exact.
static void lasting(void **state) {
    (void)state;
    static const carom_plane_def floor = {.name = "floor", .normal = {0, 1, 0}};
    static const carom_restraint_def base = {.where = {.body = "body1", .set = "ymin", .node = CAROM_AUTO},
                                             .direction_count = 2,
                                             .direction = {{1, 0, 0}, {0, 1, 0}}};
    for (int i = 0; i < 4; i++) {
        bool on_plane = i / 2;
        bench b;
        bench_start(&b);
        b.def.contact.restitution = 1;
        b.def.contact.friction = 0.5;
        b.def.gravity[1] = -60;
        b.def.contact.planes = &floor;
        b.def.contact.plane_count = on_plane;
        add_square(&b, 0.1, on_plane ? 0.001 : 1.001, 2, VECTOR(0, 0, 0));
        if (!on_plane) {
            add_square(&b, 0, 0, 2, VECTOR(0, 0, 0));
            carom_mesh *wide = &b.meshes[1];
            for (int k = 0; k < wide->node_count; k++)
                wide->nodes[k][0] = 3 * wide->nodes[k][0] - 1;
            b.def.restraints = &base;
            b.def.restraint_count = 1;
        }
        carom_energy_momentum_params p = defaults();
        p.augmented = i % 2 ? 0 : p.augmented;
        bench_simulate_by(&b, "energy-momentum", &p, 2, 0.05);
        bench_run(&b);
        carom_ledger_row row = bench_ledger(&b);
        double size = 0.5, scale = row.kinetic + row.internal + fabs(row.external);
        assert_true((row.penetration < 1.1 * 0.02 * size) == (i % 2 == 0));
        assert_near(row.residual, 0, 1e-11 * scale);
        assert_near(row.projection, 0, 1e-5 * scale);
        bench_end(&b);
    }
}

// Deforms a bar from (0, 0, 0) to (3, 0.3, 0.4): a wedge whose end is thinner than the reach of contact, a hook with a gap
// narrower than the reach, and an open ring.
static void bend(int shape, const double at[3], double x[3]) {
    carom_copy(at, x);
    if (shape == 0)
        x[1] = (at[1] - 0.15) * (0.05 + 0.3 * at[0]);
    else {
        double radius = (shape == 1 ? 0.16 : 0.6) + at[1], turn = at[0] / (shape == 1 ? 0.45 : 0.5);
        double straight = shape == 1 ? fmax(turn - acos(-1), 0) : 0;
        x[0] = radius * sin(turn - straight) - 0.45 * straight;
        x[1] = radius * cos(turn - straight);
    }
}

// A freely falling and rotating body, far from the origin, has no self-contact, neither through its interior nor across a gap:
// the run is that without self-contact.
static void free_fall(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        int64_t iterations[2];
        double energy[2];
        for (int self = 0; self < 2; self++) {
            bench b;
            bench_start(&b);
            b.def.contact.restitution = 1;
            b.def.contact.self = self;
            b.def.gravity[2] = -10;
            carom_box_params bar = {
                .to = {3, 0.3, 0.4}, .elements = {12, 2, 2}, .cells = i % 2 ? CAROM_SOLID_TET4 : 0, .grading = {1, 1, 1}};
            carom_body_def *body = bench_add(&b, "box", &bar, VECTOR(0.3, 0.2, 0.1));
            for (int k = 0; k < b.meshes[0].node_count; k++) {
                double *x = b.meshes[0].nodes[k], at[3];
                bend(i / 2, x, at);
                for (int c = 0; c < 3; c++)
                    x[c] = at[c] + 20;
            }
            memcpy(body->spin, VECTOR(1, 2, 0.5), sizeof body->spin);
            b.materials[0] = (carom_elastic_params){1e6, 0.3, 1000};
            body->element = (carom_pick){carom_catalogue_find(carom_elements(), i % 2 ? "tet4" : "hex8"),
                                         i % 2 ? NULL : &(carom_hex8_params){.integration = CAROM_HEX8_FULL, .hourglass = 0.1}};
            body->material = (carom_pick){carom_catalogue_find(carom_materials(), "neo-hookean"), &b.materials[0]};
            carom_energy_momentum_params p = defaults();
            bench_simulate_by(&b, "energy-momentum", &p, 0.1, 0.01);
            bench_run(&b);
            assert_int_equal(carom_state_contact_events(carom_sim_state(b.sim)), 0);
            assert_true(bench_ledger(&b).penetration == 0);
            iterations[self] = ((const carom_energy_momentum_workspace *)b.sim->stepper.workspace)->balance.counts.iterations;
            energy[self] = bench_ledger(&b).total;
            // the spin strains this soft body, so that pairs of facets are searched for again, but not in every step, and few
            // of its 136 to 272 facets have to be compared
            const carom_pairing *pairing =
                &((const carom_energy_momentum_workspace *)b.sim->stepper.workspace)->contact.pairing;
            assert_int_equal(pairing->counts.between, 0);
            assert_in_range(pairing->counts.within, self, 10 * self);
            assert_in_range(pairing->within.count, 0, 100 * self);
            bench_end(&b);
        }
        assert_int_equal(iterations[1], iterations[0]);
        assert_near(energy[1], energy[0], 1e-11 * fabs(energy[0]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_blocks), cmocka_unit_test(fast_flight), cmocka_unit_test(missed),
        cmocka_unit_test(fast_sliding),  cmocka_unit_test(driven),      cmocka_unit_test(no_inversion),
        cmocka_unit_test(lasting),       cmocka_unit_test(free_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
