// SPDX-License-Identifier: MIT
// Trigonometric functions. An angle is a multiple of pi/2 plus a rest of at most pi/4, for which Taylor series are summed:
// their first terms in two doubles, the others, smaller by a factor of at least 2^-18, in one.
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "math/functions.h"
#include "math/twofold.h"

static const carom_twofold quarter_turn = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}; // pi/2
static const double eighth_turn = 0.785398163397448309616;

// 64 zero bits, then the binary digits of 2/pi: enough for the largest double.
static const uint64_t turns[] = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
};

// x = quarter pi/2 + rest with |rest| <= pi/4, quarter modulo 4, for finite |x| > pi/4 (M. Payne, R. Hanek: Radian reduction
// for trigonometric functions. SIGNUM Newsletter 18 (1983) 19-24). With x = M 2^e, M of 53 bits, bits of 2/pi of weight 2^-b,
// b < e - 1, contribute whole turns. The next 192 bits are multiplied by M in integers; modulo 2^192 the product is two bits of
// quarters and 190 bits of fraction. No double is nearer to a multiple of pi/2 than 2^-62, which leaves 66 bits of the rest.
static carom_twofold reduce(double x, int *quarter) {
    const uint64_t low_bits = (UINT64_C(1) << 53) - 1;
    int exponent;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53), v[3];
    int from = exponent - 53 + 62;
    for (int i = 0; i < 3; i++) {
        const uint64_t *word = &turns[from / 64 + i];
        v[i] = from % 64 ? word[0] << from % 64 | word[1] >> (64 - from % 64) : word[0];
    }
    unsigned __int128 last = (unsigned __int128)m * v[2], middle = (unsigned __int128)m * v[1] + (uint64_t)(last >> 64);
    uint64_t top = m * v[0] + (uint64_t)(middle >> 64);
    *quarter = (int)(top >> 62);
    unsigned __int128 fraction = ((unsigned __int128)top << 64 | (uint64_t)middle) << 2 | (uint64_t)last >> 62;
    // the nearest multiple, so that |rest| <= pi/4
    bool above = fraction >> 127;
    if (above) {
        fraction = -fraction;
        ++*quarter;
    }
    int zeros = 0;
    for (; !(fraction >> 127); zeros++)
        fraction <<= 1;
    double high = (double)(uint64_t)(fraction >> 75), low = (double)((uint64_t)(fraction >> 22) & low_bits);
    carom_twofold part = carom_twofold_join(ldexp(high, -53 - zeros), ldexp(low, -106 - zeros));
    part = carom_twofold_multiply(part, quarter_turn);
    if (x < 0)
        *quarter = -*quarter;
    *quarter &= 3;
    return above != (x < 0) ? carom_twofold_negative(part) : part;
}

