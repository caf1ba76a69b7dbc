// SPDX-License-Identifier: MIT
// The multisymplectic integrator: node steps per second on one thread.
//
//     bars    two bars in a row, with contact detection at their tips
//     ghosts  the same with contact time integrator 2
//     beam    a bent beam in free flight
//     floor   the same above a floor, with contact detection at every node
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <carom/carom.h>

#include "bench.h"

enum { STEPS = 400 }; // of one run

typedef struct test_case {
    const char *name;
    bool beam, floor;
    int contact_integrator;
    double goal; // node steps per second
} test_case;

static const test_case cases[] = {
    {"bars", false, false, 1, 50e6},
    {"ghosts", false, false, 2, 50e6},
    {"beam", true, false, 1, 2e6},
    {"floor", true, true, 1, 2e6},
};

static void generate(const char *kind, const void *params, carom_mesh *mesh) {
    carom_error error;
    carom_bench_insist(carom_mesh_generate((carom_pick){carom_catalogue_find(carom_generators(), kind), params}, mesh, &error),
                       &error);
}

static carom_model *build(const test_case *c, int elements) {
    carom_mesh meshes[2];
    carom_body_def bodies[2] = {carom_default_body_def(), carom_default_body_def()};
    carom_bar_params bar = {.area = 1};
    carom_exact_beam_params beam = {.width = 0.1, .height = 0.1, .shear_factor = 1, .torsion_factor = 1};
    carom_elastic_params law = {.young = 1e3, .poisson = 0.3, .density = 1};
    carom_model_def def = carom_default_model_def();
    carom_plane_def floor = {.name = "floor", .point = {0, 0, -1}, .normal = {0, 0, 1}};
    def.bodies = bodies;
    def.body_count = c->beam ? 1 : 2;
    def.contact.enabled = !c->beam || c->floor;
    def.contact.restitution = 1;
    def.contact.planes = &floor;
    def.contact.plane_count = c->floor;
    for (int i = 0; i < def.body_count; i++) {
        int each = elements / def.body_count;
        carom_line_params line = {.from = {2.0 * i * each}, .to = {(2.0 * i + 1) * each}, .elements = each};
        carom_curve_params curve = {.length = 0.1 * each, .elements = each, .curvature = {0, 0.02, 0.01}};
        generate(c->beam ? "curve" : "line", c->beam ? (void *)&curve : &line, &meshes[i]);
        snprintf(bodies[i].name, sizeof bodies[i].name, "body%d", i);
        bodies[i].mesh = &meshes[i];
        bodies[i].element = (carom_pick){carom_catalogue_find(carom_elements(), c->beam ? "exact-beam" : "bar"),
                                         c->beam ? (void *)&beam : &bar};
        bodies[i].material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &law};
    }
    carom_model *model;
    carom_error error;
    carom_bench_insist(carom_model_create(&def, &model, &error), &error);
    for (int i = 0; i < def.body_count; i++)
        carom_mesh_release(&meshes[i]);
    return model;
}

// Node steps per second of repeated runs of STEPS steps.
static double rate(const carom_model *model, const test_case *c, double updates) {
    carom_multisymplectic_params params = {.contact_integrator = c->contact_integrator};
    carom_pick pick = {carom_catalogue_find(carom_integrators(), "multisymplectic"), &params};
    double nodes = carom_model_node_count(model), seconds = 0, done = 0;
    while (done < updates) {
        carom_time_def time = carom_default_time_def();
        time.step = 0.2 * carom_model_stable_step(model);
        time.end = STEPS * time.step;
        carom_sim *sim;
        carom_error error;
        carom_bench_insist(carom_sim_create(model, pick, &time, &sim, &error), &error);
        double begin = carom_bench_clock();
        while (!carom_sim_done(sim)) {
            carom_bench_insist(carom_sim_step(sim, &error), &error);
            done += nodes;
        }
        seconds += carom_bench_clock() - begin;
        carom_sim_release(sim);
    }
    return done / seconds;
}

void carom_bench_multisymplectic(const carom_bench_plan *plan) {
    enum { SIZES = 2 };
    const int sizes[SIZES] = {100, 1000};
    printf("multisymplectic: million node steps per second with one thread\n\n%9s  %-8s  %8s  %8s\n", "elements", "case",
           "rate", "goal");
    carom_set_threads(1);
    for (int s = 0; s < SIZES; s++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            carom_model *model = build(&cases[i], sizes[s]);
            double rates[64];
            int repetitions = plan->repetitions < 64 ? plan->repetitions : 64;
            for (int r = 0; r < repetitions; r++)
                rates[r] = rate(model, &cases[i], plan->updates);
            printf("%9d  %-8s  %8.2f  %8.0f\n", sizes[s], cases[i].name, 1e-6 * carom_bench_median(rates, repetitions),
                   1e-6 * cases[i].goal);
            fflush(stdout);
            carom_model_release(model);
        }
    printf("\n");
}
