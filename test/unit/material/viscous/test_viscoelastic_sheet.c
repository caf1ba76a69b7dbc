// SPDX-License-Identifier: MIT
// Tests src/material/viscous/viscoelastic.c, src/material/viscous/branches.c, src/material/principal_sheet.c.
//
// Viscous branches of a layer under plane stress, with every law: comparison with a solid without transverse stress,
// derivatives, coordinates, and closed forms of relaxation in tension and in bending.
#include "../layers.h"
#include "element/shell/loop_shell.h"
#include "material/material.h"

static const carom_material *const law = &carom_material_viscoelastic;

enum { LAWS = CAROM_VISCOELASTIC_J2 + 1, NUMBERS = 12, SOLID_NUMBERS = 20 };

static carom_viscoelastic_params params_of(int kind) {
    carom_viscoelastic_params p;
    carom_param_defaults(law->kind.params, law->kind.param_count, &p);
    p.law = kind;
    p.j2.elastic = (carom_elastic_params){.young = 2.4, .poisson = 0.3, .density = 1};
    p.mooney_rivlin.c10 = 0.3, p.mooney_rivlin.c01 = 0.1, p.bulk = 3;
    p.yeoh.c1 = 0.4, p.yeoh.c2 = -0.02, p.yeoh.c3 = 0.01, p.gent.shear = 0.8, p.gent.limit = 20;
    p.ogden.terms = (carom_pairs){2, {{0.5, 1.3}, {-0.1, -2}}};
    p.j2.yield = 0.03, p.j2.modulus = 0.2;
    p.prony = (carom_pairs){2, {{0.8, 0.3}, {0.4, 0.05}}};
    return p;
}

// A random path of the layer and of a solid with a thickness stretch without transverse stress: results agree.
static void as_solid(void **state) {
    (void)state;
    uint64_t seed = 71;
    for (int path = 0; path < 3 * LAWS; path++) {
        const carom_viscoelastic_params p = params_of(path % LAWS);
        double F[4] = {1, 0, 0, 1}, layer[NUMBERS], solid[SOLID_NUMBERS], across = 1, flowed = 0;
        law->inelastic->start(&p, CAROM_POINT_SHEET, layer);
        law->inelastic->start(&p, CAROM_POINT_SOLID, solid);
        for (int i = 0; i < 40; i++) {
            const carom_flow commit = {CAROM_USE_COMMIT, .before = 0.02, .after = 0.01 * (1 + i % 3)};
            carom_flow trial = commit;
            double G[3], E[3], S[3], P[9], A[81], thinning;
            carom_losses a, b;
            trial.use = CAROM_USE_TRIAL;
            random_step(&seed, path < LAWS ? 0.02 : 0.08, F);
            see(axes, F, G, E);
            double energy = law->inelastic->sheet(&p, &commit, layer, G, E, S, NULL, &thinning, &a);
            double full[9] = {F[0], F[1], 0, F[2], F[3], 0, 0, 0, across};
            for (int n = 0; n < 60; n++) {
                law->inelastic->solid(&p, &trial, solid, full, P, A, NULL);
                full[8] -= P[8] / A[80];
                if (fabs(P[8] / A[80]) < 1e-15)
                    break;
            }
            across = full[8];
            assert_near(law->inelastic->solid(&p, &commit, solid, full, P, NULL, &b), energy, 1e-11);
            assert_near(thinning, across, 1e-12);
            assert_near(P[0], F[0] * S[0] + F[1] * S[2], 1e-11);
            assert_near(P[1], F[0] * S[2] + F[1] * S[1], 1e-11);
            assert_near(P[4], F[2] * S[2] + F[3] * S[1], 1e-11);
            assert_near(a.plasticity, b.plasticity, 1e-12);
            assert_near(a.viscosity, b.viscosity, 1e-12);
            assert_near(a.pending, b.pending, 1e-12);
            assert_near(a.potential, b.potential, 1e-12);
            assert_true(a.viscosity >= a.pending && a.pending >= 0 && a.plasticity >= 0);
            flowed += a.plasticity;
        }
        assert_true((flowed > 0) == (p.law == CAROM_VISCOELASTIC_J2));
    }
}

