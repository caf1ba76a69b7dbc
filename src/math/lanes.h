// SPDX-License-Identifier: MIT
// Vectors of eight numbers (lanes): the type of the batched kernels. Operators apply to all lanes; the compiler maps them to
// the vector registers of the processor. Each lane is computed by the same operations in the same order, so that results do
// not depend on the width of the registers.
//
// On a device each thread computes one element: with CAROM_LANES_ONE defined, the same formulas are compiled for a single lane
// (src/device). Data of elements are stored in batches of CAROM_LANES in both cases.
#ifndef CAROM_MATH_LANES_H
#define CAROM_MATH_LANES_H

#include <stdint.h>
#include <string.h>

#include "base/kernel.h"
#include "carom/lanes.h"

// Number of lanes that are computed at once.
#ifdef CAROM_LANES_ONE
enum { CAROM_ABREAST = 1 };
#else
enum { CAROM_ABREAST = CAROM_LANES };
#endif

#ifdef __cplusplus
#include "math/lanes_one.h"
#else
typedef __attribute__((vector_size(CAROM_ABREAST * sizeof(double)))) double carom_lanes;
typedef __attribute__((vector_size(CAROM_ABREAST * sizeof(int64_t)))) int64_t carom_lanes_bits;
typedef __attribute__((vector_size(CAROM_ABREAST * sizeof(uint64_t)))) uint64_t carom_lanes_words;

CAROM_INLINE void carom_lanes_of_bits(const carom_lanes_bits *k, carom_lanes *lanes) {
    *lanes = __builtin_convertvector(*k, carom_lanes);
}
#endif

CAROM_INLINE void carom_lanes_fill(double value, carom_lanes *lanes) {
    for (int l = 0; l < CAROM_ABREAST; l++)
        (*lanes)[l] = value;
}

CAROM_INLINE void carom_lanes_clear(int count, carom_lanes *lanes) {
    const carom_lanes zero = {0};
    for (int i = 0; i < count; i++)
        lanes[i] = zero;
}

// A single lane is a plain number and is assigned, since compilers for devices would implement memcpy byte by byte.
CAROM_INLINE void carom_lanes_load(const double *source, carom_lanes *lanes) {
#ifdef __cplusplus
    lanes->one = *source;
#else
    memcpy(lanes, source, sizeof *lanes);
#endif
}

CAROM_INLINE void carom_lanes_store(const carom_lanes *lanes, double *target) {
#ifdef __cplusplus
    *target = lanes->one;
#else
    memcpy(target, lanes, sizeof *lanes);
#endif
}

// x = 2^k m with m in [sqrt(1/2), sqrt(2)), for positive normal numbers; the result for others is meaningless.
CAROM_INLINE void carom_lanes_split(const carom_lanes *x, carom_lanes_bits *k, carom_lanes *m) {
    carom_lanes_words words;
    carom_lanes_bits bits, half = {0};
    memcpy(&words, x, sizeof words);
    // 0x3fe6a09e667f3bcd is sqrt(1/2); words wrap if the argument is negative, for which the result is meaningless
    words = words - UINT64_C(0x3fe6a09e667f3bcd);
    memcpy(&bits, &words, sizeof bits);
    *k = bits >> 52;
    bits = (bits & INT64_C(0xfffffffffffff)) + (half + INT64_C(0x3fe6a09e667f3bcd));
    memcpy(m, &bits, sizeof *m);
}

// The result k ln 2 + 2 (s + s^3 p).
CAROM_INLINE void carom_lanes_log_join(const carom_lanes_bits *k, const carom_lanes *s, const carom_lanes *p,
                                       carom_lanes *result) {
    carom_lanes two = *s + *s, z = *s * *s, exponent;
    carom_lanes_of_bits(k, &exponent);
    *result = exponent * 0.693147180559945309417 + (two + two * z * *p);
}

