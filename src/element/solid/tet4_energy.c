// SPDX-License-Identifier: MIT
// Energies of tetrahedra, eight at a time (energy_body.h), from displacements (tet4_kernel.c has B and V).
#include "element/solid/kernel_energy.h"
#include "element/solid/solid_kernel.h"

CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law, carom_lame m) {
    carom_lanes q[CAROM_TET4_DOFS], u[CAROM_TET4_DOFS], B[9], V, W;
    carom_kernel_gather(block, 4, e0, X, q);
    carom_kernel_gather(block, 4, e0, x, u);
    for (int c = 0; c < CAROM_TET4_DOFS; c++)
        u[c] = u[c] - q[c];
    carom_tet4_load(block->data + carom_lane(e0, 0, CAROM_TET4_DATA), B, &V);
    carom_tet4_stored(law, m, u, B, &V, &W);
    carom_kernel_put_energy(&W, e0, begin, end, energy);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law) {
    carom_lame m = carom_elastic_lame(block->material_params);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES)
        batch(block, e0, begin, end, x, X, energy, law, m);
}

CAROM_KERNEL_LAWS(energy_of_law, range(block, begin, end, x, X, energy, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *energy),
                  (block, begin, end, x, X, energy))

void carom_tet4_energy(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                       double *energy) {
    if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_solid_energy(block, begin, end, x, X, energy);
    else
        energy_of_law(block, begin, end, x, X, energy);
}
