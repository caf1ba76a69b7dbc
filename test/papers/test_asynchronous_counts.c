// SPDX-License-Identifier: MIT
// How often `asynchronous` kicks and polls: the numbers of Wolff & Bucher, section 8.4, and those that follow from the steps of
// elements and surfaces, without a run.
#include "../collision.h"
#include "integrator/asynchronous/kicks.h"
#include "model/state.h"

// As printed: points of strain and of contact, their kicks until t = 4, and the mean critical step.
static const double duration = 4, strain_points = 24884, contact_points = 3752, strain_kicks = 238944839,
                    contact_kicks = 7837942;
static const double shortest_critical = 0.476e-3, mean_critical = 0.957e-3, longest_critical = 2.469e-3;

// The printed counts give the printed mean steps. Every point of contact was polled after twice the mean critical step: the
// bound by the speed of a node, equation (46), was never shorter but 14 times. The points of contact are all surface nodes of
// 19 cubes of k^3 cells, which have 6 k^2 + 2 each: the sum of k^2 is whole.
static void printed(void **state) {
    (void)state;
    assert_near(strain_points * duration / strain_kicks, 0.416e-3, 1e-6);
    assert_near(contact_points * duration / contact_kicks, 1.915e-3, 0.5e-6);
    // steps are half of the critical ones; a harmonic mean is below the arithmetic one, and both are between the ends
    assert_true(strain_points * duration / strain_kicks < 0.5 * mean_critical);
    assert_true(strain_points * duration / strain_kicks > 0.5 * shortest_critical && mean_critical < longest_critical);
    double polls = contact_points * floor(duration / (2 * mean_critical));
    assert_near(contact_kicks - polls, 14, 0);
    double squares = (contact_points - 2 * 19) / 6;
    assert_near(squares, 619, 0);
}

// Events at 0, h, 2h, ... up to `end`, included up to rounding.
static double events(double end, double h) {
    return floor(end / h + 1e-9) + 1;
}

// Kicks until `end` of elements, which begin at 0, and the mean, shortest and longest of their critical steps.
static double count_kicks(const carom_model *model, double beta, double window, double end, double steps[3]) {
    double *h = carom_kick_steps(model, beta, NULL), kicks = 0;
    assert_non_null(h);
    steps[0] = 0, steps[1] = HUGE_VAL, steps[2] = 0;
    for (int e = 0; e < model->element_count; e++) {
        kicks += events(end, fmin(h[e], window));
        steps[0] += h[e] / (beta * model->element_count);
        steps[1] = fmin(steps[1], h[e] / beta);
        steps[2] = fmax(steps[2], h[e] / beta);
    }
    free(h);
    return kicks;
}

// Polls until `end`: each surface node has the shortest step of the elements around it.
static double count_polls(const carom_model *model, double beta, double window, double end) {
    double *h = carom_kick_steps(model, beta, NULL), *shortest = calloc((size_t)model->node_count, sizeof *shortest), polls = 0;
    assert_true(h && shortest);
    for (int b = 0, e = 0; b < model->block_count; b++)
        for (int i = 0; i < model->blocks[b].count; i++, e++)
            for (int a = 0; a < model->blocks[b].node_count; a++) {
                int node = model->blocks[b].nodes[i * model->blocks[b].node_count + a];
                shortest[node] = shortest[node] > 0 ? fmin(shortest[node], h[e]) : fmin(h[e], window);
            }
    for (int k = 0; k < model->node_count; k++)
        polls += carom_model_can_touch(model, k) ? events(end, shortest[k]) : 0;
    free(h);
    free(shortest);
    return polls;
}

