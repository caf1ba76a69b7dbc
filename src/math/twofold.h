// SPDX-License-Identifier: MIT
// Double-double numbers of about 106 bits: the unevaluated sum of two doubles, |low| at most half a unit in the last place of
// high.
// Operations are relatively accurate to a few units of 2^-104 (T. J. Dekker: A floating-point technique for extending the
// available precision. Numerische Mathematik 18 (1971) 224-242). Products must neither overflow nor have a low part that
// underflows.
#ifndef CAROM_MATH_TWOFOLD_H
#define CAROM_MATH_TWOFOLD_H

#include "math/expansion.h"

typedef struct carom_twofold {
    double high, low;
} carom_twofold;

// A double as it is; the nearest double to a sum; the negative of one.
CAROM_LOCAL carom_twofold carom_twofold_of(double a) {
    return (carom_twofold){a, 0};
}

CAROM_LOCAL double carom_twofold_value(carom_twofold a) {
    return a.high + a.low;
}

CAROM_LOCAL carom_twofold carom_twofold_negative(carom_twofold a) {
    return (carom_twofold){-a.high, -a.low};
}

// a + b, for |a| >= |b| or a = 0.
CAROM_LOCAL carom_twofold carom_twofold_join(double a, double b) {
    double sum = a + b;
    return (carom_twofold){sum, b - (sum - a)};
}

CAROM_LOCAL carom_twofold carom_twofold_add(carom_twofold a, carom_twofold b) {
    double rest, low_rest, sum = carom_two_sum(a.high, b.high, &rest), low = carom_two_sum(a.low, b.low, &low_rest);
    carom_twofold c = carom_twofold_join(sum, rest + low);
    return carom_twofold_join(c.high, c.low + low_rest);
}

CAROM_LOCAL carom_twofold carom_twofold_multiply(carom_twofold a, carom_twofold b) {
    double rest, product = carom_two_product(a.high, b.high, &rest);
    return carom_twofold_join(product, rest + (a.high * b.low + a.low * b.high));
}

CAROM_LOCAL carom_twofold carom_twofold_divide(carom_twofold a, carom_twofold b) {
    // long division with two digits: the second is that of the remainder of the first
    double q = a.high / b.high;
    carom_twofold back = carom_twofold_multiply(carom_twofold_of(q), b);
    carom_twofold rest = carom_twofold_add(a, carom_twofold_negative(back));
    return carom_twofold_join(q, rest.high / b.high);
}

// Multiplies by a power of two, without rounding.
CAROM_LOCAL carom_twofold carom_twofold_scale(double power_of_two, carom_twofold a) {
    return (carom_twofold){power_of_two * a.high, power_of_two * a.low};
}

#endif
