// SPDX-License-Identifier: MIT
// Filters a sampled signal by a channel frequency class (CFC), once forward and once backward in time. Each pass maps x to y,
// with the interval T of the samples, by the recursion of SAE J211-1, annex C:
//   wd = 2 pi CFC 2.0775,   wa = tan(wd T / 2),   d = 1 + sqrt(2) wa + wa^2,
//   y_t = a (x_t + 2 x_t-1 + x_t-2) + b1 y_t-1 + b2 y_t-2,
//   a = wa^2 / d,   b1 = -2 (wa^2 - 1) / d,   b2 = (-1 + sqrt(2) wa - wa^2) / d.
#include "output/tables/cfc.h"

#include <math.h>

#include "math/functions.h"

static const double pi = 3.14159265358979323846;
static const double corner = 2.0775; // corner frequency of one pass over the class, both in Hz

double carom_cfc_class(carom_filter filter) {
    switch (filter) {
    case CAROM_FILTER_CFC_60: return 60;
    case CAROM_FILTER_CFC_180: return 180;
    case CAROM_FILTER_CFC_600: return 600;
    case CAROM_FILTER_CFC_1000: return 1000;
    case CAROM_FILTER_NONE: break;
    }
    return 0;
}

typedef struct coefficients {
    double a, b1, b2;
} coefficients;

// One pass over `count` values, from the given one on; `step` is the distance between two of them, negative for the pass
// backward.
static void pass(const coefficients *c, double *value, int64_t count, int64_t step) {
    // before the first value the signal counts as constant
    double x1 = *value, x2 = *value, y1 = *value, y2 = *value;
    for (int64_t i = 0; i < count; i++, value += i < count ? step : 0) {
        double x = *value, y = c->a * (x + 2 * x1 + x2) + c->b1 * y1 + c->b2 * y2;
        x2 = x1, x1 = x;
        y2 = y1, y1 = y;
        *value = y;
    }
}

void carom_cfc_apply(double cfc, double interval, double *values, int64_t count, int stride) {
    if (count == 0)
        return;
    double w = carom_tan(pi * cfc * corner * interval), d = 1 + sqrt(2) * w + w * w;
    const coefficients c = {w * w / d, -2 * (w * w - 1) / d, (-1 + sqrt(2) * w - w * w) / d};
    pass(&c, values, count, stride);
    pass(&c, values + (count - 1) * stride, count, -stride);
}