// sin r and cos r for |r| <= pi/4.
static void series(carom_twofold r, carom_twofold *sine, carom_twofold *cosine) {
    static const carom_twofold odd[] = {
        {-0x1.5555555555555p-3, -0x1.5555555555555p-57},
        {0x1.1111111111111p-7, 0x1.1111111111111p-63},
        {-0x1.a01a01a01a01ap-13, -0x1.a01a01a01a01ap-73},
    }; // -1/3!, 1/5!, -1/7!
    static const carom_twofold even[] = {
        {-0.5, 0},
        {0x1.5555555555555p-5, 0x1.5555555555555p-59},
        {-0x1.6c16c16c16c17p-10, 0x1.f49f49f49f49fp-65},
        {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    }; // -1/2!, 1/4!, -1/6!, 1/8!
    static const double odd_rest[] = {
        0x1.71de3a556c734p-19,  -0x1.ae64567f544e4p-26, 0x1.6124613a86d09p-33,  -0x1.ae7f3e733b81fp-41, 0x1.952c77030ad4ap-49,
        -0x1.2f49b46814157p-57, 0x1.71b8ef6dcf572p-66,  -0x1.761b41316381ap-75, 0x1.3f3ccdd165fa9p-84,
    }; // 1/9!, -1/11!, ..., 1/25!
    static const double even_rest[] = {
        -0x1.27e4fb7789f5cp-22, 0x1.1eed8eff8d898p-29,  -0x1.93974a8c07c9dp-37, 0x1.ae7f3e733b81fp-45,  -0x1.6827863b97d97p-53,
        0x1.e542ba4020225p-62,  -0x1.0ce396db7f853p-70, 0x1.f2cf01972f578p-80,  -0x1.88e85fc6a4e5ap-89,
    }; // -1/10!, 1/12!, ..., -1/26!
    carom_twofold z = carom_twofold_multiply(r, r);
    double h = z.high;

    // 1/9! - z/11! + ... + z^8/25! and -1/10! + z/12! - ... - z^8/26!
    double s = 0, c = 0;
    for (int i = 8; i >= 0; i--) {
        s = odd_rest[i] + h * s;
        c = even_rest[i] + h * c;
    }

    carom_twofold sum = carom_twofold_multiply(z, carom_twofold_of(s));
    for (int i = 2; i >= 0; i--)
        sum = carom_twofold_multiply(z, carom_twofold_add(odd[i], sum));
    *sine = carom_twofold_add(r, carom_twofold_multiply(r, sum));
    sum = carom_twofold_multiply(z, carom_twofold_of(c));
    for (int i = 3; i >= 0; i--)
        sum = carom_twofold_multiply(z, carom_twofold_add(even[i], sum));
    *cosine = carom_twofold_add(carom_twofold_of(1), sum);
}

// sin x and cos x of a finite x.
static void sine_and_cosine(double x, carom_twofold *sine, carom_twofold *cosine) {
    int quarter = 0;
    carom_twofold s, c, r = fabs(x) <= eighth_turn ? carom_twofold_of(x) : reduce(x, &quarter);
    series(r, &s, &c);
    // sine in the four quarters: s, c, -s, -c; the cosine is one quarter ahead
    carom_twofold round[] = {s, c, carom_twofold_negative(s), carom_twofold_negative(c)};
    *sine = round[quarter];
    *cosine = round[(quarter + 1) & 3];
}

double carom_sin(double x) {
    carom_twofold s, c;
    // Below 2^-27 sine and tangent round to x; this also keeps the sign of zero.
    if (fabs(x) < 0x1p-27)
        return x;
    if (!(fabs(x) <= DBL_MAX))
        return NAN;
    sine_and_cosine(x, &s, &c);
    return carom_twofold_value(s);
}

double carom_cos(double x) {
    carom_twofold s, c;
    if (!(fabs(x) <= DBL_MAX))
        return NAN;
    sine_and_cosine(x, &s, &c);
    return carom_twofold_value(c);
}

double carom_tan(double x) {
    carom_twofold s, c;
    if (fabs(x) < 0x1p-27)
        return x;
    if (!(fabs(x) <= DBL_MAX))
        return NAN;
    sine_and_cosine(x, &s, &c);
    return carom_twofold_value(carom_twofold_divide(s, c));
}

// The angle of (a, b), 0 <= b <= a, to 2^-27: the series of the arctangent, about 0 or about pi/4, where the argument is at
// most tan(pi/8) and 0.172^9/19 is neglected.
static double rough_angle(double b, double a) {
    bool far = b > 0.41421356 * a;
    double q = far ? (b - a) / (b + a) : b / a, z = q * q, sum = 0;
    for (int n = 17; n > 0; n -= 2)
        sum = 1.0 / n - z * sum;
    return q * sum + (far ? eighth_turn : 0);
}

// The angle of (a, b), 0 <= b <= a, a in [1/2, 1): rotating it back by the rough angle leaves a tangent u below 2^-26, and
// arctan u = u - u^3/3 + ...
static carom_twofold fine_angle(double b, double a) {
    double rough = rough_angle(b, a);
    carom_twofold s, c;
    series(carom_twofold_of(rough), &s, &c);
    carom_twofold across =
        carom_twofold_add(carom_twofold_multiply(carom_twofold_of(b), c), carom_twofold_multiply(carom_twofold_of(-a), s));
    carom_twofold along =
        carom_twofold_add(carom_twofold_multiply(carom_twofold_of(a), c), carom_twofold_multiply(carom_twofold_of(b), s));
    carom_twofold u = carom_twofold_divide(across, along);
    u = carom_twofold_add(u, carom_twofold_of(u.high * u.high * u.high * (-1.0 / 3)));
    return carom_twofold_add(carom_twofold_of(rough), u);
}

// The angle of a point in the first quadrant; both coordinates are finite and not zero.
static carom_twofold first_quadrant(double y, double x) {
    int exponent;
    double larger = fmax(x, y), smaller = fmin(x, y), ratio = smaller / larger;
    carom_twofold angle = carom_twofold_of(ratio);
    // Below 2^-30 the angle is the ratio, to 2^-60 of it.
    if (ratio > 0x1p-30) {
        larger = frexp(larger, &exponent);
        angle = fine_angle(ldexp(smaller, -exponent), larger);
    }
    return y > x ? carom_twofold_add(quarter_turn, carom_twofold_negative(angle)) : angle;
}

double carom_atan2(double y, double x) {
    if (x != x || y != y)
        return x + y;
    double a = fabs(x), b = fabs(y);
    carom_twofold angle, half_turn = carom_twofold_scale(2, quarter_turn);
    if (a == HUGE_VAL && b == HUGE_VAL)
        angle = carom_twofold_scale(0.5, quarter_turn);
    else if (b == 0 || a == HUGE_VAL)
        angle = carom_twofold_of(0);
    else if (a == 0 || b == HUGE_VAL)
        angle = quarter_turn;
    else
        angle = first_quadrant(b, a);
    // for x < 0 and x = -0 the angle is measured from the negative x axis
    if (signbit(x))
        angle = carom_twofold_add(half_turn, carom_twofold_negative(angle));
    return copysign(carom_twofold_value(angle), y);
}
