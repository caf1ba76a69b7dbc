// SPDX-License-Identifier: MIT
// A material of your own with history: an elastic, ideally plastic bar with the yield stress s0.
//
// A law with history has a second table, carom_inelastic. It declares so many doubles for each point and their values at the
// start, and is asked for one of three things (carom_use): COMMIT at the kick of each step, which may yield and writes the
// history; TRIAL, the same without writing; READ, energy and stress at the history as it is. The numbers are part of the state:
// checkpoints, restarts and hashes hold them.
//
// One bar of length L = 1 is fixed at one end; the other end, which carries the lumped mass m = rho L/2, starts with the
// velocity V. It stretches until the stress is s0, yields until the mass has come to rest, and swings elastically from then on.
// The energy balance gives the plastic strain: m V^2/2 = s0^2/(2 E) + s0 a, with a the plastic strain.
//
// Build it with an installed carom:   cc 08_own_history.c $(pkg-config --cflags --libs carom) -lm -o own_history
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

typedef struct yielding_params {
    double young, yield, density;
} yielding_params;

// One row per parameter, for the reader of scenes, its messages and its range checks.
#define ROW(field, unit_, doc_)                                                                              \
    {                                                                                                        \
        .name = #field, .type = CAROM_PARAM_REAL, .offset = offsetof(yielding_params, field), .unit = unit_, \
        CAROM_RANGE_POSITIVE, .doc = doc_                                                                    \
    }
static const carom_param rows[] = {
    ROW(young, "mass/(length time^2)", "Young's modulus."),
    ROW(yield, "mass/(length time^2)", "Stress at which the bar flows."),
    ROW(density, "mass/length^3", "Mass per reference volume."),
};

static double density(const void *params) {
    return ((const yielding_params *)params)->density;
}

// Elastic response: the stiffness of the first small strains.
static carom_uniaxial uniaxial(const void *params, double e) {
    const yielding_params *p = params;
    return (carom_uniaxial){.energy = 0.5 * p->young * e * e, .stress = p->young * e, .tangent = p->young};
}

// The history of a point: its plastic strain, the sum of its changes, and the size of the stress at the last commit.
enum { PLASTIC, FLOWED, STRESS, NUMBERS };

static int size(const void *params, carom_point_form form) {
    (void)params;
    return form == CAROM_POINT_UNIAXIAL ? NUMBERS : -1;
}

static void start(const void *params, carom_point_form form, double *history) {
    (void)params, (void)form;
    memset(history, 0, NUMBERS * sizeof *history);
}

static carom_uniaxial flow_uniaxial(const void *params, const carom_flow *flow, double *history, double e,
                                    carom_losses *losses) {
    const yielding_params *p = params;
    double elastic = e - history[PLASTIC], stress = p->young * elastic, flowed = 0;
    *losses = (carom_losses){0};
    // reading never yields
    if (flow->use != CAROM_USE_READ && fabs(stress) > p->yield) {
        flowed = (fabs(stress) - p->yield) / p->young;
        elastic -= copysign(flowed, stress);
        stress = p->young * elastic;
        // the trapezoid of the stresses: what the kinetic energy pays
        losses->plasticity = 0.5 * (history[STRESS] + fabs(stress)) * flowed;
    }
    if (flow->use == CAROM_USE_COMMIT) {
        history[PLASTIC] = e - elastic;
        history[FLOWED] += flowed;
        history[STRESS] = fabs(stress);
    }
    return (carom_uniaxial){
        .energy = 0.5 * p->young * elastic * elastic, .stress = stress, .tangent = flowed > 0 ? 0 : p->young};
}

static double show(const void *params, carom_point_form form, const double *history, carom_inner what) {
    (void)params, (void)form;
    return what == CAROM_INNER_PLASTIC_STRAIN ? history[FLOWED] : NAN;
}

static const carom_inelastic remembers = {.size = size, .start = start, .uniaxial = flow_uniaxial, .show = show};

static const carom_material yielding = {
    .kind = {"yielding", "A bar that yields at a constant stress.", "", rows, 3, sizeof(yielding_params)},
    .nonnegative = true,
    .density = density,
    .uniaxial = uniaxial,
    .inelastic = &remembers,
};

static const char text[] = "schema: 1\n"
                           "integrator: newmark-dcr\n"
                           "time: {end: 8, step: 0.002}\n"
                           "bodies:\n"
                           "  - name: bar\n"
                           "    mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 1}}\n"
                           "    element: bar\n"
                           "    material: {yielding: {young: 1, yield: 0.1, density: 2}}\n"
                           "    velocity: [0.2, 0, 0]\n"
                           "restraints: [{body: bar, set: start, fix: xyz}]\n"
                           "contact: false\n";

static int report(const carom_error *error) {
    fprintf(stderr, "own_history: %s\n", error->message);
    return 1;
}

int main(void) {
    const double E = 1, s0 = 0.1, m = 1, V = 0.2, exact = (0.5 * m * V * V - 0.5 * s0 * s0 / E) / s0;
    carom_error error;
    carom_scene *scene;
    carom_sim *sim;
    if (carom_register_material(&yielding, &error) ||
        carom_scene_parse(text, strlen(text), "bar.yaml", NULL, 0, &scene, NULL, &error) ||
        carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, &error))
        return report(&error);
    double least = HUGE_VAL, most = 0;
    while (!carom_sim_done(sim)) {
        if (carom_sim_step(sim, &error))
            return report(&error);
        double e = carom_state_positions(carom_sim_state(sim))[1][0] - 1;
        // it yields for two units of time, and swings with the period 2 pi
        if (carom_state_time(carom_sim_state(sim)) > 1.7) {
            least = fmin(least, e);
            most = fmax(most, e);
        }
    }
    carom_ledger_row row = carom_sim_ledger(sim);
    double flowed = row.plasticity / s0, middle = 0.5 * (least + most);
    printf("plastic strain %.7f by the ledger, %.7f by the swing (exact %.7f)\n", flowed, middle, exact);
    printf("unexplained energy %.1e\n", row.residual);
    int good = fabs(flowed - exact) < 1e-5 && fabs(middle - exact) < 1e-5 && fabs(row.residual) < 1e-6;
    printf("%s\n", good ? "agrees with the balance of energy" : "does NOT agree with the balance of energy");
    carom_sim_release(sim);
    carom_scene_release(scene);
    return good ? 0 : 1;
}
