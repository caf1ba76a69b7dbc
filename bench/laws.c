// SPDX-License-Identifier: MIT
// Material laws on batches: points per second and core of `j2`, without and with plastic flow in all lanes, and of the
// neo-Hookean law. Each figure is the best of many short repetitions, by processor time minus the time to read the clock.
#include <stdio.h>
#include <string.h>

#include <carom/carom.h>

#include "bench.h"
#include "material/lanes/j2.h"
#include "material/lanes/law.h"

enum {
    BATCHES = 64,      // fit the first-level cache
    REPETITIONS = 200, // of which the best is shown
    ROUNDS = 20,       // over all batches per repetition
};

// Gradients, stresses and histories of all batches.
typedef struct points {
    carom_lanes F[BATCHES][9], P[BATCHES][9];
    double history[BATCHES][9 * CAROM_LANES], start[BATCHES][9 * CAROM_LANES];
} points;

CAROM_KERNEL(neo_hookean, (points * q, carom_lame m), (q, m),
             for (int b = 0; b < BATCHES; b++) carom_kernel_stress(CAROM_KERNEL_NEO_HOOKEAN, m, q->F[b], q->P[b]))

// A strain of about `size`, different in each lane.
static void deform(points *q, double size) {
    for (int b = 0; b < BATCHES; b++)
        for (int a = 0; a < 9; a++)
            for (int l = 0; l < CAROM_LANES; l++)
                q->F[b][a][l] = (a % 4 == 0) + size * ((7 * b + 5 * a + 3 * l) % 16 - 7.5) / 8;
}

// The time to read the clock, in seconds.
static double reading(void) {
    double best = 1e9;
    for (int r = 0; r < 100 * REPETITIONS; r++) {
        double begin = carom_bench_processor_clock(), spent = carom_bench_processor_clock() - begin;
        best = spent < best ? spent : best;
    }
    return best;
}

// Seconds per point. `law` NULL: neo-Hookean. Every round starts from the initial state, so that all lanes flow in each.
static double measure(points *q, const carom_material *j2, const carom_j2_params *law) {
    const carom_flow flow = {.use = CAROM_USE_COMMIT, .before = 1e-7};
    carom_lame m = {.lambda = 0.6, .mu = 0.4};
    double best = 1e9;
    for (int r = 0; r < REPETITIONS; r++) {
        double spent = 0;
        for (int i = 0; i < ROUNDS; i++) {
            if (law)
                memcpy(q->history, q->start, sizeof q->start);
            double begin = carom_bench_processor_clock();
            if (!law)
                neo_hookean(q, m);
            for (int b = 0; law && b < BATCHES; b++) {
                carom_flow_result result;
                carom_flow_batch(j2, law, &flow, q->history[b], 0, CAROM_LANES, q->F[b], q->P[b], &result);
            }
            spent += carom_bench_processor_clock() - begin;
        }
        best = spent < best ? spent : best;
    }
    return (best - ROUNDS * reading()) / ((double)ROUNDS * BATCHES * CAROM_LANES);
}

void carom_bench_laws(void) {
    static points q;
    static const char *const names[] = {"linear", "voce", "johnson-cook", "table"};
    carom_j2_params p;
    carom_pick pick = carom_pick_of(carom_materials(), "j2", &p, NULL);
    p.elastic = (carom_elastic_params){.young = 117e9, .poisson = 0.35, .density = 8930};
    p.yield = 200e6, p.modulus = 100e6, p.saturation = 500e6, p.decay = 8;
    p.strength = 292e6, p.exponent = 0.31, p.rate = 0.025, p.reference_rate = 1, p.softening = 1.09, p.melting = 1356;
    p.curve = (carom_pairs){4, {{0, 200e6}, {0.02, 260e6}, {0.1, 300e6}, {1, 450e6}}};
    deform(&q, 0.01);
    double neo = measure(&q, NULL, NULL);
    printf("\nLaws on batches, one core: nanoseconds per point, and ratio to the neo-Hookean law\n");
    printf("%-24s %8.2f\n", "neo-hookean", 1e9 * neo);
    for (p.hardening = 0; p.hardening < 4; p.hardening++)
        for (int flows = 0; flows < 2; flows++) {
            const carom_material *j2 = (const carom_material *)pick.kind;
            double one[9];
            int size = j2->inelastic->size(&p, CAROM_POINT_SOLID);
            j2->inelastic->start(&p, CAROM_POINT_SOLID, one);
            // hardened, so that johnson-cook has plastic strain
            one[6] = 0.05;
            for (int b = 0; b < BATCHES; b++)
                for (int k = 0; k < size * CAROM_LANES; k++)
                    q.start[b][k] = one[k / CAROM_LANES];
            deform(&q, flows ? 0.01 : 0.0003);
            double time = measure(&q, j2, &p);
            printf("%-12s %-11s %8.2f %8.2f\n", names[p.hardening], flows ? "flowing" : "elastic", 1e9 * time, time / neo);
        }
}
