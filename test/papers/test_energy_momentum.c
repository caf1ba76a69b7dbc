// SPDX-License-Identifier: MIT
// Love & Laursen (2003): rings, blocks and bars by `energy-momentum` against the figures of an independent prototype of the
// method (14 digits of its trajectories up to the time from which impacts of light nodes amplify rounding), and against the
// exact solution of the bars.
#include "../support.h"
#include "integrator/energy_momentum/workspace.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

static const carom_plane_element_params unit_thickness = {.thickness = 1};

// Penalties alone and the update of the paper, as in the tables.
static carom_energy_momentum_params defaults(void) {
    carom_energy_momentum_params p;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "energy-momentum");
    carom_param_defaults(kind->params, kind->param_count, &p);
    p.augmented = 0;
    p.update = CAROM_EM_FRICTION_PAPER;
    return p;
}

static void set_solid(bench *b, carom_body_def *body, const char *element, const void *params, carom_elastic_params law) {
    carom_elastic_params *room = &b->materials[b->def.body_count - 1];
    *room = law;
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), element), params};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), room};
}

// Energy and angular momentum about its own centre of one body.
typedef struct part {
    double energy, spin[3], velocity[3];
} part;

static part part_of(const bench *b, int body) {
    const carom_model *model = b->model;
    const carom_body *range = &model->bodies[body];
    const carom_state *state = carom_sim_state(b->sim);
    const double(*x)[3] = carom_state_positions(state), (*v)[3] = carom_state_velocities(state);
    part p = {0};
    double centre[3] = {0};
    for (int k = range->node_begin; k < range->node_begin + range->node_count; k++) {
        carom_add_scaled(model->mass[k] / range->mass, x[k], centre);
        carom_add_scaled(model->mass[k] / range->mass, v[k], p.velocity);
        p.energy += 0.5 * model->mass[k] * carom_dot(v[k], v[k]);
    }
    for (int k = range->node_begin; k < range->node_begin + range->node_count; k++) {
        double arm[3], turn[3];
        carom_difference(x[k], centre, arm);
        carom_cross(arm, v[k], turn);
        carom_add_scaled(model->mass[k], turn, p.spin);
    }
    const carom_block *block = &model->blocks[range->block_begin];
    double *energies = calloc((size_t)block->count, sizeof *energies);
    block->element->energy(block, 0, block->count, x, (const double(*)[3])model->X, energies);
    for (int e = 0; e < block->count; e++)
        p.energy += energies[e];
    free(energies);
    return p;
}

// Advances to a time, and checks what holds in each step.
static void go_on(bench *b, double time) {
    double scale = fabs(bench_ledger(b).total);
    while (carom_state_time(carom_sim_state(b->sim)) < time - 1e-9) {
        carom_ledger_row before = bench_ledger(b);
        assert_ok(carom_sim_step(b->sim, error));
        carom_ledger_row after = bench_ledger(b);
        assert_near(after.total - before.total, before.friction - after.friction, 1e-11 * scale);
        assert_true(after.friction >= before.friction);
        assert_true(fabs(after.projection) < 1e-11 * scale);
    }
}

// What holds over a run without anything from outside.
static void check_momenta(const bench *b, const carom_ledger_row *start) {
    carom_ledger_row end = bench_ledger(b);
    double d[3];
    assert_near(end.residual, 0, 1e-10 * start->total);
    carom_difference(end.momentum, start->momentum, d);
    assert_true(carom_norm(d) < 1e-10);
    carom_difference(end.angular_momentum, start->angular_momentum, d);
    assert_true(carom_norm(d) < 1e-9);
}

// The contact force on the slave in the last step, without the update.
static void slave_force(const bench *b, double force[3]) {
    const carom_implicit_contact *contact = &((const carom_energy_momentum_workspace *)b->sim->stepper.workspace)->contact;
    force[0] = force[1] = force[2] = 0;
    for (int i = 0; i < contact->count; i++)
        for (int a = 0; a < contact->points[i].slave_count; a++)
            carom_add_scaled(1, contact->tractions[i].force[a], force);
}

