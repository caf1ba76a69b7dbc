// SPDX-License-Identifier: MIT
// Collisions of solids by newmark-dcr: the cost of contact.
//
//     two bars     10 x 1 x 1, 5n x n x n bricks each, head-on, until time 50 at half of the stable step (one core)
//     CalculiX     the same bars by another code, if it is installed (calculix.c)
//     cubes        76 cubes of bricks thrown at each other; time of a step with and without contact
//
// Times of one core are processor times; two threads are measured by the wall clock.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "bench.h"

// One body of bricks.
typedef struct brick_body {
    double from[3], to[3], velocity[3];
    int elements[3];
} brick_body;

static carom_model *build(const brick_body *bricks, int count, const char *law, bool contact) {
    carom_mesh *meshes = calloc((size_t)count, sizeof *meshes);
    carom_body_def *bodies = calloc((size_t)count, sizeof *bodies);
    carom_elastic_params material = {.young = 1, .density = 1};
    carom_hex8_params element = {.integration = CAROM_HEX8_FULL, .hourglass = 1};
    carom_error error;
    if (!meshes || !bodies)
        carom_bench_insist(carom_fail(&error, CAROM_NO_MEMORY, "no memory"), &error);
    for (int b = 0; b < count; b++) {
        carom_box_params box = {.grading = {1, 1, 1}};
        memcpy(box.from, bricks[b].from, sizeof box.from);
        memcpy(box.to, bricks[b].to, sizeof box.to);
        memcpy(box.elements, bricks[b].elements, sizeof box.elements);
        carom_pick generator = {carom_catalogue_find(carom_generators(), "box"), &box};
        carom_bench_insist(carom_mesh_generate(generator, &meshes[b], &error), &error);
        snprintf(bodies[b].name, sizeof bodies[b].name, "body%d", b);
        bodies[b].mesh = &meshes[b];
        bodies[b].element = (carom_pick){carom_catalogue_find(carom_elements(), "hex8"), &element};
        bodies[b].material = (carom_pick){carom_catalogue_find(carom_materials(), law), &material};
        memcpy(bodies[b].velocity, bricks[b].velocity, sizeof bodies[b].velocity);
    }
    carom_model_def def = carom_default_model_def();
    def.body_count = count;
    def.bodies = bodies;
    def.contact.enabled = contact;
    carom_model *model;
    carom_bench_insist(carom_model_create(&def, &model, &error), &error);
    for (int b = 0; b < count; b++)
        carom_mesh_release(&meshes[b]);
    free(meshes);
    free(bodies);
    return model;
}

// Runs a model until `end`; returns the time of its steps in seconds by the given clock, and their number.
static double run(const carom_model *model, double end, double safety, double (*clock)(void), int64_t *steps, double *lost) {
    carom_time_def time = carom_default_time_def();
    time.end = end;
    time.step = NAN;
    time.safety = safety;
    carom_sim *sim;
    carom_error error;
    carom_bench_insist(carom_sim_create(model, (carom_pick){carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL},
                                        &time, &sim, &error),
                       &error);
    double begin = clock();
    for (*steps = 0; !carom_sim_done(sim); ++*steps)
        carom_bench_insist(carom_sim_step(sim, &error), &error);
    double seconds = clock() - begin;
    carom_ledger_row row = carom_sim_ledger(sim);
    if (lost)
        *lost = row.residual / (row.total + row.restitution);
    carom_sim_release(sim);
    return seconds;
}

// The same bars by CalculiX, if it is installed.
static void compare(const brick_body bars[2], double step, double end, double seconds) {
    carom_mesh meshes[2] = {0};
    carom_error error;
    for (int b = 0; b < 2; b++) {
        carom_box_params box = {.grading = {1, 1, 1}};
        memcpy(box.from, bars[b].from, sizeof box.from);
        memcpy(box.to, bars[b].to, sizeof box.to);
        memcpy(box.elements, bars[b].elements, sizeof box.elements);
        carom_pick generator = {carom_catalogue_find(carom_generators(), "box"), &box};
        carom_bench_insist(carom_mesh_generate(generator, &meshes[b], &error), &error);
    }
    carom_bench_bars_of_bricks problem = {.gap = 1.5 * bars[1].from[0], .speed = bars[0].velocity[0], .step = step, .end = end};
    carom_bench_calculix(meshes, &problem, seconds);
    for (int b = 0; b < 2; b++)
        carom_mesh_release(&meshes[b]);
}

