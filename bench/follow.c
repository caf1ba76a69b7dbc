// SPDX-License-Identifier: MIT
// The cost of adaptive steps: the same scene with `time.follow` on and off, alternately, so that both have the same load of the
// machine. The step is never divided in either of them, and the states are equal to the last bit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "bench.h"
#include "model/forces/forces.h"
#include "sim/sim.h"

enum {
    STEPS = 32, // per repetition: a multiple of the largest interval between checks
    SETTLE = 64,
    CASES = 4,
};

static const struct {
    const char *name, *material;
    bool floor;
    double restitution;
} cases[CASES] = {
    {"free flight", "neo-hookean", false, 0},
    {"free flight", "st-venant-kirchhoff", false, 0},
    {"at rest on a floor", "neo-hookean", true, 0},
    // nodes never come to rest: impacts in every drift
    {"pressed, chattering", "neo-hookean", true, 1},
};

static carom_model *build(int which, int elements) {
    int n = (int)lround(cbrt(elements / 6.0));
    carom_box_params box = {.to = {n, n, n}, .elements = {n, n, n}, .cells = 1, .grading = {1, 1, 1}};
    carom_elastic_params law = {.young = 1, .poisson = 0.3, .density = 1};
    carom_pick geometry = {carom_catalogue_find(carom_generators(), "box"), &box};
    carom_error error;
    carom_mesh mesh = {0};
    carom_bench_insist(carom_mesh_generate(geometry, &mesh, &error), &error);
    carom_bench_insist(carom_mesh_renumber(&mesh, &error), &error);
    carom_body_def body = carom_default_body_def();
    snprintf(body.name, sizeof body.name, "body");
    body.mesh = &mesh;
    body.element = (carom_pick){carom_catalogue_find(carom_elements(), "tet4"), NULL};
    body.material = (carom_pick){carom_catalogue_find(carom_materials(), cases[which].material), &law};
    carom_plane_def floor = {.name = "floor", .normal = {0, 0, 1}};
    carom_model_def def = carom_default_model_def();
    def.body_count = 1;
    def.bodies = &body;
    def.contact.enabled = cases[which].floor;
    if (cases[which].floor) {
        def.contact.plane_count = 1;
        def.contact.restitution = cases[which].restitution;
        def.contact.planes = &floor;
        // pressed by a thousandth of its stiffness
        def.gravity[2] = -1e-3 / n;
    } else {
        // a slow rotation: no operand is zero
        body.spin[2] = 0.1 / n;
    }
    carom_model *model;
    carom_bench_insist(carom_model_create(&def, &model, &error), &error);
    carom_mesh_release(&mesh);
    return model;
}

static carom_sim *start(const carom_model *model, int follow) {
    carom_time_def time = carom_default_time_def();
    time.follow = follow;
    time.step = 0.2;
    time.end = 1e9 * time.step;
    carom_pick newmark = {carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL};
    carom_error error;
    carom_sim *sim;
    carom_bench_insist(carom_sim_create(model, newmark, &time, &sim, &error), &error);
    return sim;
}

// Processor time of some steps in seconds.
static double advance(carom_sim *sim, int steps) {
    carom_error error;
    double begin = carom_bench_processor_clock();
    for (int s = 0; s < steps; s++)
        carom_bench_insist(carom_sim_step(sim, &error), &error);
    return carom_bench_processor_clock() - begin;
}

// The number of steps with impacts among some steps.
static int count_struck(carom_sim *sim, int steps) {
    carom_error error;
    int struck = 0;
    for (int s = 0; s < steps; s++) {
        carom_bench_insist(carom_sim_step(sim, &error), &error);
        struck += sim->state->books.contacts > 0;
    }
    return struck;
}

// Processor time of the forces of one step in seconds.
static double force_time(const carom_model *model, int repetitions) {
    double *slots = malloc(sizeof *slots * (size_t)carom_model_slot_count(model)), best = HUGE_VAL;
    double(*force)[3] = malloc(sizeof *force * (size_t)carom_model_node_count(model));
    for (int r = 0; slots && force && r < 8 * repetitions; r++) {
        double begin = carom_bench_processor_clock();
        carom_model_force(model, carom_model_reference(model), slots, force, NULL);
        best = fmin(best, carom_bench_processor_clock() - begin);
    }
    free(slots);
    free(force);
    return best;
}

void carom_bench_follow(const carom_bench_plan *plan) {
    printf("adaptive steps, newmark-dcr, tet4, one thread, processor time of a step in ms, best of %d, alternately\n\n",
           plan->repetitions);
    printf("%9s  %-20s  %-20s  %8s  %8s  %8s  %10s  %16s\n", "elements", "case", "material", "forces", "fixed", "follows",
           "more", "more of forces");
    carom_set_threads(1);
    for (int c = 0; c < CASES; c++) {
        carom_model *model = build(c, 100000);
        carom_sim *sims[2] = {start(model, CAROM_FOLLOW_OFF), start(model, CAROM_FOLLOW_ON)};
        double best[2] = {HUGE_VAL, HUGE_VAL}, forces = force_time(model, plan->repetitions);
        for (int i = 0; i < 2; i++)
            advance(sims[i], cases[c].floor ? SETTLE : 1);
        for (int r = 0; r < plan->repetitions; r++)
            for (int i = 0; i < 2; i++)
                best[i] = fmin(best[i], advance(sims[i], STEPS) / STEPS);
        printf("%9d  %-20s  %-20s  %8.2f  %8.2f  %8.2f  %8.1f %%  %14.0f %%\n", carom_model_element_count(model), cases[c].name,
               cases[c].material, 1e3 * forces, 1e3 * best[0], 1e3 * best[1], 100 * (best[1] / best[0] - 1),
               100 * (best[1] - best[0]) / forces);
        fflush(stdout);
        if (cases[c].restitution > 0)
            printf("           steps with impacts: %d of %d\n", count_struck(sims[1], STEPS), STEPS);
        carom_division divided = carom_sim_division(sims[1]);
        if (divided.parts)
            printf("           steps were divided: %lld parts\n", (long long)divided.parts);
        for (int i = 0; i < 2; i++)
            carom_sim_release(sims[i]);
        carom_model_release(model);
    }
    printf("\n");
}
