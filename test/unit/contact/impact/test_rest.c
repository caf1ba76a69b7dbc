// SPDX-License-Identifier: MIT
// Tests src/contact/impact/rest.c, src/contact/impact/rest_choose.c.
// Contact under load: rest, sliding, bouncing, against closed forms.
#include "../../../collision.h"

static const carom_plane_def floor_plane = {.name = "floor", .normal = {0, 0, 2}};

static void on_floor(bench *b, double restitution, double friction) {
    bench_start(b);
    memcpy(b->def.gravity, VECTOR(0, 0, -10), sizeof b->def.gravity);
    b->def.contact.restitution = restitution;
    b->def.contact.friction = friction;
    b->def.contact.plane_count = 1;
    b->def.contact.planes = &floor_plane;
}

static const double *position(const bench *b, int node) {
    return carom_state_positions(carom_sim_state(b->sim))[node];
}

static const double *velocity(const bench *b, int node) {
    return carom_state_velocities(carom_sim_state(b->sim))[node];
}

// A mass at rest does not move, loses no energy, and the impulses of the floor balance the weight.
static void rest(void **state) {
    (void)state;
    for (int e = 0; e < 2; e++) {
        bench b;
        on_floor(&b, 0.9 * e, 0.3);
        bench_add_point(&b, VECTOR(0.5, 0, 0), 3, VECTOR(0, 0, 0));
        bench_simulate(&b, 10, 0.01);
        bench_run(&b);
        carom_ledger_row row = bench_ledger(&b);
        assert_near(position(&b, 0)[2], 0, 0);
        assert_near(velocity(&b, 0)[2], 0, 0);
        assert_near(row.restitution, 0, 0);
        assert_near(row.projection, 0, 0);
        assert_near(row.residual, 0, 0);
        assert_near(carom_state_pair(carom_sim_state(b.sim), 0).impulse, 3 * 10 * (10 + 0.005), 1e-9);
        bench_end(&b);
    }
}

// A bar that stands on the floor with a point mass on top: both contacts support the weight without penetration.
static void tower(void **state) {
    (void)state;
    bench b;
    on_floor(&b, 0.5, 0);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(0, 0, 1), 1, VECTOR(0, 0, 0), CAROM_BAR_SMALL);
    bench_add_point(&b, VECTOR(0, 0, 1), 2, VECTOR(0, 0, 0));
    b.materials[0].young = 1e4;
    bench_simulate(&b, 20, 0.002);
    double start = bench_ledger(&b).total, highest = start;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        carom_ledger_row row = bench_ledger(&b);
        highest = fmax(highest, row.total);
        assert_true(row.penetration < 1e-15);
    }
    // the weight acts suddenly: the tower oscillates about its static shortening, and total energy hardly rises
    assert_true(highest - start < 1e-3 * 2.5 * 10 * 0.0025);
    assert_true(position(&b, 2)[2] > 1 - 2.1 * 25e-4 && position(&b, 2)[2] < 1 + 1e-6);
    bench_end(&b);
}

// Dropped from height 1 with restitution e: the n-th height is e^(2n), and bouncing ends at the time sqrt(2/g) (1 + e)/(1 - e).
static void bounce(void **state) {
    (void)state;
    double e = 0.5, end = sqrt(0.2) * (1 + e) / (1 - e), step = 1e-4;
    bench b;
    on_floor(&b, e, 0);
    bench_add_point(&b, VECTOR(0, 0, 1), 1, VECTOR(0, 0, 0));
    bench_simulate(&b, 1.2 * end, step);
    int phase = 0;
    double highest = 0, fell = 1;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        double z = position(&b, 0)[2], v = velocity(&b, 0)[2];
        assert_true(z >= 0);
        if (v > 0)
            highest = fmax(highest, z), phase = 1;
        if (v < 0 && phase == 1) {
            if (fell > 1e-3)
                assert_near(highest, fell * e * e, 0.01 * fell);
            fell = highest, highest = 0, phase = 0;
        }
        if (carom_state_time(carom_sim_state(b.sim)) > end * 1.01)
            assert_near(z, 0, 1e-12);
    }
    carom_ledger_row row = bench_ledger(&b);
    assert_near(row.restitution, 10, 0.05);
    assert_near(row.kinetic, 0, 1e-24);
    assert_near(row.residual, 0, 0.05);
    bench_end(&b);
}