// k ln 2 + ln((1 + s)/(1 - s)) = k ln 2 + 2 (s + s^3/3 + ... + s^19/19) for |s| < 0.172; the first neglected term is below
// 3e-17 of the first one. The series is summed in two parts: this function returns 1/9 + z/11 + ... + z^5/19 with z = s^2, and
// carom_lanes_log_last adds the first terms.
CAROM_INLINE void carom_lanes_log_first(const carom_lanes *s, carom_lanes *p) {
    carom_lanes z = *s * *s, sum = z * (1.0 / 19) + 1.0 / 17;
    sum = sum * z + 1.0 / 15;
    sum = sum * z + 1.0 / 13;
    sum = sum * z + 1.0 / 11;
    *p = sum * z + 1.0 / 9;
}

CAROM_INLINE void carom_lanes_log_last(const carom_lanes_bits *k, const carom_lanes *s, const carom_lanes *first,
                                       carom_lanes *result) {
    carom_lanes z = *s * *s, p = *first * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    carom_lanes_log_join(k, s, &p, result);
}

CAROM_INLINE void carom_lanes_log_series(const carom_lanes_bits *k, const carom_lanes *s, carom_lanes *result) {
    carom_lanes first;
    carom_lanes_log_first(s, &first);
    carom_lanes_log_last(k, s, &first, result);
}

// 2^k of an integer k, given as shifted = k + 1.5 2^52: the low bits of this number are those of k.
CAROM_INLINE void carom_lanes_scale(const carom_lanes *shifted, carom_lanes *power) {
    carom_lanes_words words;
    memcpy(&words, shifted, sizeof words);
    words = (words + UINT64_C(1023)) << 52;
    memcpy(power, &words, sizeof *power);
}

// Natural logarithm of positive normal numbers, to two units in the last place: x = 2^k m, s = (m - 1)/(m + 1).
CAROM_INLINE void carom_lanes_log(const carom_lanes *x, carom_lanes *result) {
    carom_lanes_bits k;
    carom_lanes m, s;
    carom_lanes_split(x, &k, &m);
    s = (m - 1.0) / (m + 1.0);
    carom_lanes_log_series(&k, &s, result);
}

// a where the bits of `mask` are set, else b.
CAROM_INLINE void carom_lanes_choose(const carom_lanes_bits *mask, const carom_lanes *a, const carom_lanes *b,
                                     carom_lanes *result) {
    *result = (carom_lanes)((*mask & (carom_lanes_bits)*a) | (~*mask & (carom_lanes_bits)*b));
}

// The maximum per lane; b if one of them is NaN.
CAROM_INLINE void carom_lanes_max(const carom_lanes *a, const carom_lanes *b, carom_lanes *out) {
    carom_lanes_bits mask = *a > *b;
    carom_lanes_choose(&mask, a, b, out);
}

CAROM_INLINE void carom_lanes_min(const carom_lanes *a, const carom_lanes *b, carom_lanes *out) {
    carom_lanes_bits mask = *a < *b;
    carom_lanes_choose(&mask, a, b, out);
}

// The compiler vectorises loops over lanes.
#ifdef __cplusplus
#define CAROM_LANE_ROOT sqrt
#else
#define CAROM_LANE_ROOT __builtin_sqrt
#endif
CAROM_INLINE void carom_lanes_sqrt(const carom_lanes *a, carom_lanes *out) {
    carom_lanes root = *a;
    for (int l = 0; l < CAROM_ABREAST; l++)
        root[l] = CAROM_LANE_ROOT(root[l]);
    *out = root;
}

// ln(1 + t) for t > -1, relatively accurate for any small t: s = t/(t + 2) if 1 + t has the exponent 0.
CAROM_INLINE void carom_lanes_log1p(const carom_lanes *t, carom_lanes *result) {
    carom_lanes_bits k;
    carom_lanes x = *t + 1.0, m, above, below, more = *t + 2.0;
    carom_lanes_split(&x, &k, &m);
    carom_lanes_bits near = k == 0;
    above = m - 1.0;
    below = m + 1.0;
    carom_lanes_choose(&near, t, &above, &above);
    carom_lanes_choose(&near, &more, &below, &below);
    carom_lanes s = above / below;
    carom_lanes_log_series(&k, &s, result);
}

#endif
