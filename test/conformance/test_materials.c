// SPDX-License-Identifier: MIT
// Every material: stress and tangent are derivatives of the energy, rotations cost nothing, small strains are Hooke's.
#include "../support.h"
#include "carom/material.h"

static const carom_elastic_params params = {.young = 2.3, .poisson = 0.31, .density = 1.7};

// Laws with other parameters have these moduli too: mu = E/(2 (1 + nu)), kappa = E/(3 (1 - 2 nu)).
static const double mu = 2.3 / (2 * 1.31), kappa = 2.3 / (3 * (1 - 0.62));

// Parameters of the law m of the catalogue: all of them have the same moduli without strain.
static const void *params_of(int m) {
    static carom_mooney_rivlin_params mooney_rivlin;
    static carom_yeoh_params yeoh;
    static carom_gent_params gent;
    static carom_ogden_params ogden;
    static carom_j2_params j2;
    static carom_viscoelastic_params viscoelastic;
    mooney_rivlin = (carom_mooney_rivlin_params){.c10 = 0.35 * mu, .c01 = 0.15 * mu, .bulk = kappa, .density = 1.7};
    yeoh = (carom_yeoh_params){.c1 = 0.5 * mu, .c2 = -0.02 * mu, .c3 = 0.01 * mu, .bulk = kappa, .density = 1.7};
    gent = (carom_gent_params){.shear = mu, .limit = 8, .bulk = kappa, .density = 1.7};
    ogden = (carom_ogden_params){.terms = {3, {{mu, 1.3}, {0.02 * mu, 5}, {-0.3 * mu, -2}}}, .bulk = kappa, .density = 1.7};
    ogden.terms.rows[0][0] = (2 * mu - 0.02 * mu * 5 - 0.3 * mu * 2) / 1.3;
    j2 = (carom_j2_params){.elastic = params, .yield = 1e-3, .exponent = 1, .softening = 1, .heat_share = 0.9};
    j2.saturation = j2.decay = j2.reference_rate = j2.melting = j2.heat_capacity = NAN;
    // a tenth of the stiffness in a branch
    viscoelastic = (carom_viscoelastic_params){.law = CAROM_VISCOELASTIC_MOONEY_RIVLIN,
                                               .mooney_rivlin = {.c10 = 0.35 * mu / 1.1, .c01 = 0.15 * mu / 1.1},
                                               .bulk = kappa,
                                               .j2 = {.elastic = {.density = 1.7}},
                                               .prony = {1, {{0.1, 1}}}};
    const struct {
        const char *name;
        const void *params;
    } others[] = {{"mooney-rivlin", &mooney_rivlin}, {"yeoh", &yeoh}, {"gent", &gent}, {"ogden", &ogden}, {"j2", &j2},
                  {"viscoelastic", &viscoelastic}};
    for (int i = 0; i < 6; i++)
        if (strcmp(carom_materials()->kinds[m]->name, others[i].name) == 0)
            return others[i].params;
    return &params;
}

static void random_F(uint64_t *seed, double size, double F[9]) {
    for (int a = 0; a < 9; a++)
        F[a] = (a % 4 == 0) + random_real(seed, -size, size);
}

static const carom_material *material(int m) {
    return (const carom_material *)carom_materials()->kinds[m];
}

static void derivatives(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int m = 0; m < carom_materials()->count; m++) {
        const carom_material *law = material(m);
        for (int trial = 0; law->solid && trial < 50; trial++) {
            double F[9], P[9], A[81], h = 1e-4;
            random_F(&seed, 0.25, F);
            double energy = law->solid(params_of(m), F, P, A);
            assert_near(law->solid(params_of(m), F, NULL, NULL), energy, 0);
            for (int a = 0; a < 9; a++) {
                double e[4], Q[4][9], F0 = F[a], at[4] = {-2 * h, -h, h, 2 * h};
                for (int j = 0; j < 4; j++)
                    F[a] = F0 + at[j], e[j] = law->solid(params_of(m), F, Q[j], NULL);
                F[a] = F0;
                assert_near(P[a], (e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * h), 1e-9);
                for (int b = 0; b < 9; b++) {
                    assert_near(A[9 * b + a], (Q[0][b] - 8 * Q[1][b] + 8 * Q[2][b] - Q[3][b]) / (12 * h), 1e-8);
                    assert_near(A[9 * b + a], A[9 * a + b], 1e-14);
                }
            }
        }
    }
}

