// SPDX-License-Identifier: MIT
// Tests src/integrator/energy_momentum.
// The integrator `energy-momentum` beyond the examples of the paper: planes, restraints, loads and damping in the ledger, other
// schemes, other settings of contact, self-contact, threads, and steps that fail.
#include "../../../blocks.h"
#include "integrator/energy_momentum/workspace.h"
#include "model/state/accounts.h"
#include "sim/sim.h"

static const carom_hex8_params one_point = {.integration = CAROM_HEX8_ONE_POINT, .hourglass = 0.1};

static carom_energy_momentum_params defaults(void) {
    carom_energy_momentum_params p;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "energy-momentum");
    carom_param_defaults(kind->params, kind->param_count, &p);
    return p;
}

// The recorded external impulses explain the momenta, and the ledger explains the energy.
static void check_books(const bench *b, bool turns, double tolerance) {
    const carom_state *state = carom_sim_state(b->sim);
    carom_ledger_row row = carom_sim_ledger(b->sim);
    const carom_books *books = &state->books;
    double scale = fabs(books->initial_total) + fabs(row.total) + row.friction;
    assert_near(row.residual, 0, tolerance * scale);
    for (int i = 0; i < 3; i++) {
        assert_near(row.momentum[i], books->initial_momentum[i] + carom_accounts_value(&books->booked).impulse[i], tolerance);
        if (turns)
            assert_near(row.angular_momentum[i],
                        books->initial_angular_momentum[i] + carom_accounts_value(&books->booked).angular_impulse[i],
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
        carom_body_def *body =
            block_add(&b, VECTOR(0, 0, 0.1), VECTOR(1, 1, 1.1), (const int[3]){2, 2, 2}, VECTOR(0, 0.3, -1), laws[i % 3]);
        body->element.params = i < 3 ? &block_full : &one_point;
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

// Oblique restraints, varying prescribed velocities, live loads and damping are all recorded.
static void outside(void **state) {
    (void)state;
    bench b;
    block_start_outside(&b, (const char *const[]){"st-venant-kirchhoff", "neo-hookean"}, 0.4);
    b.def.contact.enabled = false;
    carom_energy_momentum_params p = defaults();
    bench_simulate_by(&b, "energy-momentum", &p, 2, 0.05);
    run_checked(&b, true, 1e-11);
    assert_true(carom_sim_ledger(b.sim).damping > 1e-4);
    block_check_driven(&b, 1e-14);
    bench_end(&b);
}

static void start_impact(bench *b, double friction) {
    block_start_impact(b, friction);
    b->def.contact.restitution = 1;
}

// Momenta and energy are exact for every choice of slave side, quadrature and elements.
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
        // these schemes gain energy, for which the guard would stop the run
        b.sim->time.on_event = CAROM_ON_EVENT_WARN;
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
        block_add(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){2, 1, 1}, VECTOR(0, 0, 0), "linear");
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
    carom_energy_momentum_params p = defaults();
    block_check_threads(&(block_run){start_impact, "energy-momentum", &p, 0.4, 0.02});
}

// A block strikes a plane, corner first.
static void start_corner(bench *b, double friction, int elements) {
    static const carom_plane_def floor = {.name = "floor", .normal = {0.36, 0.48, 0.8}};
    bench_start(b);
    b->def.contact.friction = friction;
    b->def.contact.restitution = 1;
    b->def.contact.planes = &floor;
    b->def.contact.plane_count = 1;
    carom_body_def *body = block_add(b, VECTOR(0.01, 0.01, 0.01), VECTOR(1, 1, 1), (const int[3]){elements, elements, elements},
                                     VECTOR(0.3, 0, -1), "neo-hookean");
    body->element.params = &block_full;
}

// The iterative solver gives the same motion and ledger as the direct one.
static void iterative(void **state) {
    (void)state;
    double end[2][3];
    for (int i = 0; i < 2; i++) {
        bench b;
        carom_energy_momentum_params p = defaults();
        p.solver = i ? CAROM_SOLVER_CG : CAROM_SOLVER_DIRECT;
        start_corner(&b, 0.4, 3);
        bench_simulate_by(&b, "energy-momentum", &p, 0.2, 0.02);
        run_checked(&b, true, 1e-11);
        const carom_state *s = carom_sim_state(b.sim);
        assert_true(carom_state_contact_events(s) > 0);
        memcpy(end[i], s->x[5], sizeof end[i]);
        carom_balance_counts counts = ((const carom_energy_momentum_workspace *)b.sim->stepper.workspace)->balance.counts;
        assert_int_equal(counts.linear.fallbacks, 0);
        assert_true(i ? counts.linear.iterations > counts.iterations && counts.linear.factorisations == 0
                      : counts.linear.iterations == 0);
        // the counts are part of the state, for the summary and restarts
        const double *kept = carom_state_find_array(s, "solver counts");
        assert_true(kept && kept[0] == (double)counts.iterations && kept[1] == (double)counts.linear.factorisations &&
                    kept[2] == (double)counts.linear.iterations && kept[3] == (double)counts.linear.fallbacks && kept[4] == 0);
        bench_end(&b);
    }
    for (int i = 0; i < 3; i++)
        assert_near(end[1][i], end[0][i], 1e-10);
}

// Many elements, so that all parts of a step are divided among threads.
static void start_fine(bench *b, double friction) {
    start_corner(b, friction, 11);
}

static void fine_threads(void **state) {
    (void)state;
    carom_energy_momentum_params p = defaults();
    p.solver = CAROM_SOLVER_CG;
    block_check_threads(&(block_run){start_fine, "energy-momentum", &p, 0.04, 0.02});
    p.solver = CAROM_SOLVER_DIRECT;
    block_check_threads(&(block_run){start_fine, "energy-momentum", &p, 0.04, 0.04});
}

static void resume(void **state) {
    (void)state;
    carom_energy_momentum_params p = defaults();
    block_check_resume(&(block_run){start_impact, "energy-momentum", &p, 0.4, 0.02}, 12, "energy_momentum.carom");
}

// A step that does not converge is halved; if this is not allowed, the run fails with a message that names the place.
static void failure(void **state) {
    (void)state;
    carom_energy_momentum_params p = defaults();
    p.iterations = 2;
    p.halvings = 0;
    block_check_failure(&(block_run){start_impact, "energy-momentum", &p, 1, 0.02}, "body0");

    // with halvings the run continues
    bench b;
    start_impact(&b, 0.4);
    p.iterations = 4;
    p.halvings = 12;
    bench_simulate_by(&b, "energy-momentum", &p, 0.4, 0.05);
    run_checked(&b, true, 1e-11);
    carom_balance_counts counts = ((const carom_energy_momentum_workspace *)b.sim->stepper.workspace)->balance.counts;
    assert_true(counts.solves > 8);
    bench_end(&b);
}

// Models that the method does not support are refused with a reason.
static void refusals(void **state) {
    (void)state;
    carom_energy_momentum_params p = defaults();
    const carom_integrator *method = (const carom_integrator *)carom_catalogue_find(carom_integrators(), "energy-momentum");
    bench b;
    start_impact(&b, 0);
    b.def.contact.restitution = 0.5;
    bench_build(&b);
    assert_refused(carom_integrator_accepts(method, b.model, &p, error), CAROM_BAD_INPUT, "restitution: 1");
    bench_end(&b);
    start_impact(&b, 0);
    b.bodies[0].damping.stiffness = 0.1;
    bench_build(&b);
    assert_refused(carom_integrator_accepts(method, b.model, &p, error), CAROM_BAD_INPUT, "stiffness damping");
    bench_end(&b);
}

// A strip bent to a C closes on itself: its ends repel each other instead of passing through.
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
    // the two ends, opposite to each other at the angles 0 and 6, move towards each other
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
        cmocka_unit_test(iterative),     cmocka_unit_test(fine_threads),   cmocka_unit_test(self_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
