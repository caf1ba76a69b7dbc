// SPDX-License-Identifier: MIT
// Tests src/material/viscous/viscoelastic.c, src/material/viscous/branches.c.
//
// Viscoelasticity at a point: loss and storage in harmonic strain, relaxation, stress and tangent as derivatives, invariance,
// recorded losses, branches combined with plasticity, and branches that relax within a step.
#include "../../../support.h"
#include "material/flow/j2.h"
#include "material/material.h"
#include "material/viscous/branches.h"

enum { LAWS = CAROM_VISCOELASTIC_J2 + 1, WITHOUT_FLOW = LAWS - 1, NUMBERS = 8 + 2 * 6 };

static const carom_material *const law = &carom_material_viscoelastic;

static carom_viscoelastic_params params_of(int kind) {
    carom_viscoelastic_params p;
    carom_param_defaults(law->kind.params, law->kind.param_count, &p);
    p.law = kind;
    p.j2.elastic.density = 1;
    if (kind == CAROM_VISCOELASTIC_HENCKY || kind == CAROM_VISCOELASTIC_J2)
        p.j2.elastic.young = 2.4, p.j2.elastic.poisson = 0.3;
    else
        p.bulk = 3;
    if (kind == CAROM_VISCOELASTIC_MOONEY_RIVLIN)
        p.mooney_rivlin.c10 = 0.3, p.mooney_rivlin.c01 = 0.1;
    if (kind == CAROM_VISCOELASTIC_YEOH)
        p.yeoh.c1 = 0.4, p.yeoh.c2 = -0.02, p.yeoh.c3 = 0.01;
    if (kind == CAROM_VISCOELASTIC_GENT)
        p.gent.shear = 0.8, p.gent.limit = 20;
    if (kind == CAROM_VISCOELASTIC_OGDEN)
        p.ogden.terms = (carom_pairs){2, {{0.5, 1.3}, {-0.1, -2}}};
    if (kind == CAROM_VISCOELASTIC_J2)
        p.j2.yield = 0.03, p.j2.modulus = 0.2;
    p.prony = (carom_pairs){2, {{0.8, 0.3}, {0.4, 0.05}}};
    return p;
}

// One branch with half of the modulus 1 at omega tau = 2: loss pi g E omega tau/(1 + (omega tau)^2) e0^2 = .628319 e0^2,
// storage .5 + .5 4/5 = .9.
static void harmonic(void **state) {
    (void)state;
    carom_viscoelastic_params p = params_of(CAROM_VISCOELASTIC_HENCKY);
    p.j2.elastic.young = 0.5, p.prony = (carom_pairs){1, {{1, 2}}};
    const double known[3] = {.628525, .628370, .628331}, e0 = 0.01, pi = acos(-1);
    for (int i = 0; i < 3; i++) {
        int steps = 50 << i;
        double viscous = 0, loss = 0, storage = 0, h = 2 * pi / steps;
        for (int n = 0; n <= 12 * steps; n++) {
            const carom_flow flow = {.use = CAROM_USE_COMMIT, .before = n ? h : 0, .after = h};
            carom_losses losses;
            carom_uniaxial u = law->inelastic->uniaxial(&p, &flow, &viscous, e0 * sin(n * h), &losses);
            assert_true(losses.viscosity >= losses.pending && losses.pending >= 0);
            // the last cycle
            if (n > 11 * steps) {
                loss += losses.viscosity;
                storage += u.stress * sin(n * h) * h / (pi * e0);
            }
        }
        assert_near(loss / (e0 * e0), known[i], 0.6e-6);
        assert_near(storage, 0.9, 2.0 / (steps * steps));
    }
}

