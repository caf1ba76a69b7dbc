// SPDX-License-Identifier: MIT
// Computes the hash that compares the arithmetic of machines (fingerprint.h). The functions of carom consist of operations that
// IEEE 754 defines to the last bit, so that equal builds agree on every processor. The fingerprint detects builds with fused
// operations and machines that flush subnormal numbers, whose results would differ.
#include "math/fingerprint.h"

#include <math.h>

#include "base/hash.h"
#include "math/functions.h"

// Number of arguments of each function.
enum { ARGUMENTS = 1000 };

static double root_of(double x) {
    return sqrt(fabs(x));
}

// A product and a sum, which a fused operation would round only once.
static double product_and_sum(double x) {
    return x * x - (x - 1) * (x + 1);
}

// A function whose results are mostly subnormal numbers.
static double tiny(double x) {
    return x / 3 * 0x1p-1024;
}

static double exponential(double x) {
    return carom_exp(fabs(x) < 700 ? x : x / 16);
}

static double logarithm(double x) {
    return carom_log(fabs(x));
}

static double power(double x) {
    return carom_pow(fabs(x), 1.0 / 3);
}

static double angle(double x) {
    return carom_atan2(x, 0.7);
}

static double length(double x) {
    return carom_hypot(x, 1.3);
}

uint64_t carom_math_fingerprint(void) {
    static double (*const functions[])(double) = {root_of, product_and_sum, tiny,      exponential, logarithm, power,
                                                  angle,   length,          carom_sin, carom_cos,   carom_tan, carom_cbrt};
    uint64_t hash = CAROM_HASH_START;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (uint64_t i = 0; i < ARGUMENTS; i++) {
            // both signs, magnitudes from 2^-10 to 2^10, all bits of the fraction
            uint64_t word = carom_hash_mix(i + 1);
            double fraction = (double)(word >> 11) * 0x1p-53 + 1;
            double x = ldexp(fraction, (int)(i % 21) - 10);
            double value = functions[f](i % 2 ? x : -x);
            hash = carom_hash(hash, &value, sizeof value);
        }
    return hash;
}