// Stress and tangent are the derivatives of the incremental energy, and at a constant history of the stored energy; trials and
// readings do not change the history.
static void derivatives(void **state) {
    (void)state;
    uint64_t seed = 72;
    for (int trial = 0; trial < 12 * LAWS; trial++) {
        const carom_viscoelastic_params p = params_of(trial % LAWS);
        const carom_flow commit = {CAROM_USE_COMMIT, .before = 0.02, .after = 0.02};
        const carom_flow use = {trial % 3 ? CAROM_USE_TRIAL : CAROM_USE_READ, .before = 0.02, .after = 0.02};
        double F[4] = {1, 0, 0, 1}, base[4] = {1.1, 0.3, -0.2, 0.8}, G[3], E[3], S[3], C[3][3], h = 1e-5;
        double now[NUMBERS] = {0}, kept[NUMBERS];
        carom_losses losses;
        law->inelastic->start(&p, CAROM_POINT_SHEET, now);
        for (int i = 0; i < 5; i++) {
            random_step(&seed, 0.05, F);
            see(base, F, G, E);
            law->inelastic->sheet(&p, &commit, now, G, E, NULL, NULL, NULL, NULL);
        }
        random_step(&seed, 0.05, F);
        see(base, F, G, E);
        memcpy(kept, now, sizeof now);
        law->inelastic->sheet(&p, &use, now, G, E, S, C, NULL, &losses);
        for (int a = 0; a < 3; a++) {
            double W[4], T[4][3], at[4] = {-2 * h, -h, h, 2 * h}, E0 = E[a];
            for (int j = 0; j < 4; j++) {
                E[a] = E0 + at[j];
                W[j] = law->inelastic->sheet(&p, &use, now, G, E, T[j], NULL, NULL, &losses) + losses.potential;
            }
            E[a] = E0;
            assert_near(S[a], (W[0] - 8 * W[1] + 8 * W[2] - W[3]) / (12 * h), 1e-9);
            for (int b = 0; b < 3; b++) {
                assert_near(C[b][a], (T[0][b] - 8 * T[1][b] + 8 * T[2][b] - T[3][b]) / (12 * h), 1e-7);
                assert_near(C[b][a], C[a][b], 1e-12);
            }
        }
        assert_memory_equal(kept, now, sizeof now);
    }
}

// Results do not depend on the surface coordinates and rotations; for a layer without area they are not defined, and the
// history is kept.
static void invariance(void **state) {
    (void)state;
    uint64_t seed = 73;
    const double other[4] = {1.3, -0.4, 0, 0.7};
    for (int kind = 0; kind < LAWS; kind++) {
        const carom_viscoelastic_params p = params_of(kind);
        const carom_flow commit = {CAROM_USE_COMMIT, .before = 0.02, .after = 0.02};
        double F[4] = {1, 0, 0, 1}, here[NUMBERS] = {0}, there[NUMBERS], kept[NUMBERS], G[3], E[3], S[3], T[3];
        law->inelastic->start(&p, CAROM_POINT_SHEET, here);
        law->inelastic->start(&p, CAROM_POINT_SHEET, there);
        for (int i = 0; i < 60; i++) {
            double angle = random_real(&seed, -3, 3), c = cos(angle), s = sin(angle), thinning[2];
            random_step(&seed, 0.03, F);
            see(axes, F, G, E);
            double energy = law->inelastic->sheet(&p, &commit, here, G, E, S, NULL, &thinning[0], NULL);
            const double turned[4] = {c * F[0] - s * F[2], c * F[1] - s * F[3], s * F[0] + c * F[2], s * F[1] + c * F[3]};
            see(other, turned, G, E);
            assert_near(law->inelastic->sheet(&p, &commit, there, G, E, T, NULL, &thinning[1], NULL), energy, 1e-11);
            const double back[3] = {other[0] * other[0] * T[0] + 2 * other[0] * other[1] * T[2] + other[1] * other[1] * T[1],
                                    other[3] * other[3] * T[1], other[3] * (other[0] * T[2] + other[1] * T[1])};
            for (int k = 0; k < 3; k++)
                assert_near(back[k], S[k], 1e-11);
            assert_near(thinning[1], thinning[0], 1e-12);
        }
        const double gone[3] = {-0.6, 0, 0};
        memcpy(kept, here, sizeof here);
        assert_true(isinf(law->inelastic->sheet(&p, &commit, here, flat, gone, S, NULL, NULL, NULL)));
        assert_memory_equal(kept, here, sizeof here);
    }
}

