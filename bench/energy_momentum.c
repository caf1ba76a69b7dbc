// SPDX-License-Identifier: MIT
// The energy-momentum integrator: iterations per step, processor time per step, and the share of factorisations in it.
//
//     rings    two rings of 234 quadrilaterals, friction 0.5, from before the impact
//     blocks   27 bricks on 32, friction 0.2, large steps
//     cubes    two cubes of 22 x 22 x 22 bricks meet face to face (21,296 in all); only if `full`
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "bench.h"
#include "integrator/energy_momentum/workspace.h"
#include "sim/sim.h"

typedef struct test_case {
    const char *name;
    bool ring;
    double from[2][3], to[2][3]; // boxes; centres of rings
    int elements[2][3];
    double velocity[3]; // of the first body
    carom_elastic_params law;
    double friction, penalty, tangential, reach, step;
    int skip, steps; // number of steps before the measurement, and of measured steps
} test_case;

static const test_case cases[] = {
    {"rings",
     true,
     {{0, 0, 0}, {10, -20, 0}},
     {{0}},
     {{0}},
     {0, -4, 0},
     {1000, 1.0 / 6, 0.1},
     0.5,
     1e4,
     200,
     0.15,
     0.02,
     33,
     100},
    {"blocks",
     false,
     {{0.5, 0, 1.25}, {0, 0, 0}},
     {{1.5, 1, 2.25}, {2, 2, 1}},
     {{3, 3, 3}, {4, 4, 2}},
     {0, 1.5, -1},
     {1e4, 0, 100},
     0.2,
     1e6,
     1e5,
     0.3,
     0.1,
     2,
     8},
    {"cubes",
     false,
     {{0, 0, 1.001}, {0, 0, 0}},
     {{1, 1, 2.001}, {1, 1, 1}},
     {{22, 22, 22}, {22, 22, 22}},
     {0, 0, -1},
     {1e4, 0.3, 1},
     0.2,
     1e6,
     1e4,
     0.05,
     0.002,
     0,
     1},
};

static carom_model *build(const test_case *c) {
    static const carom_plane_element_params plane = {.thickness = 1};
    static const carom_hex8_params solid = {.integration = CAROM_HEX8_FULL, .hourglass = 0.1};
    carom_error error;
    carom_mesh meshes[2];
    carom_body_def bodies[2] = {carom_default_body_def(), carom_default_body_def()};
    carom_model_def def = carom_default_model_def();
    def.bodies = bodies;
    def.body_count = 2;
    def.contact.restitution = 1;
    def.contact.friction = c->friction;
    for (int i = 0; i < 2; i++) {
        carom_ring_params ring = {.inner = 9.7, .outer = 10, .around = 78, .layers = 3};
        carom_box_params box = {.grading = {1, 1, 1}};
        memcpy(ring.center, c->from[i], sizeof ring.center);
        memcpy(box.from, c->from[i], sizeof box.from);
        memcpy(box.to, c->to[i], sizeof box.to);
        memcpy(box.elements, c->elements[i], sizeof box.elements);
        carom_pick pick = {carom_catalogue_find(carom_generators(), c->ring ? "ring" : "box"), c->ring ? (void *)&ring : &box};
        carom_bench_insist(carom_mesh_generate(pick, &meshes[i], &error), &error);
        snprintf(bodies[i].name, sizeof bodies[i].name, "body%d", i);
        bodies[i].mesh = &meshes[i];
        bodies[i].element = (carom_pick){carom_catalogue_find(carom_elements(), c->ring ? "quad4" : "hex8"),
                                         c->ring ? (const void *)&plane : &solid};
        bodies[i].material = (carom_pick){carom_catalogue_find(carom_materials(), "st-venant-kirchhoff"), &c->law};
    }
    memcpy(bodies[0].velocity, c->velocity, sizeof c->velocity);
    carom_model *model;
    carom_bench_insist(carom_model_create(&def, &model, &error), &error);
    for (int i = 0; i < 2; i++)
        carom_mesh_release(&meshes[i]);
    return model;
}

// Steps before the impact are skipped, since they take one or two iterations.
static void measure(const test_case *c) {
    carom_error error;
    carom_energy_momentum_params params;
    const carom_kind *kind = carom_catalogue_find(carom_integrators(), "energy-momentum");
    carom_param_defaults(kind->params, kind->param_count, &params);
    params.penalty = c->penalty;
    params.tangential = c->tangential;
    params.reach = c->reach;
    carom_time_def time = carom_default_time_def();
    time.step = c->step;
    time.end = c->step * (c->skip + c->steps);
    carom_model *model = build(c);
    carom_sim *sim;
    carom_bench_insist(carom_sim_create(model, (carom_pick){kind, &params}, &time, &sim, &error), &error);
    for (int i = 0; i < c->skip; i++)
        carom_bench_insist(carom_sim_step(sim, &error), &error);

    carom_balance_counts before = ((const carom_energy_momentum_workspace *)sim->stepper.workspace)->balance.counts;
    double start = carom_bench_processor_clock();
    for (int i = 0; i < c->steps; i++)
        carom_bench_insist(carom_sim_step(sim, &error), &error);
    double seconds = carom_bench_processor_clock() - start;
    carom_balance_counts after = ((const carom_energy_momentum_workspace *)sim->stepper.workspace)->balance.counts;
    printf("%-8s %9d %8d %12.1f %12.3g %14.0f %%\n", c->name, carom_model_element_count(model), c->steps,
           (double)(after.iterations - before.iterations) / c->steps, seconds / c->steps,
           100 * (after.linear.factorising - before.linear.factorising) / seconds);
    fflush(stdout);
    carom_sim_release(sim);
    carom_model_release(model);
}

void carom_bench_energy_momentum(bool full) {
    printf("energy-momentum, one thread\n");
    printf("%-8s %9s %8s %12s %12s %16s\n", "", "elements", "steps", "iterations", "s per step", "factorisation");
    carom_set_threads(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (full || strcmp(cases[i].name, "cubes") != 0)
            measure(&cases[i]);
    carom_set_threads(0);
    printf("\n");
}
