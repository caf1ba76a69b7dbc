// SPDX-License-Identifier: MIT
// The energy of a change of volume (isochoric.h), for the processor (split.c) and for devices.
#ifndef CAROM_ELEMENT_AVERAGE_DILATION_BODY_H
#define CAROM_ELEMENT_AVERAGE_DILATION_BODY_H

#include <math.h>

#include "element/average/isochoric.h"
#include "math/functions.h"

CAROM_SHARED carom_dilation carom_split_dilation(double bulk, double growth) {
    double J = 1 + growth;
    carom_dilation none = {HUGE_VAL, NAN, NAN};
    if (!(J > 0))
        return none;
    double log_J = carom_log1p(growth);
    carom_dilation found = {0.5 * bulk * log_J * log_J, bulk * log_J / J, bulk * (1 - log_J) / (J * J)};
    return found;
}

#endif
