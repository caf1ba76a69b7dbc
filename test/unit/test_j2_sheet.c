// SPDX-License-Identifier: MIT
// Tests src/material/flow/j2_sheet.c, src/material/principal_sheet.c.
//
// A layer against the solid with no stress across, in skew coordinates; stress and tangent as derivatives of the incremental
// energy; bending of a perfectly plastic plate by layers.
#include "../support.h"
#include "material/flow/j2.h"
#include "material/material.h"

static const carom_material *const j2 = &carom_material_j2;

static carom_j2_params law_of(int hardening) {
    carom_j2_params p;
    carom_param_defaults(j2->kind.params, j2->kind.param_count, &p);
    p.elastic = (carom_elastic_params){.young = 117e9, .poisson = 0.35, .density = 8930};
    p.hardening = hardening;
    p.yield = 200e6, p.modulus = 100e6, p.saturation = 500e6, p.decay = 8;
    p.strength = 292e6, p.exponent = 0.31, p.rate = 0.025, p.reference_rate = 1, p.softening = 1.09;
    p.melting = 1356, p.heat_capacity = 383;
    if (hardening == CAROM_HARDENING_TABLE)
        p.curve = (carom_pairs){4, {{0, 200e6}, {0.02, 260e6}, {0.1, 300e6}, {1, 450e6}}};
    return p;
}

// Metric and strain of F on a surface with dX = M dr.
static void measure(const double M[4], const double F[4], double G[3], double E[3], double N[4]) {
    for (int a = 0; a < 4; a++)
        N[a] = F[2 * (a / 2)] * M[a % 2] + F[2 * (a / 2) + 1] * M[2 + a % 2];
    G[0] = M[0] * M[0] + M[2] * M[2], G[1] = M[1] * M[1] + M[3] * M[3], G[2] = M[0] * M[1] + M[2] * M[3];
    E[0] = 0.5 * (N[0] * N[0] + N[2] * N[2] - G[0]), E[1] = 0.5 * (N[1] * N[1] + N[3] * N[3] - G[1]);
    E[2] = N[0] * N[1] + N[2] * N[3] - G[2];
}

static void against_solid(void **state) {
    (void)state;
    uint64_t seed = 51;
    for (int path = 0; path < 40; path++) {
        const carom_j2_params p = law_of(path % 4);
        double M[4], F[4] = {1, 0, 0, 1}, across = 1, layer[7], point[9], E0 = p.elastic.young;
        for (int a = 0; a < 4; a++)
            M[a] = 2 * (a % 3 == 0) + random_real(&seed, -0.5, 0.5);
        j2->inelastic->start(&p, CAROM_POINT_SHEET, layer);
        j2->inelastic->start(&p, CAROM_POINT_SOLID, point);
        for (int i = 0; i < 20; i++) {
            double G[3], E[3], N[4], S[3], thinning, P[9], A[81];
            for (int a = 0; a < 4; a++)
                F[a] += random_real(&seed, -0.02, 0.02);
            measure(M, F, G, E, N);
            const carom_flow commit = {.use = CAROM_USE_COMMIT, .before = 1e-6}, trial = {CAROM_USE_TRIAL, .before = 1e-6};
            const carom_flow read = {.use = CAROM_USE_READ};
            carom_losses a, b;
            double energy = j2->inelastic->sheet(&p, &commit, layer, G, E, S, NULL, &thinning, &a);
            double full[9] = {F[0], F[1], 0, F[2], F[3], 0, 0, 0, across};
            for (int n = 0; n < 30; n++) {
                j2->inelastic->solid(&p, &trial, point, full, P, A, NULL);
                full[8] -= P[8] / A[80];
            }
            across = full[8];
            double solid = j2->inelastic->solid(&p, &commit, point, full, P, NULL, &b);
            assert_near(thinning, across, 1e-13);
            assert_near(energy, solid, 1e-12 * E0 * 1e-3);
            assert_near(a.plasticity, b.plasticity, 1e-12 * E0 * 1e-3);
            assert_near(a.potential, b.potential, 1e-12 * E0 * 1e-3);
            assert_near(layer[CAROM_J2_SHEET_ALPHA], point[CAROM_J2_ALPHA], 1e-12);
            assert_near(layer[CAROM_J2_SHEET_STRESS], point[CAROM_J2_STRESS], 1e-12 * E0);
            if (path % 4 == CAROM_HARDENING_JOHNSON_COOK)
                assert_near(layer[CAROM_J2_SHEET_TEMPERATURE], point[CAROM_J2_TEMPERATURE], 1e-9);
            // P = F M S M^T, from a reading as well
            double kept[7], T[3];
            memcpy(kept, layer, sizeof kept);
            j2->inelastic->sheet(&p, &read, layer, G, E, T, NULL, NULL, NULL);
            assert_memory_equal(kept, layer, sizeof kept);
            for (int c = 0; c < 4; c++) {
                const double *row = &N[2 * (c / 2)], *column = &M[2 * (c % 2)];
                double known = P[c < 2 ? c : c + 1], cross = row[0] * column[1] + row[1] * column[0];
                assert_near(S[0] * row[0] * column[0] + S[1] * row[1] * column[1] + S[2] * cross, known, 1e-12 * E0);
                assert_near(T[0] * row[0] * column[0] + T[1] * row[1] * column[1] + T[2] * cross, known, 1e-12 * E0);
            }
        }
        assert_true(layer[CAROM_J2_SHEET_ALPHA] > 0.05);
    }
}