// At fixed F each branch relaxes exactly, in any number of steps. If steps resolve the branches, the loss is the energy stored
// before; in a longer step, which starts with the whole strain, the recorded loss is the work of a motion to it.
static void relaxation(void **state) {
    (void)state;
    const double F[9] = {1.3, 0.2, 0, 0.1, 0.9, -0.1, 0, 0.2, 1.1};
    for (int kind = 0; kind < WITHOUT_FLOW; kind++)
        for (int steps = 1; steps <= 100; steps *= 10) {
            const carom_viscoelastic_params p = params_of(kind);
            carom_viscoelastic_params one = p, two = p;
            one.prony.count = 1;
            two.prony = (carom_pairs){1, {{0.4, 0.05}}};
            double history[12], start[6], P[9], slow[9], first[9], second[9], lost = 0, time = 0.1, energy;
            const carom_flow read = {.use = CAROM_USE_READ};
            law->inelastic->start(&p, CAROM_POINT_SOLID, history);
            law->inelastic->start(&one, CAROM_POINT_SOLID, start);
            double stored = law->inelastic->solid(&p, &read, history, F, P, NULL, NULL);
            // the parts of the stress: whole = slow + first + second
            law->inelastic->solid(&one, &read, start, F, first, NULL, NULL);
            law->inelastic->solid(&two, &read, start, F, second, NULL, NULL);
            for (int a = 0; a < 9; a++) {
                slow[a] = first[a] + second[a] - P[a];
                first[a] -= slow[a], second[a] -= slow[a];
            }
            for (int i = 0; i < steps; i++) {
                const carom_flow flow = {.use = CAROM_USE_COMMIT, .before = time / steps, .after = time / steps};
                carom_losses losses;
                law->inelastic->solid(&p, &flow, history, F, P, NULL, &losses);
                lost += losses.viscosity;
            }
            energy = law->inelastic->solid(&p, &read, history, F, P, NULL, NULL);
            for (int a = 0; a < 9; a++)
                assert_near(P[a], slow[a] + exp(-time / 0.3) * first[a] + exp(-time / 0.05) * second[a], 1e-11);
            if (time / steps <= 0.25 * 0.05)
                assert_near(stored - energy, lost, 1e-12);
            else
                assert_true(lost > 0 && lost < stored - energy);
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

// P and A are derivatives of the incremental energy; trials and readings do not change the history; the isochoric part has no
// pressure.
static void derivatives(void **state) {
    (void)state;
    uint64_t seed = 61;
    for (int trial = 0; trial < 60; trial++) {
        const carom_viscoelastic_params p = params_of(trial % LAWS);
        double F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, history[NUMBERS] = {0}, kept[NUMBERS], P[9], A[81], h = 1e-5,
               size = trial < 40 ? 0.05 : 0.2;
        law->inelastic->start(&p, CAROM_POINT_SOLID, history);
        const carom_flow commit = {.use = CAROM_USE_COMMIT, .before = 0.02, .after = 0.02};
        const carom_flow use = {trial % 3 ? CAROM_USE_TRIAL : CAROM_USE_READ, .before = 0.02, .after = 0.02, trial % 2};
        for (int i = 0; i < 5; i++) {
            move(&seed, size, F);
            carom_losses losses;
            law->inelastic->solid(&p, &commit, history, F, NULL, NULL, &losses);
            assert_true(losses.viscosity > 0 && losses.pending > 0);
            assert_true((losses.plasticity > 0) == (p.law == CAROM_VISCOELASTIC_J2));
        }
        move(&seed, size, F);
        memcpy(kept, history, sizeof kept);
        carom_losses losses;
        law->inelastic->solid(&p, &use, history, F, P, A, &losses);
        double trace = 0;
        for (int a = 0; a < 9; a++) {
            double W[4], Q[4][9], at[4] = {-2 * h, -h, h, 2 * h}, F0 = F[a];
            for (int j = 0; j < 4; j++) {
                F[a] = F0 + at[j];
                W[j] = law->inelastic->solid(&p, &use, history, F, Q[j], NULL, &losses) + losses.potential;
            }
            F[a] = F0;
            trace += P[a] * F[a];
            assert_near(P[a], (W[0] - 8 * W[1] + 8 * W[2] - W[3]) / (12 * h), 1e-9);
            for (int b = 0; b < 9; b++) {
                assert_near(A[9 * b + a], (Q[0][b] - 8 * Q[1][b] + 8 * Q[2][b] - Q[3][b]) / (12 * h), 1e-8);
                assert_near(A[9 * b + a], A[9 * a + b], 1e-12);
            }
        }
        if (use.isochoric)
            assert_near(trace, 0, 1e-13);
        assert_memory_equal(kept, history, sizeof kept);
    }
}

static void invariance(void **state) {
    (void)state;
    uint64_t seed = 62;
    const double Q[9] = {2. / 3, -1. / 3, 2. / 3, 2. / 3, 2. / 3, -1. / 3, -1. / 3, 2. / 3, 2. / 3};
    for (int kind = 0; kind < LAWS; kind++) {
        const carom_viscoelastic_params p = params_of(kind);
        double F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, history[NUMBERS], turned[NUMBERS];
        law->inelastic->start(&p, CAROM_POINT_SOLID, history);
        law->inelastic->start(&p, CAROM_POINT_SOLID, turned);
        for (int i = 0; i < 60; i++) {
            double QF[9], P[9], R[9];
            const carom_flow commit = {.use = CAROM_USE_COMMIT, .before = 0.02, .after = 0.02};
            move(&seed, 0.05, F);
            for (int a = 0; a < 9; a++)
                QF[a] = i % 2
                            ? F[a]
                            : Q[3 * (a / 3)] * F[a % 3] + Q[3 * (a / 3) + 1] * F[3 + a % 3] + Q[3 * (a / 3) + 2] * F[6 + a % 3];
            law->inelastic->solid(&p, &commit, history, F, P, NULL, NULL);
            law->inelastic->solid(&p, &commit, turned, QF, R, NULL, NULL);
            for (int a = 0; a < 9; a++)
                assert_near(R[a],
                            i % 2 ? P[a]
                                  : Q[3 * (a / 3)] * P[a % 3] + Q[3 * (a / 3) + 1] * P[3 + a % 3] +
                                        Q[3 * (a / 3) + 2] * P[6 + a % 3],
                            1e-11);
        }
    }
}

static void faults(void **state) {
    (void)state;
    carom_error error;
    for (int kind = 0; kind < LAWS; kind++) {
        carom_viscoelastic_params p = params_of(kind);
        bool stiff = kind == CAROM_VISCOELASTIC_HENCKY || kind == CAROM_VISCOELASTIC_J2;
        assert_null(law->fault(&p, &error));
        assert_int_equal(law->inelastic->size(&p, CAROM_POINT_UNIAXIAL), stiff ? 2 + (kind ? 3 : 0) : -1);
        assert_int_equal(law->inelastic->size(&p, CAROM_POINT_SHEET), kind == CAROM_VISCOELASTIC_J2 ? 6 + 6 : 6);
        // for fast changes branches have their full stiffness
        double F[9] = {1, 1e-6, 0, 0, 1, 0, 0, 0, 1}, P[9];
        law->solid(&p, F, P, NULL);
        assert_near(P[1] / 1e-6 / law->shear(&p), 1, 1e-6);
        p.prony.count = 0;
        assert_string_equal(law->fault(&p, &error), "prony");
        p = params_of(kind);
        p.j2.elastic.young = p.bulk = NAN;
        assert_string_equal(law->fault(&p, &error), stiff ? "young" : "bulk");
    }
    carom_viscoelastic_params p = params_of(CAROM_VISCOELASTIC_YEOH);
    p.yeoh.c3 = 0;
    assert_string_equal(law->fault(&p, &error), "c3");
    p.yeoh.c1 = NAN;
    assert_string_equal(law->fault(&p, &error), "c1");
    p = params_of(CAROM_VISCOELASTIC_J2);
    p.j2.yield = NAN;
    assert_string_equal(law->fault(&p, &error), "yield");
    // parameters of another law
    p = params_of(CAROM_VISCOELASTIC_HENCKY);
    p.j2.yield = 0.03;
    assert_string_equal(law->fault(&p, &error), "yield");
    p.j2.yield = NAN, p.j2.hardening = CAROM_HARDENING_VOCE;
    assert_string_equal(law->fault(&p, &error), "hardening");
    p = params_of(CAROM_VISCOELASTIC_YEOH);
    p.mooney_rivlin.c10 = 1;
    assert_string_equal(law->fault(&p, &error), "c10");
    p = params_of(CAROM_VISCOELASTIC_OGDEN);
    p.gent.limit = 20;
    assert_string_equal(law->fault(&p, &error), "limit");
    assert_non_null(strstr(error.message, "only with `law` gent, and `law` is ogden"));
    p = params_of(CAROM_VISCOELASTIC_GENT);
    p.gent.limit = NAN;
    assert_string_equal(law->fault(&p, &error), "limit");
    assert_non_null(strstr(error.message, "missing key 'limit', which `law: gent` needs"));
}

// With a relaxed branch, each rubber is the material of the same name: energy, stress, and plane stress.
static void branches_with_rubbers(void **state) {
    (void)state;
#define PARAMS(NAME, name, ...) {CAROM_VISCOELASTIC_##NAME, &carom_material_##name, offsetof(carom_viscoelastic_params, name)},
    static const struct {
        int kind;
        const carom_material *rubber;
        size_t place;
    } rubbers[] = {CAROM_RUBBER_LAWS(PARAMS, )};
#undef PARAMS
    for (size_t i = 0; i < sizeof rubbers / sizeof *rubbers; i++) {
        carom_viscoelastic_params p = params_of(rubbers[i].kind);
        p.prony = (carom_pairs){1, {{0.8, 1e-30}}};
        const double F[9] = {1.3, 0.2, 0, 0.1, 0.9, -0.1, 0, 0.2, 1.1}, G[3] = {1, 1, 0}, E[3] = {0.2, -0.1, 0.15};
        const carom_flow flow = {.use = CAROM_USE_TRIAL, .before = 1, .after = 1};
        double history[6], P[9], Q[9], S[3], T[3], params[100];
        const carom_material *rubber = rubbers[i].rubber;
        assert_true(rubber->kind.params_size <= sizeof params);
        memcpy(params, (const char *)&p + rubbers[i].place, rubber->kind.params_size);
        for (int r = 0; r < rubber->kind.param_count; r++)
            if (strcmp(rubber->kind.params[r].name, "bulk") == 0)
                memcpy((char *)params + rubber->kind.params[r].offset, &p.bulk, sizeof p.bulk);
        law->inelastic->start(&p, CAROM_POINT_SOLID, history);
        double energy = law->inelastic->solid(&p, &flow, history, F, P, NULL, NULL);
        assert_near(energy, rubber->solid(params, F, Q, NULL), 1e-15);
        for (int a = 0; a < 9; a++)
            assert_near(P[a], Q[a], 1e-14);
        law->inelastic->start(&p, CAROM_POINT_SHEET, history);
        energy = law->inelastic->sheet(&p, &flow, history, G, E, S, NULL, NULL, NULL);
        assert_near(energy, rubber->sheet(params, G, E, T, NULL, NULL), 1e-14);
        for (int a = 0; a < 3; a++)
            assert_near(S[a], T[a], 1e-14);
    }
}

// Along a random path, plasticity combined with branches has the history of plasticity alone, to the bit, and so do the
// branches: stresses, energies and losses are sums.
static void branches_with_j2(void **state) {
    (void)state;
    uint64_t seed = 63;
    const carom_viscoelastic_params p = params_of(CAROM_VISCOELASTIC_J2), elastic = params_of(CAROM_VISCOELASTIC_HENCKY);
    const carom_material *j2 = &carom_material_j2;
    double F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, both[NUMBERS], metal[8], branches[12], plain[9];
    law->inelastic->start(&p, CAROM_POINT_SOLID, both);
    law->inelastic->start(&elastic, CAROM_POINT_SOLID, branches);
    j2->inelastic->start(&p.j2, CAROM_POINT_SOLID, metal);
    for (int i = 0; i < 80; i++) {
        const carom_flow commit = {CAROM_USE_COMMIT, .before = 0.02, .after = 0.01 + 0.01 * (i % 2), .isochoric = i % 3 == 0};
        double P[9], Q[9], R[9];
        carom_losses sum, flow, relax;
        move(&seed, 0.02, F);
        double energy = law->inelastic->solid(&p, &commit, both, F, P, NULL, &sum);
        double rest = j2->inelastic->solid(&p.j2, &commit, metal, F, Q, NULL, &flow);
        rest += law->inelastic->solid(&elastic, &commit, branches, F, R, NULL, &relax);
        // Hencky's law without branches
        double start[9];
        j2->inelastic->start(&p.j2, CAROM_POINT_SOLID, start);
        rest -= commit.isochoric ? j2->isochoric(&p.j2, F, plain, NULL) : j2->solid(&p.j2, F, plain, NULL);
        for (int a = 0; a < 9; a++)
            assert_near(P[a], Q[a] + R[a] - plain[a], 1e-13);
        assert_near(energy, rest, 1e-13);
        assert_true(sum.plasticity == flow.plasticity && sum.plasticity >= 0);
        assert_true(sum.viscosity == relax.viscosity && sum.pending == relax.pending && sum.pending > 0);
        assert_near(sum.potential, flow.potential + relax.potential, 1e-15);
        assert_memory_equal(both, metal, sizeof metal);
        assert_memory_equal(both + 8, branches, sizeof branches);
        assert_true(law->inelastic->show(&p, CAROM_POINT_SOLID, both, CAROM_INNER_PLASTIC_STRAIN) == metal[CAROM_J2_ALPHA]);
    }
    assert_true(metal[CAROM_J2_ALPHA] > 0.3);
    assert_true(isnan(law->inelastic->show(&elastic, CAROM_POINT_SOLID, branches, CAROM_INNER_PLASTIC_STRAIN)));
}

// Uniaxial strain: a branch that never relaxes is an elastic material in parallel; one that relaxes at once has no effect, and
// no loss.
static void limits_with_j2(void **state) {
    (void)state;
    for (int fast = 0; fast < 2; fast++)
        for (int steps = 1; steps <= 100; steps *= 10) {
            carom_viscoelastic_params p = params_of(CAROM_VISCOELASTIC_J2);
            p.prony = (carom_pairs){1, {{0.8, fast ? 1e-30 : 1e30}}};
            double history[NUMBERS], bar[4], F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, P[9] = {0}, eps = -0.1, lost = 0;
            carom_uniaxial u = {0};
            law->inelastic->start(&p, CAROM_POINT_SOLID, history);
            law->inelastic->start(&p, CAROM_POINT_UNIAXIAL, bar);
            for (int i = 1; i <= steps; i++) {
                const carom_flow commit = {CAROM_USE_COMMIT, .before = 0.02, .after = 0.02};
                carom_losses losses;
                F[0] = exp(eps * i / steps);
                law->inelastic->solid(&p, &commit, history, F, P, NULL, &losses);
                lost += losses.viscosity;
                u = law->inelastic->uniaxial(&p, &commit, bar, eps * i / steps, &losses);
                lost += losses.viscosity;
                assert_true(losses.plasticity >= 0);
            }
            double E = 2.4, mu = E / 2.6, kappa = E / 1.2, s0 = p.j2.yield, H = p.j2.modulus;
            double alpha = (2 * mu * fabs(eps) - s0) / (3 * mu + H), g = fast ? 0 : 0.8;
            double tau = kappa * eps - 2. / 3 * (s0 + H * alpha) + g * 2 * mu * 2 / 3 * eps;
            assert_near(P[0] * F[0], tau, 1e-12);
            assert_near(history[CAROM_J2_ALPHA], alpha, 1e-12);
            assert_near(u.stress, -E * (s0 + H * fabs(eps)) / (E + H) + g * E * eps, 1e-12);
            assert_near(lost, 0, 1e-25);
        }
}

// A branch that relaxes within a step, at a constant strain rate: the recorded loss is the trapezoidal work of the stresses for
// any step. If the step resolves the branch, it is larger by tanh(h/4 tau) mu d:d.
static void steady_strain(void **state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        carom_viscoelastic_params p = params_of(CAROM_VISCOELASTIC_HENCKY);
        double h = 0.02, time = h / (0.05 * pow(2, i)), strain = 0, history = 0, paid = 0, booked = 0, last = 0, d = 1e-3;
        p.prony = (carom_pairs){1, {{1, time}}};
        int steps = 4000;
        for (int n = 1; n <= steps; n++) {
            const carom_flow commit = {CAROM_USE_COMMIT, .before = h, .after = h};
            carom_losses losses;
            strain += d;
            double stress = law->inelastic->uniaxial(&p, &commit, &history, strain, &losses).stress - 2.4 * strain;
            // the last thousand steps, in which the strain of the branch does not change
            if (n > steps - 1000) {
                paid += 0.5 * (stress + last) * d;
                booked += losses.viscosity;
            }
            last = stress;
        }
        double more = h > CAROM_BRANCH_RESOLVED * time ? 0 : 1000 * 0.5 * 2.4 * d * d * tanh(h / (4 * time));
        assert_near(booked, paid + more, 1e-9 * 1000 * 2.4 * d * d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harmonic),       cmocka_unit_test(relaxation),    cmocka_unit_test(derivatives),
        cmocka_unit_test(invariance),     cmocka_unit_test(faults),        cmocka_unit_test(branches_with_j2),
        cmocka_unit_test(limits_with_j2), cmocka_unit_test(steady_strain), cmocka_unit_test(branches_with_rubbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
