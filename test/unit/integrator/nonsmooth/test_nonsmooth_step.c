// SPDX-License-Identifier: MIT
// Tests src/integrator/nonsmooth.
// The integrator `nonsmooth-newmark` beyond the examples of the paper: its energy identity, planes, restraints, loads and
// damping in the ledger, implicit elements, penalties, gaps, threads, files, and steps that fail.
#include "../../../blocks.h"
#include "integrator/nonsmooth/workspace.h"
#include "model/state/accounts.h"
#include "sim/sim.h"

static carom_nonsmooth_newmark_params defaults(void) {
    carom_nonsmooth_newmark_params p;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "nonsmooth-newmark");
    carom_param_defaults(kind->params, kind->param_count, &p);
    return p;
}

// Number of nodes of the largest model of the test.
enum { NODES = 128 };

// Accelerations by elements, loads and drag, along free directions.
static void find_accelerations(const bench *b, double drag, double a[NODES][3]) {
    const carom_state *state = carom_sim_state(b->sim);
    const double(*force)[3] = (const double(*)[3])carom_state_find_array(state, "forces");
    assert_true(b->model->node_count <= NODES);
    for (int k = 0; k < b->model->node_count; k++) {
        const carom_restraint *r = carom_restraint_of(&b->model->restraints, k);
        for (int i = 0; i < 3; i++)
            a[k][i] = force[k][i] / b->model->mass[k];
        if (k < b->model->bodies[0].node_count)
            carom_add_scaled(-drag, state->v[k], a[k]);
        if (r)
            carom_restraint_project(r, a[k]);
    }
}

// E - (kappa h^2/2) a.M a plus the recorded losses, kappa = gamma/2 - beta. Linear motion without contact conserves it exactly.
static double shadow(const bench *b, double kappa, const double a[NODES][3]) {
    const carom_ledger_row row = bench_ledger(b);
    double h = carom_sim_step_size(b->sim), sum = 0;
    for (int k = 0; k < b->model->node_count; k++)
        sum += b->model->mass[k] * carom_dot(a[k], a[k]);
    return row.total + row.friction + row.restitution + row.projection + row.damping - 0.5 * kappa * h * h * sum;
}

// What contact adds to it in a step, with the impulse J on a node and the change da of its acceleration: h kappa J.da, which is
// no work along the displacement, and the part of the numerical damping that is not recorded where there is contact.
static double added_at(const bench *b, const carom_nonsmooth_newmark_params *p, int k, const double J[3], const double da[3]) {
    double h = carom_sim_step_size(b->sim), kappa = 0.5 * p->gamma - p->beta;
    double undamped = carom_norm(J) > 0 ? (p->gamma - 0.5) * b->model->mass[k] * carom_dot(da, da) : 0;
    return kappa * h * (carom_dot(J, da) + h * undamped);
}

