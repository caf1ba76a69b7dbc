// SPDX-License-Identifier: MIT
// Tests src/math/functions.c, src/math/angles.c, src/math/twofold.h, src/math/log_table.h.
// Mathematical functions: errors against long double functions of the C library, correctly rounded values, and fixed bits.
#include <float.h>

#include "../../support.h"
#include "base/hash.h"
#include "math/functions.h"
#include "math/log_table.h"

// Largest error in units in the last place. The references of 64 bits have errors of up to 2^-11 units themselves.
static const double error_max = 0.501;

static double unit(double x) {
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, (exponent < -1021 ? -1021 : exponent) - 53);
}

static void compare(const char *name, double x, double y, double found, long double truth) {
#if LDBL_MANT_DIG >= 64
    long double error = fabsl(found - truth) / unit((double)truth);
    if (!(error <= error_max))
        fail_msg("%s(%a, %a) = %a is wrong by %Lg units", name, x, y, found, error);
#else
    (void)name, (void)x, (void)y, (void)found, (void)truth;
#endif
}

// A positive number whose binary exponent is uniformly distributed.
static double of_any_size(uint64_t *seed, double least, double most) {
    double exponent = floor(random_real(seed, least, most));
    return ldexp(random_real(seed, 1, 2), (int)exponent);
}

typedef struct function {
    const char *name;
    double (*own)(double);
    long double (*reference)(long double);
    // arguments: uniform in [low, high], and of any magnitude between 2^least and 2^most, with both signs if `both`
    double low, high, least, most;
    int both;
    uint64_t bits; // hash of the results at those arguments
} function;

static const function functions[] = {
    {"exp", carom_exp, expl, -708, 709, -60, 9, 1, 0xb5cc8bcc37f60a26},
    {"exp2", carom_exp2, exp2l, -1020, 1023, -60, 9, 1, 0xecf57dcdbdbbc1df},
    {"log", carom_log, logl, 0.5, 2, -1074, 1023, 0, 0x43301b3faabbdc76},
    {"log2", carom_log2, log2l, 0.5, 2, -1074, 1023, 0, 0xa7149fd2c81adca1},
    {"log1p", carom_log1p, log1pl, -0.9, 1, -70, -1, 1, 0xc607d387222e6827},
    {"cbrt", carom_cbrt, cbrtl, -10, 10, -1022, 1023, 1, 0x8088e5c8871edc2a},
    {"sin", carom_sin, sinl, -7, 7, -60, 1023, 1, 0x1fd432c75694549c},
    {"cos", carom_cos, cosl, -7, 7, -60, 1023, 1, 0x4d87a761814c5622},
    {"tan", carom_tan, tanl, -7, 7, -60, 1023, 1, 0xe4f751266f32c7d8},
};

static uint64_t add_bits(uint64_t hash, double value) {
    return carom_hash(hash, &value, sizeof value);
}

static void of_one_argument(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const function *f = &functions[i];
        uint64_t seed = i, hash = 0;
        for (int trial = 0; trial < 40000; trial++) {
            double x = trial % 2 ? random_real(&seed, f->low, f->high) : of_any_size(&seed, f->least, f->most);
            x = f->both && trial % 4 == 2 ? -x : x;
            double found = f->own(x);
            compare(f->name, x, 0, found, f->reference(x));
            hash = add_bits(hash, found);
        }
        if (hash != f->bits)
            fail_msg("%s has other bits: %#llx, expected %#llx", f->name, (unsigned long long)hash,
                     (unsigned long long)f->bits);
    }
}

static const uint64_t pair_bits[3] = {0x6b0876774913827e, 0x4522ea456ba9e993, 0x212a75d4436d5abd};

