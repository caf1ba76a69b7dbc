// SPDX-License-Identifier: MIT
// The elementary functions of carom, composed of +, -, x, / and square roots only, which IEEE 754 defines to the last bit.
// Functions of C libraries differ between versions and processors (with and without fused operations), and results would differ
// with them; tools/check_names forbids them in the library.
//
// Each is computed to 66 bits or more and rounded once: the error is below 0.501 units in the last place of a normal result,
// and nearly every result is the correctly rounded one. Subnormal results are rounded twice. Special values are those of C,
// without exceptions and errno. The rounding mode must be to nearest.
#ifndef CAROM_MATH_FUNCTIONS_H
#define CAROM_MATH_FUNCTIONS_H

#include "base/kernel.h"

CAROM_SHARED double carom_exp(double x);
CAROM_SHARED double carom_exp2(double x);
CAROM_SHARED double carom_log(double x);
CAROM_SHARED double carom_log2(double x);
CAROM_SHARED double carom_log1p(double x);

// x^y. Integer exponents up to 64 are computed by multiplication: the result is exact if it is a double.
CAROM_SHARED double carom_pow(double x, double y);
double carom_cbrt(double x);

// Angles in radians, of any size.
double carom_sin(double x);
double carom_cos(double x);
double carom_tan(double x);

// The angle of (x, y) in [-pi, pi].
double carom_atan2(double y, double x);

// sqrt(x^2 + y^2) without intermediate overflow.
double carom_hypot(double x, double y);

#endif
