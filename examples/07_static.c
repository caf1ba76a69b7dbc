// SPDX-License-Identifier: MIT
// A static analysis: equilibrium under a load that grows, up to close to the limit where the structure snaps through.
//
// Two bars of the half span a and the height h meet at an apex that a force P pushes down (the truss of von Mises). With
// Green's strain, the axial stiffness E A and the length L = sqrt(a^2 + h^2), equilibrium at the apex height z reads exactly
//
//     P = E A z (h^2 - z^2)/L^3
//
// which has its maximum, the limit load, at z = h/sqrt(3). Beyond it no equilibrium is near: the apex would jump.
//
// A static analysis is set up like a motion: "time" is the load factor, which goes from 0 to 1, and each step is an
// equilibrium.
//
// Build it with an installed carom:   cc 07_static.c $(pkg-config --cflags --libs carom) -lm -o static
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

static const double a = 10, h = 1, EA = 1e4;

static int report(const carom_error *error) {
    fprintf(stderr, "static: %s\n", error->message);
    return 1;
}

// The height of the apex on the branch from z = h to the limit point, by bisection of the cubic.
static double exact_height(double P) {
    double L = sqrt(a * a + h * h), low = h / sqrt(3), high = h;
    for (int i = 0; i < 60; i++) {
        double z = 0.5 * (low + high);
        if (EA * z * (h * h - z * z) / (L * L * L) > P)
            low = z;
        else
            high = z;
    }
    return 0.5 * (low + high);
}

// The truss with the force P on its apex.
static carom_status build(double P, carom_mesh *mesh, carom_model **model, carom_error *error) {
    // carom_pick_of finds a kind by name and fills its parameters with their defaults. The nodes of a mesh may be moved.
    carom_line_params line;
    carom_pick generator = carom_pick_of(carom_generators(), "line", &line, error);
    line.from[0] = -a;
    line.to[0] = a;
    line.elements = 2;
    if (carom_mesh_generate(generator, mesh, error))
        return error->status;
    mesh->nodes[1][2] = h;

    carom_bar_params bar;
    carom_elastic_params law;
    carom_body_def body = carom_default_body_def();
    strcpy(body.name, "truss");
    body.mesh = mesh;
    body.element = carom_pick_of(carom_elements(), "bar", &bar, error);
    bar.strain = CAROM_BAR_GREEN;
    body.material = carom_pick_of(carom_materials(), "linear", &law, error);
    law.young = EA;
    law.density = 1;

    // The supports are fixed, and the apex stays in the plane y = 0, across which the bars have no stiffness.
    carom_restraint_def restraints[3] = {
        {.where = {.body = "truss", .set = "start", .node = CAROM_AUTO}, .direction_count = 3},
        {.where = {.body = "truss", .set = "end", .node = CAROM_AUTO}, .direction_count = 3},
        {.where = {.body = "truss", .node = 1}, .direction_count = 1, .direction = {{0, 1, 0}}},
    };
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < 3; i++)
            restraints[r].direction[i][i] = 1;
    carom_load_def load = {.where = {.body = "truss", .node = 1}, .force = {0, 0, -P}};
    carom_model_def def = carom_default_model_def();
    def.body_count = 1;
    def.bodies = &body;
    def.restraint_count = 3;
    def.restraints = restraints;
    def.load_count = 1;
    def.loads = &load;
    def.contact.enabled = false;
    return carom_model_create(&def, model, error);
}

int main(void) {
    carom_error error;
    double L = sqrt(a * a + h * h), limit = 2 * EA * h * h * h / (3 * sqrt(3) * L * L * L), P = 0.95 * limit;
    carom_mesh mesh;
    carom_model *model;
    if (build(P, &mesh, &model, &error))
        return report(&error);

    // Ten load steps, each solved by Newton's method to the default tolerance.
    carom_static_params params;
    carom_pick analysis = carom_pick_of(carom_analyses(), "static", &params, &error);
    params.steps = 10;
    carom_time_def time = carom_static_time(&params);
    carom_sim *sim;
    if (carom_sim_create(model, analysis, &time, &sim, &error))
        return report(&error);

    double worst = 0;
    printf("load/limit     height      exact\n");
    while (!carom_sim_done(sim)) {
        if (carom_sim_step(sim, &error))
            return report(&error);
        const carom_state *state = carom_sim_state(sim);
        double factor = carom_state_time(state), z = carom_state_positions(state)[1][2], exact = exact_height(factor * P);
        worst = fmax(worst, fabs(z - exact));
        printf("%10.3f %10.6f %10.6f\n", factor * P / limit, z, exact);
    }

    // The work of the load is stored in the bars: external is minus that work.
    carom_ledger_row row = carom_sim_ledger(sim);
    printf("\nlargest error of the height %.1e, stored energy %.9f\n", worst, row.internal);
    int good = worst < 1e-7;
    printf("%s\n", good ? "agrees with the exact solution" : "does NOT agree with the exact solution");

    carom_sim_release(sim);
    carom_model_release(model);
    carom_mesh_release(&mesh);
    return good ? 0 : 1;
}