static void of_two_arguments(void **state) {
    (void)state;
    uint64_t seed = 7, hash[3] = {0};
    for (int trial = 0; trial < 40000; trial++) {
        double x = of_any_size(&seed, -40, 40), y = of_any_size(&seed, -40, 40);
        if (trial % 2) {
            x = random_real(&seed, -1, 1);
            y = random_real(&seed, -1, 1);
        }
        double angle = carom_atan2(y, x), length = carom_hypot(x, y);
        compare("atan2", y, x, angle, atan2l(y, x));
        compare("hypot", x, y, length, hypotl(x, y));
        // any base with integer and other exponents, and bases near 1 with large ones
        double base = trial % 3 ? fabs(x) : 1 + 1e-4 * x, exponent = random_real(&seed, -20, 20);
        exponent = trial % 5 == 0 ? floor(4 * exponent) : trial % 3 ? exponent : 1e5 * exponent;
        double power = carom_pow(base, exponent);
        if (fabs(power) > DBL_MIN && fabs(power) <= DBL_MAX)
            compare("pow", base, exponent, power, powl(base, exponent));
        hash[0] = add_bits(hash[0], angle);
        hash[1] = add_bits(hash[1], length);
        hash[2] = add_bits(hash[2], power);
    }
    for (int i = 0; i < 3; i++)
        if (hash[i] != pair_bits[i])
            fail_msg("function %d has other bits: %#llx, expected %#llx", i, (unsigned long long)hash[i],
                     (unsigned long long)pair_bits[i]);
}

// Arguments whose squares overflow or underflow.
static void hypot_of_any_size(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int trial = 0; trial < 20000; trial++) {
        double x = of_any_size(&seed, -1021, 1022),
               y = trial % 2 ? of_any_size(&seed, -1021, 1022) : x * random_real(&seed, 0, 1);
        compare("hypot", x, y, carom_hypot(x, y), hypotl(x, y));
    }
    assert_true(carom_hypot(3e300, 4e300) == 5e300 && carom_hypot(3e-300, 4e-300) == 5e-300);
    assert_true(carom_hypot(0x1p-1074, 0) == 0x1p-1074 && carom_hypot(-7, 0) == 7 && carom_hypot(0, -0.0) == 0);
    assert_true(carom_hypot(HUGE_VAL, NAN) == HUGE_VAL && isnan(carom_hypot(1, NAN)));
}

