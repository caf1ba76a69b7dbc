// SPDX-License-Identifier: MIT
// Tests src/material/rubber, src/material/gent.h, src/material/yeoh.h, src/material/principal_sheet.c.
//
// Rubbers: reference stresses in uniaxial and equibiaxial tension, the split into isochoric and volumetric energy, small
// strains, faults.
#include "../../../support.h"
#include "material/material.h"

static const carom_mooney_rivlin_params mooney_rivlin = {.c10 = .16e6, .c01 = .04e6, .bulk = 400e6, .density = 1000};
static const carom_yeoh_params yeoh = {.c1 = .24e6, .c2 = -.005e6, .c3 = .0002e6, .bulk = 480e6, .density = 1000};
static const carom_gent_params gent = {.shear = .4e6, .limit = 30, .bulk = 400e6, .density = 1000};
// mu = (.63 1.3 + .0012 5 + .01 2)/2 = .4225 MPa
static const carom_ogden_params ogden = {
    .terms = {3, {{.63e6, 1.3}, {.0012e6, 5}, {-.01e6, -2}}}, .bulk = 422.5e6, .density = 1000};

static const struct {
    const carom_material *law;
    const void *params;
    double shear;
    double uniaxial[4], equibiaxial[3]; // at .6, 1.5, 2, 3 and 1.5, 2, 3
} cases[] = {
    {&carom_material_mooney_rivlin,
     &mooney_rivlin,
     .4e6,
     {-986914.9, 393872.3, 629489.6, 999782.0},
     {682873.5, 1254576, 3062264}},
    {&carom_material_yeoh, &yeoh, .48e6, {-1016144, 494516.3, 777786.5, 1153759}, {614466.5, 805135.3, 1340526}},
    {&carom_material_gent, &gent, .4e6, {-891465.9, 430334.7, 749164.3, 1480486.4}, {579349.9, 944661.4, 2357691.6}},
    {&carom_material_ogden, &ogden, .4225e6, {-966048.7, 401429.9, 602326.5, 878746.8}, {601279.7, 820268.1, 1225428}},
};
enum { CASES = sizeof cases / sizeof *cases };

// P_11 at a stretch, with `free_count` other directions free of stress.
static double pull(int c, double stretch, int free_count) {
    double F[9] = {stretch, 0, 0, 0, stretch, 0, 0, 0, 1}, P[9], A[81];
    double across = free_count == 2 ? 1 / sqrt(stretch) : 1 / (stretch * stretch);
    for (int i = 0; i < 40; i++) {
        F[8] = across;
        if (free_count == 2)
            F[4] = across;
        cases[c].law->solid(cases[c].params, F, P, A);
        across -= P[8] / (A[80] + (free_count == 2 ? A[9 * 8 + 4] : 0));
    }
    return P[0];
}

// Half a unit in the last of the seven digits.
static double digit(double value) {
    return fabs(value) < 1e6 ? 0.051 : 0.51;
}

static void reference(void **state) {
    (void)state;
    const double stretch[4] = {.6, 1.5, 2, 3};
    for (int c = 0; c < CASES; c++) {
        for (int i = 0; i < 4; i++)
            assert_near(pull(c, stretch[i], 2), cases[c].uniaxial[i], digit(cases[c].uniaxial[i]));
        for (int i = 0; i < 3; i++)
            assert_near(pull(c, stretch[i + 1], 1), cases[c].equibiaxial[i], digit(cases[c].equibiaxial[i]));
    }
}

// Gent's law of an incompressible body, x = I1 - 3: mu J_m/(J_m - x) (l - l^-2) in uniaxial tension, x = l^2 + 2/l - 3, and
// mu J_m/(J_m - x) (l - l^-5) in equibiaxial tension, x = 2 l^2 + l^-4 - 3; not defined for x >= J_m.
static void limit(void **state) {
    (void)state;
    const carom_gent_params firm = {.shear = .4e6, .limit = 30, .bulk = .4e14, .density = 1000};
    const double flat[3] = {1, 1, 0};
    for (double l = 0.6; l < 3.4; l += 0.3) {
        double x = l * l + 2 / l - 3, y = 2 * l * l + pow(l, -4) - 3, E = 0.5 * (l * l - 1), C = 0.5 * (1 / l - 1), S[3];
        const double one[3] = {E, C, 0}, two[3] = {E, E, 0};
        carom_material_gent.sheet(&firm, flat, one, S, NULL, NULL);
        assert_near(S[0] * l / (12e6 / (30 - x) * (l - pow(l, -2))), 1, 1e-6);
        carom_material_gent.sheet(&firm, flat, two, S, NULL, NULL);
        assert_near(S[0] * l / (12e6 / (30 - y) * (l - pow(l, -5))), 1, 1e-6);
    }
    double F[9] = {6, 0, 0, 0, 0.4, 0, 0, 0, 0.4}, P[9] = {7};
    assert_true(isinf(carom_material_gent.solid(&gent, F, P, NULL)) && P[0] == 7);
    const double beyond[3] = {17.5, -0.4, 0};
    assert_true(isinf(carom_material_gent.sheet(&gent, flat, beyond, P, NULL, NULL)) && P[0] == 7);
}

