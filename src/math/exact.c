// SPDX-License-Identifier: MIT
// Exact sums of doubles (exact.h). A single term is cut into three digits (exact_cut.h), which are added to those of the sum.
//
// Many terms at once are summed by another algorithm that can use vector registers, the error-free extraction of S. M. Rump,
// T. Ogita and S. Oishi, "Accurate floating-point summation part I", SIAM J. Sci. Comput. 31 (2008) 189-224. For |t| < 2^e and
// sigma = 3/2 2^(e + 10)
//
//     high = (sigma + t) - sigma,   low = t - high
//
// are free of errors: high is t rounded to multiples of 2^(e - 42), |low| <= 2^(e - 43). At most 512 such multiples add up to
// less than 2^(e + 10), which is below 2^53 of their units: plain additions of `high` are exact, in any order. Two extractions
// extract 86 bits; the remainders, mostly zero, are extracted again, from their own largest exponent. The few totals are then
// added as single terms.
#include "math/exact.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/kernel.h"
#include "math/exact_cut.h"

enum {
    DIGIT_BITS = CAROM_EXACT_DIGIT_BITS,
    // digit words hold numbers below 2^63, terms are below 2^32: carries are propagated after this many additions
    ADDITIONS_MAX = 1 << 30,
    // terms that are extracted together: the 2^9 of the derivation above
    BLOCK = CAROM_EXACT_BLOCK,
    // number of terms above which threads are used: about 1 ns each with its computation, and about 20 us to wake threads
    SHARED_TERMS = 1 << 16,
    // bits of sigma above the largest term: 9 for 512 terms, one for rounding
    ABOVE = 10,
    // bits of one extraction: sigma has 52 below its leading one
    TAKEN = 52 - ABOVE + 1,
};

enum {
    HAS_NAN = CAROM_EXACT_HAS_NAN,
    HAS_INFINITY = CAROM_EXACT_HAS_INFINITY,
    HAS_MINUS_INFINITY = CAROM_EXACT_HAS_MINUS_INFINITY
};

static void widen(carom_exact *sum, int first, int end) {
    if (sum->first == sum->end) {
        sum->first = first;
        sum->end = end;
        return;
    }
    sum->first = first < sum->first ? first : sum->first;
    sum->end = end > sum->end ? end : sum->end;
}

void carom_exact_normalize(carom_exact *sum) {
    int64_t carry = 0;
    int last = -1, first = CAROM_EXACT_DIGITS;
    for (int d = sum->first; d < CAROM_EXACT_DIGITS && (d < sum->end || carry); d++) {
        int64_t word = sum->digit[d] + carry;
        // signed digits, so that negative numbers do not fill all higher digits with ones
        int64_t digit = (int64_t)(int32_t)(uint32_t)(uint64_t)word;
        carry = (word - digit) / (INT64_C(1) << DIGIT_BITS);
        sum->digit[d] = digit;
        if (digit) {
            last = d;
            first = d < first ? d : first;
        }
    }
    sum->first = last < 0 ? 0 : first;
    sum->end = last + 1;
    sum->additions = 0;
}

void carom_exact_add(carom_exact *sum, double term) {
    uint64_t bits;
    int64_t digit[3];
    memcpy(&bits, &term, sizeof bits);
    int d = carom_exact_cut(bits, digit);
    if (d < -1)
        sum->special |= (uint32_t)(-2 - d);
    // zero is ignored, since it would extend the range of digits in use
    if (d < 0)
        return;
    for (int i = 0; i < 3; i++)
        sum->digit[d + i] += digit[i];
    widen(sum, d, d + 3);
    if (++sum->additions >= ADDITIONS_MAX)
        carom_exact_normalize(sum);
}

static void add_digits(carom_exact *sum, const carom_exact *other, int sign) {
    // a merged sum after carry propagation counts as one addition: its digits are below 2^31
    if (sum->additions >= ADDITIONS_MAX - 1 - other->additions)
        carom_exact_normalize(sum);
    for (int d = other->first; d < other->end; d++)
        sum->digit[d] += sign * other->digit[d];
    if (other->first < other->end)
        widen(sum, other->first, other->end);
    sum->additions += other->additions + 1;
}

void carom_exact_merge(carom_exact *sum, const carom_exact *other) {
    add_digits(sum, other, 1);
    sum->special |= other->special;
}

