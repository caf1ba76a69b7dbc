// SPDX-License-Identifier: MIT
// Energies of patches, eight of equal size at a time (nodal_patch.c has the equations).
#include "element/average/nodal.h"
#include "element/average/nodal_body.h"
#include "element/batch.h"
#include "element/solid/energy_body.h"

// V W(H) of eight patches, with H = F - I of the displacements.
CAROM_INLINE void batch(const carom_element_batch *at, carom_kernel_law law, double *energy) {
    carom_batch_nodes nodes;
    int n = carom_batch_list(at, &nodes);
    const double *data = carom_batch_data(at, at->block->data_size);
    carom_lanes first[3], start[3], p[3], g[3], V, H[9] = {{0}}, W;
    carom_batch_node(at, &nodes, 0, first);
    carom_batch_node_of(&nodes, 0, at->X, start);
    for (int i = 0; i < 3; i++)
        first[i] = first[i] - start[i];
    for (int a = 1; a < n; a++) {
        carom_batch_node(at, &nodes, a, p);
        carom_batch_node_of(&nodes, a, at->X, start);
        carom_nodal_load(data, a, g);
        for (int i = 0; i < 3; i++)
            p[i] = p[i] - start[i];
        carom_nodal_add(p, first, g, H);
    }
    carom_kernel_energy(law, at->m, H, &W);
    carom_lanes_load(data + CAROM_LANES * carom_nodal_volume(n), &V);
    W = V * W;
    carom_kernel_put(&W, at->e, at->begin, at->end, energy + at->e);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law) {
    carom_elastic_params own = carom_nodal_patch_law(block);
    carom_element_batch at = {.block = block, .begin = begin, .end = end, .x = x, .X = X, .m = carom_elastic_lame(&own)};
    CAROM_BATCHES(at)
    batch(&at, law, energy);
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
