// SPDX-License-Identifier: MIT
// Kane, Repetto, Ortiz & Marsden 1999 and Pandolfi, Kane, Marsden & Ortiz 2002: `nonsmooth-newmark` against closed forms (a
// particle at a wall, a slider, Truesdell's wedge) and against the figures of an independent prototype of the method (two
// squares, corner on edge).
#include "../support.h"
#include "integrator/nonsmooth/workspace.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

static const double degree = 0.017453292519943295;

static carom_nonsmooth_newmark_params defaults(void) {
    carom_nonsmooth_newmark_params p;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "nonsmooth-newmark");
    carom_param_defaults(kind->params, kind->param_count, &p);
    p.slip = CAROM_NONSMOOTH_INCREMENT;
    return p;
}

// One node of a body.
static const double *velocity_of(const bench *b, int body) {
    return carom_state_velocities(carom_sim_state(b->sim))[b->model->bodies[body].node_begin];
}

static void particle_at_a_wall(void **state) {
    (void)state;
    static const carom_plane_def wall = {.name = "wall", .normal = {0, 1, 0}};
    static const double rows[][3] = {{0, 1, 1}, {0.25, 0.5, 0.5}, {0.5, 0, 0}, {0.75, -0.5, 0.5}, {1, -1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int gradients = 0; gradients < 2; gradients++) {
            bench b;
            bench_start(&b);
            b.def.contact.planes = &wall;
            b.def.contact.plane_count = 1;
            bench_add_point(&b, VECTOR(0, 0.1 * rows[i][0], 0), 1, VECTOR(0, -1, 0));
            carom_nonsmooth_newmark_params p = defaults();
            p.gradients = gradients;
            bench_simulate_by(&b, "nonsmooth-newmark", &p, 0.2, 0.1);
            for (int s = 1; s <= 2; s++) {
                assert_ok(carom_sim_step(b.sim, error));
                assert_near(velocity_of(&b, 0)[1], rows[i][s], 1e-12);
                carom_ledger_row row = bench_ledger(&b);
                assert_near(row.residual, 0, 1e-15);
                assert_near(row.projection, 0.5 * (1 - rows[i][s] * rows[i][s]), 1e-12);
                assert_true(row.penetration < 1e-15);
            }
            bench_end(&b);
        }
}

static void slider(void **state) {
    (void)state;
    static const carom_plane_def floor = {.name = "floor", .normal = {0, 1, 0}};
    bench b;
    bench_start(&b);
    b.def.contact.planes = &floor;
    b.def.contact.plane_count = 1;
    b.def.contact.friction = 0.5;
    b.def.gravity[1] = -1;
    bench_add_point(&b, VECTOR(0, 0, 0), 1, VECTOR(1, 0, 0));
    carom_nonsmooth_newmark_params p = defaults();
    bench_simulate_by(&b, "nonsmooth-newmark", &p, 3, 0.01);
    while (!carom_sim_done(b.sim)) {
        carom_ledger_row before = bench_ledger(&b);
        assert_ok(carom_sim_step(b.sim, error));
        double t = carom_state_time(carom_sim_state(b.sim)), u = carom_state_positions(carom_sim_state(b.sim))[0][0];
        assert_near(u, t < 2 ? t - 0.25 * t * t : 1, 1e-12);
        assert_near(velocity_of(&b, 0)[0], t < 2 ? 1 - 0.5 * t : 0, 1e-12);
        carom_ledger_row row = bench_ledger(&b);
        assert_true(row.friction >= before.friction - 4e-17);
        assert_near(row.residual, 0, 1e-14);
    }
    assert_near(bench_ledger(&b).friction, 0.5, 1e-12);
    bench_end(&b);
}

// Runs a point mass with the velocity `v` on a floor with mu = 1/2, under the gravity (pull, 0, -1), for `steps` steps.
static void slide(bench *b, const double v[3], double pull, int slip, int steps, double h) {
    static const carom_plane_def floor = {.name = "floor", .normal = {0, 0, 1}};
    bench_start(b);
    b->def.contact.planes = &floor;
    b->def.contact.plane_count = 1;
    b->def.contact.friction = 0.5;
    b->def.gravity[0] = pull;
    b->def.gravity[2] = -1;
    bench_add_point(b, VECTOR(0, 0, 0), 1, v);
    carom_nonsmooth_newmark_params p = defaults();
    p.slip = slip;
    bench_simulate_by(b, "nonsmooth-newmark", &p, steps * h, h);
    bench_run(b);
}

// A mass that slides across an incline of the friction angle turns downhill. With speed v, angle psi to the line of slope and
// u = tan(psi/2), v (1 + cos psi) is constant and t = v0/(2 a) (log(u0/u) + (u0^2 - u^2)/2), where a = mu g: from v0 = 1 across
// the slope to (3/8, 1/2), u = 1/2, at t = log 2 + 3/8 for a = 1/2. Friction along the increment of the slip, as in the paper,
// has the direction of the middle of the step, and an error of second order; along the rate at the end of the step it is turned
// to that direction.
static void friction_turns(void **state) {
    (void)state;
    for (int slip = 0; slip < 2; slip++) {
        double last = 0;
        for (int n = 64; n <= 512; n *= 2) {
            bench b;
            slide(&b, VECTOR(0, 1, 0), 0.5, slip, n, (log(2) + 0.375) / n);
            const double *v = velocity_of(&b, 0);
            double off = hypot(v[0] - 0.375, v[1] - 0.5), order = log2(last / off);
            if (last > 0)
                assert_near(order, 2, 0.01);
            print_message("%d steps, %s: off by %.2g\n", n, slip ? "increment" : "rate", off);
            last = off;
            bench_end(&b);
        }
        assert_true(last < 1e-7);
    }
}

// A mass that stops at the fraction s of a step, having gone 1: the distance has an error of second order with either rule. By
// the rate it is at rest then. By the increment it keeps a speed of first order, at most mu g h/2, which changes its sign in
// each step.
static void friction_stops(void **state) {
    (void)state;
    for (int slip = 0; slip < 2; slip++)
        for (int i = 0; i < 6; i++) {
            double h = 0.03 / (1 + 0.37 * i), full = floor(2 / h), s = 2 / h - full;
            bench b;
            slide(&b, VECTOR(1, 0, 0), 0, slip, (int)full + 5, h);
            double v = velocity_of(&b, 0)[0], way = carom_state_positions(carom_sim_state(b.sim))[0][0];
            bool increment = slip == CAROM_NONSMOOTH_INCREMENT;
            // the increment slides on in the last step, or not at all
            double gone = !increment ? 0.5 * s : s > 0.5 ? s - 0.5 : 0;
            assert_near(fabs(v), increment ? 0.5 * h * fmin(s, 1 - s) : 0, 1e-12);
            assert_near(way, 1 + 0.5 * h * h * (gone - 0.5 * s * s), 1e-12);
            assert_true(fabs(way - 1) <= 0.5 * h * h / 8 + 1e-12);
            bench_end(&b);
        }
}

static const carom_plane_element_params unit_thickness = {.thickness = 1};

static void add_square(bench *b, double angle, double x, double y, const double velocity[3]) {
    carom_rectangle_params square = {.from = {-0.5, -0.5, 0}, .to = {0.5, 0.5, 0}, .columns = 4, .rows = 4};
    carom_body_def *body = bench_add(b, "rectangle", &square, velocity);
    carom_mesh *mesh = &b->meshes[b->def.body_count - 1];
    for (int k = 0; k < mesh->node_count; k++) {
        double c = cos(angle), s = sin(angle), *X = mesh->nodes[k], turned[2] = {c * X[0] - s * X[1], s * X[0] + c * X[1]};
        X[0] = turned[0] + x;
        X[1] = turned[1] + y;
    }
    carom_elastic_params *law = &b->materials[b->def.body_count - 1];
    *law = (carom_elastic_params){1000, 0.3, 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "quad4"), &unit_thickness};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), law};
}

