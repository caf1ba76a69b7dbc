// SPDX-License-Identifier: MIT
// Tests src/integrator/kick_drift.c, src/integrator/kick_drift_fly.c, src/integrator/kick_drift_answer.c, src/integrator/fly.c.
// Integrators written with public headers only: leapfrog of kicks and drifts has the states of newmark-dcr to the bit, with
// contact, loads, damping and restraints; another method uses only the functions for forces and the ledger.
#include <carom/carom.h>
#include <carom/stepper.h>

#include "../../support.h"

static carom_status accepts(const carom_model *model, const void *params, carom_error *error) {
    (void)params;
    return carom_model_has_frames(model) ? carom_fail(error, CAROM_BAD_INPUT, "no beams") : CAROM_OK;
}

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_kick_drift *nodes;
    carom_status status = carom_kick_drift_create(stepper, state, true, &nodes, error);
    carom_stepper_set_workspace(stepper, nodes);
    return status ? status : carom_kick_drift_kick(nodes, state, 0.5 * carom_stepper_step(stepper), 1, error);
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_kick_drift *nodes = carom_stepper_workspace(stepper);
    double h = carom_stepper_step(stepper);
    carom_status status = carom_kick_drift_drift(nodes, state, h, error);
    if (status)
        return status;
    carom_stepper_advance_time(stepper, state);
    status = carom_kick_drift_kick(nodes, state, h, 0.5, error);
    return status ? status : carom_kick_drift_finish(nodes, state, error);
}

static void release(carom_stepper *stepper) {
    carom_kick_drift_release(carom_stepper_workspace(stepper));
    carom_stepper_set_workspace(stepper, NULL);
}

static const carom_integrator leapfrog = {
    .kind = {.name = "leapfrog", .summary = "Explicit Newmark, written as kick and drift.", .reference = ""},
    .claims = {.linear_momentum = true, .energy = CAROM_ENERGY_BOUNDED, .symplectic = true, .order = 2},
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .release = release,
};

static void simulate(bench *b, const carom_integrator *method, double end, double h) {
    if (!b->model)
        bench_build(b);
    carom_time_def time = carom_default_time_def();
    time.end = end;
    time.step = h;
    assert_ok(carom_sim_create(b->model, (carom_pick){&method->kind, NULL}, &time, &b->sim, error));
}

