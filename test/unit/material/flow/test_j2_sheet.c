// SPDX-License-Identifier: MIT
// Tests src/material/flow/j2_sheet.c, src/element/shell/loop_shell_layers.c.
//
// A layer under plane stress with J2 plasticity: closed forms, comparison with a solid without transverse stress, derivatives,
// invariance; several layers in bending beyond yield.
#include "../layers.h"
#include "element/shell/loop_shell.h"
#include "material/flow/j2.h"
#include "material/material.h"

static const carom_material *const j2 = &carom_material_j2;

enum { KINDS = 5 };

// Copper with each kind of hardening.
static carom_j2_params copper(int kind) {
    carom_j2_params p;
    carom_param_defaults(j2->kind.params, j2->kind.param_count, &p);
    p.elastic = (carom_elastic_params){.young = 117e9, .poisson = 0.35, .density = 8930};
    p.yield = 400e6;
    p.modulus = 100e6;
    p.hardening = kind;
    if (kind == CAROM_HARDENING_VOCE)
        p.saturation = 600e6, p.decay = 5;
    if (kind == CAROM_HARDENING_JOHNSON_COOK) {
        p.yield = 90e6, p.strength = 292e6, p.exponent = 0.31, p.rate = 0.025, p.reference_rate = 1, p.softening = 1.09;
        p.temperature = 293, p.melting = 1356, p.heat_capacity = 383, p.heat_share = 0.9;
    }
    if (kind == CAROM_HARDENING_SWIFT)
        p.strength = 1000e6, p.exponent = 0.2, p.prestrain = 0.01;
    if (kind == CAROM_HARDENING_TABLE)
        p.curve = (carom_pairs){3, {{0, 400e6}, {0.05, 500e6}, {1, 600e6}}};
    return p;
}

static double sheet(const carom_j2_params *p, carom_use use, double *history, const double metric[3], const double strain[3],
                    double stress[3], double tangent[3][3], double *thinning, carom_losses *losses) {
    const carom_flow flow = {.use = use, .before = 1e-6};
    return j2->inelastic->sheet(p, &flow, history, metric, strain, stress, tangent, thinning, losses);
}

// Uniaxial stress: finds the transverse strain E[1] without transverse stress, from a guess, and commits. Returns S^11.
static double pull(const carom_j2_params *p, double *history, double E[3], double *thinning) {
    double S[3], C[3][3];
    for (int i = 0; i < 40; i++) {
        sheet(p, CAROM_USE_TRIAL, history, flat, E, S, C, NULL, NULL);
        double change = -S[1] / C[1][1];
        E[1] += change;
        if (fabs(change) < 1e-16)
            break;
    }
    sheet(p, CAROM_USE_COMMIT, history, flat, E, S, NULL, thinning, NULL);
    return S[0];
}

static void uniaxial_stress(void **state) {
    (void)state;
    const carom_j2_params p = copper(CAROM_HARDENING_LINEAR);
    for (int steps = 1; steps <= 100; steps *= 10) {
        double history[6], E[3] = {0}, thinning = 1, S = 0;
        j2->inelastic->start(&p, CAROM_POINT_SHEET, history);
        for (int i = 1; i <= steps; i++) {
            // the guess: no change of volume
            E[0] = 0.5 * (exp(2 * 0.5 * i / steps) - 1);
            E[1] = 0.5 * (exp(-0.5 * i / steps) - 1);
            S = pull(&p, history, E, &thinning);
        }
        // tau = S l^2
        assert_near(S * exp(1) / 449615713.0657558, 1, 1e-12);
        assert_near(history[CAROM_J2_SHEET_ALPHA], .4961571306575576, 1e-12);
        assert_near(sqrt(1 + 2 * E[1]), .7792498369310894, 1e-12);
        assert_near(thinning, .7792498369310894, 1e-12);
        assert_near(history[CAROM_J2_SHEET_STRETCH], thinning, 1e-15);
        assert_near(history[CAROM_J2_SHEET_STRESS] / 449615713.0657558, 1, 1e-12);
    }
}

