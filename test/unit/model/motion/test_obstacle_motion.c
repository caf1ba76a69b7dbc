// SPDX-License-Identifier: MIT
// Tests src/model/motion/obstacle_motion.c, src/model/state/load_cells.c, src/model/motion/timed_restraints.c.
// Motions of obstacles against closed forms, the balance of their work, their load cells, and time-limited restraints.
#include "model/motion/obstacle_motion.h"

#include "../../../collision.h"
#include "carom/threads.h"
#include "model/motion/timed_restraints.h"
#include "model/parts/extract.h"
#include "model/state/accounts.h"
#include "model/state/load_cells.h"

// Position and velocity of one node, initially at (2, 0, 0), by a definition.
static void place(const carom_obstacle_def *def, double time, double x[3], double v[3]) {
    carom_arena *arena = carom_arena_create();
    double nodes[1][3] = {{2, 0, 0}};
    carom_mesh mesh = {.node_count = 1, .nodes = nodes};
    carom_body_def body = carom_default_body_def();
    carom_pose pose = {0};
    strcpy(body.name, "obstacle");
    body.mesh = &mesh;
    body.obstacle = def;
    assert_ok(carom_pose_create(&body, arena, &pose, error));
    carom_placed placed = carom_pose_at(&pose, time);
    carom_placed_position(&pose, &placed, 0, nodes[0], x);
    carom_placed_velocity(&pose, &placed, 0, nodes[0], v);
    carom_arena_release(arena);
}

static void expect3(const double a[3], double x, double y, double z) {
    assert_near(a[0], x, 1e-14);
    assert_near(a[1], y, 1e-14);
    assert_near(a[2], z, 1e-14);
}

static void closed_forms(void **state) {
    (void)state;
    double x[3], v[3];
    carom_obstacle_def def = carom_default_obstacle_def();
    place(&def, 3, x, v);
    expect3(x, 2, 0, 0);
    expect3(v, 0, 0, 0);
    // a smooth ramp gives half of the displacement
    def.velocity[2] = -4;
    def.schedule.ramp = 0.5;
    place(&def, 0.5, x, v);
    expect3(x, 2, 0, -1);
    place(&def, 2, x, v);
    expect3(x, 2, 0, -7);
    expect3(v, 0, 0, -4);
    // a ramp times a table: the integral of s^2 (3 - 2 s) (1 + t), s = t, from 0 to 1 is 1/2 + 7/20
    static const double growing[2][2] = {{0, 1}, {2, 3}};
    def.schedule = (carom_schedule){.ramp = 1, .count = 2, .points = growing};
    place(&def, 1, x, v);
    expect3(x, 2, 0, -4 * (0.5 + 0.35));
    // a table of velocities
    static const double table[3][4] = {{0, 0, 0, 0}, {1, 2, 0, 0}, {3, 2, 0, 1}};
    def = carom_default_obstacle_def();
    def.motion_count = 3;
    def.motion = table;
    place(&def, 3, x, v);
    expect3(x, 2 + 1 + 4, 0, 1);
    place(&def, 2, x, v);
    expect3(x, 2 + 1 + 2, 0, 0.25);
    expect3(v, 2, 0, 0.5);
    // a path, at rest after its end
    static const double path[2][4] = {{0, 0, 0, 0}, {2, 0, 4, 0}};
    def = carom_default_obstacle_def();
    def.path_count = 2;
    def.path = path;
    place(&def, 0.5, x, v);
    expect3(x, 2, 1, 0);
    expect3(v, 0, 2, 0);
    place(&def, 5, x, v);
    expect3(x, 2, 4, 0);
    expect3(v, 0, 0, 0);
    // a rotation by 90 degrees about an axis through (1, 0, 0) that moves with the obstacle
    def = carom_default_obstacle_def();
    def.velocity[2] = 1;
    def.rate = 0.5 * 3.14159265358979323846;
    def.point[0] = 1;
    def.point[1] = def.point[2] = 0;
    place(&def, 1, x, v);
    expect3(x, 1, 1, 1);
    expect3(v, -def.rate, 0, 1);
    // two shapes
    static const double times[2] = {0, 2}, first[3] = {2, 0, 0}, second[3] = {2, 0, 8};
    const double *shapes[2] = {first, second};
    def = carom_default_obstacle_def();
    def.shape_count = 2;
    def.shape_times = times;
    def.shapes = shapes;
    place(&def, 0.5, x, v);
    expect3(x, 2, 0, 2);
    expect3(v, 0, 0, 4);
}

