// SPDX-License-Identifier: MIT
// Tests src/material/flow/hardening.c, src/material/flow/potential.c, src/material/flow/j2.c.
//
// The plastic strain of a step satisfies its equation to rounding, for random states over many orders of magnitude; the flow
// potential is the integral of the flow stress; parameters that contradict each other are refused.
#include "../../../support.h"
#include "material/flow/hardening.h"
#include "material/flow/j2_rows.h"
#include "material/material.h"

static const carom_material *const j2 = &carom_material_j2;

static carom_j2_params law_of(int hardening) {
    carom_j2_params p;
    carom_param_defaults(j2->kind.params, j2->kind.param_count, &p);
    p.elastic = (carom_elastic_params){.young = 124e9, .poisson = 0.34, .density = 8960};
    p.hardening = hardening;
    p.yield = 90e6;
    if (hardening == CAROM_HARDENING_LINEAR || hardening == CAROM_HARDENING_VOCE)
        p.modulus = 50e6;
    if (hardening == CAROM_HARDENING_VOCE)
        p.saturation = 500e6, p.decay = 8;
    if (hardening == CAROM_HARDENING_JOHNSON_COOK) {
        p.strength = 292e6, p.exponent = 0.31, p.rate = 0.025, p.reference_rate = 1, p.softening = 1.09;
        p.melting = 1356, p.heat_capacity = 383;
    }
    if (hardening == CAROM_HARDENING_SWIFT)
        p.yield = NAN, p.strength = 400e6, p.exponent = 0.2, p.prestrain = 0.002;
    if (hardening == CAROM_HARDENING_TABLE)
        p.curve = (carom_pairs){4, {{0, 90e6}, {0.02, 260e6}, {0.1, 240e6}, {1, 450e6}}};
    return p;
}

// A random number between two others, its logarithm uniform.
static double random_log(uint64_t *seed, double low, double high) {
    return exp(random_real(seed, log(low), log(high)));
}

// The solution of Newton's method, which takes about eight iterations for Johnson and Cook's law and a few for Voce's: states
// with plastic strains 0 to 3, steps of 1e-10 to 1e-6 and trial stresses that exceed the flow stress by 1e-6 % to 200 %.
static void random_states(void **state) {
    (void)state;
    uint64_t seed = 41;
    const double mu = 124e9 / (2 * 1.34);
    for (int hardening = 0; carom_hardening_words[hardening]; hardening++) {
        const carom_j2_params p = law_of(hardening);
        double worst = 0;
        for (int i = 0; i < (hardening == CAROM_HARDENING_JOHNSON_COOK ? 200000 : 100000); i++) {
            carom_yielding point = {.params = &p,
                                    .stiffness = 3 * mu,
                                    .alpha = i % 10 == 0 ? 0 : random_log(&seed, 1e-8, 3),
                                    .temperature = random_real(&seed, 250, 1300),
                                    .step = random_log(&seed, 1e-10, 1e-6)};
            carom_yielding still = point;
            still.step = HUGE_VAL;
            double q = carom_flow_stress(&still, 0, NULL) * (1 + random_log(&seed, 1e-8, 2)), slope;
            double da = carom_flow_strain(&point, q, &slope);
            assert_true(da > 0);
            double error = fabs(q - point.stiffness * da - carom_flow_stress(&point, da, NULL)) / q;
            worst = error > worst ? error : worst;
            assert_near(carom_flow_strain(&point, q * 0.3, &slope), 0, 0);
        }
        if (worst > 1e-13)
            fail_msg("hardening %d: %g", hardening, worst);
    }
}