// Two bars that collide; if `busy`, with gravity, a growing load, damping and a driven end.
static void two_bars(bench *b, bool busy) {
    static const carom_load_def push = {
        .where = {.body = "body1", .node = CAROM_AUTO}, .force = {-0.4, 0, 0}, .schedule = {.ramp = 3}};
    static const carom_restraint_def drive = {
        .where = {.body = "body0", .node = 0}, .direction_count = 1, .direction = {{1, 0, 0}}, .velocity = {0.1, 0, 0}};
    bench_start(b);
    bench_add_bar(b, VECTOR(-5, 0, 0), VECTOR(-0.01, 0, 0), 10, VECTOR(0.1, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(b, VECTOR(0, 0, 0), VECTOR(5, 0, 0), 10, VECTOR(-0.1, 0, 0), CAROM_BAR_SMALL);
    b->def.contact.restitution = 0.5;
    if (!busy)
        return;
    b->bodies[0].damping = (carom_damping){.mass = 0.05, .stiffness = 0.01};
    b->def.loads = &push;
    b->def.load_count = 1;
    b->def.restraints = &drive;
    b->def.restraint_count = 1;
}

static void leapfrog_is_newmark(void **state) {
    (void)state;
    for (int busy = 0; busy < 2; busy++) {
        bench own, given;
        two_bars(&own, busy);
        two_bars(&given, busy);
        simulate(&own, &leapfrog, 20, 0.2);
        bench_simulate(&given, 20, 0.2);
        while (!carom_sim_done(own.sim)) {
            assert_ok(carom_sim_step(own.sim, error));
            assert_ok(carom_sim_step(given.sim, error));
            assert_true(carom_state_hash(carom_sim_state(own.sim)) == carom_state_hash(carom_sim_state(given.sim)));
        }
        assert_true(carom_state_contact_events(carom_sim_state(own.sim)) > 0);
        assert_true(bench_ledger(&own).total == bench_ledger(&given).total);
        bench_end(&own);
        bench_end(&given);
    }
}

// Models that kicks and drifts do not support are refused, and memory is released if setup fails.
static void refusals(void **state) {
    (void)state;
    bench b;
    two_bars(&b, false);
    b.def.contact.resolve = CAROM_RESOLVE_PROJECTION;
    bench_build(&b);
    carom_time_def time = carom_default_time_def();
    time.end = 1;
    carom_pick pick = {&leapfrog.kind, NULL};
    assert_refused(carom_sim_create(b.model, pick, &time, &b.sim, error), CAROM_BAD_INPUT, "projection");
    carom_integrator half = leapfrog;
    half.accepts = NULL;
    pick.kind = &half.kind;
    assert_refused(carom_sim_create(b.model, pick, &time, &b.sim, error), CAROM_BAD_INPUT, "needs accepts");
    bench_end(&b);
}

enum { NODES = 64 };
static const double stiffness = 0.3; // of a spring from each node to the origin, implemented here

static carom_status euler_setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_kick_drift *nodes;
    carom_status status = carom_kick_drift_create(stepper, state, false, &nodes, error);
    carom_stepper_set_workspace(stepper, nodes);
    // the work done by the spring since the start
    if (!status && !carom_state_add_array(state, "spring work", 1))
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the spring");
    return status;
}

static carom_status euler_step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = carom_stepper_model(stepper);
    const double *mass = carom_model_mass(model), none[3] = {0};
    double h = carom_stepper_step(stepper), force[NODES][3];
    double(*x)[3] = carom_state_edit_positions(state), (*v)[3] = carom_state_edit_velocities(state);
    carom_kick_drift_force(carom_stepper_workspace(stepper), state, carom_state_time(state), (const double(*)[3])x, force);
    for (int k = 0; k < carom_model_node_count(model); k++) {
        double impulse[3], work = 0;
        for (int i = 0; i < 3; i++) {
            double before = v[k][i];
            impulse[i] = -h * stiffness * x[k][i];
            v[k][i] += (h * force[k][i] + impulse[i]) / mass[k];
            work += impulse[i] * 0.5 * (before + v[k][i]);
        }
        carom_state_book_external(state, x[k], impulse, none, work);
        for (int i = 0; i < 3; i++)
            x[k][i] += h * v[k][i];
    }
    carom_kick_drift_impose(carom_stepper_workspace(stepper), carom_state_time(state), v);
    carom_stepper_advance_time(stepper, state);
    return carom_stepper_finish_step(stepper, state, true, error);
}

static const carom_integrator euler = {
    .kind = {.name = "euler", .summary = "Symplectic Euler with a spring.", .reference = ""},
    .accepts = accepts,
    .setup = euler_setup,
    .step = euler_step,
    .release = release,
};

// The ledger explains the energy to first order in the step, momentum exactly.
static void books_of_another_method(void **state) {
    (void)state;
    double residual[2];
    for (int i = 0; i < 2; i++) {
        bench b;
        bench_start(&b);
        b.def.contact.enabled = false;
        bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(2, 0, 0), 4, VECTOR(0.1, 0, 0), CAROM_BAR_SMALL);
        simulate(&b, &euler, 4, 0.02 / (1 << i));
        bench_run(&b);
        carom_ledger_row row = bench_ledger(&b);
        residual[i] = fabs(row.residual);
        assert_true(residual[i] < 0.02 && fabs(row.external) > 0.1);
        assert_true(carom_state_element_updates(carom_sim_state(b.sim)) == 4 * carom_sim_step_count(b.sim));
        assert_true(carom_state_array_values(carom_sim_state(b.sim), "spring work")[0] == 0);
        assert_null(carom_state_array_values(carom_sim_state(b.sim), "no such"));
        bench_end(&b);
    }
    assert_true(residual[1] < 0.6 * residual[0]);
}