// The recorded external impulses explain the momenta, and the ledger explains the energy.
static void run_checked(bench *b, const carom_nonsmooth_newmark_params *p, bool turns, bool linear, double drag,
                        double tolerance) {
    static double a[2][NODES][3], impulse[NODES][3];
    const carom_state *state = carom_sim_state(b->sim);
    const carom_books *books = &state->books;
    size_t size = (size_t)b->model->node_count * sizeof *impulse;
    find_accelerations(b, drag, a[0]);
    double kappa = 0.5 * p->gamma - p->beta, expected = shadow(b, kappa, a[0]);
    double scale = fabs(expected) + fabs(bench_ledger(b).kinetic) + 0.1;
    while (!carom_sim_done(b->sim)) {
        double rubbed = bench_ledger(b).friction, damped = bench_ledger(b).damping;
        memcpy(impulse, state->impulse, size);
        assert_ok(carom_sim_step(b->sim, error));
        carom_ledger_row row = carom_sim_ledger(b->sim);
        assert_true(row.friction >= rubbed - 1e-16);
        assert_true(row.damping >= damped - 1e-16);

        find_accelerations(b, drag, a[1]);
        for (int k = 0; k < b->model->node_count; k++) {
            double J[3], da[3];
            carom_difference(state->impulse[k], impulse[k], J);
            carom_difference(a[1][k], a[0][k], da);
            expected += added_at(b, p, k, J, da);
        }
        if (linear)
            assert_near(shadow(b, kappa, a[1]), expected, tolerance * scale);
        memcpy(a[0], a[1], size);

        for (int i = 0; i < 3; i++) {
            assert_near(row.momentum[i], books->initial_momentum[i] + carom_accounts_value(&books->booked).impulse[i],
                        tolerance);
            if (turns)
                assert_near(row.angular_momentum[i],
                            books->initial_angular_momentum[i] + carom_accounts_value(&books->booked).angular_impulse[i],
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
        block_add(&b, VECTOR(0, 0, 0.1), VECTOR(1, 1, 1.1), (const int[3]){2, 2, 2}, VECTOR(0, 0.3, -1), laws[i % 3]);
        carom_nonsmooth_newmark_params p = defaults();
        p.slip = i % 2 ? CAROM_NONSMOOTH_INCREMENT : CAROM_NONSMOOTH_RATE;
        bench_simulate_by(&b, "nonsmooth-newmark", &p, 1.5, 0.01);
        // the linear law resists rotation
        run_checked(&b, &p, i % 3 != 0, i % 3 == 0, 0, 1e-12);
        const carom_state *s = carom_sim_state(b.sim);
        carom_ledger_row row = bench_ledger(&b);
        assert_true(carom_state_contact_events(s) > 10 && (row.friction > 1e-3) == (i < 3));
        assert_true(row.penetration < 1e-14 && fabs(row.residual) < 2e-3);
        assert_true(row.projection > 0);
        bench_end(&b);
    }
}

// Oblique restraints, varying prescribed velocities, live loads and damping are all recorded.
static void outside(void **state) {
    (void)state;
    static const carom_plane_def floor = {.name = "floor", .point = {0, 0, -0.02}, .normal = {0, 0, 1}};
    for (int i = 0; i < 4; i++) {
        bench b;
        bool linear = i % 2 == 0, damped = i < 2;
        const char *laws[2] = {linear ? "linear" : "st-venant-kirchhoff", linear ? "linear" : "neo-hookean"};
        block_start_outside(&b, laws, damped ? 0.4 : 0);
        b.def.contact.planes = &floor;
        b.def.contact.plane_count = 1;
        b.def.contact.friction = 0.2;
        carom_nonsmooth_newmark_params p = defaults();
        bench_simulate_by(&b, "nonsmooth-newmark", &p, 2, 0.01);
        run_checked(&b, &p, !linear, linear, damped ? 0.4 : 0, 1e-12);
        const carom_state *s = carom_sim_state(b.sim);
        assert_true((carom_sim_ledger(b.sim).damping > 1e-4) == damped);
        assert_true(carom_state_contact_events(s) > 0);
        block_check_driven(&b, 1e-13);
        bench_end(&b);
    }
}

// With gamma above one half the method damps vibrations, and records what it takes: the ledger of linear elements has no other
// rest than without damping, and the damping never falls.
static void numerical_damping(void **state) {
    (void)state;
    static const carom_plane_def floor = {.name = "floor", .normal = {0.6, 0, 0.8}};
    // explicit elements; implicit ones, below beta = gamma/2 and there, where nothing oscillates
    static const double betas[] = {0, 0.1, 0.3};
    for (int i = 0; i < 3; i++) {
        bench b;
        bench_start(&b);
        b.def.contact.friction = 0.3;
        b.def.contact.planes = &floor;
        b.def.contact.plane_count = 1;
        b.def.gravity[2] = -1;
        block_add(&b, VECTOR(0, 0, 0.1), VECTOR(1, 1, 1.1), (const int[3]){2, 2, 2}, VECTOR(0, 0.3, -1), "linear");
        carom_nonsmooth_newmark_params p = defaults();
        p.gamma = 0.6;
        p.beta = betas[i];
        bench_simulate_by(&b, "nonsmooth-newmark", &p, p.beta > 0 ? 0.4 : 1.5, 0.01);
        run_checked(&b, &p, false, true, 0, 1e-12);
        assert_true(carom_sim_ledger(b.sim).damping > 1e-3);
        assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 0);
        bench_end(&b);
    }
}

// Every choice conserves linear momentum; angular momentum is exact with the gradients at the middle, of areas and of gaps;
// there is no overlap.
static void choices(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        bench b;
        block_start_impact(&b, i % 2 ? 0.4 : 0);
        carom_nonsmooth_newmark_params p = defaults();
        p.gradients = i / 2 % 2;
        p.measure = i / 4;
        p.pairing = i == 6;
        bench_simulate_by(&b, "nonsmooth-newmark", &p, 1, 0.01);
        run_checked(&b, &p, p.gradients == CAROM_NONSMOOTH_MIDPOINT, false, 0, 1e-12);
        carom_ledger_row row = bench_ledger(&b);
        assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 10 && (row.friction > 1e-6) == (i % 2 == 1));
        assert_true(row.penetration < 1e-12 && fabs(row.residual) < 0.02 * row.kinetic);
        bench_end(&b);
    }
}

