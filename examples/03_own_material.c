// SPDX-License-Identifier: MIT
// A material of your own: a bar whose stress S = E e + B e^3 hardens with the strain e.
//
// A material is a table of functions of the deformation at a point. A bar asks for one of them, `uniaxial`: the energy per
// volume W(e), the stress S = dW/de and the modulus dS/de. Solids ask for `solid`, shells for `sheet` (carom/material.h).
// Registered under its name, the law is available to every scene and to `carom_pick_of`.
//
// One bar of length L = 1 is fixed at one end; the other end, which carries the lumped mass rho L/2, starts with the velocity
// V. Its strain obeys Duffing's equation e'' = -(2/rho) (E e + B e^3), so that in closed form
//
//     amplitude  a^2 = (sqrt(E^2 + B rho V^2) - E)/B
//     period     T = 2 pi/(c agm(1, sqrt(1 - k^2))),  c^2 = (2/rho) (E + B a^2),  k^2 = B a^2/(2 (E + B a^2))
//
// Build it with an installed carom:   cc 03_own_material.c $(pkg-config --cflags --libs carom) -lm -o own_material
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

typedef struct hardening_params {
    double young, cubic, density;
} hardening_params;

// One row per parameter, for the reader of scenes, its messages and its range checks.
#define ROW(field, unit_, doc_)                                                                               \
    {                                                                                                         \
        .name = #field, .type = CAROM_PARAM_REAL, .offset = offsetof(hardening_params, field), .unit = unit_, \
        CAROM_RANGE_POSITIVE, .doc = doc_                                                                     \
    }
static const carom_param rows[] = {
    ROW(young, "mass/(length time^2)", "Modulus E without strain."),
    ROW(cubic, "mass/(length time^2)", "Modulus B of the cube of the strain."),
    ROW(density, "mass/length^3", "Mass per reference volume."),
};

static double density(const void *params) {
    return ((const hardening_params *)params)->density;
}

static carom_uniaxial uniaxial(const void *params, double e) {
    const hardening_params *p = params;
    return (carom_uniaxial){
        .energy = e * e * (0.5 * p->young + 0.25 * p->cubic * e * e),
        .stress = e * (p->young + p->cubic * e * e),
        .tangent = p->young + 3 * p->cubic * e * e,
    };
}

static const carom_material hardening = {
    .kind = {"hardening", "A cubic law that hardens.", "", rows, 3, sizeof(hardening_params)},
    .nonnegative = true,
    .density = density,
    .uniaxial = uniaxial,
};

static const char text[] = "schema: 1\n"
                           "integrator: newmark-dcr\n"
                           "time: {end: 1, step: 1}\n"
                           "bodies:\n"
                           "  - name: bar\n"
                           "    mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 1}}\n"
                           "    element: bar\n"
                           "    material: {hardening: {young: 1, cubic: 4, density: 2}}\n"
                           "    velocity: [0.5, 0, 0]\n"
                           "restraints: [{body: bar, set: start, fix: xyz}]\n"
                           "contact: false\n";

static double agm(double a, double b) {
    for (int i = 0; i < 20; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

static int report(const carom_error *error) {
    fprintf(stderr, "own_material: %s\n", error->message);
    return 1;
}

int main(void) {
    const double E = 1, B = 4, rho = 2, V = 0.5, pi = acos(-1);
    double a2 = (sqrt(E * E + B * rho * V * V) - E) / B, k2 = B * a2 / (2 * (E + B * a2));
    double T = 2 * pi / (sqrt(2 / rho * (E + B * a2)) * agm(1, sqrt(1 - k2)));
    carom_error error;
    if (carom_register_material(&hardening, &error))
        return report(&error);

    // Half a period in a thousand steps: the strain passes its amplitude once and comes back to zero.
    char end[64], step[64];
    snprintf(end, sizeof end, "time.end=%.17g", 0.5 * T);
    snprintf(step, sizeof step, "time.step=%.17g", 0.0005 * T);
    const char *overrides[] = {end, step};
    carom_scene *scene;
    carom_sim *sim;
    if (carom_scene_parse(text, strlen(text), "bar.yaml", overrides, 2, &scene, NULL, &error) ||
        carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, &error))
        return report(&error);
    double largest = 0;
    while (!carom_sim_done(sim)) {
        if (carom_sim_step(sim, &error))
            return report(&error);
        largest = fmax(largest, carom_state_positions(carom_sim_state(sim))[1][0] - 1);
    }
    double left = carom_state_positions(carom_sim_state(sim))[1][0] - 1, drift = carom_sim_ledger(sim).residual;
    printf("amplitude %.7f (exact %.7f)\n", largest, sqrt(a2));
    printf("strain after half a period %.1e, unexplained energy %.1e\n", left, drift);
    int good = fabs(largest - sqrt(a2)) < 1e-6 && fabs(left) < 1e-5 && fabs(drift) < 1e-7;
    printf("%s\n", good ? "agrees with Duffing's oscillator" : "does NOT agree with Duffing's oscillator");
    carom_sim_release(sim);
    carom_scene_release(scene);
    return good ? 0 : 1;
}
