// SPDX-License-Identifier: MIT
// The digits of a term of an exact sum (exact.h), for the processor and for threads of a device. C and C++.
#ifndef CAROM_MATH_EXACT_CUT_H
#define CAROM_MATH_EXACT_CUT_H

#include <stdint.h>

#include "base/kernel.h"

enum { CAROM_EXACT_HAS_NAN = 1, CAROM_EXACT_HAS_INFINITY = 2, CAROM_EXACT_HAS_MINUS_INFINITY = 4, CAROM_EXACT_DIGIT_BITS = 32 };

// Cuts the double with these bits into digit[0] to digit[2] and returns the index of the first; -1 for zero; for infinities and
// NaN, -2 - (CAROM_EXACT_* code).
CAROM_INLINE int carom_exact_cut(uint64_t bits, int64_t digit[3]) {
    unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    uint64_t fraction = bits & UINT64_C(0xfffffffffffff);
    if (exponent == 0x7ff)
        return -2 - (fraction ? CAROM_EXACT_HAS_NAN : bits >> 63 ? CAROM_EXACT_HAS_MINUS_INFINITY : CAROM_EXACT_HAS_INFINITY);
    if (bits << 1 == 0)
        return -1;
    // subnormal numbers have the exponent of the least normal ones, without the leading one
    uint64_t normal = exponent != 0;
    fraction |= normal << 52;
    unsigned shift = exponent - (unsigned)normal, d = shift / CAROM_EXACT_DIGIT_BITS;
    shift %= CAROM_EXACT_DIGIT_BITS;
    // 53 bits, shifted by at most 31, cover three digits.
    int64_t minus = -(int64_t)(bits >> 63);
    uint64_t low = fraction << shift, high = fraction >> 1 >> (63 - shift);
    digit[0] = ((int64_t)(low & UINT32_MAX) ^ minus) - minus;
    digit[1] = ((int64_t)(low >> CAROM_EXACT_DIGIT_BITS) ^ minus) - minus;
    digit[2] = ((int64_t)high ^ minus) - minus;
    return (int)d;
}

#endif