// With penalties there is overlap, which decreases with their stiffness, and momenta are conserved.
static void penalties(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        bench b;
        block_start_impact(&b, 0.4);
        carom_nonsmooth_newmark_params p = defaults();
        p.contact = CAROM_NONSMOOTH_PENALTY;
        p.slip = CAROM_NONSMOOTH_INCREMENT;
        p.penalty = i == 0 ? NAN : 100 * pow(10, i);
        bench_simulate_by(&b, "nonsmooth-newmark", &p, 1, 0.01);
        double deepest = 0;
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            deepest = fmax(deepest, bench_ledger(&b).penetration);
        }
        carom_ledger_row row = bench_ledger(&b);
        const carom_books *books = &carom_sim_state(b.sim)->books;
        for (int c = 0; c < 3; c++) {
            assert_near(row.momentum[c], books->initial_momentum[c], 1e-13);
            assert_near(row.angular_momentum[c], books->initial_angular_momentum[c], 1e-13);
        }
        assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 10 && row.friction > 1e-6);
        // nodes of the surfaces have masses up to 0.04 and meet at 1.2: a force below 2 m v/h reflects one within a step
        assert_true(deepest > 0 && deepest < 0.05 && (i == 0 || deepest * p.penalty < 10));
        bench_end(&b);
    }
}

// A mass comes to rest on a floor, at a depth of m g/k.
static void penalty_at_rest(void **state) {
    (void)state;
    static const carom_plane_def floor = {.name = "floor", .normal = {0, 1, 0}};
    static const double penalties[] = {100, 1000, 1e5};
    for (int i = 0; i < 3; i++) {
        bench b;
        bench_start(&b);
        b.def.contact.planes = &floor;
        b.def.contact.plane_count = 1;
        b.def.gravity[1] = -1;
        bench_add_point(&b, VECTOR(0, 0, 0), 2, VECTOR(0, 0, 0));
        carom_nonsmooth_newmark_params p = defaults();
        p.contact = CAROM_NONSMOOTH_PENALTY;
        p.penalty = penalties[i];
        bench_simulate_by(&b, "nonsmooth-newmark", &p, 40, 0.02);
        bench_run(&b);
        assert_near(bench_ledger(&b).penetration, 2 / penalties[i], 1e-4 * 2 / penalties[i]);
        bench_end(&b);
    }
}

static void threads(void **state) {
    (void)state;
    carom_nonsmooth_newmark_params p = defaults();
    for (int beta = 0; beta < 2; beta++) {
        p.beta = 0.25 * beta;
        block_check_threads(&(block_run){block_start_impact, "nonsmooth-newmark", &p, 0.4, 0.01});
    }
}

static void resume(void **state) {
    (void)state;
    carom_nonsmooth_newmark_params p = defaults();
    for (int beta = 0; beta < 2; beta++) {
        p.beta = 0.25 * beta;
        block_check_resume(&(block_run){block_start_impact, "nonsmooth-newmark", &p, 0.4, 0.01}, 24, "nonsmooth.carom");
    }
}

// A step in which contact does not converge is halved; if this is not allowed, the run fails.
static void failure(void **state) {
    (void)state;
    carom_nonsmooth_newmark_params p = defaults();
    p.passes = 2;
    p.halvings = 0;
    block_check_failure(&(block_run){block_start_impact, "nonsmooth-newmark", &p, 1, 0.01}, "does not settle in 2 passes");

    // with halvings the run continues
    bench b;
    block_start_impact(&b, 0);
    p.passes = 3;
    p.halvings = 20;
    bench_simulate_by(&b, "nonsmooth-newmark", &p, 0.4, 0.01);
    run_checked(&b, &p, true, false, 0, 1e-12);
    const double *counts = carom_state_find_array(carom_sim_state(b.sim), "solver counts");
    assert_true(counts[3] > 0 && counts[1] == 3);
    bench_end(&b);
}

