// SPDX-License-Identifier: MIT
// Energies of patches, eight of equal size at a time (nodal_patch.c has the equations).
#include "element/average/nodal.h"
#include "element/average/nodal_lanes.h"
#include "element/solid/kernel_energy.h"

// The nodes of eight patches; lanes past the end repeat the last patch.
CAROM_INLINE void nodes_of(const carom_block *block, int e0, const int *nodes[CAROM_LANES]) {
    for (int l = 0; l < CAROM_LANES; l++)
        nodes[l] = &block->nodes[(ptrdiff_t)(e0 + l < block->count ? e0 + l : block->count - 1) * block->node_count];
}

// V W(H) of eight patches, with H = F - I of the displacements.
CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law, carom_lame m) {
    const int *nodes[CAROM_LANES];
    const double *data = block->data + carom_lane(e0, 0, block->data_size);
    carom_lanes first[3], start[3], p[3], g[3], V, H[9] = {{0}}, W;
    nodes_of(block, e0, nodes);
    carom_nodal_place(nodes, 0, x, first);
    carom_nodal_place(nodes, 0, X, start);
    for (int i = 0; i < 3; i++)
        first[i] = first[i] - start[i];
    for (int a = 1; a < block->node_count; a++) {
        carom_nodal_place(nodes, a, x, p);
        carom_nodal_place(nodes, a, X, start);
        for (int i = 0; i < 3; i++)
            carom_lanes_load(data + CAROM_LANES * (3 * (a - 1) + i), &g[i]);
        for (int i = 0; i < 3; i++) {
            carom_lanes d = (p[i] - start[i]) - first[i];
            H[3 * i] += d * g[0];
            H[3 * i + 1] += d * g[1];
            H[3 * i + 2] += d * g[2];
        }
    }
    carom_kernel_energy(law, m, H, &W);
    carom_lanes_load(data + CAROM_LANES * carom_nodal_volume(block->node_count), &V);
    W = V * W;
    carom_kernel_put_energy(&W, e0, begin, end, energy);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law) {
    carom_elastic_params own = carom_nodal_patch_law(block);
    carom_lame m = carom_elastic_lame(&own);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES)
        batch(block, e0, begin, end, x, X, energy, law, m);
}

CAROM_KERNEL_LAWS(energy_of_law, range(block, begin, end, x, X, energy, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy),
                  (block, begin, end, x, X, energy))

void carom_nodal_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy) {
    if (carom_nodal_is_split(block))
        carom_nodal_split_energy(block, begin, end, x, X, energy);
    else
        energy_of_law(block, begin, end, x, X, energy);
}
