// SPDX-License-Identifier: MIT
// Tests src/math/exact.c.
// Exact sums have the correctly rounded value, for terms of any size, in any order and in any partial sums.
#include <float.h>

#include "../../support.h"
#include "math/exact.h"

enum { TERMS = 1500 };

static double random_term(uint64_t *seed, double low, double high) {
    return random_real(seed, -1, 1) * exp2(random_real(seed, low, high));
}

static void shuffle(double *terms, int count, uint64_t *seed) {
    for (int i = count - 1; i > 0; i--) {
        int j = (int)random_real(seed, 0, i + 1);
        double t = terms[i];
        terms[i] = terms[j];
        terms[j] = t;
    }
}

static double sum_of(const double *terms, int count) {
    carom_exact sum = {0};
    for (int i = 0; i < count; i++)
        carom_exact_add(&sum, terms[i]);
    return carom_exact_value(&sum);
}

static double bulk_of(const double *terms, int count) {
    double copy[TERMS];
    memcpy(copy, terms, (size_t)count * sizeof *terms);
    carom_exact sum = {0};
    carom_exact_add_all(&sum, copy, count);
    return carom_exact_value(&sum);
}

// The value is the double nearest to the sum, in a tie the even one. The remainder, sum minus value, is exact.
static void assert_rounded(const double *terms, int count, double value) {
    carom_exact rest = {0};
    for (int i = 0; i < count; i++)
        carom_exact_add(&rest, terms[i]);
    carom_exact_add(&rest, -value);
    for (int side = -1; side <= 1; side += 2) {
        double next = nextafter(value, side * HUGE_VAL), gap = next - value;
        if (!isfinite(next))
            continue;
        // twice the remainder against the distance to the neighbouring double
        carom_exact twice = rest;
        carom_exact_merge(&twice, &rest);
        carom_exact_add(&twice, -gap);
        double beyond = side * carom_exact_value(&twice);
        assert_true(beyond <= 0);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        if (beyond == 0)
            assert_true(bits % 2 == 0);
    }
}

// Against integers of 128 bits: multiples of 2^-30 below 2^60, and their sums.
static void truth(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 400; trial++) {
        double terms[TERMS];
        int count = 1 + (int)random_real(&seed, 0, TERMS);
        __int128 whole = 0;
        for (int i = 0; i < count; i++) {
            double t = ldexp(trunc(random_term(&seed, 0, trial % 2 ? 90 : 54)), -30);
            terms[i] = t;
            whole += (__int128)ldexp(t, 30);
        }
        double value = ldexp((double)whole, -30);
        assert_true(sum_of(terms, count) == value);
        assert_true(bulk_of(terms, count) == value);
    }
}

// For all ranges of terms, permutations and partial sums give the same value, which is correctly rounded.
static void order(void **state) {
    (void)state;
    static const double ranges[][2] = {{0, 1},        {-40, 40},   {-300, 300}, {-1074, -1000},
                                       {-1074, 1000}, {900, 1010}, {1000, 1020}};
    uint64_t seed = 2;
    for (int trial = 0; trial < 700; trial++) {
        const double *range = ranges[trial % 7];
        double terms[TERMS];
        int count = 1 + (int)random_real(&seed, 0, trial % 5 ? 40 : TERMS);
        for (int i = 0; i < count; i++)
            // half of the terms nearly cancel each other
            terms[i] = i % 4 == 1 ? -terms[i - 1] * (trial % 3 ? 1 : 1 + DBL_EPSILON) : random_term(&seed, range[0], range[1]);
        double value = sum_of(terms, count);
        if (isfinite(value))
            assert_rounded(terms, count, value);
        for (int again = 0; again < 5; again++) {
            shuffle(terms, count, &seed);
            assert_true(sum_of(terms, count) == value);
            assert_true(bulk_of(terms, count) == value);
            // in three partial sums, one of which has opposite signs and is subtracted
            carom_exact part[3] = {{{0}}};
            for (int i = 0; i < count; i++) {
                int p = (int)random_real(&seed, 0, 3);
                carom_exact_add(&part[p], p == 2 ? -terms[i] : terms[i]);
            }
            carom_exact_merge(&part[1], &part[0]);
            carom_exact_subtract(&part[1], &part[2]);
            assert_true(carom_exact_value(&part[1]) == value);
            // equal sums have equal bytes
            carom_exact whole = {0};
            for (int i = 0; i < count; i++)
                carom_exact_add(&whole, terms[i]);
            carom_exact_normalize(&whole);
            carom_exact_normalize(&part[1]);
            assert_memory_equal(&whole, &part[1], sizeof whole);
        }
    }
}

