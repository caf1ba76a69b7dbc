// SPDX-License-Identifier: MIT
// Tests src/math/sum.h.
// Compensated summation, for sums for which ordinary addition is wrong.
#include "../../support.h"
#include "math/sum.h"

static double sum_of(const double *terms, int count) {
    carom_sum s = {0};
    for (int i = 0; i < count; i++)
        carom_sum_add(&s, terms[i]);
    return carom_sum_value(&s);
}

static double plain_sum_of(const double *terms, int count) {
    volatile double s = 0;
    for (int i = 0; i < count; i++)
        s += terms[i];
    return s;
}

// Small terms between large ones: ordinary addition loses them, and so does Kahan's method, since the large term comes second.
static void cancellation(void **state) {
    (void)state;
    const double terms[4] = {1, 1e100, 1, -1e100};
    assert_true(plain_sum_of(terms, 4) == 0);
    assert_true(sum_of(terms, 4) == 2);
    const double others[5] = {0x1p53, 1, 1, 1, -0x1p53};
    assert_false(plain_sum_of(others, 5) == 3);
    assert_true(sum_of(others, 5) == 3);
}

// The sum of ten million times 0.1.
static void many(void **state) {
    (void)state;
    carom_sum s = {0};
    volatile double plain = 0;
    for (int i = 0; i < 10000000; i++) {
        carom_sum_add(&s, 0.1);
        plain += 0.1;
    }
    assert_true(fabs(plain - 1e6) > 1e-5);
    assert_true(carom_sum_value(&s) == 1e6);
}

// Pairs that cancel, in random order: the sum is the one term without a counterpart.
static void shuffled(void **state) {
    (void)state;
    enum { PAIRS = 500, COUNT = 2 * PAIRS + 1 };
    uint64_t seed = 9;
    int plain_failures = 0;
    for (int trial = 0; trial < 100; trial++) {
        double terms[COUNT];
        for (int p = 0; p < PAIRS; p++) {
            terms[2 * p] = random_real(&seed, -1, 1) * exp(random_real(&seed, -10, 10));
            terms[2 * p + 1] = -terms[2 * p];
        }
        double left = terms[COUNT - 1] = random_real(&seed, -1, 1);
        for (int i = COUNT - 1; i > 0; i--) {
            int j = (int)random_real(&seed, 0, i + 1);
            double t = terms[i];
            terms[i] = terms[j], terms[j] = t;
        }
        assert_near(sum_of(terms, COUNT), left, 1e-16 * fabs(left) + 1e-20);
        plain_failures += fabs(plain_sum_of(terms, COUNT) - left) > 1e-14;
    }
    assert_true(plain_failures > 90);
}

static void nothing(void **state) {
    (void)state;
    assert_true(sum_of(NULL, 0) == 0);
    assert_true(sum_of((const double[]){-3.5}, 1) == -3.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancellation),
        cmocka_unit_test(many),
        cmocka_unit_test(shuffled),
        cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