static void start_squares(bench *b, const carom_nonsmooth_newmark_params *p, double friction, double step) {
    bench_start(b);
    b->def.contact.friction = friction;
    add_square(b, 45 * degree, 0.1, 1.35, VECTOR(0.3, -1, 0));
    add_square(b, 0, 0, 0, VECTOR(0, 0, 0));
    bench_simulate_by(b, "nonsmooth-newmark", p, 0.4, step);
}

static void centre_velocity(const bench *b, int body, double v[3]) {
    const carom_body *range = &b->model->bodies[body];
    v[0] = v[1] = v[2] = 0;
    for (int k = range->node_begin; k < range->node_begin + range->node_count; k++)
        carom_add_scaled(b->model->mass[k] / range->mass, carom_state_velocities(carom_sim_state(b->sim))[k], v);
}

typedef struct squares_row {
    int gradients;
    double friction, step, energy, turn, v1[2], v2[2], rubbed;
} squares_row;

static const squares_row squares[] = {
    {CAROM_NONSMOOTH_END, 0, 2e-3, 0.988732, 1.70e-4, {0.322871, -0.083334}, {-0.022871, -0.916666}, 0},
    {CAROM_NONSMOOTH_END, 0, 1e-3, 0.980910, 8.41e-5, {0.322346, -0.087940}, {-0.022346, -0.912060}, 0},
    {CAROM_NONSMOOTH_END, 0, 5e-4, 0.983393, 4.21e-5, {0.322339, -0.086274}, {-0.022339, -0.913726}, 0},
    {CAROM_NONSMOOTH_MIDPOINT, 0, 2e-3, 0.988440, 0, {0.322399, -0.083303}, {-0.022399, -0.916697}, 0},
    {CAROM_NONSMOOTH_MIDPOINT, 0, 1e-3, 0.980768, 0, {0.322115, -0.087881}, {-0.022115, -0.912119}, 0},
    {CAROM_NONSMOOTH_MIDPOINT, 0, 5e-4, 0.983321, 0, {0.322220, -0.086333}, {-0.022220, -0.913667}, 0},
    {CAROM_NONSMOOTH_MIDPOINT, 0.3, 1e-3, 0.978441, 0, {0.270979, -0.094590}, {0.029021, -0.905410}, 1.26260e-3},
    {CAROM_NONSMOOTH_MIDPOINT, 2, 1e-3, 0.979459, 0, {0.276105, -0.094221}, {0.023895, -0.905779}, 7.0125e-4},
};