// Position Verlet: half a drift, a kick, half a drift.
static carom_status verlet_setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_kick_drift *nodes;
    carom_status status = carom_kick_drift_create(stepper, state, true, &nodes, error);
    carom_stepper_set_workspace(stepper, nodes);
    return status;
}

static carom_status verlet_step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    carom_kick_drift *nodes = carom_stepper_workspace(stepper);
    double h = carom_stepper_step(stepper);
    carom_status status = carom_kick_drift_drift(nodes, state, 0.5 * h, error);
    if (!status)
        status = carom_kick_drift_kick(nodes, state, h, 0, error);
    if (!status)
        status = carom_kick_drift_drift(nodes, state, 0.5 * h, error);
    if (status)
        return status;
    carom_stepper_advance_time(stepper, state);
    size_t size = (size_t)carom_model_node_count(carom_stepper_model(stepper)) * sizeof(double[3]);
    memcpy(carom_state_edit_velocities(state), carom_kick_drift_velocities(nodes), size);
    return carom_stepper_finish_step(stepper, state, true, error);
}

static const carom_integrator verlet = {
    .kind = {.name = "verlet", .summary = "Position Verlet.", .reference = ""},
    .accepts = accepts,
    .setup = verlet_setup,
    .step = verlet_step,
    .release = release,
};

typedef struct impacts {
    int count;
    double time;
    int64_t step;
} impacts;

static void hear(void *context, const carom_sim *sim, const carom_hit_report *impact) {
    (void)sim;
    *(impacts *)context = (impacts){((impacts *)context)->count + 1, impact->time, impact->step};
}

// A node that moves at speed 1 towards another one at rest at the distance `gap`; steps of 0.1.
static void two_points(bench *b, double gap) {
    bench_start(b);
    bench_add_bar(b, VECTOR(-1, 0, 0), VECTOR(0, 0, 0), 1, VECTOR(1, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(b, VECTOR(gap, 0, 0), VECTOR(gap + 1, 0, 0), 1, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    b->def.contact.restitution = 1;
    simulate(b, &verlet, 1, 0.1);
}

// Two drifts in a step: an impact is reported once, with its time and step, in the first step as well.
static void reports_impacts_of_two_drifts(void **state) {
    (void)state;
    static const double gaps[] = {0.03, 0.07, 0.17};
    for (int i = 0; i < 3; i++) {
        bench b;
        impacts heard = {0};
        two_points(&b, gaps[i]);
        carom_sim_on_hit(b.sim, hear, &heard);
        for (int n = 0; n < 3; n++)
            assert_ok(carom_sim_step(b.sim, error));
        assert_int_equal(heard.count, 1);
        assert_near(heard.time, gaps[i], 1e-12);
        assert_int_equal(heard.step, 1 + (int)(gaps[i] / 0.1));
        bench_end(&b);
    }
}

// A node whose prescribed velocity equals the time: each drift has the velocity of its own midpoint, and the ledger balances.
static void drives_two_drifts(void **state) {
    (void)state;
    static const double motion[2][4] = {{0, 0, 0, 0}, {1, 1, 0, 0}};
    carom_restraint_def drive = carom_default_restraint_def();
    strcpy(drive.where.body, "body0");
    drive.motion = motion;
    drive.motion_count = 2;
    bench b;
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 1, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    b.def.restraints = &drive;
    b.def.restraint_count = 1;
    simulate(&b, &verlet, 1, 0.1);
    bench_run(&b);
    assert_near(carom_state_positions(carom_sim_state(b.sim))[0][0], 0.5, 1e-12);
    assert_near(bench_ledger(&b).residual, 0, 1e-12);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leapfrog_is_newmark),     cmocka_unit_test(refusals),
        cmocka_unit_test(books_of_another_method), cmocka_unit_test(reports_impacts_of_two_drifts),
        cmocka_unit_test(drives_two_drifts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