// W(R F) = W(F) for all laws but the linear one; P turns along. All laws agree to first order.
static void invariance(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int m = 0; m < carom_materials()->count; m++) {
        const carom_material *law = material(m);
        double R[9] = {2. / 3, -1. / 3, 2. / 3, 2. / 3, 2. / 3, -1. / 3, -1. / 3, 2. / 3, 2. / 3};
        double F[9], RF[9], P[9], RP[9];
        random_F(&seed, 0.2, F);
        for (int a = 0; a < 9; a++)
            RF[a] = R[3 * (a / 3)] * F[a % 3] + R[3 * (a / 3) + 1] * F[3 + a % 3] + R[3 * (a / 3) + 2] * F[6 + a % 3];
        double e = law->solid(params_of(m), F, P, NULL), turned = law->solid(params_of(m), RF, RP, NULL);
        if (strcmp(law->kind.name, "linear") != 0) {
            assert_near(turned, e, 1e-15);
            for (int a = 0; a < 9; a++)
                assert_near(RP[a],
                            R[3 * (a / 3)] * P[a % 3] + R[3 * (a / 3) + 1] * P[3 + a % 3] + R[3 * (a / 3) + 2] * P[6 + a % 3],
                            1e-14);
        }

        // Hooke: uniaxial stress E e with lateral strain -nu e, and the shear modulus
        double small = 1e-7, stretch[9] = {1 + small, 0, 0, 0, 1 - 0.31 * small, 0, 0, 0, 1 - 0.31 * small};
        law->solid(params_of(m), stretch, P, NULL);
        assert_near(P[0] / small, 2.3, 1e-5);
        assert_near(P[4] / small, 0, 1e-5);
        double shear[9] = {1, small, 0, 0, 1, 0, 0, 0, 1};
        law->solid(params_of(m), shear, P, NULL);
        assert_near(P[1] / small, 2.3 / (2 * 1.31), 1e-5);
    }
}

static void inverted(void **state) {
    (void)state;
    double F[9] = {-1, 0, 0, 0, 1, 0, 0, 0, 1};
    const carom_material *neo = (const carom_material *)carom_catalogue_find(carom_materials(), "neo-hookean");
    assert_true(isinf(neo->solid(&params, F, NULL, NULL)));
}

// Plane stress: no stress across, energy and tangent of the condensed law, by differences; plane strain: F_33 = 1.
static void plane(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int m = 0; m < carom_materials()->count; m++)
        for (int kind = 0; kind < 2; kind++)
            for (int trial = 0; trial < 20; trial++) {
                double F[4], P[4], A[16], thinning = 0, h = 1e-4;
                for (int a = 0; a < 4; a++)
                    F[a] = (a % 3 == 0) + random_real(&seed, -0.2, 0.2);
                double energy = carom_material_plane(material(m), params_of(m), kind, F, &thinning, P, A);
                double full[9] = {F[0], F[1], 0, F[2], F[3], 0, 0, 0, thinning}, Q[9];
                assert_near(material(m)->solid(params_of(m), full, Q, NULL), energy, 1e-15);
                if (kind == CAROM_PLANE_STRAIN)
                    assert_near(thinning, 1, 0);
                else
                    assert_near(Q[8], 0, 1e-14);
                for (int a = 0; a < 4; a++) {
                    double e[2], R[2][4], F0 = F[a];
                    for (int side = 0; side < 2; side++) {
                        F[a] = F0 + (side ? h : -h);
                        e[side] = carom_material_plane(material(m), params_of(m), kind, F, &thinning, R[side], NULL);
                    }
                    F[a] = F0;
                    assert_near(P[a], (e[1] - e[0]) / (2 * h), 1e-7);
                    for (int b = 0; b < 4; b++) {
                        assert_near(A[4 * b + a], (R[1][b] - R[0][b]) / (2 * h), 1e-6);
                        assert_near(A[4 * b + a], A[4 * a + b], 1e-13);
                    }
                }
            }
}

