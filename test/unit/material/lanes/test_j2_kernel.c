// SPDX-License-Identifier: MIT
// Tests src/material/lanes/j2_kernel.c, src/material/lanes/hardening.h, src/math/lane_masks.h, src/math/lanes.h.
//
// The batched J2 law against the scalar one along random paths, lane by lane; masked lanes; lanes without a solution; the
// exponential.
#include "../../../support.h"
#include "material/flow/j2.h"
#include "material/lanes/hardening.h"
#include "material/lanes/j2.h"
#include "material/material.h"

static const carom_material *const j2 = &carom_material_j2;

// The kinds of hardening, and that of Johnson and Cook with a small exponent.
enum { LAWS = 6 };

static carom_j2_params law_of(int hardening) {
    carom_j2_params p;
    carom_param_defaults(j2->kind.params, j2->kind.param_count, &p);
    p.elastic = (carom_elastic_params){.young = 117e9, .poisson = 0.35, .density = 8930};
    p.hardening = hardening;
    p.yield = 200e6;
    p.modulus = 100e6;
    p.saturation = 500e6, p.decay = 8;
    p.strength = 292e6, p.exponent = 0.31, p.rate = 0.025, p.reference_rate = 1, p.softening = 1.09;
    p.melting = 1356, p.heat_capacity = 383;
    if (hardening == LAWS - 1) {
        p.hardening = CAROM_HARDENING_JOHNSON_COOK;
        p.exponent = 0.06, p.strength = 8 * p.yield;
    }
    if (hardening == CAROM_HARDENING_SWIFT)
        p.prestrain = 0.002;
    if (hardening == CAROM_HARDENING_TABLE)
        p.curve = (carom_pairs){4, {{0, 200e6}, {0.02, 260e6}, {0.1, 300e6}, {1, 450e6}}};
    return p;
}

// Eight points with a path each: deformation gradients, and histories both in lanes and point by point.
typedef struct points {
    double F[CAROM_LANES][9], plain[CAROM_LANES][9], lanes[9 * CAROM_LANES];
    int size;
} points;

static void start(const carom_j2_params *p, points *q) {
    q->size = j2->inelastic->size(p, CAROM_POINT_SOLID);
    for (int l = 0; l < CAROM_LANES; l++) {
        j2->inelastic->start(p, CAROM_POINT_SOLID, q->plain[l]);
        for (int k = 0; k < q->size; k++)
            q->lanes[CAROM_LANES * k + l] = q->plain[l][k];
        for (int a = 0; a < 9; a++)
            q->F[l][a] = a % 4 == 0;
    }
}

static void move(uint64_t *seed, double size, double F[9]) {
    double step[9], next[9];
    for (int a = 0; a < 9; a++)
        step[a] = (a % 4 == 0) + random_real(seed, -size, size);
    for (int a = 0; a < 9; a++)
        next[a] = step[3 * (a / 3)] * F[a % 3] + step[3 * (a / 3) + 1] * F[3 + a % 3] + step[3 * (a / 3) + 2] * F[6 + a % 3];
    memcpy(F, next, sizeof next);
}

static void transpose(const points *q, carom_lanes F[9]) {
    for (int a = 0; a < 9; a++)
        for (int l = 0; l < CAROM_LANES; l++)
            F[a][l] = q->F[l][a];
}

// Calls both laws; all results agree to 1e-13 of their scale.
static void compare(const carom_j2_params *p, const carom_flow *flow, points *q) {
    carom_lanes F[9], P[9];
    carom_flow_result result;
    transpose(q, F);
    carom_flow_batch(j2, p, flow, q->lanes, 0, CAROM_LANES, F, P, &result);
    for (int l = 0; l < CAROM_LANES; l++) {
        double stress[9], E = p->elastic.young;
        carom_losses losses;
        double energy = j2->inelastic->solid(p, flow, q->plain[l], q->F[l], stress, NULL, &losses);
        assert_near(result.energy[l], energy, 1e-13 * (energy + 0.01 * E));
        assert_near(result.plasticity[l], losses.plasticity, 1e-13 * (losses.plasticity + 0.01 * E));
        double size = 0.01 * E;
        for (int a = 0; a < 9; a++)
            size += fabs(stress[a]);
        for (int a = 0; a < 9; a++)
            assert_near(P[a][l], stress[a], 1e-13 * size);
        for (int k = 0; k < q->size; k++) {
            double scale = k == CAROM_J2_STRESS ? E * 0.01 : 0;
            assert_near(q->lanes[CAROM_LANES * k + l], q->plain[l][k], 1e-13 * (scale + 1 + fabs(q->plain[l][k])));
        }
    }
}