// The returned slope is the derivative of the flow stress, and the potential is its integral.
static void derivatives(void **state) {
    (void)state;
    uint64_t seed = 42;
    for (int hardening = 0; carom_hardening_words[hardening]; hardening++) {
        const carom_j2_params p = law_of(hardening);
        for (int i = 0; i < 200; i++) {
            carom_yielding point = {.params = &p, .stiffness = 1e11, .alpha = random_real(&seed, 0, 0.5), .temperature = 400};
            point.step = 1e-7;
            double da = random_log(&seed, 1e-6, 0.05), h = 1e-4 * da, slope;
            double sigma = carom_flow_stress(&point, da, &slope);
            double up = carom_flow_stress(&point, da + h, NULL), down = carom_flow_stress(&point, da - h, NULL);
            // rows of a table have corners
            if (hardening != CAROM_HARDENING_TABLE)
                assert_near((up - down) / (2 * h), slope, 1e-5 * (fabs(slope) + 1e8));
            double more = carom_flow_potential(&point, da + h), less = carom_flow_potential(&point, da - h);
            assert_near((more - less) / (2 * h) / sigma, 1, 2e-6);
            assert_near(carom_flow_potential(&point, 0), 0, 0);
        }
    }
}

// K (e0 + a)^n, and its integral K ((e0 + b)^(n + 1) - (e0 + a)^(n + 1))/(n + 1).
static void swift(void **state) {
    (void)state;
    const carom_j2_params p = law_of(CAROM_HARDENING_SWIFT);
    for (double a = 0; a < 1; a += 0.1) {
        carom_yielding point = {.params = &p, .stiffness = 1e11, .alpha = a, .temperature = NAN, .step = 1e-7};
        double sigma = carom_flow_stress(&point, 0.05, NULL), work = carom_flow_potential(&point, 0.05);
        assert_near(sigma / (400e6 * pow(0.052 + a, 0.2)), 1, 1e-14);
        assert_near(work / (400e6 / 1.2 * (pow(0.052 + a, 1.2) - pow(0.002 + a, 1.2))), 1, 1e-12);
    }
    carom_error error;
    carom_j2_params bare = p;
    bare.prestrain = 0;
    assert_string_equal(j2->fault(&bare, &error), "prestrain");
    bare = p;
    bare.yield = 90e6;
    assert_string_equal(j2->fault(&bare, &error), "yield");
    assert_non_null(strstr(error.message, "`hardening` is swift: remove `yield`"));
}

static void faults(void **state) {
    (void)state;
    carom_error error;
    for (int hardening = 0; carom_hardening_words[hardening]; hardening++) {
        carom_j2_params p = law_of(hardening);
        assert_null(j2->fault(&p, &error));
    }
    // parameters of other kinds of hardening
    carom_j2_params p = law_of(CAROM_HARDENING_LINEAR);
    p.strength = 292e6;
    assert_string_equal(j2->fault(&p, &error), "strength");
    assert_non_null(strstr(error.message, "`hardening: johnson-cook` or `swift`, and `hardening` is linear (the default)"));
    p = law_of(CAROM_HARDENING_JOHNSON_COOK);
    p.modulus = 1e6;
    assert_string_equal(j2->fault(&p, &error), "modulus");
    p = law_of(CAROM_HARDENING_LINEAR);
    p.yield = NAN;
    assert_string_equal(j2->fault(&p, &error), "yield");
    p = law_of(CAROM_HARDENING_LINEAR);
    p.modulus = -124e9;
    assert_string_equal(j2->fault(&p, &error), "modulus");
    p.modulus = -100e9;
    assert_null(j2->fault(&p, &error));
    p.curve.count = 1;
    assert_string_equal(j2->fault(&p, &error), "curve");
    p = law_of(CAROM_HARDENING_VOCE);
    p.saturation = 10e6, p.decay = 1e5;
    assert_string_equal(j2->fault(&p, &error), "decay");
    p.decay = NAN;
    assert_string_equal(j2->fault(&p, &error), "decay");
    p = law_of(CAROM_HARDENING_JOHNSON_COOK);
    p.melting = 200;
    assert_string_equal(j2->fault(&p, &error), "melting");
    p.melting = NAN, p.reference_rate = NAN;
    assert_string_equal(j2->fault(&p, &error), "reference_rate");
    p = law_of(CAROM_HARDENING_TABLE);
    p.yield = 91e6;
    assert_string_equal(j2->fault(&p, &error), "yield");
    p.yield = NAN, p.curve.rows[2][0] = 0.02;
    assert_string_equal(j2->fault(&p, &error), "curve");
    assert_non_null(strstr(error.message, "strains must ascend: 0.02 follows 0.02"));
    p.curve.count = 0;
    assert_string_equal(j2->fault(&p, &error), "curve");
}