// Plane stress at large stretch: the linear law and that of St. Venant and Kirchhoff with lambda' = 2 lambda mu/(lambda + 2
// mu), as long as there is a thickness; the neo-Hookean law in uniform stretch s, where mu (f^2 - 1) + lambda ln(s^2 f) = 0.
static void large_stretch(void **state) {
    (void)state;
    double lambda = params.young * params.poisson / ((1 + params.poisson) * (1 - 2 * params.poisson)),
           shear = params.young / (2 * (1 + params.poisson)), plane_lambda = 2 * lambda * shear / (lambda + 2 * shear);
    for (int m = 0; m < ELASTIC_LAWS; m++)
        for (double stretch = 0.3; stretch < 6; stretch += 0.1) {
            double F[4] = {stretch, 0, 0, stretch}, P[4], thinning = 0, green = 0.5 * (stretch * stretch - 1);
            double energy = carom_material_plane(material(m), &params, CAROM_PLANE_STRESS, F, &thinning, P, NULL);
            if (m == 0) {
                assert_near(P[0], 2 * (plane_lambda + shear) * (stretch - 1), 1e-13);
                assert_near(energy, 2 * (plane_lambda + shear) * (stretch - 1) * (stretch - 1), 1e-13);
            } else if (m == 2) {
                assert_true(thinning > 0);
                assert_near(shear * (thinning * thinning - 1) + lambda * log(stretch * stretch * thinning), 0, 1e-14);
            } else if (lambda / (lambda + 2 * shear) * 4 * green < 1) {
                assert_near(P[0], stretch * 2 * (plane_lambda + shear) * green, 1e-13);
            } else {
                assert_true(isinf(energy) && isnan(thinning));
            }
        }
}

// A law that does not know its thinning gets the same from Newton's method, near and far, and no answer where there is none.
static void thinning_by_newton(void **state) {
    (void)state;
    for (int m = 0; m < carom_materials()->count; m++)
        for (double stretch = 0.5; stretch < 4; stretch += 0.25) {
            carom_material blind = *material(m);
            blind.thinning = NULL;
            double F[4] = {stretch, 0.1, 0.2, 1.1}, found = 0, known = 0;
            double a = carom_material_plane(&blind, params_of(m), CAROM_PLANE_STRESS, F, &found, NULL, NULL);
            double b = carom_material_plane(material(m), params_of(m), CAROM_PLANE_STRESS, F, &known, NULL, NULL);
            if (isinf(b) || known <= 0) {
                assert_true(isinf(a));
                continue;
            }
            assert_near(found, known, 1e-13);
            assert_near(a, b, 1e-13);
        }
}

