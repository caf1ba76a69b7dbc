// SPDX-License-Identifier: MIT
// An element of your own: two masses that attract each other by gravity, E = -k/r.
//
// To carom an element is a potential of the positions of its nodes. It need not be a piece of a solid: whatever has an energy
// and a force -dE/dx takes part in every integrator, in the ledger and in the output. Here one element of two nodes makes the
// two-body problem. Two unit masses at the distance r0 = 2 that move across the line at the speed u run on ellipses with
//
//     semi-major axis  A = k/(k/r0 - u^2)/2,   smallest distance  2 A - r0,   period  T = 2 pi sqrt(A^3/(2 k))
//
// Five functions are all that it takes. Each works on the elements [begin, end) of a block; forces are stored in batches, at
// carom_lane(element, component, components of an element).
//
// Build it with an installed carom:   cc 04_own_element.c $(pkg-config --cflags --libs carom) -lm -o own_element
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

typedef struct gravity_params {
    double k;
} gravity_params;

static const carom_param row = {.name = "k",
                                .type = CAROM_PARAM_REAL,
                                .offset = offsetof(gravity_params, k),
                                .unit = "mass length^3/time^2",
                                .initial = "1",
                                CAROM_RANGE_POSITIVE,
                                .doc = "Strength of the attraction."};

// d = x2 - x1 and its length; returns k/r^3.
static double pull(const carom_block *block, int e, const double (*x)[3], double d[3], double *r) {
    const int *n = &block->nodes[2 * e];
    for (int i = 0; i < 3; i++)
        d[i] = x[n[1]][i] - x[n[0]][i];
    *r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    return ((const gravity_params *)block->params)->k / (*r * *r * *r);
}

// Masses, and reference data if there were any.
static carom_status prepare(const carom_block *block, const double (*X)[3], double *mass, carom_error *error) {
    for (int e = 0; e < block->count; e++) {
        double d[3], r;
        pull(block, e, X, d, &r);
        if (!(r > 0))
            return carom_fail(error, CAROM_BAD_INPUT, "the two nodes of element %d coincide", e);
        mass[block->nodes[2 * e]] += 1;
        mass[block->nodes[2 * e + 1]] += 1;
    }
    return CAROM_OK;
}

static void energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *E) {
    (void)X;
    for (int e = begin; e < end; e++) {
        double d[3], r, p = pull(block, e, x, d, &r);
        E[e] = -p * r * r;
    }
}

static void force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *f) {
    (void)X;
    for (int e = begin; e < end; e++) {
        double d[3], r, p = pull(block, e, x, d, &r);
        for (int i = 0; i < 6; i++)
            f[carom_lane(e, i, 6)] = i < 3 ? p * d[i] : -p * d[i - 3];
    }
}

// d2E/dx2^2 = k/r^3 (I - 3 d d^T/r^2), with the other sign between the two nodes.
static void stiffness(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *K) {
    (void)X;
    for (int e = begin; e < end; e++) {
        double d[3], r, p = pull(block, e, x, d, &r);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                K[36 * e + 6 * i + j] = (i / 3 == j / 3 ? p : -p) * ((i % 3 == j % 3) - 3 * d[i % 3] * d[j % 3] / (r * r));
    }
}

// 2/omega: across the line omega^2 = 2 k/r^3; along it the masses fall, which bounds no step.
static void stable_step(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *h) {
    (void)X;
    for (int e = begin; e < end; e++) {
        double d[3], r;
        h[e] = 2 / sqrt(2 * pull(block, e, x, d, &r));
    }
}

static const carom_element gravity = {
    .kind = {"gravity", "Two unit masses that attract each other.", "", &row, 1, sizeof(gravity_params)},
    .cell = CAROM_CELL_LINE2,
    .node_count = 2,
    .prepare = prepare,
    .energy = energy,
    .force = force,
    .stiffness = stiffness,
    .stable_step = stable_step,
};

static const char text[] = "schema: 1\n"
                           "integrator: newmark-dcr\n"
                           "time: {end: 1, step: 0.001}\n"
                           "bodies:\n"
                           "  - {name: pair, mesh: {line: {from: [-1, 0, 0], to: [1, 0, 0], elements: 1}}, element: "
                           "{gravity: {k: 1}}, spin: [0, 0, 0.3]}\n"
                           "contact: false\n";

static int report(const carom_error *error) {
    fprintf(stderr, "own_element: %s\n", error->message);
    return 1;
}

int main(void) {
    const double k = 1, r0 = 2, u = 0.3, pi = acos(-1);
    double A = 0.5 * k / (k / r0 - u * u), T = 2 * pi * sqrt(A * A * A / (2 * k));
    char end[64];
    snprintf(end, sizeof end, "time.end=%.17g", T);
    const char *overrides[] = {end};
    carom_error error;
    carom_scene *scene;
    carom_sim *sim;
    if (carom_register_element(&gravity, &error) ||
        carom_scene_parse(text, strlen(text), "pair.yaml", overrides, 1, &scene, NULL, &error) ||
        carom_sim_create(carom_scene_model(scene), carom_scene_integrator(scene), carom_scene_time(scene), &sim, &error))
        return report(&error);

    // Once around: where the second mass is nearest to the first, and how far it is from its start at the end.
    double momentum = carom_sim_ledger(sim).angular_momentum[2], nearest = r0, missing = 0;
    while (!carom_sim_done(sim)) {
        if (carom_sim_step(sim, &error))
            return report(&error);
        const double(*x)[3] = carom_state_positions(carom_sim_state(sim));
        nearest = fmin(nearest, hypot(x[1][0] - x[0][0], x[1][1] - x[0][1]));
        missing = hypot(x[1][0] - 1, x[1][1]);
    }
    carom_ledger_row ledger = carom_sim_ledger(sim);
    double change = ledger.angular_momentum[2] / momentum - 1;
    printf("nearest %.5f (exact %.5f), after one period %.1e from the start\n", nearest, 2 * A - r0, missing);
    printf("angular momentum changed by %.1e, energy by %.1e\n", change, ledger.residual);
    int good = fabs(nearest - (2 * A - r0)) < 1e-4 && missing < 2e-3 && fabs(change) < 1e-12;
    printf("%s\n", good ? "closes its orbit" : "does NOT close its orbit");
    carom_sim_release(sim);
    carom_scene_release(scene);
    return good ? 0 : 1;
}