// Sums for which ordinary addition is wrong, ties, and the limits of the range.
static void cases(void **state) {
    (void)state;
    static const struct {
        double terms[6], value;
    } table[] = {
        {{0}, 0},
        {{1e308, 1, -1e308}, 1},
        {{1, 0x1p-53}, 1},                         // a tie: to even
        {{1, 0x1p-52, 0x1p-53}, 1 + 0x1p-51},      // a tie: to even, upwards
        {{1, 0x1p-53, DBL_TRUE_MIN}, 1 + 0x1p-52}, // just above a tie, by the least number
        {{1, 0x1p-53, -DBL_TRUE_MIN}, 1},          // just below
        {{-1, -0x1p-53, -0x1p-106}, -1 - 0x1p-52}, // negative, above a tie
        {{DBL_TRUE_MIN, DBL_TRUE_MIN}, 2 * DBL_TRUE_MIN},
        {{DBL_MIN, -DBL_TRUE_MIN}, DBL_MIN - DBL_TRUE_MIN},
        {{DBL_MAX, DBL_MAX, -DBL_MAX}, DBL_MAX}, // the sum is a double, though partial sums are not
        {{DBL_MAX, DBL_MAX}, HUGE_VAL},
        {{-DBL_MAX, -DBL_MAX}, -HUGE_VAL},
        {{DBL_MAX, 0x1p969}, DBL_MAX},  // below half a unit beyond the largest double
        {{DBL_MAX, 0x1p970}, HUGE_VAL}, // half a unit
        {{0x1p1000, 1, -0x1p1000, 0x1p-1000}, 1},
        {{-0.0, -0.0}, 0},
        {{HUGE_VAL, 1, -1e308}, HUGE_VAL},
        {{1, -HUGE_VAL}, -HUGE_VAL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_true(sum_of(table[i].terms, 6) == table[i].value);
        assert_true(bulk_of(table[i].terms, 6) == table[i].value);
    }
    // NaN, alone or with others, and infinities of both signs
    static const double not_numbers[][3] = {{NAN}, {1, NAN, HUGE_VAL}, {HUGE_VAL, 1, -HUGE_VAL}, {0, NAN, 1e300}};
    for (size_t i = 0; i < sizeof not_numbers / sizeof *not_numbers; i++) {
        assert_true(isnan(sum_of(not_numbers[i], 3)));
        assert_true(isnan(bulk_of(not_numbers[i], 3)));
    }
    carom_exact sum = {0}, infinite = {0};
    carom_exact_add(&infinite, HUGE_VAL);
    carom_exact_subtract(&sum, &infinite);
    assert_true(carom_exact_value(&sum) == -HUGE_VAL);
    carom_exact_clear(&sum);
    const carom_exact empty = {0};
    assert_memory_equal(&sum, &empty, sizeof sum);
}

// Carries are propagated before they overflow: an accumulator is doubled until its counter has wrapped around several times.
static void carries(void **state) {
    (void)state;
    carom_exact sum = {0};
    const double term = -(1 - 0x1p-53);
    carom_exact_add(&sum, term);
    for (int i = 1; i <= 200; i++) {
        carom_exact copy = sum;
        carom_exact_merge(&sum, &copy);
        assert_true(carom_exact_value(&sum) == ldexp(term, i));
    }
    // and is subtracted down to zero
    for (int i = 0; i < 200; i++)
        carom_exact_add(&sum, -ldexp(term, i));
    carom_exact_add(&sum, -term);
    assert_true(carom_exact_value(&sum) == 0);
    carom_exact_normalize(&sum);
    assert_true(sum.first == sum.end);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truth),
        cmocka_unit_test(order),
        cmocka_unit_test(cases),
        cmocka_unit_test(carries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
