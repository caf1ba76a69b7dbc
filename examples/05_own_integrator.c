// SPDX-License-Identifier: MIT
// An integrator of your own: the symmetric composition of fourth order by Forest & Ruth and by Yoshida.
//
// An integrator is one table: a name, claims, and the functions accepts, setup, step, release (carom/stepper.h). Everything
// else comes with it: scenes, output, ledger, checkpoints, the report. This one composes three steps of position Verlet,
//
//     x <- x + c h/2 v,   v <- v + c h M^-1 f(x),   x <- x + c h/2 v,   c = w, 1 - 2 w, w,   w = 1/(2 - 2^(1/3))
//
// whose errors of second order cancel. It is symplectic, reversible and of order four, but its middle step goes back in time,
// so it has no contact: `accepts` says so.
//
// A free bar of one element with the mass m = 1/2 at each end and the stiffness k = 1 vibrates by x = (V/omega) sin(omega t),
// omega = sqrt(2 k/m) = 2. Half the step must give a sixteenth of the error.
//
// Build it with an installed carom:   cc 05_own_integrator.c $(pkg-config --cflags --libs carom) -lm -o own_integrator
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>
#include <carom/stepper.h>

static carom_status accepts(const carom_model *model, const void *params, carom_error *error) {
    (void)params;
    if (carom_model_has_contact(model) || carom_model_has_frames(model) || carom_model_has_damping(model))
        return carom_fail(error, CAROM_BAD_INPUT, "forest-ruth takes free motion only: no contact, beams or damping");
    return CAROM_OK;
}

// Scratch memory. What must survive a restart belongs into the state; this method has nothing but positions and velocities.
typedef struct workspace {
    carom_kick_drift *nodes; // evaluates forces
    double force[][3];
} workspace;

static carom_status setup(carom_stepper *stepper, carom_state *state, carom_error *error) {
    size_t count = (size_t)carom_model_node_count(carom_stepper_model(stepper));
    workspace *own = calloc(1, sizeof *own + count * sizeof *own->force);
    if (!own)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for forest-ruth");
    carom_stepper_set_workspace(stepper, own);
    return carom_kick_drift_create(stepper, state, false, &own->nodes, error);
}

static carom_status step(carom_stepper *stepper, carom_state *state, carom_error *error) {
    const carom_model *model = carom_stepper_model(stepper);
    const double *mass = carom_model_mass(model), w = 1 / (2 - cbrt(2)), share[3] = {w, 1 - 2 * w, w};
    double(*x)[3] = carom_state_edit_positions(state), (*v)[3] = carom_state_edit_velocities(state);
    workspace *own = carom_stepper_workspace(stepper);
    double time = carom_state_time(state);
    int count = 3 * carom_model_node_count(model);
    bool finite = true;
    for (int s = 0; s < 3; s++) {
        double h = share[s] * carom_stepper_step(stepper);
        for (int i = 0; i < count; i++)
            x[i / 3][i % 3] += 0.5 * h * v[i / 3][i % 3];
        carom_kick_drift_force(own->nodes, state, time + 0.5 * h, (const double(*)[3])x, own->force);
        for (int i = 0; i < count; i++) {
            v[i / 3][i % 3] += h * own->force[i / 3][i % 3] / mass[i / 3];
            x[i / 3][i % 3] += 0.5 * h * v[i / 3][i % 3];
            finite = finite && isfinite(x[i / 3][i % 3]);
        }
        time += h;
    }
    carom_stepper_advance_time(stepper, state);
    return carom_stepper_finish_step(stepper, state, finite, error);
}

static void release(carom_stepper *stepper) {
    workspace *own = carom_stepper_workspace(stepper);
    carom_kick_drift_release(own->nodes);
    free(own);
    carom_stepper_set_workspace(stepper, NULL);
}

static const carom_integrator forest_ruth = {
    .kind = {.name = "forest-ruth",
             .summary = "Explicit composition of fourth order.",
             .reference = "E. Forest, R. D. Ruth: Fourth-order symplectic integration. Physica D 43 (1990) 105-117."},
    .claims = {.linear_momentum = true,
               .angular_momentum = true,
               .energy = CAROM_ENERGY_BOUNDED,
               .symplectic = true,
               .reversible = true,
               .order = 4},
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .release = release,
};

static const char text[] = "schema: 1\n"
                           "integrator: forest-ruth\n"
                           "time: {end: 8, step: 0.1}\n"
                           "bodies:\n"
                           "  - name: bar\n"
                           "    mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 1}}\n"
                           "    element: bar\n"
                           "    material: {linear: {young: 1, density: 1}}\n"
                           "contact: false\n";

// The largest error of the right end over the whole run; negative after a failure.
static double error_of(const char *step_override, double *drift) {
    const double V = 0.01, start[2][3] = {{-V, 0, 0}, {V, 0, 0}};
    carom_error error;
    carom_scene *scene = NULL;
    carom_sim *sim = NULL;
    double worst = 0;
    carom_status status = carom_scene_parse(text, strlen(text), "bar.yaml", &step_override, 1, &scene, NULL, &error);
    if (!status)
        status =
            carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, &error);
    if (!status)
        status = carom_sim_set_motion(sim, NULL, start, &error);
    *drift = 0;
    while (!status && !carom_sim_done(sim) && !(status = carom_sim_step(sim, &error))) {
        const carom_state *state = carom_sim_state(sim);
        double exact = 1 + 0.5 * V * sin(2 * carom_state_time(state));
        worst = fmax(worst, fabs(carom_state_positions(state)[1][0] - exact) / V);
        *drift = fmax(*drift, fabs(carom_sim_ledger(sim).residual) / (0.5 * V * V));
    }
    if (status)
        fprintf(stderr, "own_integrator: %s\n", error.message);
    carom_sim_release(sim);
    carom_scene_release(scene);
    return status ? -1 : worst;
}

int main(void) {
    carom_error error;
    if (carom_register_integrator(&forest_ruth, &error)) {
        fprintf(stderr, "own_integrator: %s\n", error.message);
        return 1;
    }
    double drift[2], coarse = error_of("time.step=0.1", &drift[0]), fine = error_of("time.step=0.05", &drift[1]);
    double order = log2(coarse / fine), energy_order = log2(drift[0] / drift[1]);
    printf("error %.2e with the step 0.1, %.2e with half of it: order %.3f\n", coarse, fine, order);
    printf("energy oscillates by %.1e and %.1e: order %.3f\n", drift[0], drift[1], energy_order);
    int good = coarse > 0 && fine > 0 && fabs(order - 4) < 0.1 && fabs(energy_order - 4) < 0.2;
    printf("%s\n", good ? "converges with order four" : "does NOT converge with order four");
    return good ? 0 : 1;
}
