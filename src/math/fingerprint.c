// SPDX-License-Identifier: MIT
// The functions are made of operations that IEEE 754 defines to the last bit, so that equal builds agree on every processor. A
// machine whose build was compiled with fused operations, or that flushes subnormal numbers, shows here and not as a result
// that no other machine can repeat.
#include "math/fingerprint.h"

#include <math.h>

#include "base/hash.h"
#include "math/functions.h"

// Arguments of each function.
enum { ARGUMENTS = 1000 };

static double root_of(double x) {
    return sqrt(fabs(x));
}

// A product and a sum that a fused operation rounds once.
static double product_and_sum(double x) {
    return x * x - (x - 1) * (x + 1);
}

// Below the least normal number for most arguments.
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
            // Both signs, magnitudes from 2^-10 to 2^10, all bits of the fraction.
            uint64_t word = carom_hash_mix(i + 1);
            double fraction = (double)(word >> 11) * 0x1p-53 + 1;
            double x = ldexp(fraction, (int)(i % 21) - 10);
            double value = functions[f](i % 2 ? x : -x);
            hash = carom_hash(hash, &value, sizeof value);
        }
    return hash;
}