// One row of the table, and what holds in every step.
static void run_squares(const squares_row *row, int pairing) {
    carom_nonsmooth_newmark_params p = defaults();
    p.gradients = row->gradients;
    p.pairing = pairing;
    bench b;
    start_squares(&b, &p, row->friction, row->step);
    carom_ledger_row start = bench_ledger(&b);
    assert_near(start.total, 0.545, 1e-14);
    assert_near(start.angular_momentum[2], -0.505, 1e-14);
    double turned = 0, moved = 0, overlap = 0, least = 0, given = 0;
    while (!carom_sim_done(b.sim)) {
        carom_ledger_row before = bench_ledger(&b);
        assert_ok(carom_sim_step(b.sim, error));
        carom_ledger_row now = bench_ledger(&b);
        double d[3];
        carom_difference(now.momentum, start.momentum, d);
        moved = fmax(moved, carom_norm(d));
        carom_difference(now.angular_momentum, start.angular_momentum, d);
        turned = fmax(turned, carom_norm(d));
        overlap = fmax(overlap, now.penetration);
        least = fmin(least, now.friction - before.friction);
        given = fmax(given, before.projection - now.projection);
    }
    carom_ledger_row end = bench_ledger(&b);
    double v1[3], v2[3];
    centre_velocity(&b, 0, v1);
    centre_velocity(&b, 1, v2);
    // as many digits as were printed
    assert_near(end.total / start.total, row->energy, 5.1e-7);
    for (int i = 0; i < 2; i++) {
        assert_near(v1[i], row->v1[i], 5.1e-7);
        assert_near(v2[i], row->v2[i], 5.1e-7);
    }
    assert_near(end.friction, row->rubbed, 5.1e-9);
    assert_near(turned, row->turn, row->gradients == CAROM_NONSMOOTH_END ? 5.1e-7 : 1e-12);
    assert_true(moved < 1e-12 && overlap < 1e-12);
    // friction never gives energy, and never takes any without slip
    assert_true(least >= -1e-15);
    // nor does any other work of contact: areas are quadratic, and their gradients in the middle of a step give their change
    // exactly
    if (row->gradients == CAROM_NONSMOOTH_MIDPOINT)
        assert_true(given <= 1e-12 * start.total);
    bench_end(&b);
}