// Hencky's law with one branch, g and tau, pulled to the strain eps and held, free across: with a = mu/(3 kappa)
//     stress' = -((1 + a) stress - 3 mu eps)/(tau (1 + a + a g))
// from 3 mu (1 + g) eps/(1 + a + a g), exactly for any eps, since the principal axes are fixed and logarithmic strains
// additive.
static double tension_error(int steps) {
    carom_viscoelastic_params p = params_of(CAROM_VISCOELASTIC_HENCKY);
    const double g = 0.8, tau = 0.3, eps = 0.4, end = 0.5, mu = 2.4 / 2.6, kappa = 2.4 / 1.2, a = mu / (3 * kappa);
    p.prony = (carom_pairs){1, {{g, tau}}};
    double history[3], E[3] = {0.5 * (exp(2 * eps) - 1), 0.5 * (exp(-eps) - 1)}, S[3], C[3][3], worst = 0, h = end / steps;
    law->inelastic->start(&p, CAROM_POINT_SHEET, history);
    for (int n = 0; n <= steps; n++) {
        const carom_flow commit = {CAROM_USE_COMMIT, .before = n ? h : 0, .after = h};
        carom_flow trial = commit;
        trial.use = CAROM_USE_TRIAL;
        for (int i = 0; i < 40; i++) {
            law->inelastic->sheet(&p, &trial, history, flat, E, S, C, NULL, NULL);
            E[1] -= S[1] / C[1][1];
            if (fabs(S[1] / C[1][1]) < 1e-15)
                break;
        }
        law->inelastic->sheet(&p, &commit, history, flat, E, S, NULL, NULL, NULL);
        double last = 3 * mu * eps / (1 + a), first = 3 * mu * (1 + g) * eps / (1 + a + a * g);
        double known = last + (first - last) * exp(-(1 + a) / (1 + a + a * g) * n * h / tau);
        worst = fmax(worst, fabs(S[0] * exp(2 * eps) / known - 1));
        // the transverse stress vanishes in the plane as well
        assert_near(S[1], 0, 1e-14);
    }
    return worst;
}

static void tension_relaxes(void **state) {
    (void)state;
    double coarse = tension_error(20), fine = tension_error(40);
    print_message("tension: %g with steps of tau/12, %g with half of them\n", coarse, fine);
    assert_true(coarse < 1e-4 && coarse / fine > 3.9 && coarse / fine < 4.1);
}

// A plate bent suddenly to a small curvature, without strain along the bending axis, and held. With x the ratio of the
// thickness strain to the strain along,
//     x' = -((kappa + 4/3 mu) x + kappa - 2/3 mu)/(tau (kappa + 4/3 mu (1 + g)))
// and z the strain of the branch along, z' = -x'/3 - z/tau: the moment is that of kappa (1 + x) + 2 mu ((2 - x)/3 + g z).
static double bending_error(int steps) {
    carom_viscoelastic_params p = params_of(CAROM_VISCOELASTIC_HENCKY);
    const double g = 0.8, tau = 0.3, end = 0.5, mu = 2.4 / 2.6, kappa = 2.4 / 1.2, bent = 1e-7;
    p.prony = (carom_pairs){1, {{g, tau}}};
    const carom_layers *t = carom_layers_of(5);
    double history[5][3], worst = 0, h = end / steps;
    for (int i = 0; i < 5; i++)
        law->inelastic->start(&p, CAROM_POINT_SHEET, history[i]);
    double slow = kappa + 4 * mu / 3, all = kappa + 4 * mu / 3 * (1 + g), lambda = slow / (tau * all);
    double x1 = -(kappa - 2 * mu / 3) / slow, x0 = -(kappa - 2 * mu / 3 * (1 + g)) / all;
    double A = lambda * (x0 - x1) / 3 / (1 / tau - lambda), z0 = (2 - x0) / 3;
    for (int n = 0; n <= steps; n++) {
        const carom_flow commit = {CAROM_USE_COMMIT, .before = n ? h : 0, .after = h};
        double moment = 0, time = n * h;
        for (int i = 0; i < 5; i++) {
            double E[3] = {bent * t->at[i]}, S[3];
            law->inelastic->sheet(&p, &commit, history[i], flat, E, S, NULL, NULL, NULL);
            moment += 3 * t->weight[i] * t->at[i] * S[0] / bent;
        }
        double x = x1 + (x0 - x1) * exp(-lambda * time), z = A * exp(-lambda * time) + (z0 - A) * exp(-time / tau);
        worst = fmax(worst, fabs(moment / (kappa * (1 + x) + 2 * mu * ((2 - x) / 3 + g * z)) - 1));
    }
    return worst;
}

static void bending_relaxes(void **state) {
    (void)state;
    double coarse = bending_error(20), fine = bending_error(40);
    print_message("bending: %g with steps of tau/12, %g with half of them\n", coarse, fine);
    assert_true(coarse < 1e-4 && coarse / fine > 3.8 && coarse / fine < 4.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_solid), cmocka_unit_test(derivatives), cmocka_unit_test(invariance),
                                       cmocka_unit_test(tension_relaxes), cmocka_unit_test(bending_relaxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