// The bars of Wolff & Bucher, of equal size here.
static void two_bars(int n, int most_threads, bool others) {
    brick_body bars[2] = {
        {{-10.0005, 0, 0}, {-0.0005, 1, 1}, {0.1, 0, 0}, {5 * n, n, n}},
        {{0.0005, 0, 0}, {10.0005, 1, 1}, {-0.1, 0, 0}, {5 * n, n, n}},
    };
    int64_t steps;
    double residual;
    carom_model *model = build(bars, 2, "linear", true), *free_model = build(bars, 2, "linear", false);
    carom_set_threads(1);
    double with = run(model, 50, 0.5, carom_bench_processor_clock, &steps, &residual);
    double without = run(free_model, 50, 0.5, carom_bench_processor_clock, &steps, NULL);
    carom_set_threads(most_threads);
    double wall = run(model, 50, 0.5, carom_bench_clock, &steps, NULL);
    carom_set_threads(1);
    double wall_one = run(model, 50, 0.5, carom_bench_clock, &steps, NULL);
    printf("  two bars, n = %-3d %8lld steps %9.2f s, %6.2f s without contact   residual %+.3f %%   %d threads %.2f times\n", n,
           (long long)steps, with, without, 100 * residual, most_threads, wall_one / wall);
    fflush(stdout);
    if (others)
        compare(bars, 50 / (double)steps, 50, with);
    carom_model_release(model);
    carom_model_release(free_model);
}

// Cubes of 4^3 bricks on a grid of 4 x 4 x 5 places, four of which stay empty, each thrown at the centre. Small offsets break
// the symmetry.
static void cubes(int most_threads) {
    enum { COUNT = 76 };
    static brick_body bodies[COUNT];
    for (int b = 0; b < COUNT; b++) {
        int place[3] = {b % 4, b / 4 % 4, b / 16};
        for (int i = 0; i < 3; i++) {
            double middle = 1.2 * (place[i] - (i == 2 ? 2 : 1.5)) + 0.01 * (b % 7) * (i + 1);
            bodies[b].from[i] = middle - 0.5;
            bodies[b].to[i] = middle + 0.5;
            bodies[b].velocity[i] = -0.05 * middle;
            bodies[b].elements[i] = 4;
        }
    }
    int64_t steps;
    carom_model *model = build(bodies, COUNT, "st-venant-kirchhoff", true),
                *free_model = build(bodies, COUNT, "st-venant-kirchhoff", false);
    carom_set_threads(1);
    double with = run(model, 8, 0.5, carom_bench_processor_clock, &steps, NULL);
    double without = run(free_model, 8, 0.5, carom_bench_processor_clock, &steps, NULL);
    double wall_one = run(model, 8, 0.5, carom_bench_clock, &steps, NULL);
    carom_set_threads(most_threads);
    double wall = run(model, 8, 0.5, carom_bench_clock, &steps, NULL);
    printf("  76 cubes of 4^3   %8lld steps %9.2f s, contact is %.0f %% of it                     %d threads %.2f times\n",
           (long long)steps, with, 100 * (1 - without / with), most_threads, wall_one / wall);
    carom_model_release(model);
    carom_model_release(free_model);
}

void carom_bench_collisions(const carom_bench_plan *plan, bool full, bool others) {
    printf("\ncollisions of solids, hex8 with eight points\n");
    bool installed = carom_bench_has_calculix();
    if (!installed)
        printf("  (install CalculiX for comparison: apt install calculix-ccx)\n");
    two_bars(4, plan->most_threads, installed);
    two_bars(8, plan->most_threads, installed && others);
    if (full)
        two_bars(16, plan->most_threads, installed && others);
    cubes(plan->most_threads);
}