// Values that were rounded from 113 bits. Many are hard cases: the sine nearest to zero, results within 1e-5 units of the
// middle of two doubles, arguments next to 1.
static void rounded_values(void **state) {
    (void)state;
    static const struct {
        double (*own)(double);
        double x, truth;
    } rows[] = {
        {carom_exp, -0x1.69924da9aa88p-6, 0x1.f4d31cab1f1c7p-1},
        {carom_exp, 0x1.ade46a985859cp+7, 0x1.12b3089a5a4dep+310},
        {carom_exp2, 0x1.0e58d9a04d56p-3, 0x1.18876396263c5p+0},
        {carom_log, 0x1.0d8f14be2a672p+0, 0x1.a6c8fe4652008p-5},
        {carom_log, 0x1.ffdd22e57fd96p-1, -0x1.16f2536396e91p-12},
        {carom_log2, 0x1.0c10d6156cc51p+0, 0x1.1026b9b749b2dp-4},
        {carom_log1p, 0x1.ce10fbcd9423p-3, 0x1.a0a805aa2fc34p-3},
        {carom_cbrt, 0x1.e339e44f30c2ap+1, 0x1.8e9d6548da512p+0},
        {carom_sin, 0x1.fe72926e8121p-2, 0x1.e9919bb38aa4dp-2},
        {carom_cos, 0x1.75f0f0af399b8p+1, -0x1.f3a3c236afe18p-1},
        {carom_tan, 0x1.813bc651c9cp-3, 0x1.85d79ce68bbc9p-3},
        {carom_sin, 0x1.6ac5b262ca1ffp+849, 0x1p+0},
        {carom_cos, 0x1.6ac5b262ca1ffp+849, -0x1.14ae72e6ba22fp-61},
        {carom_tan, 0x1.6ac5b262ca1ffp+849, -0x1.d9ba9a7975636p+60},
        {carom_sin, 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
        {carom_cos, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
        {carom_tan, 0x1.921fb54442d18p+0, 0x1.d02967c31cdb5p+53},
        {carom_sin, 0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8},
        {carom_cos, 0x1.0f0cf064dd592p+73, 0x1.0be2cef01c8f4p-1},
        {carom_sin, 0x1p-1, 0x1.eaee8744b05fp-2},
        {carom_log, 0x1.0000000000001p+0, 0x1.fffffffffffffp-53},
        {carom_log, 0x1.fffffffffffffp-1, -0x1p-53},
        {carom_log, 0x0.0000000000001p-1022, -0x1.74385446d71c3p+9},
        {carom_log, 0x1p+1, 0x1.62e42fefa39efp-1},
        {carom_log, 0x1.4p+3, 0x1.26bb1bbb55516p+1},
        {carom_log, 0x1.fffffffffffffp+1023, 0x1.62e42fefa39efp+9},
        {carom_log1p, 0x1p-30, 0x1.fffffffcp-31},
        {carom_log1p, -0x1.fffffffffffffp-1, -0x1.25e4f7b2737fap+5},
        {carom_exp, 0x1p+0, 0x1.5bf0a8b145769p+1},
        {carom_exp, 0x1.62e3d70a3d70ap+9, 0x1.fe9ce5c4c52b4p+1023},
        {carom_cbrt, 0x1p+1, 0x1.428a2f98d728bp+0},
        {carom_exp2, 0x1p-1, 0x1.6a09e667f3bcdp+0},
        {carom_log2, 0x1.0000000000001p+0, 0x1.71547652b82fdp-52},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].own(rows[i].x) != rows[i].truth)
            fail_msg("row %zu: f(%a) = %a, expected %a", i, rows[i].x, rows[i].own(rows[i].x), rows[i].truth);
}

static void special_values(void **state) {
    (void)state;
    double big = HUGE_VAL;
    assert_true(carom_exp(big) == big && carom_exp(-big) == 0 && carom_exp(0) == 1 && carom_exp(800) == big);
    assert_true(carom_exp(-745) == 0x1p-1074 && carom_exp(-746) == 0 && isnan(carom_exp(NAN)));
    assert_true(carom_exp2(10) == 1024 && carom_exp2(-1074) == 0x1p-1074 && carom_exp2(-2000) == 0 && carom_exp2(1024) == big);
    assert_true(carom_log(1) == 0 && carom_log(0) == -big && carom_log(-0.0) == -big && carom_log(big) == big);
    assert_true(isnan(carom_log(-1)) && isnan(carom_log(NAN)) && isnan(carom_log2(-big)) && isnan(carom_log1p(-2)));
    for (int k = -1074; k < 1024; k++)
        assert_true(carom_log2(ldexp(1, k)) == k && carom_exp2(k) == ldexp(1, k));
    assert_true(carom_log1p(-1) == -big && carom_log1p(big) == big && carom_log1p(1e-300) == 1e-300);
    assert_true(signbit(carom_log1p(-0.0)) && signbit(carom_sin(-0.0)) && signbit(carom_tan(-0.0)) &&
                signbit(carom_cbrt(-0.0)));
    assert_true(carom_cbrt(27) == 3 && carom_cbrt(-1e300) == -1e100 && carom_cbrt(0x1p-1074) == 0x1p-358 &&
                carom_cbrt(-big) == -big);
    assert_true(carom_sin(0) == 0 && carom_cos(0) == 1 && carom_tan(1e-310) == 1e-310);
    assert_true(isnan(carom_sin(big)) && isnan(carom_cos(-big)) && isnan(carom_tan(NAN)));
}

static void special_powers(void **state) {
    (void)state;
    double big = HUGE_VAL;
    assert_true(carom_pow(NAN, 0) == 1 && carom_pow(1, NAN) == 1 && isnan(carom_pow(NAN, 1)) && isnan(carom_pow(2, NAN)));
    assert_true(carom_pow(0, 2.5) == 0 && carom_pow(0, -1) == big && carom_pow(-0.0, -3) == -big && carom_pow(-0.0, -2) == big);
    assert_true(carom_pow(big, 0.5) == big && carom_pow(-big, 3) == -big && carom_pow(-big, -3) == 0);
    assert_true(carom_pow(2, big) == big && carom_pow(2, -big) == 0 && carom_pow(0.5, big) == 0 && carom_pow(-1, big) == 1);
    assert_true(isnan(carom_pow(-2, 0.5)) && carom_pow(-2, 3) == -8 && carom_pow(-2, 101) == -0x1p101 &&
                carom_pow(-1, 1e300) == 1);
    assert_true(carom_pow(10, 22) == 1e22 && carom_pow(3, 33) == 5559060566555523.0 && carom_pow(2, -1074) == 0x1p-1074);
    assert_true(carom_pow(1e200, 2) == big && carom_pow(1e-200, 2) == 0 && carom_pow(1e10, 40.5) == big &&
                carom_pow(9, 0.5) == 3);
    // squares equal one multiplication, also at the midpoint between two doubles
    uint64_t seed = 5;
    for (int trial = 0; trial < 10000; trial++) {
        double x = random_real(&seed, -3, 3), half = ldexp(floor(ldexp(x, 25)), -25);
        assert_true(carom_pow(x, 2) == x * x && carom_pow(half, 2) == half * half && carom_pow(x, 1) == x &&
                    carom_pow(x, -1) == 1 / x);
    }
}

static void special_angles(void **state) {
    (void)state;
    double big = HUGE_VAL, pi = 0x1.921fb54442d18p+1;
    assert_true(carom_atan2(0, 1) == 0 && signbit(carom_atan2(-0.0, 1)) && carom_atan2(0, -1) == pi &&
                carom_atan2(-0.0, -0.0) == -pi);
    assert_true(carom_atan2(0, 0) == 0 && carom_atan2(0, -0.0) == pi && carom_atan2(1, 0) == pi / 2 &&
                carom_atan2(-1, -0.0) == -pi / 2);
    assert_true(carom_atan2(1, 1) == pi / 4 && carom_atan2(-1, -1) == -0.75 * pi && carom_atan2(big, big) == pi / 4);
    assert_true(carom_atan2(big, -big) == 0.75 * pi && carom_atan2(1, big) == 0 && carom_atan2(-1, -big) == -pi);
    assert_true(carom_atan2(-big, 1) == -pi / 2 && isnan(carom_atan2(NAN, 1)) && isnan(carom_atan2(1, NAN)));
    assert_true(carom_atan2(1e-300, 1e300) == 0 && carom_atan2(0x1p-1074, 1) == 0x1p-1074 &&
                carom_atan2(1e300, 1e-300) == pi / 2);
}

// Rows of the table are accurate to 2^-95, and |c m - 1| < 2^-7 in their intervals.
static void table_of_logarithms(void **state) {
    (void)state;
    for (int i = 0; i < 128; i++) {
        double low = i < 80 ? 0.6875 + i / 256.0 : 1 + (i - 80) / 128.0, high = low + (i < 80 ? 1 / 256.0 : 1 / 128.0);
        double c = carom_log_table[i].c, h = carom_log_table[i].high;
        assert_true(fabs(c * low - 1) < 0x1p-7 && fabs(c * high - 1) <= 0x1p-7);
        assert_true(ldexp(c, 9) == floor(ldexp(c, 9)) && ldexp(h, 42) == floor(ldexp(h, 42)));
#if LDBL_MANT_DIG >= 64
        assert_near((double)(-logl(c) - h), carom_log_table[i].low, 0x1p-63);
#endif
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_one_argument), cmocka_unit_test(of_two_arguments),    cmocka_unit_test(hypot_of_any_size),
        cmocka_unit_test(rounded_values),  cmocka_unit_test(special_values),      cmocka_unit_test(special_powers),
        cmocka_unit_test(special_angles),  cmocka_unit_test(table_of_logarithms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