static void start_rings(bench *b, double friction, int update, double end) {
    bench_start(b);
    b->def.contact.friction = friction;
    b->def.contact.restitution = 1;
    for (int i = 0; i < 2; i++) {
        carom_ring_params ring = {.center = {10.0 * i, -20.0 * i, 0}, .inner = 9.7, .outer = 10, .around = 78, .layers = 3};
        carom_body_def *body = bench_add(b, "ring", &ring, VECTOR(0, i ? 0 : -4, 0));
        set_solid(b, body, "quad4", &unit_thickness, (carom_elastic_params){1000, 1.0 / 6, 0.1});
    }
    carom_energy_momentum_params p = defaults();
    p.penalty = 1e4;
    p.tangential = 200;
    p.reach = 0.15;
    p.velocity_update = update;
    bench_simulate_by(b, "energy-momentum", &p, end, 0.02);
}

static void rings_without_friction(void **state) {
    (void)state;
    static const struct {
        double time, kinetic, internal, upper, force[2], tolerance;
    } rows[] = {
        {0.68, 14.827735, 0.009656, 14.695838, {-1.168336, 2.135848}, 5.1e-7},
        {0.70, 14.753956, 0.083436, 14.551016, {-0.919615, 1.527572}, 5.1e-7},
        {0.80, 14.487308, 0.350084, 14.366448, {-0.770974, 1.314170}, 5.1e-7},
        {1.00, 14.186899, 0.650492, 14.032845, {-0.397593, 0.665452}, 5.1e-7},
        {1.50, 13.686591, 1.150801, 13.474626, {0, 0}, 5.1e-7},
        {2.00, 13.279271, 1.558121, 12.993847, {-0.664791, 1.005441}, 1e-6},
        {3.00, 12.763829, 2.073562, 12.272736, {-0.519709, 0.707240}, 1e-4},
    };
    bench b;
    start_rings(&b, 0, CAROM_EM_UPDATE_ON, 3);
    carom_ledger_row start = bench_ledger(&b);
    assert_near(start.total, 14.8373915388, 5e-11);
    assert_near(start.momentum[1], -7.41869577, 5e-9);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        go_on(&b, rows[i].time);
        double force[3];
        slave_force(&b, force);
        assert_near(force[0], rows[i].force[0], fmax(rows[i].tolerance, 1e-6));
        assert_near(force[1], rows[i].force[1], fmax(rows[i].tolerance, 1e-6));
        carom_ledger_row row = bench_ledger(&b);
        assert_near(row.kinetic, rows[i].kinetic, rows[i].tolerance);
        assert_near(row.internal, rows[i].internal, rows[i].tolerance);
        assert_near(part_of(&b, 0).energy, rows[i].upper, rows[i].tolerance);
    }
    assert_near(carom_state_pair(carom_sim_state(b.sim), 0).first_contact, 0.68, 1e-12);
    check_momenta(&b, &start);
    bench_end(&b);
}

static void rings_with_friction(void **state) {
    (void)state;
    static const struct {
        double time, energy, friction, upper, spin[2], tolerance;
    } rows[] = {
        {0.68, 14.799073, 0.038318, 14.642320, {0.407615, 0.397741}, 5.1e-7},
        {0.70, 14.776246, 0.061145, 14.420030, {0.869539, 0.862949}, 5.1e-7},
        {1.00, 14.665423, 0.171969, 13.677968, {2.395624, 2.387973}, 5.1e-7},
        {1.50, 14.561067, 0.276325, 12.828067, {4.228626, 4.201926}, 5.1e-7},
        {2.00, 14.509166, 0.328226, 12.233463, {5.587069, 5.533291}, 1e-6},
        {3.00, 14.460866, 0.376525, 11.20578, {7.85932, 7.83253}, 1e-4},
    };
    bench b;
    start_rings(&b, 0.5, CAROM_EM_UPDATE_ON, 3);
    carom_ledger_row start = bench_ledger(&b);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        go_on(&b, rows[i].time);
        carom_ledger_row row = bench_ledger(&b);
        assert_near(row.total, rows[i].energy, rows[i].tolerance);
        assert_near(row.friction, rows[i].friction, rows[i].tolerance);
        assert_near(part_of(&b, 0).energy, rows[i].upper, rows[i].tolerance);
        assert_near(part_of(&b, 0).spin[2], rows[i].spin[0], rows[i].tolerance);
        assert_near(part_of(&b, 1).spin[2], rows[i].spin[1], rows[i].tolerance);
    }
    check_momenta(&b, &start);
    bench_end(&b);
}