// A sheet in equibiaxial and in uniaxial tension has the stresses of the solid.
static void sheets(void **state) {
    (void)state;
    const double metric[3] = {1, 1, 0};
    for (int c = 0; c < CASES; c++)
        for (int i = 0; i < 3; i++) {
            const double stretch = i + 1.5, green = 0.5 * (stretch * stretch - 1), strain[3] = {green, green, 0};
            double stress[3], thinning;
            cases[c].law->sheet(cases[c].params, metric, strain, stress, NULL, &thinning);
            assert_near(stress[0] * stretch / pull(c, stretch, 1), 1, 1e-10);
            assert_near(stress[1] / stress[0], 1, 1e-14);
            assert_near(thinning * stretch * stretch, 1, 0.05);
        }
}

// W = W_iso + kappa/2 (ln J)^2 with W_iso independent of the volume; moduli at zero strain.
static void split(void **state) {
    (void)state;
    uint64_t seed = 21;
    for (int c = 0; c < CASES; c++) {
        const carom_material *law = cases[c].law;
        for (int trial = 0; trial < 50; trial++) {
            double F[9], G[9], P[9], Q[9], whole, part, scaled;
            for (int a = 0; a < 9; a++) {
                F[a] = (a % 4 == 0) + random_real(&seed, -0.3, 0.3);
                G[a] = 1.4 * F[a];
            }
            double J =
                F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
            whole = law->solid(cases[c].params, F, P, NULL);
            part = law->isochoric(cases[c].params, F, Q, NULL);
            scaled = law->isochoric(cases[c].params, G, NULL, NULL);
            assert_near(scaled / part, 1, 1e-12);
            assert_near((part + 0.5 * law->bulk(cases[c].params) * log(J) * log(J)) / whole, 1, 1e-12);
            double pressure = 0, shape = 0;
            for (int a = 0; a < 9; a++)
                pressure += P[a] * F[a] / 3, shape += Q[a] * F[a] / 3;
            assert_near(pressure, law->bulk(cases[c].params) * log(J), 1e-8 * cases[c].shear * 1000);
            assert_near(shape, 0, 1e-13 * cases[c].shear);
        }
        assert_near(law->shear(cases[c].params) / cases[c].shear, 1, 1e-14);
        assert_near(law->young(cases[c].params) / (3 * cases[c].shear), 1, 1e-3);
        // the energy of a small shear is accurate
        double F[9] = {1, 1e-7, 0, 0, 1, 0, 0, 0, 1};
        assert_near(law->solid(cases[c].params, F, NULL, NULL) / (0.5 * cases[c].shear * 1e-14), 1, 1e-8);
        double inside_out[9] = {-1, 0, 0, 0, 1, 0, 0, 0, 1};
        assert_true(isinf(law->solid(cases[c].params, inside_out, NULL, NULL)));
    }
}

static void faults(void **state) {
    (void)state;
    carom_error error;
    for (int c = 0; c < CASES; c++)
        assert_true(!cases[c].law->fault || !cases[c].law->fault(cases[c].params, &error));
    carom_yeoh_params soft = yeoh;
    soft.c3 = 3e1;
    assert_string_equal(carom_material_yeoh.fault(&soft, &error), "c3");
    // 3 C1 C3 > C2^2: 34.7 is the limit
    soft.c3 = 35;
    assert_null(carom_material_yeoh.fault(&soft, &error));
    soft.c3 = 0;
    assert_string_equal(carom_material_yeoh.fault(&soft, &error), "c3");
    carom_ogden_params wrong = ogden;
    wrong.terms.rows[1][1] = -5;
    assert_string_equal(carom_material_ogden.fault(&wrong, &error), "terms");
    assert_non_null(strstr(error.message, "-5]"));
    wrong.terms.count = 0;
    assert_string_equal(carom_material_ogden.fault(&wrong, &error), "terms");
    carom_mooney_rivlin_params none = {.bulk = 1, .density = 1};
    assert_string_equal(carom_material_mooney_rivlin.fault(&none, &error), "c10");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reference), cmocka_unit_test(limit), cmocka_unit_test(sheets),
                                       cmocka_unit_test(split), cmocka_unit_test(faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
