// SPDX-License-Identifier: MIT
// Small models built in C, by every method that needs no direct solver, and the hashes of their last states. A program without
// cmocka, scenes or files of its own, so that it runs wherever the library does:
//     portable [HASHES]     prints the hashes; with a file of them, fails if one differs
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

typedef struct body {
    const char *generator, *element, *material;
    const char *settings[8]; // of the mesh: key, value, ...
    double velocity[3];
} body;

typedef struct trial {
    const char *name, *integrator;
    double end, step, friction, restitution; // a step of 0 is the automatic one
    bool floor;
    body bodies[2]; // the second may be absent
} trial;

static const trial trials[] = {
    {"bars_dcr",
     "newmark-dcr",
     12,
     0.05,
     0,
     0,
     false,
     {{"line", "bar", "linear", {"from", "[-10,0,0]", "to", "[0,0,0]", "elements", "40"}, {0.1, 0, 0}},
      {"line", "bar", "linear", {"from", "[0.02,0,0]", "to", "[10,0,0]", "elements", "33"}, {-0.1, 0, 0}}}},
    {"bars_multisymplectic",
     "multisymplectic",
     12,
     0.2,
     0,
     1,
     false,
     {{"line", "bar", "linear", {"from", "[-10,0,0]", "to", "[0,0,0]", "elements", "40"}, {0.1, 0, 0}},
      {"line", "bar", "linear", {"from", "[0.02,0,0]", "to", "[10,0,0]", "elements", "40"}, {-0.1, 0, 0}}}},
    {"brick_dcr",
     "newmark-dcr",
     2,
     0,
     0.3,
     0.5,
     true,
     {{"box",
       "hex8",
       "neo-hookean",
       {"from", "[0,0,0.1]", "to", "[1,1.1,1.3]", "elements", "[3,3,3]", "cells", "hex8"},
       {0.2, 0.05, -0.3}}}},
    {"two_bricks_dcr",
     "newmark-dcr",
     2,
     0,
     0.2,
     0,
     false,
     {{"box",
       "tet4",
       "st-venant-kirchhoff",
       {"from", "[0,0,0]", "to", "[1,1,1]", "elements", "[2,2,2]", "cells", "tet4"},
       {0.3, 0.02, 0}},
      {"box",
       "hex8",
       "neo-hookean",
       {"from", "[1.05,0.1,0.2]", "to", "[2,1.2,1.1]", "elements", "[2,2,2]", "cells", "hex8"},
       {-0.3, 0, 0.01}}}},
    {"brick_asynchronous",
     "asynchronous",
     1,
     0,
     0,
     0.5,
     true,
     {{"box",
       "tet4",
       "neo-hookean",
       {"from", "[0,0,0.1]", "to", "[1,1.1,1.3]", "elements", "[2,2,2]", "cells", "tet4"},
       {0, 0.05, -0.3}}}},
};
enum { TRIALS = sizeof trials / sizeof *trials };

static void stop(const char *name, const char *message) {
    fprintf(stderr, "portable: %s: %s\n", name, message);
    exit(2);
}

// The parameters that pick hands out in one run, to be freed at its end.
static void *picked[16];
static int picked_count;

// The parameters of a kind with their defaults and with some texts.
static carom_pick pick(const carom_catalogue *catalogue, const char *kind, const char *const settings[8]) {
    carom_error error;
    const carom_kind *found = carom_catalogue_find(catalogue, kind);
    if (!found)
        stop(kind, "there is no such kind");
    void *params = calloc(1, found->params_size + 1);
    if (!params || picked_count == sizeof picked / sizeof *picked)
        stop(kind, "no memory");
    picked[picked_count++] = params;
    carom_param_defaults(found->params, found->param_count, params);
    for (int s = 0; settings && s < 8 && settings[s]; s += 2) {
        int row = 0;
        while (row < found->param_count && strcmp(found->params[row].name, settings[s]) != 0)
            row++;
        if (row == found->param_count)
            stop(settings[s], "there is no such parameter");
        if (carom_param_parse(&found->params[row], settings[s + 1], params, &error))
            stop(kind, error.message);
    }
    return (carom_pick){found, params};
}

static uint64_t run(const trial *t) {
    static const char *const law[8] = {"young", "1", "poisson", "0.3", "density", "1"};
    static const char *const bar_law[8] = {"young", "1", "density", "1"};
    static const char *const bar[8] = {"area", "1"};
    carom_error error;
    carom_mesh meshes[2];
    carom_body_def bodies[2];
    int count = t->bodies[1].generator ? 2 : 1;
    for (int b = 0; b < count; b++) {
        const body *from = &t->bodies[b];
        bool line = strcmp(from->element, "bar") == 0;
        if (carom_mesh_generate(pick(carom_generators(), from->generator, from->settings), &meshes[b], &error))
            stop(t->name, error.message);
        bodies[b] = carom_default_body_def();
        snprintf(bodies[b].name, sizeof bodies[b].name, "body%d", b);
        bodies[b].mesh = &meshes[b];
        bodies[b].element = pick(carom_elements(), from->element, line ? bar : NULL);
        bodies[b].material = pick(carom_materials(), from->material, line ? bar_law : law);
        memcpy(bodies[b].velocity, from->velocity, sizeof from->velocity);
    }
    carom_plane_def plane = carom_default_plane_def();
    strcpy(plane.name, "floor");
    carom_model_def def = carom_default_model_def();
    def.body_count = count;
    def.bodies = bodies;
    def.contact.friction = t->friction;
    def.contact.restitution = t->restitution;
    def.contact.plane_count = t->floor ? 1 : 0;
    def.contact.planes = &plane;
    carom_time_def time = carom_default_time_def();
    time.end = t->end;
    if (t->step > 0)
        time.step = t->step;
    carom_model *model;
    carom_sim *sim;
    if (carom_model_create(&def, &model, &error) ||
        carom_sim_create(model, pick(carom_integrators(), t->integrator, NULL), &time, &sim, &error))
        stop(t->name, error.message);
    while (!carom_sim_done(sim))
        if (carom_sim_step(sim, &error))
            stop(t->name, error.message);
    uint64_t hash = carom_state_hash(carom_sim_state(sim));
    carom_sim_release(sim);
    carom_model_release(model);
    for (int b = 0; b < count; b++)
        carom_mesh_release(&meshes[b]);
    while (picked_count > 0)
        free(picked[--picked_count]);
    return hash;
}

// True if the file has the line.
static bool holds(const char *path, const char *line) {
    char found[128];
    FILE *file = fopen(path, "r");
    if (!file)
        stop(path, "it cannot be read");
    bool same = false;
    while (fgets(found, sizeof found, file)) {
        found[strcspn(found, "\r\n")] = 0;
        same = same || strcmp(found, line) == 0;
    }
    fclose(file);
    return same;
}

int main(int count, char **arguments) {
    int wrong = 0;
    for (int i = 0; i < TRIALS; i++) {
        char line[128];
        snprintf(line, sizeof line, "%s %016llx", trials[i].name, (unsigned long long)run(&trials[i]));
        bool same = count < 2 || holds(arguments[1], line);
        wrong += !same;
        printf("%s%s\n", line, same ? "" : " DIFFERS");
    }
    return wrong ? 1 : 0;
}