static const char spinning[] = "integrator: newmark-dcr\ntime: {end: 100, step: 0.001}\nbodies:\n"
                               "  - name: ball\n    mesh: {point: {at: [9, 9, 9]}}\n    element: {point-mass: {mass: 1}}\n"
                               "  - name: wheel\n    mesh: {box: {from: [0, 0, 0], to: [1, 2, 3], elements: [1, 1, 1]}}\n"
                               "    obstacle: {velocity: [0.01, 0, 0], turn: {rate: 7, axis: [1, 2, 3]}}\n";

// After 100000 steps nodes are at the exact pose: rounding does not accumulate.
static void no_drift(void **state) {
    (void)state;
    collision c;
    collision_parse(&c, spinning);
    while (!carom_sim_done(c.sim))
        assert_ok(carom_sim_step(c.sim, error));
    const carom_model *model = carom_scene_model(c.scene);
    const carom_state *s = carom_sim_state(c.sim);
    assert_int_equal(carom_state_step(s), 100000);
    carom_placed placed = carom_pose_at(&model->poses.items[0], carom_state_time(s));
    for (int k = 1; k < model->node_count; k++) {
        double x[3];
        carom_placed_position(&model->poses.items[0], &placed, k - 1, model->X[k], x);
        for (int i = 0; i < 3; i++)
            assert_near(carom_state_positions(s)[k][i], x[i], 2e-13);
    }
    // an obstacle has neither energy nor momentum
    carom_ledger_row row = collision_ledger(&c);
    assert_true(row.kinetic == 0 && row.external == 0 && carom_norm(row.momentum) == 0);
    collision_end(&c);
}

// A block between a table and a punch or a rotating roller.
static const char pressed[] =
    "integrator: newmark-dcr\ntime: {end: 0.012, safety: %g}\ncontact: {friction: %g}\nbodies:\n"
    "  - name: block\n    mesh: {box: {from: [0, 0, 0], to: [1, 1, 0.5], elements: [4, 4, 2]}}\n"
    "    element: hex8\n    material: {neo-hookean: {young: 1.0e+6, poisson: 0.3, density: 1000}}\n"
    "  - name: tool\n    mesh: {%s}\n    obstacle: {%s}\n"
    "  - name: table\n    mesh: {box: {from: [-1, -1, -0.5], to: [2, 2, -0.0005], elements: [1, 1, 1]}}\n"
    "    obstacle: {}\n";

static double residual_of(double safety, const char *mesh, const char *motion) {
    char text[2048];
    snprintf(text, sizeof text, pressed, safety, 0.2, mesh, motion);
    collision c;
    collision_parse(&c, text);
    while (!carom_sim_done(c.sim))
        assert_ok(carom_sim_step(c.sim, error));
    carom_ledger_row row = collision_ledger(&c);
    // the tool has done work
    assert_true(-row.external > 500 && row.friction > 1);
    collision_end(&c);
    return fabs(row.residual);
}

// External work equals kinetic and stored energy plus losses, up to an error of second order.
static void balance(void **state) {
    (void)state;
    static const char *const tools[2][2] = {
        {"box: {from: [0.2, 0.3, 0.501], to: [0.7, 0.8, 0.7], elements: [1, 1, 1]}", "velocity: [0, 0, -5], ramp: 0.004"},
        {"cylinder: {center: [0.5, 0.5, 0.501], radius: 0.4, height: 0.3, divisions: 2, layers: 1, slices: 1}",
         "velocity: [0, 0, -5], ramp: 0.004, turn: {rate: 20, ramp: 0.004}"},
    };
    for (int i = 0; i < 2; i++) {
        double coarse = residual_of(0.2, tools[i][0], tools[i][1]), fine = residual_of(0.1, tools[i][0], tools[i][1]);
        double finer = residual_of(0.05, tools[i][0], tools[i][1]);
        if (!(coarse > 3 * fine && fine > 3 * finer))
            fail_msg("tool %d: residuals %g, %g, %g", i, coarse, fine, finer);
    }
}