// A random path of the layer and of a solid with a thickness stretch without transverse stress: stress, plastic strain,
// temperature and losses agree.
static void as_solid(void **state) {
    (void)state;
    uint64_t seed = 21;
    for (int path = 0; path < 3 * KINDS; path++) {
        const carom_j2_params p = copper(path % KINDS);
        double F[4] = {1, 0, 0, 1}, layer[7], solid[9], across = 1;
        j2->inelastic->start(&p, CAROM_POINT_SHEET, layer);
        j2->inelastic->start(&p, CAROM_POINT_SOLID, solid);
        for (int i = 0; i < 40; i++) {
            const carom_flow trial = {.use = CAROM_USE_TRIAL, .before = 1e-6},
                             commit = {.use = CAROM_USE_COMMIT, .before = 1e-6};
            double G[3], E[3], S[3], P[9], A[81], thinning;
            carom_losses a, b;
            random_step(&seed, 0.02, F);
            see(axes, F, G, E);
            double energy = sheet(&p, CAROM_USE_COMMIT, layer, G, E, S, NULL, &thinning, &a);
            double full[9] = {F[0], F[1], 0, F[2], F[3], 0, 0, 0, across};
            for (int n = 0; n < 60; n++) {
                j2->inelastic->solid(&p, &trial, solid, full, P, A, NULL);
                full[8] -= P[8] / A[80];
                if (fabs(P[8] / A[80]) < 1e-15)
                    break;
            }
            across = full[8];
            assert_near(j2->inelastic->solid(&p, &commit, solid, full, P, NULL, &b) / energy, 1, 1e-8);
            assert_near(thinning, across, 1e-12);
            assert_near(P[0], F[0] * S[0] + F[1] * S[2], 1e-9 * p.elastic.young);
            assert_near(P[1], F[0] * S[2] + F[1] * S[1], 1e-9 * p.elastic.young);
            assert_near(P[4], F[2] * S[2] + F[3] * S[1], 1e-9 * p.elastic.young);
            assert_near(layer[CAROM_J2_SHEET_ALPHA], solid[CAROM_J2_ALPHA], 1e-11);
            assert_near(a.plasticity, b.plasticity, 1e-9 * p.yield);
            assert_near(a.potential, b.potential, 1e-9 * p.yield);
            assert_true(a.plasticity >= 0);
            if (carom_j2_heats(&p))
                assert_near(layer[CAROM_J2_SHEET_TEMPERATURE], solid[CAROM_J2_TEMPERATURE], 1e-7);
        }
        assert_true(layer[CAROM_J2_SHEET_ALPHA] > 0.1);
    }
}

// Stress and tangent are the derivatives of the incremental energy in plastic steps, and of the stored energy at a constant
// history; trials and readings do not change the history.
static void derivatives(void **state) {
    (void)state;
    uint64_t seed = 22;
    for (int trial = 0; trial < 20 * KINDS; trial++) {
        const carom_j2_params p = copper(trial % KINDS);
        double F[4] = {1, 0, 0, 1}, base[4] = {1.1, 0.3, -0.2, 0.8}, G[3], E[3], S[3], C[3][3], now[7], kept[7], h = 1e-6;
        j2->inelastic->start(&p, CAROM_POINT_SHEET, now);
        for (int i = 0; i < 5; i++) {
            random_step(&seed, 0.03, F);
            see(base, F, G, E);
            sheet(&p, CAROM_USE_COMMIT, now, G, E, NULL, NULL, NULL, NULL);
        }
        random_step(&seed, 0.03, F);
        see(base, F, G, E);
        memcpy(kept, now, sizeof now);
        carom_use use = trial % 5 == 0 ? CAROM_USE_READ : CAROM_USE_TRIAL;
        carom_losses losses;
        sheet(&p, use, now, G, E, S, C, NULL, &losses);
        assert_true((losses.plasticity > 0) == (use == CAROM_USE_TRIAL));
        for (int a = 0; a < 3; a++) {
            double W[4], T[4][3], at[4] = {-2 * h, -h, h, 2 * h}, E0 = E[a];
            for (int j = 0; j < 4; j++) {
                E[a] = E0 + at[j];
                W[j] = sheet(&p, use, now, G, E, T[j], NULL, NULL, &losses) + losses.potential;
            }
            E[a] = E0;
            // the derivative with respect to 2 E_12 is S^12
            assert_near(S[a], (W[0] - 8 * W[1] + 8 * W[2] - W[3]) / (12 * h), 1e-7 * p.elastic.young * 0.03);
            for (int b = 0; b < 3; b++) {
                assert_near(C[b][a], (T[0][b] - 8 * T[1][b] + 8 * T[2][b] - T[3][b]) / (12 * h), 3e-6 * p.elastic.young);
                assert_near(C[b][a], C[a][b], 1e-11 * p.elastic.young);
            }
        }
        assert_memory_equal(kept, now, sizeof(double) * (size_t)j2->inelastic->size(&p, CAROM_POINT_SHEET));
    }
}

