// SPDX-License-Identifier: MIT
#include "model/build/start_advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The next number of four digits that is not below, but for rounding.
static double round_up(double value) {
    char text[32], unit[32];
    snprintf(text, sizeof text, "%.3e", value);
    double rounded = strtod(text, NULL);
    if (rounded >= value * (1 - 1e-12))
        return rounded;
    // one unit of the fourth digit more: the digits and the exponent are apart in the text
    snprintf(unit, sizeof unit, "1%s", strchr(text, 'e'));
    double next = rounded + 1e-3 * strtod(unit, NULL);
    return isfinite(next) ? next : value;
}

void carom_cure_print(const double n[3], double distance, char text[CAROM_CURE_MAX]) {
    int axes = (n[0] != 0) + (n[1] != 0) + (n[2] != 0);
    // Components of an oblique direction are rounded once more, in their sixth digit.
    double way = round_up(axes > 1 ? distance * (1 + 2e-6) : distance);
    double part[3];
    for (int i = 0; i < 3; i++)
        // without a negative zero
        part[i] = n[i] != 0 ? way * n[i] : 0;
    snprintf(text, CAROM_CURE_MAX, "[%.6g, %.6g, %.6g]", part[0], part[1], part[2]);
}

void carom_cure_print_length(double length, char text[CAROM_CURE_MAX]) {
    snprintf(text, CAROM_CURE_MAX, "%.6g", round_up(length));
}