// The impulses measured by the load cells of tool and table are the momentum change of the block.
static void load_cells(void **state) {
    (void)state;
    char text[2048];
    snprintf(text, sizeof text, pressed, 0.5, 0.0, "box: {from: [0.2, 0.3, 0.501], to: [0.7, 0.8, 0.7], elements: [1, 1, 1]}",
             "velocity: [0, 0, -5], cell: [0, 0, 0]");
    collision c;
    collision_parse(&c, text);
    const carom_model *model = carom_scene_model(c.scene);
    const carom_state *s = carom_sim_state(c.sim);
    double lifted[3] = {0}, before[3] = {0};
    while (!carom_sim_done(c.sim)) {
        double sums[CAROM_CELL_SUMS];
        double middle = carom_state_time(s);
        assert_ok(carom_sim_step(c.sim, error));
        middle = 0.5 * (middle + carom_state_time(s));
        carom_cells_sums(s, 0, sums);
        // the reference point of the tool's load cell moves with it: the moment of the force about the origin is added
        double at[3] = {0, 0, -5 * middle}, gained[3], moment[3];
        carom_difference(sums, before, gained);
        carom_cross(at, gained, moment);
        carom_add_scaled(1, moment, lifted);
        carom_copy(sums, before);
    }
    carom_ledger_row row = collision_ledger(&c);
    double tool[CAROM_CELL_SUMS], table[CAROM_CELL_SUMS], about[3], moment[3];
    carom_cells_sums(s, 0, tool);
    carom_cells_sums(s, 1, table);
    carom_copy(model->poses.items[1].cell, about);
    carom_cross(about, table, moment);
    carom_accounts pending = carom_accounts_value(&s->books.pending);
    for (int i = 0; i < 3; i++) {
        // half of the last kick is not contained in the momentum of the row yet
        assert_near(row.momentum[i] + pending.impulse[i], -tool[i] - table[i], 1e-11 * fabs(tool[2]));
        // up to the displacement of the reference point in a step
        assert_near(row.angular_momentum[i] + pending.angular_impulse[i], -tool[3 + i] - lifted[i] - table[3 + i] - moment[i],
                    0.01 * fabs(tool[2]));
    }
    assert_true(tool[2] > 100 && table[2] < 0);
    collision_end(&c);
}

// A released mass falls freely from the time of release; when it is restrained again, the restraint takes its energy.
static void windows(void **state) {
    (void)state;
    collision c;
    collision_parse(&c, "integrator: newmark-dcr\ntime: {end: 1, step: 0.01}\ngravity: [0, 0, -10]\nbodies:\n"
                        "  - name: ball\n    mesh: {point: {at: [0, 0, 1]}}\n    element: {point-mass: {mass: 2}}\n"
                        "restraints:\n  - {body: ball, fix: x, velocity: [3, 0, 0], until: 0.5}\n"
                        "  - {body: ball, fix: z, until: 0.25}\n  - {body: ball, fix: xz, from: 0.75}\n");
    const carom_state *s = carom_sim_state(c.sim);
    while (carom_state_time(s) < 0.74)
        assert_ok(carom_sim_step(c.sim, error));
    double t = carom_state_time(s) - 0.25;
    assert_near(carom_state_positions(s)[0][2], 1 - 5 * t * t, 1e-13);
    assert_near(carom_state_velocities(s)[0][2], -10 * t, 1e-13);
    assert_near(carom_state_velocities(s)[0][0], 3, 1e-15);
    while (!carom_sim_done(c.sim))
        assert_ok(carom_sim_step(c.sim, error));
    carom_ledger_row row = collision_ledger(&c);
    assert_true(row.kinetic == 0);
    // it is at rest from half a step after 0.74
    double fall = 1 - 5 * 0.5 * 0.5;
    assert_near(carom_state_positions(s)[0][2], fall, 1e-13);
    assert_near(carom_state_positions(s)[0][0], 2.25, 1e-12);
    assert_near(row.residual, 0, 1e-13);
    collision_end(&c);
}

int main(void) {
    carom_set_threads(1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(no_drift), cmocka_unit_test(balance),
                                       cmocka_unit_test(load_cells), cmocka_unit_test(windows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