// Results do not depend on the surface coordinates and rotations. Reading after a commit gives the committed stress.
static void invariance(void **state) {
    (void)state;
    uint64_t seed = 23;
    const carom_j2_params p = copper(CAROM_HARDENING_VOCE);
    // columns: the base of other coordinates. The first one points along x, as the orthonormal coordinates of the history do.
    const double other[4] = {1.3, -0.4, 0, 0.7};
    double F[4] = {1, 0, 0, 1}, here[6], there[6], kept[6], G[3], E[3], S[3], T[3], R[3];
    j2->inelastic->start(&p, CAROM_POINT_SHEET, here);
    j2->inelastic->start(&p, CAROM_POINT_SHEET, there);
    for (int i = 0; i < 60; i++) {
        double angle = random_real(&seed, -3, 3), c = cos(angle), s = sin(angle), thinning[2];
        random_step(&seed, 0.02, F);
        see(axes, F, G, E);
        double energy = sheet(&p, CAROM_USE_COMMIT, here, G, E, S, NULL, &thinning[0], NULL);
        memcpy(kept, here, sizeof here);
        carom_losses losses;
        assert_near(sheet(&p, CAROM_USE_READ, here, G, E, R, NULL, NULL, &losses) / energy, 1, 1e-9);
        assert_true(losses.plasticity == 0 && losses.potential == 0);
        assert_memory_equal(kept, here, sizeof here);
        const double turned[4] = {c * F[0] - s * F[2], c * F[1] - s * F[3], s * F[0] + c * F[2], s * F[1] + c * F[3]};
        see(other, turned, G, E);
        assert_near(sheet(&p, CAROM_USE_COMMIT, there, G, E, T, NULL, &thinning[1], NULL) / energy, 1, 1e-9);
        // S = A T A^T
        const double back[3] = {other[0] * other[0] * T[0] + 2 * other[0] * other[1] * T[2] + other[1] * other[1] * T[1],
                                other[3] * other[3] * T[1], other[3] * (other[0] * T[2] + other[1] * T[1])};
        for (int k = 0; k < 3; k++) {
            assert_near(R[k], S[k], 1e-11 * p.elastic.young);
            assert_near(back[k], S[k], 1e-11 * p.elastic.young);
        }
        assert_near(thinning[1], thinning[0], 1e-12);
        assert_near(there[CAROM_J2_SHEET_ALPHA], here[CAROM_J2_SHEET_ALPHA], 1e-11);
    }
    assert_true(here[CAROM_J2_SHEET_ALPHA] > 0.1);
    // a layer without area
    const double gone[3] = {-0.6, 0, 0};
    memcpy(kept, here, sizeof here);
    assert_true(isinf(sheet(&p, CAROM_USE_COMMIT, here, flat, gone, S, NULL, NULL, NULL)));
    assert_memory_equal(kept, here, sizeof here);
}

// Gauss's rule of n points is exact for powers up to 2 n - 1.
static void gauss(void **state) {
    (void)state;
    for (int n = CAROM_LAYERS_MIN; n <= CAROM_LAYERS_MAX; n++) {
        const carom_layers *t = carom_layers_of(n);
        assert_int_equal(t->count, n);
        for (int power = 0; power < 2 * n; power++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += t->weight[i] * pow(t->at[i], power);
            assert_near(sum, power % 2 ? 0 : 1.0 / (power + 1), 2e-15);
        }
        for (int i = 1; i < n; i++)
            assert_true(t->at[i] > t->at[i - 1]);
    }
}

// M/(yield t^2/4) of a perfectly plastic plate bent to `ratio` times the curvature of first yield, in many steps: without
// transverse in-plane stress or, if `held`, without transverse in-plane strain.
static double bend(int layers, double ratio, bool held) {
    enum { STEPS = 400 };
    carom_j2_params p = copper(CAROM_HARDENING_LINEAR);
    p.modulus = 0;
    p.elastic.poisson = 0.3;
    p.yield = 1e-6 * p.elastic.young;
    const carom_layers *t = carom_layers_of(layers);
    // the first yield of uniaxial stress in both cases
    double first = p.yield / p.elastic.young, moment = 0;
    for (int i = 0; i < layers; i++) {
        double history[6], E[3] = {0}, S[3] = {0};
        j2->inelastic->start(&p, CAROM_POINT_SHEET, history);
        for (int k = 1; k <= STEPS; k++) {
            E[0] = ratio * first * t->at[i] * k / STEPS;
            if (held)
                sheet(&p, CAROM_USE_COMMIT, history, flat, E, S, NULL, NULL, NULL);
            else
                S[0] = pull(&p, history, E, NULL);
        }
        moment += t->weight[i] * t->at[i] * S[0];
    }
    return 2 * moment / p.yield;
}

static void bending(void **state) {
    (void)state;
    static const double ratios[4] = {1.5, 2, 5, 20};
    static const struct {
        int layers;
        bool held;
        double moment[4];
    } rows[] = {
        {3, false, {.8607, .8607, .8607, .8607}},    {5, false, {.8457, .9449, .9449, .9449}},
        {7, false, {.8493, .9122, .9705, .9705}},    {9, false, {.8521, .9105, .9817, .9817}},
        {5, true, {.9470, 1.0750, 1.0906, 1.0910}},  {7, true, {.9568, 1.0334, 1.1196, 1.1207}},
        {64, true, {.9566, 1.0402, 1.1360, 1.1534}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int k = 0; k < 4; k++)
            assert_near(bend(rows[r].layers, ratios[k], rows[r].held), rows[r].moment[k], 0.6e-4);
    // with many layers the moment approaches the closed form
    for (int k = 0; k < 4; k++)
        assert_near(bend(64, ratios[k], false), 1 - 1 / (3 * ratios[k] * ratios[k]), 2e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(uniaxial_stress), cmocka_unit_test(as_solid),
                                       cmocka_unit_test(derivatives),     cmocka_unit_test(invariance),
                                       cmocka_unit_test(gauss),           cmocka_unit_test(bending)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