static void against_plain(void **state) {
    (void)state;
    uint64_t seed = 31;
    for (int hardening = 0; hardening < LAWS; hardening++) {
        const carom_j2_params p = law_of(hardening);
        for (int path = 0; path < 40; path++) {
            points q;
            start(&p, &q);
            for (int i = 0; i < 15; i++) {
                // some lanes remain elastic, some paths leave the range of the series
                for (int l = 0; l < CAROM_LANES; l++)
                    move(&seed, l % 3 == 0 ? 2e-4 : path < 30 ? 0.02 : 0.2, q.F[l]);
                const carom_flow trial = {.use = CAROM_USE_TRIAL, .before = 1e-6, .isochoric = i % 2};
                const carom_flow commit = {.use = CAROM_USE_COMMIT, .before = 1e-6}, read = {.use = CAROM_USE_READ};
                double kept[9 * CAROM_LANES];
                memcpy(kept, q.lanes, sizeof kept);
                compare(&p, &trial, &q);
                compare(&p, &read, &q);
                assert_memory_equal(kept, q.lanes, (size_t)q.size * CAROM_LANES * sizeof(double));
                compare(&p, &commit, &q);
                // the same history for both, so that a single step is compared
                for (int l = 0; l < CAROM_LANES; l++)
                    for (int k = 0; k < q.size; k++)
                        q.plain[l][k] = q.lanes[CAROM_LANES * k + l];
            }
        }
    }
}

// The bits of a lane do not depend on the other lanes and on its position; masked lanes keep their history.
static void alone(void **state) {
    (void)state;
    uint64_t seed = 32;
    const carom_flow commit = {.use = CAROM_USE_COMMIT, .before = 1e-6};
    for (int hardening = 0; hardening < LAWS; hardening++) {
        const carom_j2_params p = law_of(hardening);
        points many, shifted;
        start(&p, &many);
        start(&p, &shifted);
        for (int i = 0; i < 20; i++) {
            carom_lanes F[9], G[9], P[9], Q[9];
            carom_flow_result a, b;
            for (int l = 0; l < CAROM_LANES; l++)
                move(&seed, l == 5 ? 0.2 : 0.01, many.F[l]);
            memcpy(shifted.F[6], many.F[3], sizeof many.F[3]);
            transpose(&many, F);
            transpose(&shifted, G);
            carom_flow_batch(j2, &p, &commit, many.lanes, 0, CAROM_LANES, F, P, &a);
            carom_flow_batch(j2, &p, &commit, shifted.lanes, 6, 7, G, Q, &b);
            for (int k = 0; k < 9; k++)
                assert_near(P[k][3], Q[k][6], 0);
            assert_near(a.energy[3], b.energy[6], 0);
            assert_near(a.plasticity[3], b.plasticity[6], 0);
            for (int k = 0; k < many.size; k++) {
                assert_near(many.lanes[CAROM_LANES * k + 3], shifted.lanes[CAROM_LANES * k + 6], 0);
                assert_near(shifted.lanes[CAROM_LANES * k + 2], shifted.plain[2][k], 0);
            }
        }
    }
}

static void inside_out(void **state) {
    (void)state;
    const carom_j2_params p = law_of(CAROM_HARDENING_LINEAR);
    const carom_flow commit = {.use = CAROM_USE_COMMIT};
    points q;
    start(&p, &q);
    carom_lanes F[9], P[9];
    carom_flow_result result;
    q.F[4][0] = -1;
    q.F[5][0] = 0;
    q.F[6][0] = 1.01;
    transpose(&q, F);
    carom_flow_batch(j2, &p, &commit, q.lanes, 0, CAROM_LANES, F, P, &result);
    for (int l = 0; l < CAROM_LANES; l++) {
        bool answer = l != 4 && l != 5;
        assert_int_equal(isnan(P[0][l]), !answer);
        assert_int_equal(isinf(result.energy[l]), !answer);
        assert_true(result.plasticity[l] >= 0);
        for (int k = 0; k < q.size && !answer; k++)
            assert_near(q.lanes[CAROM_LANES * k + l], q.plain[l][k], 0);
    }
    assert_true(q.lanes[CAROM_LANES * CAROM_J2_ALPHA + 6] > 0);
}

static void exponentials(void **state) {
    (void)state;
    uint64_t seed = 33;
    for (int i = 0; i < 20000; i++) {
        carom_lanes x, y;
        for (int l = 0; l < CAROM_LANES; l++)
            x[l] = random_real(&seed, -1, 1) * (i % 3 == 0 ? 700 : i % 3 == 1 ? 1 : 1e-9);
        carom_kernel_exp(&x, &y);
        for (int l = 0; l < CAROM_LANES; l++)
            assert_near(y[l] / exp(x[l]), 1, 5e-16);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_plain), cmocka_unit_test(alone), cmocka_unit_test(inside_out),
                                       cmocka_unit_test(exponentials)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
