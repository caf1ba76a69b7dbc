// SPDX-License-Identifier: MIT
// The arithmetic of patches (nodal_patch.c has the equations), node after node; for batches and for threads of a device.
#ifndef CAROM_ELEMENT_AVERAGE_NODAL_BODY_H
#define CAROM_ELEMENT_AVERAGE_NODAL_BODY_H

#include "material/lanes/stress.h"

// The gradient of node a of a patch, from 1 on: the gradients of a patch add up to zero, so that of the first node need not be
// stored.
CAROM_INLINE void carom_nodal_load(const double *data, int a, carom_lanes g[3]) {
    for (int i = 0; i < 3; i++)
        carom_lanes_load(data + CAROM_LANES * (3 * (a - 1) + i), &g[i]);
}

// The part of a node at p in F; positions are relative to the first node.
CAROM_INLINE void carom_nodal_add(const carom_lanes p[3], const carom_lanes first[3], const carom_lanes g[3],
                                  carom_lanes F[9]) {
    for (int i = 0; i < 3; i++) {
        carom_lanes d = p[i] - first[i];
        F[3 * i] += d * g[0];
        F[3 * i + 1] += d * g[1];
        F[3 * i + 2] += d * g[2];
    }
}

// The force on a node, given P times minus the volume. The force on the first node balances the others.
CAROM_INLINE void carom_nodal_push(const carom_lanes P[9], const carom_lanes g[3], carom_lanes f[3], carom_lanes rest[3]) {
    for (int i = 0; i < 3; i++) {
        f[i] = P[3 * i] * g[0] + P[3 * i + 1] * g[1] + P[3 * i + 2] * g[2];
        rest[i] -= f[i];
    }
}

#endif
