// SPDX-License-Identifier: MIT
// Adds the losses (dissipated energies) of the points of an element with history to its sums, for the processor (point_law.c)
// and for devices.
#ifndef CAROM_ELEMENT_POINT_BODY_H
#define CAROM_ELEMENT_POINT_BODY_H

#include "base/kernel.h"
#include "carom/element.h"

// Adds to a sum and to its rounding error (Knuth's compensated sum).
CAROM_INLINE void carom_point_add(double term, double *sum, double *rest) {
    double next = *sum + term, back = next - *sum;
    *rest += (*sum - (next - back)) + (term - back);
    *sum = next;
}

// Adds the losses of point q, times its volume, to the CAROM_BLOCK_LOSSES numbers of its element. The first point of an element
// resets pending losses.
CAROM_INLINE void carom_point_add_losses(double *own, int q, double volume, const carom_losses *losses) {
    if (q == 0)
        own[CAROM_BLOCK_PENDING] = 0;
    carom_point_add(volume * losses->plasticity, &own[CAROM_BLOCK_PLASTICITY], &own[CAROM_BLOCK_PLASTICITY_REST]);
    carom_point_add(volume * losses->viscosity, &own[CAROM_BLOCK_VISCOSITY], &own[CAROM_BLOCK_VISCOSITY_REST]);
    own[CAROM_BLOCK_PENDING] += volume * losses->pending;
}

#endif