void carom_exact_subtract(carom_exact *sum, const carom_exact *other) {
    add_digits(sum, other, -1);
    // infinities change sign
    uint32_t special = other->special;
    sum->special |= (special & HAS_NAN) | (special & HAS_INFINITY ? HAS_MINUS_INFINITY : 0) |
                    (special & HAS_MINUS_INFINITY ? HAS_INFINITY : 0);
}

void carom_exact_take(carom_exact *sum, const int64_t *digits, int additions, uint32_t special) {
    carom_exact_clear(sum);
    for (int d = 0; d < CAROM_EXACT_DIGITS; d++)
        if (digits[d]) {
            sum->digit[d] = digits[d];
            widen(sum, d, d + 1);
        }
    sum->additions = additions;
    sum->special = special;
}

void carom_exact_copy(carom_exact *to, const carom_exact *from) {
    carom_exact_clear(to);
    memcpy(to->digit + from->first, from->digit + from->first, (size_t)(from->end - from->first) * sizeof *from->digit);
    to->first = from->first;
    to->end = from->end;
    to->additions = from->additions;
    to->special = from->special;
}

void carom_exact_clear(carom_exact *sum) {
    memset(sum->digit + sum->first, 0, (size_t)(sum->end - sum->first) * sizeof *sum->digit);
    sum->first = sum->end = sum->additions = 0;
    sum->special = 0;
}

// The digits of |sum| from digit `first` on, each in [0, 2^32), followed by two zeros. Returns their number.
static int absolute(const carom_exact *sum, int64_t *digit, bool *negative) {
    int count = 0;
    int64_t carry = 0;
    for (int d = sum->first; d < sum->end || carry; d++) {
        int64_t word = carry + (d < sum->end ? sum->digit[d] : 0);
        digit[count] = (int64_t)(int32_t)(uint32_t)(uint64_t)word;
        carry = (word - digit[count++]) / (INT64_C(1) << DIGIT_BITS);
    }
    while (count && digit[count - 1] == 0)
        count--;
    // the highest digit that is not zero has the sign of the sum
    *negative = count && digit[count - 1] < 0;
    int64_t borrow = 0;
    for (int i = 0; i < count; i++) {
        digit[i] = (*negative ? -digit[i] : digit[i]) - borrow;
        borrow = digit[i] < 0;
        digit[i] += borrow << DIGIT_BITS;
    }
    // borrowing may have made the top digits zero
    while (count && digit[count - 1] == 0)
        count--;
    digit[count] = digit[count + 1] = 0;
    return count;
}

double carom_exact_value(const carom_exact *sum) {
    if (sum->special) {
        bool both = (sum->special & HAS_INFINITY) && (sum->special & HAS_MINUS_INFINITY);
        return sum->special & HAS_NAN || both ? (double)NAN : sum->special & HAS_INFINITY ? HUGE_VAL : -HUGE_VAL;
    }
    // carries add at most two digits
    int64_t digit[CAROM_EXACT_DIGITS + 4];
    bool negative;
    int count = absolute(sum, digit, &negative);
    if (count == 0)
        return 0;

    // the leading 64 bits; a one below sets the last of them (sticky bit), which suffices to round to 53 bits
    int bits = DIGIT_BITS * count - __builtin_clz((unsigned)digit[count - 1]);
    int from = bits > 64 ? bits - 64 : 0, d = from / DIGIT_BITS, shift = from % DIGIT_BITS;
    uint64_t window = (uint64_t)digit[d] | (uint64_t)digit[d + 1] << DIGIT_BITS;
    uint64_t top = shift ? window >> shift | (uint64_t)digit[d + 2] << (64 - shift) : window;
    bool rest = window & ((UINT64_C(1) << shift) - 1);
    for (int i = 0; i < d; i++)
        rest = rest || digit[i];
    top |= rest;
    // the conversion rounds once; subnormal results are exact, since their unit is 2^-1074
    double value = ldexp((double)top, from + DIGIT_BITS * sum->first - 1074);
    return negative ? -value : value;
}

// Loops in which the order is irrelevant. clang does not vectorise a maximum by comparison, and warns about it.
#ifdef __clang__
#define SIDE_BY_SIDE(directive)
#else
#define SIDE_BY_SIDE(directive) _Pragma(#directive)
#endif

