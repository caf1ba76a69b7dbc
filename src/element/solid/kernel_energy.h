// SPDX-License-Identifier: MIT
// The stored energy of the elastic laws on batches (energy_body.h).
//
// Kernels of rows compute energies beside forces. They are also the kernels of energies alone (no forces are stored then), so
// an element has the same bits in a row, in an audit and in a test.
#ifndef CAROM_ELEMENT_SOLID_KERNEL_ENERGY_H
#define CAROM_ELEMENT_SOLID_KERNEL_ENERGY_H

#include "element/batch.h"
#include "element/solid/energy_body.h"

// Energies of the elements of a batch that lie in [begin, end).
CAROM_INLINE void carom_kernel_put_energy(const carom_lanes *W, int e0, int begin, int end, double *energy) {
    if (begin <= e0 && e0 + CAROM_LANES <= end) {
        carom_lanes_store(W, energy + e0);
        return;
    }
    for (int l = 0; l < CAROM_LANES; l++)
        if (e0 + l >= begin && e0 + l < end)
            energy[e0 + l] = (*W)[l];
}

#endif
