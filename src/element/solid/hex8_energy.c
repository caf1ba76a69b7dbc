// SPDX-License-Identifier: MIT
// Energies of bricks, eight at a time (energy_body.h), from displacements (hex8_kernel.c has the maps).
#include "element/solid/hex8_lanes.h"
#include "element/solid/kernel_energy.h"

// Displacements of eight bricks, and their reference positions.
CAROM_INLINE void displacements(const carom_block *block, int e0, const double (*x)[3], const double (*X)[3], carom_lanes *q,
                                carom_lanes *u) {
    carom_kernel_gather(block, 8, e0, X, q);
    carom_kernel_gather(block, 8, e0, x, u);
    for (int d = 0; d < CAROM_HEX8_DOFS; d++)
        u[d] = u[d] - q[d];
}

CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law, carom_lame m, const carom_hex8_params *p) {
    carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], W;
    displacements(block, e0, x, X, q, u);
    if (p->integration == CAROM_HEX8_FULL)
        carom_hex8_stored(law, m, q, u, &W);
    else
        carom_hex8_one_point_stored(law, m, 0.5 * p->hourglass * m.mu, q, u, &W);
    carom_kernel_put_energy(&W, e0, begin, end, energy);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law) {
    carom_lame m = carom_elastic_lame(block->material_params);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES)
        batch(block, e0, begin, end, x, X, energy, law, m, block->params);
}

CAROM_KERNEL_LAWS(energy_of_law, range(block, begin, end, x, X, energy, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy),
                  (block, begin, end, x, X, energy))

void carom_hex8_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                       double *energy) {
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_hex8_energy_plain(block, begin, end, x, X, energy);
    else
        energy_of_law(block, begin, end, x, X, energy);
}