static void derivatives(void **state) {
    (void)state;
    uint64_t seed = 52;
    for (int trial = 0; trial < 40; trial++) {
        const carom_j2_params p = law_of(trial % 4);
        double M[4], F[4] = {1, 0, 0, 1}, layer[7], G[3], E[3], N[4], S[3], C[3][3], E0 = p.elastic.young, h = 1e-6;
        for (int a = 0; a < 4; a++)
            M[a] = (a % 3 == 0) + random_real(&seed, -0.2, 0.2);
        j2->inelastic->start(&p, CAROM_POINT_SHEET, layer);
        const carom_flow commit = {.use = CAROM_USE_COMMIT, .before = 1e-6};
        const carom_flow use = {.use = trial % 5 ? CAROM_USE_TRIAL : CAROM_USE_READ, .before = 1e-6};
        for (int i = 0; i < 4; i++) {
            for (int a = 0; a < 4; a++)
                F[a] += random_real(&seed, -0.03, 0.03);
            measure(M, F, G, E, N);
            if (i < 3)
                j2->inelastic->sheet(&p, &commit, layer, G, E, NULL, NULL, NULL, NULL);
        }
        carom_losses losses;
        j2->inelastic->sheet(&p, &use, layer, G, E, S, C, NULL, &losses);
        for (int a = 0; a < 3; a++) {
            double up[3], down[3], moved[3] = {E[0], E[1], E[2]};
            moved[a] += h;
            double W = j2->inelastic->sheet(&p, &use, layer, G, moved, up, NULL, NULL, &losses) + losses.potential;
            moved[a] -= 2 * h;
            W -= j2->inelastic->sheet(&p, &use, layer, G, moved, down, NULL, NULL, &losses) + losses.potential;
            assert_near(S[a], W / (2 * h), 1e-7 * E0 * 0.03);
            for (int b = 0; b < 3; b++) {
                assert_near(C[b][a], (up[b] - down[b]) / (2 * h), 1e-5 * E0);
                assert_near(C[b][a], C[a][b], 1e-12 * E0);
            }
        }
    }
}

// Gauss's points and weights on [-1, 1], by Newton's method.
static void gauss(int n, double *x, double *w) {
    for (int i = 0; i < n; i++) {
        double z = cos(acos(-1) * (i + 0.75) / (n + 0.5)), slope = 0;
        for (int k = 0; k < 50; k++) {
            double p = 1, last = 0;
            for (int j = 1; j <= n; j++) {
                double next = ((2 * j - 1) * z * p - (j - 1) * last) / j;
                last = p, p = next;
            }
            slope = n * (z * p - last) / (z * z - 1);
            z -= p / slope;
        }
        x[i] = z, w[i] = 2 / ((1 - z * z) * slope * slope);
    }
}

// M/(sigma_y t^2/4) of a plate of n layers bent to `ratio` times the curvature of first yield of a strip, which is free to
// strain across its length, layer by layer, or has no such strain.
static double moment(int n, double ratio, bool free_across) {
    carom_j2_params p = law_of(CAROM_HARDENING_LINEAR);
    const double metric[3] = {1, 1, 0}, t = 2;
    p.elastic = (carom_elastic_params){.young = 1, .poisson = 0.3, .density = 1};
    p.yield = 1e-6, p.modulus = 0;
    double x[64], w[64], sum = 0;
    double first = p.yield / p.elastic.young;
    gauss(n, x, w);
    for (int i = 0; i < n; i++) {
        double layer[6], S[3], across = 0;
        j2->inelastic->start(&p, CAROM_POINT_SHEET, layer);
        // in many steps: with no strain across the direction of flow changes
        for (int s = 1, steps = free_across ? 200 : 2000; s <= steps; s++) {
            double e = ratio * first * x[i] * s / steps, strain[3] = {e, across, 0}, C[3][3];
            const carom_flow trial = {.use = CAROM_USE_TRIAL}, commit = {.use = CAROM_USE_COMMIT};
            for (int k = 0; free_across && k < 30; k++) {
                j2->inelastic->sheet(&p, &trial, layer, metric, strain, S, C, NULL, NULL);
                strain[1] -= S[1] / C[1][1];
            }
            across = strain[1];
            j2->inelastic->sheet(&p, &commit, layer, metric, strain, S, NULL, NULL, NULL);
            assert_true(!free_across || fabs(S[1]) < 1e-9 * p.yield);
        }
        sum += 0.5 * t * w[i] * S[0] * x[i] * 0.5 * t;
    }
    return sum / (p.yield * t * t / 4);
}

static void bending(void **state) {
    (void)state;
    const double ratio[4] = {1.5, 2, 5, 20};
    const struct {
        int layers;
        bool free_across;
        double moments[4];
    } rows[] = {
        {3, true, {.8607, .8607, .8607, .8607}},     {5, true, {.8457, .9449, .9449, .9449}},
        {7, true, {.8493, .9122, .9705, .9705}},     {9, true, {.8521, .9105, .9817, .9817}},
        {64, true, {.8519, .9167, .9867, .9992}},    {5, false, {.9470, 1.0750, 1.0906, 1.0910}},
        {7, false, {.9568, 1.0334, 1.1196, 1.1207}}, {64, false, {.9566, 1.0402, 1.1360, 1.1534}},
    };
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int i = 0; i < 4; i++)
            // half a digit; the last of each is the exact integral, which 64 layers with a corner between them meet to 1/64^2
            assert_near(moment(rows[r].layers, ratio[i], rows[r].free_across), rows[r].moments[i],
                        rows[r].layers < 64 ? 0.6e-4 : 2.4e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_solid), cmocka_unit_test(derivatives),
                                       cmocka_unit_test(bending)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
