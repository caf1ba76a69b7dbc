// SPDX-License-Identifier: MIT
// The elastic law of bars: C and C++, as kernels on a device need it too.
#ifndef CAROM_MATERIAL_UNIAXIAL_H
#define CAROM_MATERIAL_UNIAXIAL_H

#include "base/kernel.h"

// The stress E e, from the energy W = E e^2/2.
CAROM_INLINE double carom_elastic_stress(double young, double strain) {
    return young * strain;
}

#endif
