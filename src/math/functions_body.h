// SPDX-License-Identifier: MIT
// Exponentials, logarithms and powers, for the processor (functions.c) and for devices. Arguments are reduced in double-double
// arithmetic (twofold.h) to a small interval, on which a Taylor series converges fast: its first terms are summed in two
// doubles, the others, smaller by a factor of at least 2^-15, in one.
#ifndef CAROM_MATH_FUNCTIONS_BODY_H
#define CAROM_MATH_FUNCTIONS_BODY_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "math/functions.h"
#include "math/log_table.h"
#include "math/twofold.h"

enum { CAROM_WHOLE_MAX = 64 };    // largest integer exponent computed by multiplication; each has one rounding error of 2^-104
enum { CAROM_EXP_SQUARINGS = 8 }; // e^r from e^(r/256)

CAROM_TABLE double carom_functions_log_begin = 0x1.6p-1;          // 11/16, where the intervals of the table begin
CAROM_TABLE double carom_functions_ln2_high = 0x1.62e42fefa38p-1; // 42 fractional bits: exact times any exponent
CAROM_TABLE carom_twofold carom_functions_ln2_low = {0x1.ef35793c7673p-45, 0x1.f97b57a079a19p-103};
CAROM_TABLE carom_twofold carom_functions_ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
CAROM_TABLE carom_twofold carom_functions_log2_e = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
CAROM_TABLE double carom_functions_exp_most = 710;   // beyond, e^x overflows
CAROM_TABLE double carom_functions_exp_least = -746; // below, it is less than half the smallest subnormal number

// ln(1 + r) for |r| < 2^-7: r - r^2/2 in two doubles, then r^3 (1/3 - r/4 + ... - r^7/10) in one; r^11/11 is below 2^-73 r.
CAROM_LOCAL carom_twofold carom_functions_log_near_one(carom_twofold r) {
    double h = r.high, rest, square = carom_two_product(h, h, &rest);
    double p = 1.0 / 9 - h * (1.0 / 10);
    p = 1.0 / 7 - h * (1.0 / 8 - h * p);
    p = 1.0 / 5 - h * (1.0 / 6 - h * p);
    p = 1.0 / 3 - h * (1.0 / 4 - h * p);
    carom_twofold sum = carom_twofold_join(h, -0.5 * square);
    return carom_twofold_join(sum.high, sum.low + (r.low - (0.5 * rest + h * r.low) + h * square * p));
}

// The logarithm of (x + rest) / 2^power, x > 0 finite, |rest| at most a unit in the last place of x. The power is chosen such
// that the quotient lies in [11/16, 11/8): next to 1 the power is 0, and small logarithms are relatively accurate.
CAROM_LOCAL carom_twofold carom_functions_log_reduced(double x, double rest, int *power, double *reduced) {
    int shift = 0;
    if (x < DBL_MIN) {
        x *= 0x1p54;
        shift = -54;
    }
    uint64_t bits, begin;
    double m, left;
    memcpy(&bits, &x, sizeof bits);
    memcpy(&begin, &carom_functions_log_begin, sizeof begin);
    uint64_t from = bits - begin;
    int i = (int)(from >> 45 & 127);
    *power = (int)((int64_t)from >> 52) + shift;
    bits -= from & UINT64_C(0xfff0000000000000);
    memcpy(&m, &bits, sizeof m);
    if (reduced)
        *reduced = m;

    // r = c m - 1 exactly: c has ten bits, and the halves of m have 26, so that both products are exact.
    double c = carom_log_table[i].c, upper = carom_upper_half(m);
    double r = carom_two_sum(c * upper - 1, c * (m - upper), &left);
    if (rest != 0) {
        double more;
        r = carom_two_sum(r, c * ldexp(rest, -*power), &more);
        left += more;
    }
    carom_twofold sum = carom_functions_log_near_one(carom_twofold_join(r, left));
    carom_twofold row = {carom_log_table[i].high, carom_log_table[i].low};
    return c == 1 ? sum : carom_twofold_add(row, sum);
}

// value + power ln 2
CAROM_LOCAL carom_twofold carom_functions_add_power(carom_twofold value, int power) {
    if (power == 0)
        return value;
    carom_twofold low = carom_twofold_multiply(carom_twofold_of(power), carom_functions_ln2_low);
    return carom_twofold_add(carom_twofold_of(power * carom_functions_ln2_high), carom_twofold_add(low, value));
}

// e^r - 1 for |r| < 0.4, relatively accurate to 2^-72: the series at t = r/256, then e^2t - 1 = (e^t - 1) (2 + (e^t - 1)).
CAROM_LOCAL carom_twofold carom_functions_exp_reduced(carom_twofold r) {
    carom_twofold t = carom_twofold_scale(1.0 / (1 << CAROM_EXP_SQUARINGS), r), square = carom_twofold_multiply(t, t);
    double h = t.high, p = 1 + h * (1.0 / 4) * (1 + h * (1.0 / 5) * (1 + h * (1.0 / 6) * (1 + h * (1.0 / 7))));
    carom_twofold e = carom_twofold_add(t, carom_twofold_scale(0.5, square));
    e = carom_twofold_add(e, carom_twofold_of(h * square.high * (1.0 / 6) * p));
    for (int i = 0; i < CAROM_EXP_SQUARINGS; i++)
        e = carom_twofold_add(carom_twofold_scale(2, e), carom_twofold_multiply(e, e));
    return e;
}