// Sliding with friction: stops at the time v/(mu g) at the distance v^2/(2 mu g), with all energy lost by friction.
static void slide(void **state) {
    (void)state;
    bench b;
    on_floor(&b, 0, 0.25);
    bench_add_point(&b, VECTOR(0, 0, 0), 2, VECTOR(3, 4, 0));
    bench_simulate(&b, 3, 0.01);
    double stopped = 0, before = 0;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        if (hypot(velocity(&b, 0)[0], velocity(&b, 0)[1]) > 1e-12)
            stopped = carom_state_time(carom_sim_state(b.sim));
        carom_ledger_row row = bench_ledger(&b);
        assert_true(row.friction >= before);
        before = row.friction;
        assert_near(row.residual, 0, 2e-3);
    }
    assert_near(stopped, 2, 0.02);
    assert_near(hypot(position(&b, 0)[0], position(&b, 0)[1]), 5, 1e-3);
    assert_near(position(&b, 0)[0] / position(&b, 0)[1], 0.75, 1e-12);
    assert_near(bench_ledger(&b).friction, 25, 2e-3);
    bench_end(&b);
}

// On an incline (gravity rotated) a mass sticks below the friction angle and slides with g (sin - mu cos) above it.
static void incline(void **state) {
    (void)state;
    double mu = 0.4;
    for (int above = 0; above < 2; above++) {
        double angle = atan(mu) + (above ? 0.01 : -0.01);
        bench b;
        on_floor(&b, 0, mu);
        memcpy(b.def.gravity, VECTOR(10 * sin(angle), 0, -10 * cos(angle)), sizeof b.def.gravity);
        bench_add_point(&b, VECTOR(0, 0, 0), 1, VECTOR(0, 0, 0));
        bench_simulate(&b, 1, 0.01);
        bench_run(&b);
        double way = above ? 0.5 * 10 * (sin(angle) - mu * cos(angle)) : 0;
        assert_near(position(&b, 0)[0], way, 1e-12);
        // the half kick at the start records friction at the mean of its velocities: F a h^2/8 more than F x
        double acceleration = above ? 10 * (sin(angle) - mu * cos(angle)) : 0;
        assert_near(bench_ledger(&b).oscillation, mu * 10 * cos(angle) * acceleration * 1e-4 / 8, 1e-12);
        assert_near(bench_ledger(&b).residual, 0, 1e-12);
        bench_end(&b);
    }
}

// A bar held at one end and pulled at the other with constant velocity: its energy is the work of the prescribed motion.
static void driven(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 20, VECTOR(0, 0, 0), CAROM_BAR_GREEN);
    carom_restraint_def restraints[2] = {
        {.where = {.body = "body0", .set = "start", .node = CAROM_AUTO},
         .direction_count = 3,
         .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        {.where = {.body = "body0", .set = "end", .node = CAROM_AUTO},
         .direction_count = 1,
         .direction = {{2, 0, 0}},
         .velocity = {0.05, 7, 0}},
    };
    b.def.restraints = restraints;
    b.def.restraint_count = 2;
    bench_simulate(&b, 4, 0.005);
    bench_run(&b);
    carom_ledger_row row = bench_ledger(&b);
    assert_near(position(&b, 0)[0], 0, 0);
    assert_near(position(&b, 20)[0], 1.2, 1e-13);
    assert_near(position(&b, 20)[1], 0, 0);
    assert_true(row.internal > 0.01 && row.external < -0.01);
    assert_near(row.residual, 0, 2e-5);
    bench_end(&b);
}

// A piston of prescribed speed V hits a mass at rest, which leaves with (1 + e) V; the work of the piston is recorded.
static void piston(void **state) {
    (void)state;
    for (int resolve = 0; resolve < 2; resolve++) {
        for (int e = 0; e < 3; e++) {
            bench b;
            bench_start(&b);
            b.def.contact.restitution = 0.5 * e;
            b.def.contact.resolve = resolve;
            bench_add_point(&b, VECTOR(0, 0, 0), 1, VECTOR(0, 0, 0));
            bench_add_point(&b, VECTOR(1, 0, 0), 2, VECTOR(0, 0, 0));
            carom_restraint_def drive = {.where = {.body = "body0", .node = CAROM_AUTO},
                                         .direction_count = 3,
                                         .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                         .velocity = {3, 0, 0}};
            b.def.restraints = &drive;
            b.def.restraint_count = 1;
            bench_simulate(&b, 1, 0.03);
            bench_run(&b);
            carom_ledger_row row = bench_ledger(&b);
            assert_near(velocity(&b, 0)[0], 3, 0);
            assert_near(velocity(&b, 1)[0], 3 * (1 + 0.5 * e), 1e-14);
            assert_near(row.restitution, 0.5 * 2 * 9 * (1 - 0.25 * e * e), 1e-13);
            assert_near(row.residual, 0, 1e-13);
            bench_end(&b);
        }
    }
}