// Extracts `count` terms twice. The totals of the extracted parts are exact, so that the compiler may choose the order. Terms
// become their remainders; `left` is the largest remainder. NaN is ignored there, since it propagates to the totals.
CAROM_INLINE void extract_all(double *terms, int count, const double sigma[2], double total[2], double *left) {
    const double s0 = sigma[0], s1 = sigma[1];
    double sum0 = 0, sum1 = 0, most = 0;
    SIDE_BY_SIDE(omp simd reduction(+ : sum0, sum1) reduction(max : most))
    for (int i = 0; i < count; i++) {
        double t = terms[i], high = (s0 + t) - s0, rest = t - high, low = (s1 + rest) - s1;
        rest -= low;
        sum0 += high;
        sum1 += low;
        most = fabs(rest) > most ? fabs(rest) : most;
        terms[i] = rest;
    }
    total[0] = sum0;
    total[1] = sum1;
    *left = most;
}

// The largest absolute value; NaN is ignored, since it propagates to the totals.
CAROM_INLINE void largest_of(const double *terms, int count, double *largest) {
    double most = 0;
    SIDE_BY_SIDE(omp simd reduction(max : most))
    for (int i = 0; i < count; i++)
        most = fabs(terms[i]) > most ? fabs(terms[i]) : most;
    *largest = most;
}

CAROM_KERNEL(extract, (double *terms, int count, const double sigma[2], double total[2], double *left),
             (terms, count, sigma, total, left), extract_all(terms, count, sigma, total, left))
CAROM_KERNEL(find_largest, (const double *terms, int count, double *largest), (terms, count, largest),
             largest_of(terms, count, largest))

// 3/2 2^exponent, but not so small that its last bit is below the smallest subnormal number.
static double sigma_of(int exponent) {
    return ldexp(1.5, exponent > DBL_MIN_EXP - 1 ? exponent : DBL_MIN_EXP - 1);
}

static void add_block(carom_exact *sum, double *terms, int count) {
    double left;
    find_largest(terms, count, &left);
    do {
        int exponent;
        frexp(left, &exponent);
        // numbers near the end of the range, and infinities, are added one by one
        if (!(left <= DBL_MAX) || exponent > DBL_MAX_EXP - ABOVE - 2) {
            for (int i = 0; i < count; i++)
                carom_exact_add(sum, terms[i]);
            return;
        }
        double total[2];
        const double sigma[2] = {sigma_of(exponent + ABOVE), sigma_of(exponent + ABOVE - TAKEN)};
        extract(terms, count, sigma, total, &left);
        carom_exact_add(sum, total[0]);
        carom_exact_add(sum, total[1]);
        // each round extracts 86 bits below the largest remainder; most terms need only one round
    } while (left > 0);
}

void carom_exact_add_all(carom_exact *sum, double *terms, int count) {
    for (int begin = 0; begin < count; begin += BLOCK)
        add_block(sum, terms + begin, count - begin < BLOCK ? count - begin : BLOCK);
}

static void add_blocks(carom_exact *sums, int sum_count, int begin, int end, carom_exact_fill *fill, const void *context) {
    double terms[CAROM_EXACT_SUMS_MAX][CAROM_EXACT_BLOCK];
    for (; begin < end; begin += BLOCK) {
        int count = end - begin < BLOCK ? end - begin : BLOCK;
        fill(context, begin, begin + count, terms);
        for (int a = 0; a < sum_count; a++)
            add_block(&sums[a], terms[a], count);
    }
}

void carom_exact_add_range(carom_exact *sums, int sum_count, int count, carom_exact_fill *fill, const void *context) {
    // without a parallel region, which costs more than a small sum even with one thread
    if ((int64_t)count * sum_count <= SHARED_TERMS) {
        add_blocks(sums, sum_count, 0, count, fill, context);
        return;
    }
#pragma omp parallel
    {
        carom_exact own[CAROM_EXACT_SUMS_MAX] = {0};
#pragma omp for schedule(static) nowait
        for (int block = 0; block <= (count - 1) / BLOCK; block++) {
            int begin = block * BLOCK, end = count - begin < BLOCK ? count : begin + BLOCK;
            add_blocks(own, sum_count, begin, end, fill, context);
        }
        // in any order of threads: the sum is the same
#pragma omp critical(carom_exact)
        for (int a = 0; a < sum_count; a++)
            carom_exact_merge(&sums[a], &own[a]);
    }
}
