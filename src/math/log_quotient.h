// SPDX-License-Identifier: MIT
// The difference quotient (ln s1 - ln s0)/(s1 - s0) of the logarithm, accurate also for nearly equal s0 and s1.
#ifndef CAROM_MATH_LOG_QUOTIENT_H
#define CAROM_MATH_LOG_QUOTIENT_H

#include <math.h>

#include "math/functions.h"

// r = ln(s1/s0)/(s1 - s0) of positive numbers, and its derivative with respect to s1. With t = (s1 - s0)/(s1 + s0) it is 2 (1 +
// t^2/3 + t^4/5 + ...)/(s0 + s1), which avoids the difference of nearly equal logarithms.
static inline double carom_log_quotient(double s0, double s1, double *slope) {
    double m = s0 + s1, t = (s1 - s0) / m, sum = 0, derivative = 0;
    if (fabs(t) > 0.1) {
        double r = carom_log(s1 / s0) / (s1 - s0);
        *slope = (1 / s1 - r) / (s1 - s0);
        return r;
    }
    for (int k = 8; k > 0; k--) {
        derivative = derivative * t * t + 2.0 * k / (2 * k + 1);
        sum = (sum + 1.0 / (2 * k + 1)) * t * t;
    }
    *slope = 2 * (2 * s0 / m * derivative * t - 1 - sum) / (m * m);
    return 2 * (1 + sum) / m;
}

#endif