// Two masses above each other fall on the floor and come to rest, at any restitution: the recorded loss is their initial
// energy.
static void stack(void **state) {
    (void)state;
    for (int e = 0; e < 5; e++) {
        bench b;
        on_floor(&b, (double[]){0, 0.3, 0.5, 0.7, 0.9}[e], 0);
        bench_add_point(&b, VECTOR(0, 0, 0.1), 1, VECTOR(0, 0, 0));
        bench_add_point(&b, VECTOR(0, 0, 0.3), 1, VECTOR(0, 0, 0));
        bench_simulate(&b, 30, 0.001);
        bench_run(&b);
        carom_ledger_row row = bench_ledger(&b);
        assert_near(position(&b, 1)[2], 0, 1e-12);
        assert_near(row.kinetic, 0, 1e-20);
        assert_near(row.restitution, 4, 0.05);
        double residual = row.residual;
        carom_sim_release(b.sim);
        bench_simulate(&b, 60, 0.001);
        bench_run(&b);
        assert_near(bench_ledger(&b).residual, residual, 1e-12);
        bench_end(&b);
    }
}

// A mass on an inclined guide meets the floor with friction: the friction impulse must not close the contact again.
static void guided(void **state) {
    (void)state;
    for (int mu = 0; mu < 4; mu++) {
        bench b;
        on_floor(&b, 0.5, (double[]){0, 0.3, 1, 5}[mu]);
        bench_add_point(&b, VECTOR(0, 0, 0.1), 1, VECTOR(0, 0, 0));
        carom_restraint_def guide = {
            .where = {.body = "body0", .node = CAROM_AUTO}, .direction_count = 2, .direction = {{1, 0, 1}, {0, 1, 0}}};
        b.def.restraints = &guide;
        b.def.restraint_count = 1;
        bench_simulate(&b, 5, 0.001);
        double before = bench_ledger(&b).total;
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            carom_ledger_row row = bench_ledger(&b);
            assert_true(row.penetration <= 1e-15 && row.friction >= 0 && row.restitution >= 0);
            assert_true(row.total <= before + 0.02);
        }
        assert_near(position(&b, 0)[2], 0, 1e-12);
        assert_near(position(&b, 0)[0], 0.1, 1e-12);
        bench_end(&b);
    }
}

// A driven mass pushes two others against a load: two contacts that share a node are solved together; momentum is exact to
// rounding, and there is no transient over several steps.
static void pushed_row(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_point(&b, VECTOR(0, 0, 0), 1, VECTOR(0.5, 0, 0));
    bench_add_point(&b, VECTOR(0.1, 0, 0), 1, VECTOR(0, 0, 0));
    bench_add_point(&b, VECTOR(0.25, 0, 0), 2, VECTOR(0, 0, 0));
    carom_restraint_def drive = {.where = {.body = "body0", .node = CAROM_AUTO},
                                 .direction_count = 3,
                                 .direction = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                 .velocity = {0.5, 0, 0}};
    carom_load_def load = {.where = {.body = "body2", .node = CAROM_AUTO}, .force = {-1, 0, 0}};
    b.def.restraints = &drive;
    b.def.restraint_count = 1;
    b.def.loads = &load;
    b.def.load_count = 1;
    bench_simulate(&b, 30, 0.01);
    int64_t busy = 0;
    while (!carom_sim_done(b.sim)) {
        assert_ok(carom_sim_step(b.sim, error));
        busy += bench_ledger(&b).contacts > 2;
    }
    assert_true(busy <= 3);
    for (int k = 0; k < 3; k++)
        assert_near(velocity(&b, k)[0], 0.5, 1e-14);
    // the two free masses gained 1.5; the prescribed motion supplied this and the impulse of the load
    assert_near(bench_ledger(&b).momentum[0], 4 * 0.5, 1e-13);
    assert_near(bench_ledger(&b).residual, 0, 0.002);
    bench_end(&b);
}

