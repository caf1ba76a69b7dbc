// SPDX-License-Identifier: MIT
// The way of eight elements from their nodes and to their slots.
#ifndef CAROM_ELEMENT_BATCH_H
#define CAROM_ELEMENT_BATCH_H

#include "carom/element.h"
#include "material/lanes/law.h"

// Vectors of one node of each of eight elements. Halves of four are built first: copies for registers of four keep them as they
// are, and those for registers of eight join them.
typedef __attribute__((vector_size(4 * sizeof(double)))) double carom_lanes_half;
CAROM_INLINE void carom_kernel_place(const double (*x)[3], const int node[CAROM_LANES], carom_lanes out[3]) {
    for (int i = 0; i < 3; i++) {
        const carom_lanes_half low = {x[node[0]][i], x[node[1]][i], x[node[2]][i], x[node[3]][i]};
        const carom_lanes_half high = {x[node[4]][i], x[node[5]][i], x[node[6]][i], x[node[7]][i]};
        out[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
}

// Positions of the nodes of eight elements from e0 on; lanes past the end of the block repeat its last element.
CAROM_INLINE void carom_kernel_gather(const carom_block *block, int node_count, int e0, const double (*x)[3],
                                      carom_lanes *out) {
    const int *nodes[CAROM_LANES];
    for (int l = 0; l < CAROM_LANES; l++)
        nodes[l] = &block->nodes[(e0 + l < block->count ? e0 + l : block->count - 1) * node_count];
    for (int a = 0; a < node_count; a++) {
        int node[CAROM_LANES];
        for (int l = 0; l < CAROM_LANES; l++)
            node[l] = nodes[l][a];
        carom_kernel_place(x, node, &out[3 * a]);
    }
}

// Forces of the elements of a batch that lie in [begin, end).
CAROM_INLINE void carom_kernel_scatter(const carom_lanes *f, int dofs, int e0, int begin, int end, double *force) {
    double *slot = force + carom_lane(e0, 0, dofs);
    if (begin <= e0 && e0 + CAROM_LANES <= end) {
        for (int d = 0; d < dofs; d++)
            carom_lanes_store(&f[d], slot + CAROM_LANES * d);
        return;
    }
    for (int d = 0; d < dofs; d++)
        for (int l = 0; l < CAROM_LANES; l++)
            if (e0 + l >= begin && e0 + l < end)
                slot[CAROM_LANES * d + l] = f[d][l];
}

#endif