// Both rules find the same pairs here.
static void two_squares(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++) {
        run_squares(&squares[i], CAROM_NONSMOOTH_CLOSEST);
        run_squares(&squares[i], CAROM_NONSMOOTH_CROSSED);
    }
}

// Two bars meet head-on, L = 10, c = 1: they press each other with rho c A v for 2 L/c = 20, and part with the velocities that
// they came with, exchanged.
static void two_bars(void **state) {
    (void)state;
    double lost = 1;
    for (int elements = 25; elements <= 400; elements *= 4) {
        bench b;
        bench_start(&b);
        bench_add_bar(&b, VECTOR(-10, 0, 0), VECTOR(0, 0, 0), elements, VECTOR(0.1, 0, 0), CAROM_BAR_SMALL);
        bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(10, 0, 0), elements, VECTOR(-0.1, 0, 0), CAROM_BAR_SMALL);
        carom_nonsmooth_newmark_params p = defaults();
        bench_simulate_by(&b, "nonsmooth-newmark", &p, 30, 5.0 / elements);
        carom_ledger_row start = bench_ledger(&b);
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            carom_ledger_row row = bench_ledger(&b);
            assert_true(row.penetration < 1e-14 && fabs(row.momentum[0]) < 1e-14);
            assert_true(fabs(row.residual) < 0.01 * start.total);
        }
        double v[3], coarse = 25.0 / elements;
        centre_velocity(&b, 0, v);
        carom_pair_record pair = carom_state_pair(carom_sim_state(b.sim), 0);
        assert_near(pair.last_contact, 20, 0.5 * coarse + 0.05);
        assert_near(pair.impulse, 2, 0.05 * coarse + 0.002);
        assert_near(v[0], -0.1, 0.006 * coarse + 2e-4);
        double now = 1 - bench_ledger(&b).total / start.total;
        assert_true(now >= 0 && now < 0.5 * lost);
        lost = now;
        bench_end(&b);
    }
    assert_true(lost < 0.002);
}

// A particle flies at the tip of a wedge of half angle `theta`, at the angle phi to its axis, and passes the tip when the
// fraction 1 - s of a step is over.
static void start_wedge(bench *b, double theta, double phi, double s, double step) {
    static const carom_restraint_def held = {
        .where = {.body = "body0", .node = CAROM_AUTO}, .direction_count = 3, .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    bench_start(b);
    carom_rectangle_params shape = {.to = {1, 1, 0}, .columns = 1, .rows = 1};
    carom_body_def *body = bench_add(b, "rectangle", &shape, VECTOR(0, 0, 0));
    // a kite with its tip at the origin
    const double corners[4][2] = {{0, 0}, {cos(theta), -sin(theta)}, {cos(theta), sin(theta)}, {2 * cos(theta), 0}};
    for (int k = 0; k < 4; k++)
        memcpy(b->meshes[0].nodes[k], corners[k], sizeof corners[k]);
    b->materials[0] = (carom_elastic_params){1, 0, 1};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "quad4"), &unit_thickness};
    body->material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &b->materials[0]};
    b->def.restraints = &held;
    b->def.restraint_count = 1;
    double way = -(9 + (1 - s)) * step;
    bench_add_point(b, VECTOR(way * cos(phi), way * sin(phi), 0), 1, VECTOR(cos(phi), sin(phi), 0));
    carom_nonsmooth_newmark_params p = defaults();
    bench_simulate_by(b, "nonsmooth-newmark", &p, 30 * step, step);
    bench_run(b);
}