// Voce's law that saturates within a strain of 0.001, or whose softening modulus is nearly as large as the elastic stiffness,
// and trial stresses far above the flow stress.
static void steep_slopes(void **state) {
    (void)state;
    uint64_t seed = 43;
    for (int i = 0; i < 20000; i++) {
        carom_j2_params p = law_of(CAROM_HARDENING_VOCE);
        carom_yielding point = {.params = &p, .stiffness = 1, .alpha = i % 2 ? 0 : random_log(&seed, 1e-6, 1), .step = 1};
        bool soft = i % 4 < 2;
        p.modulus = 0;
        p.yield = random_log(&seed, 1e-4, 0.1);
        p.saturation = p.yield * (soft ? random_real(&seed, 0.05, 0.99) : random_real(&seed, 1, 5));
        p.decay = soft ? random_real(&seed, 0.1, 0.99) / (p.yield - p.saturation) : random_log(&seed, 1, 1e4);
        double q = carom_flow_stress(&point, 0, NULL) * (1 + random_log(&seed, 1e-8, 10)), slope;
        double da = carom_flow_strain(&point, q, &slope);
        assert_near((q - da - carom_flow_stress(&point, da, NULL)) / q, 0, 1e-14);
    }
}

// Johnson and Cook's law with small exponents: its slope jumps at CAROM_SMALL_STRAIN, where the initial straight line ends.
static void small_exponents(void **state) {
    (void)state;
    uint64_t seed = 47;
    for (int i = 0; i < 100000; i++) {
        carom_j2_params p = law_of(CAROM_HARDENING_JOHNSON_COOK);
        carom_yielding point = {.params = &p, .stiffness = 1, .temperature = 293, .step = random_log(&seed, 1e-12, 1e-4)};
        point.alpha = i % 3 ? random_log(&seed, 1e-8, 3) : 0;
        p.yield = random_log(&seed, 1e-4, 0.05);
        p.strength = p.yield * random_real(&seed, 0, 10);
        p.exponent = random_real(&seed, 0.05, 0.3);
        p.rate = random_real(&seed, 0, i % 2 ? 0.3 : 0.03);
        carom_yielding still = point;
        still.step = HUGE_VAL;
        double q = carom_flow_stress(&still, 0, NULL) * (1 + random_log(&seed, 1e-8, 10)), slope;
        double da = carom_flow_strain(&point, q, &slope);
        assert_near((q - da - carom_flow_stress(&point, da, NULL)) / q, 0, 1e-14);
    }
}

// Linear softening ends at zero flow stress; a step that passes this point still has a solution.
static void softening_to_zero(void **state) {
    (void)state;
    carom_j2_params p = law_of(CAROM_HARDENING_LINEAR);
    p.modulus = -1e9;
    carom_yielding point = {.params = &p, .stiffness = 1e11, .alpha = 0.08, .step = 1};
    double slope, da = carom_flow_strain(&point, 5e9, &slope);
    assert_near(5e9 - 1e11 * da, 0, 1e-3);
    assert_near(carom_flow_potential(&point, da), 0.5 * 10e6 * 0.01, 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_states),    cmocka_unit_test(derivatives),  cmocka_unit_test(swift),
        cmocka_unit_test(faults),           cmocka_unit_test(steep_slopes), cmocka_unit_test(small_exponents),
        cmocka_unit_test(softening_to_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
