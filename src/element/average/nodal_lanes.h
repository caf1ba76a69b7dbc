// SPDX-License-Identifier: MIT
// Eight patches of `nodal` side by side, for forces and for bounds alike.
#ifndef CAROM_ELEMENT_AVERAGE_NODAL_LANES_H
#define CAROM_ELEMENT_AVERAGE_NODAL_LANES_H

#include "element/solid/solid_kernel.h"

// A vector (position, velocity, acceleration) of node a of each of eight patches.
CAROM_INLINE void carom_nodal_place(const int *const nodes[CAROM_LANES], int a, const double (*x)[3], carom_lanes p[3]) {
    int node[CAROM_LANES];
    for (int l = 0; l < CAROM_LANES; l++)
        node[l] = nodes[l][a];
    carom_kernel_place(x, node, p);
}

#endif
