// SPDX-License-Identifier: MIT
// A program that has only the installed library: a free point mass keeps its velocity.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

static int fail(const char *what, const carom_error *error) {
    fprintf(stderr, "consumer: %s: %s\n", what, error->message);
    return 1;
}

int main(void) {
    carom_error error = {0};

    carom_point_params place = {.at = {0, 0, 0}};
    carom_pick point = {carom_catalogue_find(carom_generators(), "point"), &place};
    carom_mesh mesh = {0};
    if (carom_mesh_generate(point, &mesh, &error) != CAROM_OK)
        return fail("mesh", &error);

    carom_point_mass_params mass = {.mass = 2};
    carom_body_def body = carom_default_body_def();
    strcpy(body.name, "ball");
    body.mesh = &mesh;
    body.element = (carom_pick){carom_catalogue_find(carom_elements(), "point-mass"), &mass};
    body.velocity[0] = 3;

    carom_model_def def = carom_default_model_def();
    def.body_count = 1;
    def.bodies = &body;
    carom_model *model = NULL;
    if (carom_model_create(&def, &model, &error) != CAROM_OK)
        return fail("model", &error);

    carom_time_def time = carom_default_time_def();
    time.end = 1;
    time.step = 0.125;
    carom_pick integrator = {carom_catalogue_find(carom_integrators(), "newmark-dcr"), NULL};
    carom_sim *sim = NULL;
    if (carom_sim_create(model, integrator, &time, &sim, &error) != CAROM_OK)
        return fail("simulation", &error);
    while (!carom_sim_done(sim))
        if (carom_sim_step(sim, &error) != CAROM_OK)
            return fail("step", &error);

    double x = carom_state_positions(carom_sim_state(sim))[0][0];
    printf("carom %s: x(1) = %g\n", carom_version(), x);
    carom_sim_release(sim);
    carom_model_release(model);
    carom_mesh_release(&mesh);
    return fabs(x - 3) < 1e-14 ? 0 : 1;
}