// Two bars of one element each, crossed, in positions where edges intersect faces and no node is inside: the direction from
// which they came is unknown, so that no pair is found. A step that ends so is halved; with the smallest step this is counted
// once, and ends the run with the reason.
static void missed(void **state) {
    (void)state;
    for (int warn = 0; warn < 2; warn++) {
        bench b;
        bench_start(&b);
        block_add(&b, VECTOR(-1, -0.1, -0.1), VECTOR(1, 0.1, 0.1), (const int[3]){1, 1, 1}, VECTOR(0, 0, 0), "neo-hookean");
        block_add(&b, VECTOR(-0.1, -1, 0.2), VECTOR(0.1, 1, 0.4), (const int[3]){1, 1, 1}, VECTOR(0, 0, 0), "neo-hookean");
        carom_nonsmooth_newmark_params p = defaults();
        p.halvings = 3;
        bench_simulate_by(&b, "nonsmooth-newmark", &p, 0.1, 0.002);
        b.sim->time.on_event = warn ? CAROM_ON_EVENT_WARN : CAROM_ON_EVENT_STOP;
        assert_ok(carom_sim_step(b.sim, error));
        assert_int_equal(carom_state_events(carom_sim_state(b.sim), CAROM_EVENT_CONTACT_MISSED), 0);
        for (int k = b.model->bodies[1].node_begin; k < b.model->node_count; k++)
            b.sim->state->x[k][2] -= 0.11;
        if (warn) {
            const double *counts = carom_state_find_array(carom_sim_state(b.sim), "solver counts");
            assert_ok(carom_sim_step(b.sim, error));
            assert_int_equal(carom_state_events(carom_sim_state(b.sim), CAROM_EVENT_CONTACT_MISSED), 1);
            assert_true(counts[3] >= 3 && counts[0] == 0);
            assert_near(bench_ledger(&b).penetration, 0.01, 1e-12);
        } else
            assert_refused(carom_sim_step(b.sim, error), CAROM_NUMERICAL,
                           "'body0' and 'body1' overlap by 0.01, even in a step of 0.00025");
        bench_end(&b);
    }
}

// Checks the nodes reported for an impact of a box on another.
static void note_hit(void *context, const carom_state *state, const carom_hit *hit, int64_t step) {
    (void)step;
    const carom_contact *contact = &hit->contact;
    int first = contact->kind == CAROM_CONTACT_EDGE_EDGE ? 2 : 1;
    double sum = 0, side = 0, point[3] = {0};
    assert_int_equal(contact->count, 4);
    for (int k = 0; k < first; k++)
        side += contact->weight[k];
    assert_near(fabs(side), 1, 1e-12);
    for (int k = 0; k < 4; k++) {
        assert_in_range(contact->node[k], 0, state->model->node_count - 1);
        sum += contact->weight[k];
        carom_add_scaled(0.5 * (k < first ? side : -side) * contact->weight[k], state->x[contact->node[k]], point);
    }
    carom_add_scaled(-1, hit->spot.point, point);
    assert_near(sum, 0, 1e-12);
    // positions are those of the start of the step
    assert_true(carom_norm(point) < 0.05);
    ++*(int *)context;
}

// Reports of contacts have their nodes, whose impulses sum to zero.
static void nodes_of_contacts(void **state) {
    (void)state;
    bench b;
    int hits = 0;
    block_start_impact(&b, 0.4);
    carom_nonsmooth_newmark_params p = defaults();
    bench_simulate_by(&b, "nonsmooth-newmark", &p, 0.4, 0.01);
    b.sim->stepper.observer = (carom_observer){note_hit, &hits};
    bench_run(&b);
    assert_true(hits > 10 && hits == carom_state_contact_events(carom_sim_state(b.sim)));
    double sum[3] = {0}, size = 0;
    for (int k = 0; k < b.model->node_count; k++) {
        carom_add_scaled(1, b.sim->state->impulse[k], sum);
        size += carom_norm(b.sim->state->impulse[k]);
    }
    assert_true(size > 0.1 && carom_norm(sum) < 1e-12);
    bench_end(&b);
}

// Models that the method does not support are refused with a reason.
static void refusals(void **state) {
    (void)state;
    carom_nonsmooth_newmark_params p = defaults();
    const carom_integrator *method = (const carom_integrator *)carom_catalogue_find(carom_integrators(), "nonsmooth-newmark");
    bench b;
    static const double restitutions[] = {0, 0.5, 1};
    for (int i = 0; i < 3; i++) {
        block_start_impact(&b, 0);
        b.def.contact.restitution = restitutions[i];
        bench_build(&b);
        if (i == 1)
            assert_refused(carom_integrator_accepts(method, b.model, &p, error), CAROM_BAD_INPUT, "restitution: 0 or 1");
        else
            assert_ok(carom_integrator_accepts(method, b.model, &p, error));
        bench_end(&b);
    }
    for (int beta = 0; beta < 2; beta++) {
        block_start_impact(&b, 0);
        b.bodies[0].damping.stiffness = beta ? 0 : 0.1;
        b.bodies[0].damping.mass = 0.1;
        bench_build(&b);
        p.beta = 0.25 * beta;
        assert_refused(carom_integrator_accepts(method, b.model, &p, error), CAROM_BAD_INPUT,
                       beta ? "set beta: 0" : "stiffness damping");
        bench_end(&b);
    }
}

