// SPDX-License-Identifier: MIT
// Tests src/material/lanes/johnson_cook.h, src/material/lanes/rate_step.h, src/material/lanes/hardening.h.
//
// Plastic strain increments of batches satisfy the equation of the scalar law to rounding, for very different random states;
// bounds of the flow stress; functions.
#include "../../../support.h"
#include "material/lanes/johnson_cook.h"
#include "material/material.h"

static const carom_material *const j2 = &carom_material_j2;

static carom_j2_params law_of(int hardening) {
    carom_j2_params p;
    carom_param_defaults(j2->kind.params, j2->kind.param_count, &p);
    p.elastic = (carom_elastic_params){.young = 124e9, .poisson = 0.34, .density = 8960};
    p.hardening = hardening;
    p.yield = 90e6;
    p.modulus = 50e6;
    p.saturation = 500e6, p.decay = 8;
    p.strength = 292e6, p.exponent = 0.31, p.rate = 0.025, p.reference_rate = 1, p.softening = 1.09;
    p.melting = 1356, p.heat_capacity = 383;
    if (hardening == CAROM_HARDENING_TABLE)
        p.curve = (carom_pairs){4, {{0, 90e6}, {0.02, 260e6}, {0.1, 240e6}, {1, 450e6}}};
    return p;
}

static double random_log(uint64_t *seed, double low, double high) {
    return exp(random_real(seed, log(low), log(high)));
}

// Eight points of one law and step, `above` times the flow stress; the largest error of the equation over the stress.
static double error_of(const carom_j2_params *p, double stiffness, double step, const double alpha[CAROM_LANES],
                       const double temperature[CAROM_LANES], const double above[CAROM_LANES]) {
    carom_lanes_yielding lanes = {.params = p, .kind = p->hardening, .stiffness = stiffness, .step = step};
    carom_lanes q, theta, sigma, bound, da;
    double worst = 0;
    for (int l = 0; l < CAROM_LANES; l++) {
        lanes.alpha[l] = alpha[l];
        lanes.temperature[l] = temperature[l];
    }
    carom_kernel_softening(p, &lanes.temperature, &theta);
    carom_kernel_flow_bound(&lanes, &bound);
    carom_kernel_flow_start(&lanes, &theta, &sigma);
    for (int l = 0; l < CAROM_LANES; l++) {
        assert_true(bound[l] <= sigma[l] * (1 + 1e-12));
        q[l] = sigma[l] * (1 + above[l]);
    }
    carom_lanes excess = q - sigma;
    carom_lanes_bits flows = excess > 0.0, may = flows;
    if (p->hardening == CAROM_HARDENING_JOHNSON_COOK)
        carom_kernel_johnson_cook(&lanes, &q, &q, &theta, &may, &da, &flows);
    else
        carom_kernel_flow_strain(&lanes, &q, &excess, &flows, &da);
    for (int l = 0; l < CAROM_LANES; l++) {
        carom_yielding point = {.params = p, .stiffness = stiffness, .alpha = alpha[l], .temperature = temperature[l]};
        point.step = step;
        assert_true(da[l] > 0);
        double error = fabs(q[l] - stiffness * da[l] - carom_flow_stress(&point, da[l], NULL)) / q[l];
        worst = error > worst ? error : worst;
    }
    return worst;
}

static void random_states(void **state) {
    (void)state;
    uint64_t seed = 51;
    for (int hardening = 0; hardening < 4; hardening++) {
        const carom_j2_params p = law_of(hardening);
        double worst = 0;
        for (int i = 0; i < 25000; i++) {
            double alpha[CAROM_LANES], temperature[CAROM_LANES], above[CAROM_LANES], step = random_log(&seed, 1e-10, 1e-6);
            for (int l = 0; l < CAROM_LANES; l++) {
                alpha[l] = (i + l) % 10 == 0 ? 0 : random_log(&seed, 1e-8, 3);
                temperature[l] = random_real(&seed, 250, 1300);
                above[l] = random_log(&seed, 1e-8, 2);
            }
            double error = error_of(&p, 3 * 124e9 / (2 * 1.34), step, alpha, temperature, above);
            worst = error > worst ? error : worst;
        }
        if (!(worst < 1e-13))
            fail_msg("hardening %d: %g", hardening, worst);
    }
}