// Without the update contact loses energy, momentum is kept all the same, and the books say where it went.
static void rings_without_update(void **state) {
    (void)state;
    bench b;
    start_rings(&b, 0, CAROM_EM_UPDATE_OFF, 3);
    carom_ledger_row start = bench_ledger(&b);
    bench_run(&b);
    carom_ledger_row end = bench_ledger(&b);
    assert_true(end.total < 14.8 && end.total > 14.5);
    assert_near(end.projection, start.total - end.total, 1e-10);
    check_momenta(&b, &start);
    bench_end(&b);
}

// The augmented Lagrangian presses the overlap down and keeps the balance.
static void rings_augmented(void **state) {
    (void)state;
    bench b;
    start_rings(&b, 0.5, CAROM_EM_UPDATE_ON, 0.8);
    carom_sim_release(b.sim);
    carom_energy_momentum_params p = defaults();
    p.penalty = 1e4;
    p.tangential = 200;
    p.reach = 0.15;
    p.augmented = 10;
    bench_simulate_by(&b, "energy-momentum", &p, 0.8, 0.02);
    carom_ledger_row start = bench_ledger(&b);
    double deepest = 0;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        deepest = fmax(deepest, bench_ledger(&b).penetration);
    }
    assert_true(deepest < 6.5e-5);
    assert_true(fabs(bench_ledger(&b).projection) < 2e-6);
    check_momenta(&b, &start);
    bench_end(&b);
}

static void start_blocks(bench *b, double friction, double tangential, int update, bool fixed) {
    static const carom_hex8_params full = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
    static const carom_restraint_def base = {.where = {.body = "body1", .set = "zmin", .node = CAROM_AUTO},
                                             .direction_count = 3,
                                             .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                             .schedule = {0}};
    // K = 3333, G = 5000
    const double K = 3333, G = 5000;
    carom_elastic_params law = {9 * K * G / (3 * K + G), (3 * K - 2 * G) / (2 * (3 * K + G)), 100};
    bench_start(b);
    b->def.contact.friction = friction;
    b->def.contact.restitution = 1;
    carom_box_params slave = {.from = {0.5, 0, 1.25}, .to = {1.5, 1, 2.25}, .elements = {3, 3, 3}, .grading = {1, 1, 1}};
    carom_box_params master = {.from = {0, 0, 0}, .to = {2, 2, 1}, .elements = {4, 4, 2}, .grading = {1, 1, 1}};
    set_solid(b, bench_add(b, "box", &slave, VECTOR(0, 1.5, -1)), "hex8", &full, law);
    set_solid(b, bench_add(b, "box", &master, VECTOR(0, 0, 0)), "hex8", &full, law);
    b->def.restraints = &base;
    b->def.restraint_count = fixed;
    carom_energy_momentum_params p = defaults();
    p.penalty = 1e6;
    p.tangential = tangential;
    p.reach = 0.3;
    p.velocity_update = update;
    bench_simulate_by(b, "energy-momentum", &p, 1, 0.1);
}