// Two bars in contact from the start that press each other for 2 L/c = 20: finds the positions at the time 15 for beta and a
// step. Returns the largest distance to the previous content of `end`.
static double bars_by(double beta, double step, bool touch, double (*end)[3]) {
    bench b;
    bench_start(&b);
    b.def.contact.enabled = touch;
    bench_add_bar(&b, VECTOR(-10, 0, 0), VECTOR(0, 0, 0), 25, VECTOR(0.1, 0, 0), CAROM_BAR_SMALL);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(10, 0, 0), 25, VECTOR(-0.1, 0, 0), CAROM_BAR_SMALL);
    // free bars vibrate
    bench_build(&b);
    for (int k = 0; k < b.model->node_count && !touch; k++)
        b.model->v0[k][0] = 0.1 * sin(0.31 * b.model->X[k][0]);
    carom_nonsmooth_newmark_params p = defaults();
    p.beta = beta;
    bench_simulate_by(&b, "nonsmooth-newmark", &p, 15, step);
    bench_run(&b);
    double worst = 0;
    for (int k = 0; k < b.model->node_count; k++) {
        worst = fmax(worst, fabs(carom_state_positions(carom_sim_state(b.sim))[k][0] - end[k][0]));
        carom_copy(carom_state_positions(carom_sim_state(b.sim))[k], end[k]);
    }
    assert_true((carom_state_contact_events(carom_sim_state(b.sim)) > 10) == touch);
    bench_end(&b);
    return worst;
}

// Implicit elements agree with explicit ones for small steps: to second order, with contact to first order.
static void implicit_agrees(void **state) {
    (void)state;
    static double end[52][3];
    for (int touch = 0; touch < 2; touch++) {
        double first = 0, last = 0;
        for (int i = 0; i < 5; i++) {
            double step = 0.2 / (1 << i), before = last;
            bars_by(0, step, touch, end);
            last = bars_by(0.25, step, touch, end);
            first = i == 0 ? last : first;
            assert_true(touch || i == 0 || last < before / 3.4);
        }
        // contact begins and ends inside a step
        assert_true(first < 0.02 && last < first / 16);
    }
}

// At five times the explicit limit energy does not grow, momentum is exact, nothing overlaps.
static void implicit_is_stable(void **state) {
    (void)state;
    bench b;
    block_start_impact(&b, 0.3);
    carom_nonsmooth_newmark_params p = defaults();
    p.beta = 0.25;
    bench_build(&b);
    double limit = carom_model_stable_step(b.model);
    bench_simulate_by(&b, "nonsmooth-newmark", &p, 3, 5 * limit);
    double start = bench_ledger(&b).total;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        carom_ledger_row row = bench_ledger(&b);
        const carom_books *books = &carom_sim_state(b.sim)->books;
        assert_true(row.total < 1.02 * start && row.penetration < 1e-12);
        for (int i = 0; i < 3; i++)
            assert_near(row.momentum[i], books->initial_momentum[i], 1e-12);
    }
    assert_true(carom_state_contact_events(carom_sim_state(b.sim)) > 5);
    bench_end(&b);

    // an explicit step of that size is refused; with a smaller beta the bound is lower
    const carom_integrator *method = (const carom_integrator *)carom_catalogue_find(carom_integrators(), "nonsmooth-newmark");
    assert_true(carom_integrator_stability(method, &p) == HUGE_VAL);
    p.beta = 0;
    assert_near(carom_integrator_stability(method, &p), 1, 1e-15);
    p.beta = 0.1875;
    assert_near(carom_integrator_stability(method, &p), 2, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounce),
        cmocka_unit_test(outside),
        cmocka_unit_test(numerical_damping),
        cmocka_unit_test(choices),
        cmocka_unit_test(penalties),
        cmocka_unit_test(penalty_at_rest),
        cmocka_unit_test(threads),
        cmocka_unit_test(resume),
        cmocka_unit_test(failure),
        cmocka_unit_test(missed),
        cmocka_unit_test(nodes_of_contacts),
        cmocka_unit_test(refusals),
        cmocka_unit_test(implicit_agrees),
        cmocka_unit_test(implicit_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