// Voce's law that saturates at once or softens steeply; the law of Johnson and Cook with small exponents and large rates.
static void extreme(void **state) {
    (void)state;
    uint64_t seed = 52;
    for (int i = 0; i < 20000; i++) {
        bool voce = i % 4 == 0, soft = i % 8 == 0;
        carom_j2_params p = law_of(voce ? CAROM_HARDENING_VOCE : CAROM_HARDENING_JOHNSON_COOK);
        p.modulus = 0;
        p.yield = random_log(&seed, 1e-4, voce ? 0.1 : 0.05);
        p.saturation = p.yield * (soft ? random_real(&seed, 0.05, 0.99) : random_real(&seed, 1, 5));
        p.decay = soft ? random_real(&seed, 0.1, 0.99) / (p.yield - p.saturation) : random_log(&seed, 1, 1e4);
        p.strength = p.yield * random_real(&seed, 0, 10);
        p.exponent = random_real(&seed, 0.05, 0.3);
        p.rate = random_real(&seed, 0, i % 2 ? 0.3 : 0.03);
        double alpha[CAROM_LANES], temperature[CAROM_LANES], above[CAROM_LANES], step = random_log(&seed, 1e-12, 1e-4);
        for (int l = 0; l < CAROM_LANES; l++) {
            alpha[l] = l % 3 == 0 ? 0 : random_log(&seed, 1e-8, 3);
            temperature[l] = 293;
            above[l] = random_log(&seed, 1e-8, 10);
        }
        double error = error_of(&p, 1, step, alpha, temperature, above);
        if (!(error < 1e-13))
            fail_msg("%s, %d: %g", voce ? "voce" : "johnson-cook", i, error);
    }
}

// States of impacts, with rates from 10 to a million per second: one evaluation gives the root in all of them.
static void at_once(void **state) {
    (void)state;
    uint64_t seed = 54;
    const carom_j2_params p = law_of(CAROM_HARDENING_JOHNSON_COOK);
    const double stiffness = 3 * 124e9 / (2 * 1.34), step = 1e-8;
    for (int i = 0; i < 5000; i++) {
        carom_lanes_yielding lanes = {.params = &p, .kind = CAROM_HARDENING_JOHNSON_COOK, .stiffness = stiffness, .step = step};
        carom_lanes q, theta, sigma, da, wanted;
        carom_lanes_bits arrived;
        for (int l = 0; l < CAROM_LANES; l++) {
            lanes.alpha[l] = random_log(&seed, 0.02, 2);
            lanes.temperature[l] = random_real(&seed, 293, 600);
            wanted[l] = random_log(&seed, 1e-7, 1e-2);
        }
        carom_kernel_softening(&p, &lanes.temperature, &theta);
        carom_kernel_flow_start(&lanes, &theta, &sigma);
        for (int l = 0; l < CAROM_LANES; l++) {
            carom_yielding point = {.params = &p, .stiffness = stiffness, .alpha = lanes.alpha[l], .step = step};
            point.temperature = lanes.temperature[l];
            q[l] = stiffness * wanted[l] + carom_flow_stress(&point, wanted[l], NULL);
        }
        carom_lanes_rate k = {
            .rate = p.rate, .over_slow = 1 / (p.reference_rate * step), .base = sigma, .term = theta * lanes.term};
        carom_lanes X = q - sigma;
        carom_kernel_rate_guess(&lanes, &k, &X, &da);
        carom_kernel_rate_step(&lanes, &k, &q, &theta, &da, &arrived);
        for (int l = 0; l < CAROM_LANES; l++) {
            assert_true(arrived[l]);
            // rounding of q over the slope of the equation
            assert_near(da[l] / wanted[l], 1, 1e-15 * q[l] / (stiffness * wanted[l] + p.rate * sigma[l]) + 1e-15);
        }
    }
}

static void functions(void **state) {
    (void)state;
    uint64_t seed = 53;
    for (int i = 0; i < 20000; i++) {
        carom_lanes x, e, n, a, y, z;
        for (int l = 0; l < CAROM_LANES; l++) {
            x[l] = -random_log(&seed, 1e-9, 700);
            a[l] = random_log(&seed, 1e-300, 1e300);
        }
        carom_kernel_exp(&x, &e);
        carom_kernel_exp_near(&x, &n);
        carom_kernel_exp2_above(&x, &y);
        for (int l = 0; l < CAROM_LANES; l++) {
            assert_near(e[l] / exp(x[l]), 1, 5e-16);
            assert_near(n[l] / exp(x[l]), 1, 5e-16);
            assert_in_range((uint64_t)(1e6 * (y[l] / exp2(x[l]))), 1000000, 1061600);
        }
        carom_kernel_exp2(&x, &e);
        carom_kernel_exp2_about(&x, &n);
        for (int l = 0; l < CAROM_LANES; l++) {
            assert_near(e[l] / exp2(x[l]), 1, 5e-16);
            assert_near(n[l] / exp2(x[l]), 1, 4e-6);
        }
        carom_kernel_log2(&a, &n);
        carom_kernel_log2_about(&a, &y);
        for (int l = 0; l < CAROM_LANES; l++) {
            assert_near(n[l], log2(a[l]), 4e-16 * fabs(log2(a[l])) + 1e-16);
            assert_near(y[l], log2(a[l]), 6e-5);
        }
        carom_kernel_log(&a, &e);
        carom_kernel_log2_below(&a, &z);
        for (int l = 0; l < CAROM_LANES; l++) {
            assert_near(e[l], log(a[l]), 4e-16 * fabs(log(a[l])) + 1e-16);
            assert_true(z[l] <= log2(a[l]) && z[l] >= log2(a[l]) - 0.08608);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_states), cmocka_unit_test(extreme), cmocka_unit_test(at_once),
                                       cmocka_unit_test(functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
