// SPDX-License-Identifier: MIT
// Time per query of continuous collision detection on random pairs of unit size: pairs separated along a coordinate axis, pairs
// that miss each other although their boxes overlap, and pairs that touch; and time of the search for the contact layer.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "carom/contact.h"
#include "contact/narrow/narrow.h"

enum { PAIRS = 1000 }; // few enough to stay in the cache

typedef struct pair {
    double x0[4][3], x1[4][3];
} pair;

typedef bool ask(const double x0[4][3], const double x1[4][3], double tolerance, double *toi);

static double draw(uint64_t *seed) {
    uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static bool boxes_separated(const pair *p, int first) {
    for (int i = 0; i < 3; i++) {
        double low[2] = {10, 10}, high[2] = {-10, -10};
        for (int k = 0; k < 4; k++)
            for (int end = 0; end < 2; end++) {
                double x = end == 0 ? p->x0[k][i] : p->x1[k][i];
                int side = k >= first;
                low[side] = x < low[side] ? x : low[side];
                high[side] = x > high[side] ? x : high[side];
            }
        if (low[0] > high[1] || low[1] > high[0])
            return true;
    }
    return false;
}

// Pairs of one class: 0 separated along an axis, 1 a miss with overlapping boxes, 2 a contact. Motion is up to a fifth of the
// size.
static void fill(pair *pairs, int class, ask *query, int first) {
    uint64_t seed = 5;
    for (int found = 0; found < PAIRS;) {
        pair *p = &pairs[found];
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++) {
                p->x0[k][i] = draw(&seed);
                p->x1[k][i] = p->x0[k][i] + 0.2 * draw(&seed);
            }
        double toi;
        bool hit = query(p->x0, p->x1, 0, &toi) && toi > 0, separated = boxes_separated(p, first);
        found += hit ? class == 2 : separated ? class == 0 : class == 1;
    }
}

static double time_of(const pair *pairs, ask *query, int rounds) {
    double sum = 0, toi, start = carom_bench_clock();
    for (int round = 0; round < rounds; round++)
        for (int p = 0; p < PAIRS; p++)
            if (query(pairs[p].x0, pairs[p].x1, 1e-6, &toi))
                sum += toi;
    double seconds = carom_bench_clock() - start;
    return sum < 0 ? 0 : seconds / rounds / PAIRS;
}

static double layer_time(const pair *pairs, carom_narrow_kind kind, int rounds) {
    double v[4][3], sum = 0, start = carom_bench_clock();
    carom_narrow_layer layer = {.height = 1e-4, .slow = 1e-5};
    for (int round = 0; round < rounds; round++)
        for (int p = 0; p < PAIRS; p++) {
            for (int k = 0; k < 4; k++)
                for (int i = 0; i < 3; i++)
                    v[k][i] = pairs[p].x1[k][i] - pairs[p].x0[k][i];
            carom_narrow_hit hit;
            if (carom_narrow_first(kind, pairs[p].x0, (const double(*)[3])v, 0, 1, &layer, &hit))
                sum += hit.time;
        }
    double seconds = carom_bench_clock() - start;
    return sum < 0 ? 0 : seconds / rounds / PAIRS;
}

bool carom_bench_narrow(const carom_bench_plan *plan) {
    static const char *const names[2] = {"node-face", "edge-edge"}, *const classes[3] = {"separated", "near miss", "contact"};
    ask *const queries[2] = {carom_ccd_node_face, carom_ccd_edge_edge};
    pair *pairs = malloc(PAIRS * sizeof *pairs);
    if (!pairs)
        return false;
    printf("\nnarrow phase, ns per query\n");
    for (int q = 0; q < 2; q++)
        for (int class = 0; class < 3; class ++) {
            double values[2][16];
            int count = plan->repetitions < 16 ? plan->repetitions : 16;
            fill(pairs, class, queries[q], q == 0 ? 1 : 2);
            for (int r = 0; r < count; r++) {
                values[0][r] = time_of(pairs, queries[q], 20);
                values[1][r] = layer_time(pairs, q == 0 ? CAROM_NARROW_NODE_FACE : CAROM_NARROW_EDGE_EDGE, 20);
            }
            printf("%s, %-10s contact %6.0f     layer %6.0f\n", names[q], classes[class],
                   1e9 * carom_bench_median(values[0], count), 1e9 * carom_bench_median(values[1], count));
        }
    free(pairs);
    return true;
}
