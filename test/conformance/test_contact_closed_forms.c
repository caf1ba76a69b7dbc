// SPDX-License-Identifier: MIT
// Collisions of solids against closed forms, on the scenes of scenes/verify made short.
#include "../collision.h"
#include "carom/threads.h"

static const double pi = 3.14159265358979323846;

static void run(collision *c) {
    while (!carom_sim_done(c->sim))
        assert_ok(carom_sim_step(c->sim, error));
    assert_int_equal(carom_state_events(carom_sim_state(c->sim), CAROM_EVENT_CONTACT_HELD), 0);
    assert_int_equal(collision_crossings(c), 0);
}

// Momentum along x of the first body of a scene.
static double momentum_of_first(const collision *c) {
    const carom_model *model = carom_scene_model(c->scene);
    const double(*v)[3] = carom_state_velocities(carom_sim_state(c->sim));
    double p = 0;
    for (int k = 0; k < model->bodies[0].node_count; k++)
        p += model->mass[k] * v[k][0];
    return p;
}

// Hertz (1881): peak force and duration of the impact of two balls; both come nearer with the mesh.
static void hertz(void **state) {
    (void)state;
    static const char *const meshes[2][7] = {
        {"bodies[0].mesh.ball.divisions=4", "bodies[0].mesh.ball.layers=2", "bodies[1].mesh.ball.divisions=4",
         "bodies[1].mesh.ball.layers=2"},
        {"bodies[0].mesh.ball.divisions=8", "bodies[0].mesh.ball.layers=4", "bodies[1].mesh.ball.divisions=8",
         "bodies[1].mesh.ball.layers=4"},
    };
    double v = 0.025, m = 2 * pi / 3, stiffness = 1 / (2 * (1 - 0.3 * 0.3)), radius = 0.5;
    double approach = pow(15 * m * v * v / (16 * stiffness * sqrt(radius)), 0.4);
    double peak = 4.0 / 3 * stiffness * sqrt(radius) * pow(approach, 1.5), duration = 2.9432 * approach / v;
    double force_error[2], duration_error[2];
    for (int mesh = 0; mesh < 2; mesh++) {
        collision c;
        collision_load(&c, "verify/hertz", meshes[mesh]);
        double before = momentum_of_first(&c), largest = 0, time = 0;
        while (!carom_sim_done(c.sim)) {
            assert_ok(carom_sim_step(c.sim, error));
            // the mean over a fortieth of the duration
            double now = carom_state_time(carom_sim_state(c.sim));
            if (now - time < duration / 40)
                continue;
            largest = fmax(largest, (before - momentum_of_first(&c)) / (now - time));
            before = momentum_of_first(&c);
            time = now;
        }
        carom_pair_record pair = carom_state_pair(carom_sim_state(c.sim), 0);
        force_error[mesh] = fabs(largest / peak - 1);
        duration_error[mesh] = fabs((pair.last_contact - pair.first_contact) / duration - 1);
        collision_end(&c);
    }
    if (!(force_error[1] < 0.07 && force_error[1] < force_error[0] && duration_error[1] < 0.05 &&
          duration_error[1] < duration_error[0]))
        fail_msg("peak force off by %g, %g, duration by %g, %g", force_error[0], force_error[1], duration_error[0],
                 duration_error[1]);
}

// What restitution takes from two bars is the energy of the stopped interface; duration 2 L / c.
static void bars(void **state) {
    (void)state;
    static const char *const names[2] = {"verify/bars_of_bricks", "verify/bars_of_tetrahedra"};
    static const double speeds[2] = {0.1, 0.01};
    for (int b = 0; b < 2; b++)
        for (int s = 0; s < 2; s++) {
            char set[3][64];
            snprintf(set[0], sizeof set[0], "bodies[0].velocity=[%g,0,0]", speeds[s]);
            snprintf(set[1], sizeof set[1], "bodies[1].velocity=[%g,0,0]", -speeds[s]);
            snprintf(set[2], sizeof set[2], "time.end=%g", 24 + 0.001 / speeds[s]);
            collision c;
            collision_load(&c, names[b], (const char *const[]){set[0], set[1], set[2], NULL});
            double energy = collision_ledger(&c).total, interface = (0.5 + 0.4) / (4 * 10);
            run(&c);
            carom_ledger_row end = collision_ledger(&c);
            carom_pair_record pair = carom_state_pair(carom_sim_state(c.sim), 0);
            assert_near(pair.last_contact - pair.first_contact, 20, 0.6);
            assert_near(end.restitution / energy, interface, 0.2 * interface);
            assert_near(end.residual / energy, 0, 0.003);
            collision_end(&c);
        }
}

// A block stops after v^2 / (2 mu g), sticks below the angle of friction and slides above.
static void friction(void **state) {
    (void)state;
    collision c;
    collision_load(&c, "verify/sliding_block", NULL);
    double before = carom_state_positions(carom_sim_state(c.sim))[0][0];
    run(&c);
    assert_near(carom_state_positions(carom_sim_state(c.sim))[0][0] - before, 1, 0.02);
    collision_end(&c);

    for (int steep = 0; steep < 2; steep++) {
        double slope = steep ? 0.505 : 0.495, cosine = 1 / sqrt(1 + slope * slope);
        char set[2][80];
        snprintf(set[0], sizeof set[0], "loads[0].acceleration=[0,0,%.9f]", -cosine);
        snprintf(set[1], sizeof set[1], "loads[1].acceleration=[%.9f,0,0]", slope * cosine);
        collision_load(&c, "verify/incline", (const char *const[]){set[0], set[1], NULL});
        run(&c);
        const carom_model *model = carom_scene_model(c.scene);
        double speed = collision_ledger(&c).momentum[0] / model->bodies[0].mass, slid = 6 * cosine * (slope - 0.5);
        if (steep)
            assert_near(speed, slid, 0.15 * slid);
        else
            assert_near(speed, 0, 1e-6);
        collision_end(&c);
    }
}

// Millimetres and tonnes give what metres and kilograms give.
static void units(void **state) {
    (void)state;
    carom_ledger_row end[2];
    for (int u = 0; u < 2; u++) {
        collision c;
        collision_load(&c, u ? "verify/units_mm" : "verify/units_si", (const char *const[]){"time.end=4e-5", NULL});
        run(&c);
        end[u] = collision_ledger(&c);
        collision_end(&c);
    }
    double energy = end[0].total + end[0].friction + end[0].restitution;
    assert_true(end[0].friction > 1e-3 * energy && end[0].restitution > 1e-4 * energy);
    assert_near(end[1].total, 1000 * end[0].total, 1e-6 * energy);
    assert_near(end[1].friction, 1000 * end[0].friction, 1e-6 * energy);
    assert_near(end[1].restitution, 1000 * end[0].restitution, 1e-6 * energy);
    assert_near(end[1].momentum[0], end[0].momentum[0], 1e-9 * fabs(end[0].momentum[0]));
}

int main(void) {
    carom_set_threads(1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(hertz), cmocka_unit_test(bars), cmocka_unit_test(friction),
                                       cmocka_unit_test(units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
