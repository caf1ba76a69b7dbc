// SPDX-License-Identifier: MIT
// Differences of exponentials without cancellation, for the processor (principal.c) and for devices.
#ifndef CAROM_MATERIAL_PRINCIPAL_BODY_H
#define CAROM_MATERIAL_PRINCIPAL_BODY_H

#include <math.h>

#include "material/principal.h"
#include "math/functions.h"

CAROM_SHARED double carom_relative_exp(double y) {
    if (fabs(y) > 0.5)
        return (carom_exp(y) - 1) / y;
    // the first term left out is below 0.5^14/15! = 5e-17
    double sum = 1;
    for (int k = 14; k > 1; k--)
        sum = 1 + sum * y / k;
    return sum;
}

CAROM_SHARED double carom_exp_rest(double y) {
    if (fabs(y) > 0.5)
        return carom_exp(y) - 1 - y;
    double sum = 1;
    for (int k = 15; k > 2; k--)
        sum = 1 + sum * y / k;
    return 0.5 * y * y * sum;
}

#endif