// As carom_functions_log_reduced, accurate to 2^-72, for functions that multiply its error: one Newton step with e = e^l - 1,
// ln m = l + (m - 1 - e)/(1 + e) to the square of that correction.
CAROM_LOCAL carom_twofold carom_functions_log_refined(double x, int *power) {
    double m;
    carom_twofold l = carom_functions_log_reduced(x, 0, power, &m), e = carom_functions_exp_reduced(l);
    carom_twofold left = carom_twofold_add(carom_twofold_of(m - 1), carom_twofold_negative(e));
    return carom_twofold_add(l, carom_twofold_of(left.high / (1 + e.high)));
}

// e^x for x within the range of the exponential.
CAROM_LOCAL double carom_functions_exp_of(carom_twofold x) {
    double power = floor(x.high * carom_functions_log2_e.high + 0.5), rest,
           sum = carom_two_sum(x.high, -power * carom_functions_ln2_high, &rest);
    carom_twofold low = carom_twofold_multiply(carom_twofold_of(-power), carom_functions_ln2_low);
    carom_twofold r = carom_twofold_add(carom_twofold_join(sum, rest + x.low), low);
    return ldexp(carom_twofold_value(carom_twofold_add(carom_twofold_of(1), carom_functions_exp_reduced(r))), (int)power);
}

CAROM_SHARED double carom_exp(double x) {
    if (!(x < carom_functions_exp_most))
        return x >= carom_functions_exp_most ? HUGE_VAL : x;
    return x > carom_functions_exp_least ? carom_functions_exp_of(carom_twofold_of(x)) : 0;
}

CAROM_SHARED double carom_exp2(double x) {
    if (!(x < 1024))
        return x >= 1024 ? HUGE_VAL : x;
    if (x < -1080)
        return 0;
    double power = floor(x + 0.5);
    carom_twofold r = carom_twofold_multiply(carom_twofold_of(x - power), carom_functions_ln2);
    return ldexp(carom_twofold_value(carom_twofold_add(carom_twofold_of(1), carom_functions_exp_reduced(r))), (int)power);
}

// True if the logarithm has a special value: for arguments that are not positive, infinite or NaN.
CAROM_LOCAL bool carom_functions_log_special(double x, double *value) {
    if (x > 0 && x <= DBL_MAX)
        return false;
    *value = x == 0 ? -HUGE_VAL : x < 0 ? NAN : x;
    return true;
}

CAROM_SHARED double carom_log(double x) {
    double value;
    int power;
    if (carom_functions_log_special(x, &value))
        return value;
    carom_twofold sum = carom_functions_log_reduced(x, 0, &power, NULL);
    return carom_twofold_value(carom_functions_add_power(sum, power));
}

CAROM_SHARED double carom_log2(double x) {
    double value;
    int power;
    if (carom_functions_log_special(x, &value))
        return value;
    carom_twofold sum = carom_twofold_multiply(carom_functions_log_refined(x, &power), carom_functions_log2_e);
    return carom_twofold_value(carom_twofold_add(carom_twofold_of(power), sum));
}

CAROM_SHARED double carom_log1p(double x) {
    double value, rest, sum = carom_two_sum(1, x, &rest);
    int power;
    // Below 2^-54 the rest of the series is less than half a unit; this also keeps the sign of zero.
    if (fabs(x) < 0x1p-54)
        return x;
    if (carom_functions_log_special(sum, &value))
        return value;
    carom_twofold parts = carom_functions_log_reduced(sum, rest, &power, NULL);
    return carom_twofold_value(carom_functions_add_power(parts, power));
}

// m^n, n >= 1, by squaring.
CAROM_LOCAL carom_twofold carom_functions_multiply_out(double m, int n) {
    carom_twofold power = carom_twofold_of(1), base = carom_twofold_of(m);
    for (; n; n >>= 1) {
        if (n & 1)
            power = carom_twofold_multiply(power, base);
        base = carom_twofold_multiply(base, base);
    }
    return power;
}

// x^y for x > 0, by e^(y ln x).
CAROM_LOCAL double carom_functions_pow_positive(double x, double y) {
    int power;
    carom_twofold l = carom_functions_log_refined(x, &power);
    l = carom_functions_add_power(l, power);
    double bound = y * l.high;
    if (!(bound < carom_functions_exp_most))
        return HUGE_VAL;
    return bound > carom_functions_exp_least ? carom_functions_exp_of(carom_twofold_multiply(carom_twofold_of(y), l)) : 0;
}

// x^y for finite x != 0 and integer |y| <= CAROM_WHOLE_MAX.
CAROM_LOCAL double carom_functions_pow_whole(double x, int y) {
    int exponent, n = y < 0 ? -y : y;
    double m = frexp(x, &exponent);
    // in [0.7, 1.41]: powers do not overflow or underflow
    if (fabs(m) < 0.7) {
        m *= 2;
        exponent--;
    }
    carom_twofold power = carom_functions_multiply_out(m, n);
    if (y < 0)
        power = carom_twofold_divide(carom_twofold_of(1), power);
    return ldexp(carom_twofold_value(power), exponent * y);
}

CAROM_SHARED double carom_pow(double x, double y) {
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return x + y;
    bool whole = floor(y) == y, odd = whole && fabs(y) < 0x1p53 && floor(0.5 * y) != 0.5 * y;
    double size = fabs(x);
    if (size == 0 || size > DBL_MAX) {
        double value = (size == 0) == (y > 0) ? 0 : HUGE_VAL;
        return odd ? copysign(value, x) : value;
    }
    if (fabs(y) > DBL_MAX)
        return size == 1 ? 1 : (size > 1) == (y > 0) ? HUGE_VAL : 0;
    if (x < 0 && !whole)
        return NAN;
    if (whole && fabs(y) <= CAROM_WHOLE_MAX)
        return carom_functions_pow_whole(x, (int)y);
    double value = size == 1 ? 1 : carom_functions_pow_positive(size, y);
    return odd ? copysign(value, x) : value;
}

#endif