// Friction that reverses the sliding velocity is never recorded as a gain.
static void reversal(void **state) {
    (void)state;
    const double speeds[3] = {0.01, 0.02, 0.155};
    for (int i = 0; i < 3; i++) {
        bench b;
        on_floor(&b, 0, 0.5);
        bench_add_point(&b, VECTOR(0, 0, 0), 1, VECTOR(speeds[i], 0, 0));
        carom_load_def load = {.where = {.body = "body0", .node = CAROM_AUTO}, .force = {i == 1 ? 0 : -4, 0, 0}};
        b.def.loads = &load;
        b.def.load_count = 1;
        double v = b.bodies[0].velocity[0], before = 0;
        bench_simulate(&b, 1, 0.01);
        while (!carom_sim_done(b.sim)) {
            assert_ok(carom_sim_step(b.sim, error));
            assert_true(bench_ledger(&b).friction >= before);
            before = bench_ledger(&b).friction;
        }
        if (i == 1)
            assert_near(before, 0.5 * v * v, 1e-15);
        bench_end(&b);
    }
}

// A fixed-free bar with an initial uniform velocity vibrates with quarter waves: the period of its lowest mode is 4 L/c.
static void fixed_end(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    bench_add_bar(&b, VECTOR(0, 0, 0), VECTOR(1, 0, 0), 100, VECTOR(0.01, 0, 0), CAROM_BAR_SMALL);
    carom_restraint_def restraint = {.where = {.body = "body0", .set = "start", .node = CAROM_AUTO},
                                     .direction_count = 3,
                                     .direction = {{1, 1, 0}, {0, 1, 0}, {0, 0, 3}}};
    b.def.restraints = &restraint;
    b.def.restraint_count = 1;
    // after a quarter of the period the bar is stretched and at rest, after half of it the velocity is reversed
    bench_simulate(&b, 2, 0.005);
    while (carom_state_time(carom_sim_state(b.sim)) < 1 - 1e-9)
        assert_ok(carom_sim_step(b.sim, error));
    assert_near(position(&b, 100)[0], 1.01, 1e-3);
    bench_run(&b);
    assert_near(position(&b, 100)[0], 1, 1e-3);
    assert_near(velocity(&b, 50)[0], -0.01, 3e-3);
    bench_end(&b);
}

// The largest residual, over the energy, of a cube that falls flat on a fixed block with restitution 0.
static double flat_impact(double step) {
    char text[1000];
    const char *material = "element: hex8, material: {neo-hookean: {young: 1000, poisson: 0.3, density: 1}}";
    snprintf(text, sizeof text,
             "integrator: newmark-dcr\ntime: {end: 0.2, step: %g}\nbodies:\n"
             "  - {name: low, mesh: {box: {from: [-4, -4, -0.5], to: [4, 4, 0], elements: [1, 1, 1]}}, %s}\n"
             "  - {name: cube, mesh: {box: {from: [-1, -0.5, 0.1], to: [0, 0.5, 1.1], elements: [2, 2, 2]}}, %s, "
             "velocity: [0, 0, -1]}\n"
             "restraints: [{body: low, fix: xyz}]\n",
             step, material, material);
    collision c;
    collision_parse(&c, text);
    double energy = collision_ledger(&c).total, largest = 0;
    while (!carom_sim_done(c.sim)) {
        assert_ok(carom_sim_step(c.sim, error));
        largest = fmax(largest, fabs(collision_ledger(&c).residual) / energy);
    }
    // nine of 27 nodes, with a quarter of the mass, are stopped
    assert_true(collision_ledger(&c).restitution > 0.25 * energy * (1 - 1e-3));
    collision_end(&c);
    return largest;
}

// An impact within a kick has lost three quarters of its energy at the time of the kick, when half of its speed is left: the
// ledger row of this time has this loss.
static void impact_within_a_kick(void **state) {
    (void)state;
    double coarse = flat_impact(0.002), fine = flat_impact(0.0005);
    assert_true(coarse < 0.005);
    assert_true(fine < coarse / 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest),
        cmocka_unit_test(tower),
        cmocka_unit_test(bounce),
        cmocka_unit_test(slide),
        cmocka_unit_test(incline),
        cmocka_unit_test(driven),
        cmocka_unit_test(piston),
        cmocka_unit_test(fixed_end),
        cmocka_unit_test(stack),
        cmocka_unit_test(guided),
        cmocka_unit_test(pushed_row),
        cmocka_unit_test(reversal),
        cmocka_unit_test(impact_within_a_kick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
