// SPDX-License-Identifier: MIT
// Deformation gradients and forces of patches of `nodal`, node after node (nodal_patch.c has the equations); for batches of
// eight and for threads of a device.
#ifndef CAROM_ELEMENT_AVERAGE_NODAL_BODY_H
#define CAROM_ELEMENT_AVERAGE_NODAL_BODY_H

#include "element/batch.h"
#include "element/peak_values.h"

// The gradient of node a of a patch, from 1 on: the gradients of a patch add up to zero, so that of the first node need not be
// stored.
CAROM_INLINE void carom_nodal_load(const double *data, int a, carom_lanes g[3]) {
    for (int i = 0; i < 3; i++)
        carom_lanes_load(data + CAROM_LANES * (3 * (a - 1) + i), &g[i]);
}

// Adds to F the term of a node at p; positions are relative to the first node.
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

// The mean deformation gradient of a batch of patches of n nodes.
CAROM_INLINE void carom_nodal_gradient(const carom_element_batch *at, const carom_batch_nodes *nodes, int n, const double *data,
                                       carom_lanes F[9]) {
    carom_lanes first[3], p[3], g[3];
    carom_lanes_clear(9, F);
    carom_batch_node(at, nodes, 0, first);
    for (int a = 1; a < n; a++) {
        carom_batch_node(at, nodes, a, p);
        carom_nodal_load(data, a, g);
        carom_nodal_add(p, first, g, F);
    }
}

// Forces of patches. The force on the first node balances the others, so the total force is zero to rounding. In the data the
// volume is stored after the gradients.
CAROM_INLINE void carom_patch_force(const carom_element_batch *at, carom_kernel_law law, carom_extremes *extremes) {
    carom_batch_nodes nodes;
    int n = carom_batch_list(at, &nodes);
    const double *data = carom_batch_data(at, at->block->data_size);
    carom_lanes g[3], f[3], V, F[9], P[9], rest[3];
    carom_lanes_clear(3, rest);
    carom_nodal_gradient(at, &nodes, n, data, F);
    carom_kernel_stress(law, carom_batch_lame(at), F, P);
    carom_lanes_load(data + CAROM_LANES * 3 * (ptrdiff_t)(n - 1), &V);
    if (extremes) {
        // fields show the whole law, not the share of the patches
        carom_lanes all[9];
        carom_kernel_stress(law, carom_batch_whole(at), F, all);
        carom_extremes_take(law, carom_batch_whole(at), F, all, at->e, extremes);
    }
    for (int i = 0; i < 9; i++)
        P[i] *= -V;
    for (int a = 1; a < n; a++) {
        carom_nodal_load(data, a, g);
        carom_nodal_push(P, g, f, rest);
        carom_batch_put_node(at, a, f);
    }
    carom_batch_put_node(at, 0, rest);
}

#endif