// The bars of section 8.1, n = 4: the counts of the run are those of the steps.
static void bars(void **state) {
    (void)state;
    static const char *const overrides[] = {"integrator.asynchronous.contact=constant",
                                            "integrator.asynchronous.classes=0",
                                            "integrator.asynchronous.beta=0.5",
                                            "contact.restitution=1",
                                            "time.end=2",
                                            "time.on_event=warn",
                                            NULL};
    collision c;
    collision_load(&c, "papers/asynchronous/two_bars", overrides);
    const carom_model *model = carom_scene_model(c.scene);
    double window = carom_sim_step_size(c.sim), steps[3];
    while (!carom_sim_done(c.sim))
        assert_ok(carom_sim_step(c.sim, error));
    double until = carom_state_time(carom_sim_state(c.sim));
    const double *counts = carom_state_find_array(carom_sim_state(c.sim), "kick counts");
    double kicks = count_kicks(model, 0.5, window, until, steps), polls = count_polls(model, 0.5, window, until);
    print_message("kicks %.0f, by their steps %.0f; polls %.0f, by their steps %.0f\n", counts[0], kicks, counts[2], polls);
    print_message("critical steps: mean %.4g, shortest %.4g, longest %.4g\n", steps[0], steps[1], steps[2]);
    // with nu = 0 the limit of a brick is its shortest side over the speed of waves, by equation (47) with n = 5 0.0928 at the
    // contact, and at most 1/4, the cells of the left bar being 1/4 across
    assert_near(steps[1], 0.0928, 1e-12);
    assert_true(steps[2] > 0.2475 && steps[2] <= 0.25);
    assert_near(counts[0], kicks, 0);
    assert_near(counts[2], polls, 0);
    collision_end(&c);
}

// Fast bars that move apart: the interval between two polls is that of equations (44) and (46), alpha l/|v| with the size
// l = (m/rho)^(1/3) of the node, where the shortest step of its elements is longer, as it is for all nodes here.
static void fast_nodes(void **state) {
    (void)state;
    static const char *const overrides[] = {"integrator.asynchronous.contact=adaptive",
                                            "integrator.asynchronous.alpha=0.75",
                                            "integrator.asynchronous.classes=0",
                                            "integrator.asynchronous.beta=0.5",
                                            "bodies[0].velocity=[-20,0,0]",
                                            "bodies[1].velocity=[20,0,0]",
                                            "time.end=2",
                                            NULL};
    collision c;
    collision_load(&c, "papers/asynchronous/two_bars", overrides);
    const carom_model *model = carom_scene_model(c.scene);
    while (!carom_sim_done(c.sim))
        assert_ok(carom_sim_step(c.sim, error));
    double until = carom_state_time(carom_sim_state(c.sim)), polls = 0, nodes = 0;
    for (int k = 0; k < model->node_count; k++) {
        double interval = 0.75 * cbrt(model->mass[k]) / 20;
        assert_true(interval < 0.0464 / 2);
        polls += carom_model_can_touch(model, k) ? events(until, interval) : 0;
        nodes += carom_model_can_touch(model, k);
    }
    const double *counts = carom_state_find_array(carom_sim_state(c.sim), "kick counts");
    print_message("polls %.0f, by their sizes %.0f\n", counts[2], polls);
    // the last of a node may be at the end, up to rounding
    assert_near(counts[2], polls, 0.01 * nodes);
    collision_end(&c);
}

// The assembly of section 8.4 with the cubes of the scene: how often it kicks until the end, and how often it would poll after
// twice the mean critical step.
static void assembly(void **state) {
    (void)state;
    static const char *const overrides[] = {"time.end=4", NULL};
    collision c;
    collision_load(&c, "papers/asynchronous/block_assembly", overrides);
    const carom_model *model = carom_scene_model(c.scene);
    double steps[3], kicks = count_kicks(model, 0.5, HUGE_VAL, duration, steps), nodes = 0;
    for (int k = 0; k < model->node_count; k++)
        nodes += carom_model_can_touch(model, k);
    double polls = nodes * floor(duration / (2 * steps[0]));
    print_message("%d elements, %.0f surface nodes, %.0f kicks, %.0f polls\n", model->element_count, nodes, kicks, polls);
    print_message("critical steps: mean %.4g, shortest %.4g, longest %.4g; mean of the kicks %.4g\n", steps[0], steps[1],
                  steps[2], model->element_count * duration / kicks);
    // 6 k^2 + 2 for each cube, with 967 for the sum of k^2
    assert_near(nodes, 6 * 967 + 2 * 19, 0);
    assert_near(kicks, 67737068, 700);
    assert_near(polls, 3042640, 5840);
    collision_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(printed), cmocka_unit_test(bars), cmocka_unit_test(fast_nodes),
                                       cmocka_unit_test(assembly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