// Speeds along and across the nearer face after the impact, for which the tangential one is untouched and the normal one has
// the restitution |1 - 2 s|.
static void wedge(void **state) {
    (void)state;
    static const double thetas[] = {20, 30, 45}, phis[] = {0.1, 3, 10, 17, -12, 1e-7, -1e-7}, fractions[] = {1, 0.9, 0.75, 0.3};
    for (int t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof phis / sizeof *phis; i++)
            for (int f = 0; f < 4; f++) {
                bench b;
                double theta = thetas[t] * degree, phi = phis[i] * degree, s = fractions[f];
                start_wedge(&b, theta, phi, s, 0.01);
                const double *v = velocity_of(&b, 1);
                double face = copysign(theta, phi), along[2] = {cos(face), sin(face)}, out[2] = {-sin(face), cos(face)};
                double slip = v[0] * along[0] + v[1] * along[1], leaves = (v[0] * out[0] + v[1] * out[1]) * copysign(1, phi);
                assert_near(slip, cos(face - phi), 1e-12);
                assert_near(leaves, fabs(1 - 2 * s) * sin(fabs(face - phi)), 1e-12);
                if (s == 1)
                    assert_near(atan2(v[1], v[0]), copysign(2 * theta, phi) - phi, 1e-12);
                assert_int_equal(carom_state_events(carom_sim_state(b.sim), CAROM_EVENT_CONTACT_AMBIGUOUS), 0);
                assert_true(bench_ledger(&b).penetration < 1e-15);
                bench_end(&b);
            }
}

// Wedges of all half angles, and particles from everywhere before them: one solution, the reflection at the nearer face.
static void wedge_over_all_angles(void **state) {
    (void)state;
    for (int angle = 5; angle <= 85; angle += 5)
        for (int i = -19; i <= 19; i += 2) {
            bench b;
            double theta = angle * degree, phi = 0.05 * i * theta;
            start_wedge(&b, theta, phi, 1, 0.01);
            double out = copysign(2 * theta, phi) - phi;
            assert_near(velocity_of(&b, 1)[0], cos(out), 1e-12);
            assert_near(velocity_of(&b, 1)[1], sin(out), 1e-12);
            assert_int_equal(carom_state_events(carom_sim_state(b.sim), CAROM_EVENT_CONTACT_AMBIGUOUS), 0);
            bench_end(&b);
        }
}

// On the axis there are two solutions, whatever the half angle; a perturbation of 1e-9 finds either, and the event tells that
// there are two.
static void wedge_on_its_axis(void **state) {
    (void)state;
    for (int angle = 5; angle <= 85; angle += 5) {
        bench b;
        double theta = angle * degree, found[3];
        for (int i = 0; i < 3; i++) {
            start_wedge(&b, theta, (i - 1) * 1e-9, 1, 0.01);
            found[i] = atan2(velocity_of(&b, 1)[1], velocity_of(&b, 1)[0]);
            assert_int_equal(carom_state_events(carom_sim_state(b.sim), CAROM_EVENT_CONTACT_AMBIGUOUS), i == 1);
            bench_end(&b);
        }
        assert_near(found[0], -2 * theta, 2e-9);
        assert_near(found[2], 2 * theta, 2e-9);
        assert_near(fabs(found[1]), 2 * theta, 1e-12);
    }
}

// Past the tip nothing is hit.
static void wedge_passed(void **state) {
    (void)state;
    static const double phis[] = {30, 31, 60, -30, -75};
    for (size_t i = 0; i < sizeof phis / sizeof *phis; i++)
        for (int f = 0; f < 3; f++) {
            bench b;
            double phi = phis[i] * degree;
            start_wedge(&b, 30 * degree, phi, 1 - 0.4 * f, 0.01);
            assert_near(velocity_of(&b, 1)[0], cos(phi), 1e-12);
            assert_near(velocity_of(&b, 1)[1], sin(phi), 1e-12);
            bench_end(&b);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particle_at_a_wall),
        cmocka_unit_test(slider),
        cmocka_unit_test(two_squares),
        cmocka_unit_test(two_bars),
        cmocka_unit_test(wedge),
        cmocka_unit_test(wedge_on_its_axis),
        cmocka_unit_test(wedge_passed),
        cmocka_unit_test(wedge_over_all_angles),
        cmocka_unit_test(friction_turns),
        cmocka_unit_test(friction_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
