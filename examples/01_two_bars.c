// SPDX-License-Identifier: MIT
// Two equal elastic bars collide head-on: the smallest program that builds a model, runs it and reads its energy ledger.
//
//     length L = 10, wave speed c = 1, velocities +V and -V with V = 0.1
//
// Exact solution of the wave equation: the tips meet at time 0 and stay together, at rest, while a wave of compression runs to
// the far ends and comes back. At time 2 L/c = 20 they part with the velocities -V and +V: the bars have exchanged their
// motion.
//
// Build it with an installed carom:   cc 01_two_bars.c $(pkg-config --cflags --libs carom) -lm -o two_bars
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

static const double L = 10, V = 0.1;

// Where the tip of the left bar is at time t, by the exact solution. The right tip mirrors it.
static double exact_tip(double t) {
    return t <= 2 * L ? 0 : -V * (t - 2 * L);
}

// Every function of carom that can fail returns a status and fills an error with one sentence.
static int report(const carom_error *error) {
    fprintf(stderr, "two_bars: %s\n", error->message);
    return 1;
}

// Two equal bars that fly at each other.
static carom_status build(carom_mesh meshes[2], carom_model **model, carom_error *error) {
    // A mesh is geometry; it becomes a body with an element, a material and a velocity. Each of these is a kind, found by name
    // in its catalogue, and a struct of parameters (`carom info` lists them all). Units are yours: any consistent set will do.
    carom_line_params lines[2] = {
        {.from = {-L, 0, 0}, .to = {0, 0, 0}, .elements = 100},
        {.from = {0, 0, 0}, .to = {L, 0, 0}, .elements = 100},
    };
    carom_bar_params bar = {.area = 1, .strain = CAROM_BAR_SMALL};
    carom_elastic_params law = {.young = 1, .density = 1};
    carom_body_def bodies[2];
    for (int i = 0; i < 2; i++) {
        carom_pick line = {carom_catalogue_find(carom_generators(), "line"), &lines[i]};
        if (carom_mesh_generate(line, &meshes[i], error))
            return error->status;
        bodies[i] = carom_default_body_def();
        strcpy(bodies[i].name, i == 0 ? "left" : "right");
        bodies[i].mesh = &meshes[i];
        bodies[i].element = (carom_pick){carom_catalogue_find(carom_elements(), "bar"), &bar};
        bodies[i].material = (carom_pick){carom_catalogue_find(carom_materials(), "linear"), &law};
        bodies[i].velocity[0] = i == 0 ? V : -V;
    }

    // The model is all that stays constant. Contact is resolved at its exact time, and the tips do not bounce (restitution 0).
    carom_model_def def = carom_default_model_def();
    def.body_count = 2;
    def.bodies = bodies;
    def.contact.resolve = CAROM_RESOLVE_EXACT;
    def.contact.restitution = 0;
    return carom_model_create(&def, model, error);
}

int main(void) {
    carom_error error;
    carom_mesh meshes[2];
    carom_model *model;
    if (build(meshes, &model, &error))
        return report(&error);

    // The simulation holds all that changes.
    carom_time_def time = carom_default_time_def();
    time.end = 40;
    time.step = 0.05;
    carom_pick newmark = {carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL};
    carom_sim *sim;
    if (carom_sim_create(model, newmark, &time, &sim, &error))
        return report(&error);
    const carom_state *state = carom_sim_state(sim);
    double energy = carom_sim_ledger(sim).total, worst = 0;

    // Nodes are numbered body after body, so the tips are the last of the left bar and the first of the right one.
    int left = carom_model_body_begin(model, 1) - 1, right = left + 1;
    printf("    time   left tip      exact\n");
    while (!carom_sim_done(sim)) {
        if (carom_sim_step(sim, &error))
            return report(&error);
        const double(*x)[3] = carom_state_positions(state);
        double t = carom_state_time(state), exact = exact_tip(t);
        worst = fmax(worst, fmax(fabs(x[left][0] - exact), fabs(x[right][0] + exact)));
        if (carom_state_step(state) % 100 == 0)
            printf("%8.2f %10.5f %10.5f\n", t, x[left][0], exact);
    }

    // The ledger says where the energy went. What was lost is the motion of the two tip nodes, stopped once: 1/200 of the
    // whole.
    carom_ledger_row row = carom_sim_ledger(sim);
    double lost = row.restitution / energy, residual = row.residual / energy, last = carom_state_pair(state, 0).last_contact;
    printf("\ncontact ended at %.2f (exact %.0f), largest error of the tips %.4f\n", last, 2 * L, worst);
    printf("lost in the impact %.4f %% of the energy, unexplained %.4f %%\n", 100 * lost, 100 * residual);
    int good = worst < 0.035 && fabs(last - 2 * L) < 0.15 && fabs(lost - 0.005) < 1e-12 && fabs(residual) < 4e-4 &&
               fabs(row.momentum[0]) < 1e-14;
    printf("%s\n", good ? "agrees with the exact solution" : "does NOT agree with the exact solution");

    carom_sim_release(sim);
    carom_model_release(model);
    carom_mesh_release(&meshes[0]);
    carom_mesh_release(&meshes[1]);
    return good ? 0 : 1;
}
