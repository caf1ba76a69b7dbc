// SPDX-License-Identifier: MIT
// Exponentials, logarithms and powers (functions_body.h), roots and distances; the functions of angles are in angles.c.
#include "math/functions.h"

#include <float.h>
#include <math.h>

#include "math/functions_body.h"

#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#error "carom needs IEEE 754 arithmetic: doubles rounded after each operation, and no fast-math"
#endif

double carom_cbrt(double x) {
    if (x == 0 || !(fabs(x) <= DBL_MAX))
        return x;
    // |x| = m 8^k, m in [1/8, 1)
    int exponent;
    double m = frexp(fabs(x), &exponent);
    int k = (exponent + 3 * 400) / 3 - 400;
    k += 3 * k < exponent;
    m = ldexp(m, exponent - 3 * k);
    // Halley's iteration, which triples the number of digits, from a linear approximation with an error of 8 percent
    double y = 0.5 * m + 0.48;
    for (int i = 0; i < 4; i++) {
        double cube = y * y * y;
        y *= (cube + 2 * m) / (2 * cube + m);
    }
    carom_twofold cube = carom_functions_multiply_out(y, 3);
    double left = (m - cube.high) - cube.low;
    return copysign(ldexp(y + left / (3 * y * y), k), x);
}

double carom_hypot(double x, double y) {
    double a = fabs(x), b = fabs(y), scale = 1;
    if (a == HUGE_VAL || b == HUGE_VAL)
        return HUGE_VAL;
    // scaled by a power of two if squares would overflow or underflow
    if (a > 0x1p500 || b > 0x1p500)
        scale = 0x1p-600;
    else if (a < 0x1p-400 && b < 0x1p-400)
        scale = 0x1p600;
    a *= scale;
    b *= scale;
    double rest_a, rest_b, rest_h, rest;
    double square = carom_two_sum(carom_two_product(a, a, &rest_a), carom_two_product(b, b, &rest_b), &rest);
    if (!(square > 0))
        return square;
    double h = sqrt(square), back = carom_two_product(h, h, &rest_h);
    return (h + ((square - back) + (rest + (rest_a + rest_b) - rest_h)) / (2 * h)) / scale;
}
