// SPDX-License-Identifier: MIT
// The cost of monitoring a run: steps in free flight without guards, with guards, with adaptive steps, and with peaks of
// stress, alternately. Each repetition contains a whole period of the audits, so that all guards are included. Processor time
// of one thread; the ratio is that of the medians.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "bench.h"
#include "sim/sim.h"

// Steps of one repetition: the period of the audits.
enum { PERIOD = 64, CASES = 4, REPETITIONS_MAX = 32 };

typedef struct flight {
    const char *name, *element, *material;
    int strain;
} flight;

static const flight flights[] = {
    {.name = "tet4 linear", .element = "tet4", .material = "linear"},
    {.name = "tet4 neo-hookean", .element = "tet4", .material = "neo-hookean"},
    {.name = "hex8 linear", .element = "hex8", .material = "linear"},
    {.name = "hex8 neo-hookean", .element = "hex8", .material = "neo-hookean"},
    {.name = "bar, small strain", .element = "bar", .material = "linear", .strain = CAROM_BAR_SMALL},
    {.name = "bar, Green strain", .element = "bar", .material = "linear", .strain = CAROM_BAR_GREEN},
    {.name = "loop-shell", .element = "loop-shell", .material = "st-venant-kirchhoff"},
};

enum { FLIGHTS = sizeof flights / sizeof *flights };

static carom_mesh mesh_of(const flight *f, int elements) {
    bool tets = strcmp(f->element, "tet4") == 0;
    int n = (int)lround(cbrt(elements / (tets ? 6.0 : 1.0))), m = (int)lround(sqrt(elements / 2.0));
    carom_box_params box = {.to = {n, n, n}, .elements = {n, n, n}, .cells = tets, .grading = {1, 1, 1}};
    carom_rectangle_params sheet = {.to = {m, m, 0}, .columns = m, .rows = m, .cells = CAROM_PLANE_TRI3};
    carom_line_params line = {.to = {elements, 0, 0}, .elements = elements};
    carom_pick generator = {carom_catalogue_find(carom_generators(), "box"), &box};
    if (strcmp(f->element, "loop-shell") == 0)
        generator = (carom_pick){carom_catalogue_find(carom_generators(), "rectangle"), &sheet};
    if (strcmp(f->element, "bar") == 0)
        generator = (carom_pick){carom_catalogue_find(carom_generators(), "line"), &line};
    carom_mesh mesh = {0};
    carom_error error;
    carom_bench_insist(carom_mesh_generate(generator, &mesh, &error), &error);
    carom_bench_insist(carom_mesh_renumber(&mesh, &error), &error);
    return mesh;
}

static carom_model *build(const flight *f, int elements) {
    carom_hex8_params hex8 = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
    carom_loop_shell_params thin = {.thickness = 0.1, .layers = 5};
    carom_bar_params bar = {.area = 1, .strain = f->strain};
    carom_elastic_params law = {.young = 1, .poisson = 0.3, .density = 1};
    carom_mesh mesh = mesh_of(f, elements);
    carom_body_def body = carom_default_body_def();
    snprintf(body.name, sizeof body.name, "body");
    body.mesh = &mesh;
    const void *params = &hex8;
    if (strcmp(f->element, "loop-shell") == 0)
        params = &thin;
    if (strcmp(f->element, "bar") == 0)
        params = &bar;
    body.element = (carom_pick){carom_catalogue_find(carom_elements(), f->element), params};
    body.material = (carom_pick){carom_catalogue_find(carom_materials(), f->material), &law};
    // translation, gravity and a rotation, which is small for the law `linear`
    double spin = strcmp(f->material, "linear") == 0 ? 0.01 : 0.1;
    memcpy(body.velocity, (const double[3]){0.02, 0.01, 0.03}, sizeof body.velocity);
    memcpy(body.spin, (const double[3]){0, 0, spin / cbrt(elements)}, sizeof body.spin);
    carom_model_def def = carom_default_model_def();
    def.body_count = 1;
    def.bodies = &body;
    def.gravity[2] = -1e-4;
    def.contact.enabled = false;
    carom_model *model;
    carom_error error;
    carom_bench_insist(carom_model_create(&def, &model, &error), &error);
    carom_mesh_release(&mesh);
    return model;
}

// Cases: 0 without guards, 1 with guards, 2 with guards and adaptive steps, 3 with guards and peaks.
static carom_sim *start(const carom_model *model, int which) {
    carom_time_def time = carom_default_time_def();
    time.step = 0.5 * carom_model_stable_step(model);
    time.end = 1e9 * time.step;
    time.follow = which == 2 ? CAROM_FOLLOW_ON : CAROM_FOLLOW_OFF;
    carom_pick newmark = {carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL};
    carom_error error;
    carom_sim *sim;
    carom_bench_insist(carom_sim_create(model, newmark, &time, &sim, &error), &error);
    sim->unwatched = which == 0;
    sim->unpeaked = which < 3;
    return sim;
}

static double seconds_of(carom_sim *sim) {
    carom_error error;
    double begin = carom_bench_processor_clock();
    for (int s = 0; s < PERIOD; s++)
        carom_bench_insist(carom_sim_advance(sim, &error), &error);
    return carom_bench_processor_clock() - begin;
}

static void measure(const carom_model *model, int repetitions, double seconds[CASES]) {
    carom_sim *sims[CASES];
    double all[CASES][REPETITIONS_MAX];
    for (int w = 0; w < CASES; w++)
        sims[w] = start(model, w);
    // the first round warms the caches and is not counted
    for (int r = -1; r < repetitions; r++)
        for (int w = 0; w < CASES; w++) {
            double now = seconds_of(sims[w]);
            if (r >= 0)
                all[w][r] = now;
        }
    for (int w = 0; w < CASES; w++) {
        seconds[w] = carom_bench_median(all[w], repetitions);
        carom_sim_release(sims[w]);
    }
}

void carom_bench_guards(const carom_bench_plan *plan) {
    enum { ELEMENTS = 100000 };
    printf("guards in free flight, newmark-dcr, one thread, %d elements: ms per step without guards, and the increase by\n"
           "guards, adaptive steps, and peaks of stress at every step\n\n",
           ELEMENTS);
    printf("%-18s  %9s  %7s  %9s  %7s\n", "element and law", "ms a step", "guards", "adaptive", "peaks");
    carom_set_threads(1);
    for (int i = 0; i < FLIGHTS; i++) {
        carom_model *model = build(&flights[i], ELEMENTS);
        double seconds[CASES];
        measure(model, plan->repetitions, seconds);
        printf("%-18s  %9.3f  %5.1f %%  %7.1f %%  %5.1f %%\n", flights[i].name, 1e3 * seconds[0] / PERIOD,
               100 * (seconds[1] / seconds[0] - 1), 100 * (seconds[2] / seconds[0] - 1),
               100 * (seconds[3] - seconds[1]) / seconds[0]);
        fflush(stdout);
        carom_model_release(model);
    }
    printf("\n");
}