// Plane stress in coordinates on a surface, dX = M dr: the energy, stress and thinning of the plane form, whatever the
// coordinates are; stress and tangent are derivatives.
static void sheet(void **state) {
    (void)state;
    int checked = 0;
    for (int m = 0; m < carom_materials()->count; m++) {
        const carom_material *law = (const carom_material *)carom_materials()->kinds[m];
        // the same states for each law
        uint64_t seed = 5;
        if (!law->sheet)
            continue;
        checked++;
        for (int trial = 0; trial < 50; trial++) {
            double M[4], F[4], P[4], f = 1;
            for (int i = 0; i < 4; i++) {
                M[i] = (i % 3 == 0) + random_real(&seed, -0.2, 0.2);
                F[i] = (i % 3 == 0) + random_real(&seed, -0.15, 0.15);
            }
            double energy = carom_material_plane(law, params_of(m), CAROM_PLANE_STRESS, F, &f, P, NULL);
            // G = M^T M, 2 E = (F M)^T F M - G
            double N[4] = {F[0] * M[0] + F[1] * M[2], F[0] * M[1] + F[1] * M[3], F[2] * M[0] + F[3] * M[2],
                           F[2] * M[1] + F[3] * M[3]};
            const double G[3] = {M[0] * M[0] + M[2] * M[2], M[1] * M[1] + M[3] * M[3], M[0] * M[1] + M[2] * M[3]};
            const double E[3] = {0.5 * (N[0] * N[0] + N[2] * N[2] - G[0]), 0.5 * (N[1] * N[1] + N[3] * N[3] - G[1]),
                                 N[0] * N[1] + N[2] * N[3] - G[2]};
            double S[3], C[3][3], thinning, h = 1e-5;
            assert_near(law->sheet(params_of(m), G, E, S, C, &thinning), energy, 1e-14);
            assert_near(thinning, f, 1e-13);
            // P = F M S M^T
            for (int i = 0; i < 4; i++) {
                const double *row = &N[2 * (i / 2)], *column = &M[2 * (i % 2)];
                assert_near(S[0] * row[0] * column[0] + S[1] * row[1] * column[1] +
                                S[2] * (row[0] * column[1] + row[1] * column[0]),
                            P[i], 1e-13);
            }
            for (int a = 0; a < 3; a++) {
                double up[3], down[3], moved[3] = {E[0], E[1], E[2]};
                moved[a] += h;
                double difference = law->sheet(params_of(m), G, moved, up, NULL, NULL);
                moved[a] -= 2 * h;
                difference -= law->sheet(params_of(m), G, moved, down, NULL, NULL);
                assert_near(difference / (2 * h), S[a], 1e-8);
                for (int b = 0; b < 3; b++) {
                    assert_near((up[b] - down[b]) / (2 * h), C[b][a], 2e-7);
                    assert_near(C[a][b], C[b][a], 1e-13);
                }
            }
        }
    }
    assert_int_equal(checked, 8);
}

// A law that does not age has the same response in steps of any length.
static void ages(void **state) {
    (void)state;
    int checked = 0;
    for (int m = 0; m < carom_materials()->count; m++) {
        const carom_inelastic *law = material(m)->inelastic;
        if (!law || !law->ages)
            continue;
        const void *cases[2] = {params_of(m)};
        bool metal = strcmp(material(m)->kind.name, "j2") == 0;
        carom_j2_params rated;
        if (metal) {
            rated = *(const carom_j2_params *)cases[0];
            rated.hardening = CAROM_HARDENING_JOHNSON_COOK, rated.rate = 0.1, rated.reference_rate = 0.1;
            cases[1] = &rated;
        }
        for (int c = 0; c < 1 + metal; c++) {
            const double F[9] = {1.1, 0.1, 0, 0, 0.95, 0, 0, 0.05, 1};
            double history[2][CAROM_HISTORY_MAX] = {{0}}, P[2][9], energy[2];
            for (int k = 0; k < 2; k++) {
                const carom_flow flow = {.use = CAROM_USE_COMMIT, .before = k ? 0.3 : 0.001, .after = k ? 0.2 : 0.001};
                law->start(cases[c], CAROM_POINT_SOLID, history[k]);
                energy[k] = law->solid(cases[c], &flow, history[k], F, P[k], NULL, NULL);
            }
            bool same = energy[0] == energy[1] && memcmp(P[0], P[1], sizeof P[0]) == 0 &&
                        memcmp(history[0], history[1], sizeof history[0]) == 0;
            assert_int_equal(same, !law->ages(cases[c]));
            checked++;
        }
    }
    assert_true(checked >= 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives),   cmocka_unit_test(invariance),
                                       cmocka_unit_test(inverted),      cmocka_unit_test(plane),
                                       cmocka_unit_test(large_stretch), cmocka_unit_test(thinning_by_newton),
                                       cmocka_unit_test(sheet),         cmocka_unit_test(ages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