static const struct {
    double friction, tangential;
    int update;
    double energy[5];         // t = 0.3, 0.4, 0.5, 0.6, 0.7
    double velocity[2], spin; // at the end
    double force[3];          // on the slave in the first step of contact; NaN: not given
} block_runs[] = {
    {0.8, 40, 1, {162.5, 162.5, 162.5, 162.5, 162.5}, {1.23300, 0.72681}, -5.17253, {0, -42.3380, 345.6366}},
    {0.2, 40, 1, {161.312161, 159.932025, 159.714463, 159.578704, 159.473942}, {1.22186, 0.69870}, -4.78103, {NAN, NAN, NAN}},
    {0.8,
     1e5,
     1,
     {136.922672, 136.622285, 132.954367, 132.230708, 132.217175},
     {0.35422, 1.12814},
     -19.25948,
     {0, -274.7371, 343.2472}},
    {0.2,
     1e5,
     1,
     {153.032786, 150.645416, 149.607314, 145.780926, 144.778366},
     {1.13996, 0.78036},
     -5.99322,
     {0, -70.2041, 345.4053}},
    {10, 1e5, 1, {161.079015, 159.379980, 159.202219, 159.202219, 159.202219}, {0.25007, 1.20531}, -17.31110, {NAN, NAN, NAN}},
    {0.8, 1e5, 0, {119.535900, 112.499149, 110.061288, 108.753930, 108.166725}, {0.27164, 1.08581}, -22.77463, {NAN, NAN, NAN}},
};

static void blocks(void **state) {
    (void)state;
    for (size_t r = 0; r < sizeof block_runs / sizeof *block_runs; r++) {
        bench b;
        start_blocks(&b, block_runs[r].friction, block_runs[r].tangential, block_runs[r].update, true);
        assert_near(bench_ledger(&b).total, 162.5, 1e-12);
        for (int n = 1; n <= 10; n++) {
            assert_ok(carom_sim_step(b.sim, error));
            carom_ledger_row row = bench_ledger(&b);
            if (n < 3)
                assert_int_equal(row.contacts, 0);
            if (n >= 3 && n <= 7)
                assert_near(row.total, block_runs[r].energy[n - 3], n == 3 ? 1e-6 : 1e-4);
            assert_near(row.residual, 0, 1e-9);
            assert_true(block_runs[r].update == 0 || fabs(row.projection) < 1e-9);
            if (n == 3 && !isnan(block_runs[r].force[0])) {
                double force[3];
                slave_force(&b, force);
                for (int i = 0; i < 3; i++)
                    assert_near(force[i], block_runs[r].force[i], 5.1e-5);
                assert_int_equal(row.contacts, 26);
            }
        }
        part end = part_of(&b, 0);
        assert_near(end.velocity[1], block_runs[r].velocity[0], 1.5e-5);
        assert_near(end.velocity[2], block_runs[r].velocity[1], 1.5e-5);
        assert_near(end.spin[0], block_runs[r].spin, 1e-4);
        bench_end(&b);
    }
}

// With a free base momentum is kept in space, too.
static void free_blocks(void **state) {
    (void)state;
    bench b;
    start_blocks(&b, 0.2, 1e5, CAROM_EM_UPDATE_ON, false);
    carom_ledger_row start = bench_ledger(&b);
    bench_run(&b);
    carom_ledger_row end = bench_ledger(&b);
    double d[3];
    assert_near(end.total, 148.427284, 1e-4);
    carom_difference(end.momentum, start.momentum, d);
    assert_true(carom_norm(d) < 1e-11);
    carom_difference(end.angular_momentum, start.angular_momentum, d);
    assert_true(carom_norm(d) < 2e-11);
    bench_end(&b);
}

