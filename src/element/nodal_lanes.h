// SPDX-License-Identifier: MIT
// Eight patches of `nodal` side by side, for forces and for bounds alike.
#ifndef CAROM_ELEMENT_NODAL_LANES_H
#define CAROM_ELEMENT_NODAL_LANES_H

#include "element/solid_kernel.h"

// A vector (position, velocity, acceleration) of node a of each of eight patches.
CAROM_INLINE void carom_nodal_place(const int *const nodes[CAROM_LANES], int a, const double (*x)[3], carom_lanes p[3]) {
    double at[3][CAROM_LANES];
    for (int l = 0; l < CAROM_LANES; l++)
        for (int i = 0; i < 3; i++)
            at[i][l] = x[nodes[l][a]][i];
    for (int i = 0; i < 3; i++)
        carom_lanes_load(at[i], &p[i]);
}

#endif
