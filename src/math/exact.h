// SPDX-License-Identifier: MIT
// Exact sums (docs/theory/exact_sums.md): an accumulator that holds every sum of doubles without rounding, as an integer in
// units of 2^-1074. The value, the sum rounded once to the nearest double, does not depend on the order in which terms are
// added and partial sums merged, nor on the number of threads.
#ifndef CAROM_MATH_EXACT_H
#define CAROM_MATH_EXACT_H

#include <stdint.h>

// Digits of 32 bits: 2098 bits from 2^-1074 to 2^1024, and 78 bits more for the sum of 2^78 numbers of any size.
enum { CAROM_EXACT_DIGITS = 68 };

// The small superaccumulator of R. M. Neal, "Fast exact summation using small and large superaccumulators",
// arXiv:1505.05571 (2015). Digit d counts 2^(32 d - 1074); the upper half of each word takes up carries, so that they need to
// be propagated only once in 2^30 additions. All bytes zero is the empty sum.
typedef struct carom_exact {
    int64_t digit[CAROM_EXACT_DIGITS];
    int32_t first, end; // digits outside are zero; none if both are equal
    int32_t additions;  // number of additions since carries were propagated
    uint32_t special;   // infinities and NaN that were added: CAROM_EXACT_*
} carom_exact;

// Adds a term. With infinities or NaN the sum is that of IEEE 754 arithmetic.
void carom_exact_add(carom_exact *sum, double term);

// Adds `count` terms with vector instructions, much faster than one by one. Overwrites `terms`.
void carom_exact_add_all(carom_exact *sum, double *terms, int count);

// Adds or subtracts another sum.
void carom_exact_merge(carom_exact *sum, const carom_exact *other);
void carom_exact_subtract(carom_exact *sum, const carom_exact *other);

// The sum, rounded once to nearest, ties to even; infinity beyond the range of doubles.
double carom_exact_value(const carom_exact *sum);

// Sets a sum to zero, or copies one. Faster than writing the whole struct, since few digits are in use.
void carom_exact_clear(carom_exact *sum);
void carom_exact_copy(carom_exact *to, const carom_exact *from);

// Sets a sum from digits (exact_cut.h) that other code has accumulated, such as a device, from `additions` < 2^30 terms;
// `special`: infinities and NaN among the terms.
void carom_exact_take(carom_exact *sum, const int64_t *digits, int additions, uint32_t special);

// Sets the terms of entries begin to end - 1, at most CAROM_EXACT_BLOCK: terms[a][i] is that of entry begin + i in sum a.
enum { CAROM_EXACT_BLOCK = 512, CAROM_EXACT_SUMS_MAX = 12 };
typedef void carom_exact_fill(const void *context, int begin, int end, double terms[][CAROM_EXACT_BLOCK]);

// Adds the terms of entries 0 to count - 1 to `sum_count` sums at once. Entries are distributed to threads.
void carom_exact_add_range(carom_exact *sums, int sum_count, int count, carom_exact_fill *fill, const void *context);

// Normalises the representation, so that equal sums have equal bytes: digits from -2^31 to 2^31 - 1, zero outside [first, end).
void carom_exact_normalize(carom_exact *sum);

#endif