static void bars(void **state) {
    (void)state;
    static const struct {
        int elements;
        double step;
        int update;
        double last, energy, velocity, exact;
    } runs[] = {
        {50, 0.2, 1, 20.40, 1, -0.97628, 5e-12},  {50, 0.2, 0, 20.20, 0.8981, -0.92241, 0},
        {50, 0.05, 1, 19.95, 1, -0.98332, 5e-11}, {50, 0.05, 0, 20.25, 0.6687, -0.80161, 0},
        {100, 0.1, 1, 20.10, 1, -0.98594, 2e-11}, {100, 0.1, 0, 20.20, 0.8173, -0.88849, 0},
    };
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        bench b;
        bench_start(&b);
        b.def.contact.restitution = 1;
        for (int i = 0; i < 2; i++) {
            // bodies may not touch at the start
            double gap = i ? 1e-9 : 0;
            carom_rectangle_params strip = {
                .from = {10 * i - 10 + gap, 0, 0}, .to = {10 * i + gap, 0.1, 0}, .columns = runs[r].elements, .rows = 1};
            carom_body_def *body = bench_add(&b, "rectangle", &strip, VECTOR(i ? -0.001 : 0.001, 0, 0));
            set_solid(&b, body, "quad4", &unit_thickness, (carom_elastic_params){1, 0, 1});
        }
        carom_energy_momentum_params p = defaults();
        p.penalty = 100;
        p.velocity_update = runs[r].update;
        bench_simulate_by(&b, "energy-momentum", &p, 25, runs[r].step);
        carom_ledger_row start = bench_ledger(&b);
        bench_run(&b);
        assert_near(bench_ledger(&b).total / start.total, runs[r].energy, runs[r].update ? runs[r].exact : 5.1e-5);
        assert_near(part_of(&b, 0).velocity[0] / 0.001, runs[r].velocity, 1.5e-5);
        assert_near(carom_state_pair(carom_sim_state(b.sim), 0).last_contact, runs[r].last, 1e-9);
        bench_end(&b);
    }
}

// Back-spin with friction, none without; friction takes about a percent.
static void golf_ball(void **state) {
    (void)state;
    static const carom_hex8_params full = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
    for (int rough = 0; rough < 2; rough++) {
        bench b;
        bench_start(&b);
        b.def.contact.restitution = 1;
        b.def.contact.friction = 0.5 * rough;
        carom_ball_params ball = {.radius = 0.02135, .divisions = 2, .layers = 2};
        carom_box_params club = {
            .from = {-0.037, -0.03, -0.03}, .to = {-0.022, 0.03, 0.03}, .elements = {1, 4, 4}, .grading = {1, 1, 1}};
        set_solid(&b, bench_add(&b, "ball", &ball, VECTOR(0, 0, 0)), "hex8", &full, (carom_elastic_params){6e7, 0.4, 1130});
        set_solid(&b, bench_add(&b, "box", &club, VECTOR(35, 0, 0)), "hex8", &full, (carom_elastic_params){1.1e11, 0.3, 3700});
        b.bodies[0].material.kind = carom_catalogue_find(carom_materials(), "neo-hookean");
        double loft = 25 * acos(-1) / 180;
        for (int k = 0; k < b.meshes[1].node_count; k++) {
            double *x = b.meshes[1].nodes[k], along = x[0], up = x[2];
            x[0] = cos(loft) * along - sin(loft) * up;
            x[2] = sin(loft) * along + cos(loft) * up;
        }
        carom_energy_momentum_params p = defaults();
        bench_simulate_by(&b, "energy-momentum", &p, 8e-4, 1e-5);
        carom_ledger_row start = bench_ledger(&b);
        bench_run(&b);
        carom_ledger_row end = bench_ledger(&b);
        assert_near(end.residual, 0, 1e-11 * start.total);
        part flight = part_of(&b, 0);
        // back-spin turns the top against the flight: about -y; a rolling ball of that speed would have 2/5 m R v
        double rolling = 0.4 * b.model->bodies[0].mass * 0.02135 * flight.velocity[0];
        assert_true(flight.velocity[0] > 35 && flight.velocity[2] > 5);
        // a ball of so few faces is not quite round, and turns a little without friction
        assert_true(rough ? flight.spin[1] < -0.3 * rolling : fabs(flight.spin[1]) < 0.08 * rolling);
        assert_true(rough ? end.friction > 0.003 * start.total && end.friction < 0.02 * start.total : end.friction == 0);
        bench_end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_without_friction),
        cmocka_unit_test(rings_with_friction),
        cmocka_unit_test(rings_without_update),
        cmocka_unit_test(rings_augmented),
        cmocka_unit_test(blocks),
        cmocka_unit_test(free_blocks),
        cmocka_unit_test(bars),
        cmocka_unit_test(golf_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
