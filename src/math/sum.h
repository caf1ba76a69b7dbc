// SPDX-License-Identifier: MIT
// Compensated summation (Neumaier 1974): to first order, the rounding error does not grow with the number of terms.
#ifndef CAROM_MATH_SUM_H
#define CAROM_MATH_SUM_H

#include <math.h>

typedef struct carom_sum {
    double sum, correction;
} carom_sum;

static inline void carom_sum_add(carom_sum *s, double term) {
    double sum = s->sum + term;
    s->correction += fabs(s->sum) >= fabs(term) ? (s->sum - sum) + term : (term - sum) + s->sum;
    s->sum = sum;
}

static inline double carom_sum_value(const carom_sum *s) {
    return s->sum + s->correction;
}

#endif
