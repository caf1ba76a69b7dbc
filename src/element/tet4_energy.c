// SPDX-License-Identifier: MIT
// Energies of tetrahedra, eight at a time: V W(H) with H = F - I = (u1 - u0, u2 - u0, u3 - u0) B, from displacements u
// (tet4_kernel.c has B and V).
#include "element/kernel_energy.h"
#include "element/solid_kernel.h"

enum { DOFS = 12 };

CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *energy, carom_kernel_law law, carom_lame m) {
    carom_lanes q[DOFS], u[DOFS], B[9], V, H[9], W;
    const double *data = block->data + carom_lane(e0, 0, CAROM_TET4_DATA);
    carom_kernel_gather(block, 4, e0, X, q);
    carom_kernel_gather(block, 4, e0, x, u);
    for (int c = 0; c < DOFS; c++)
        u[c] = u[c] - q[c];
    for (int k = 0; k < 9; k++)
        carom_lanes_load(data + CAROM_LANES * k, &B[k]);
    carom_lanes_load(data + CAROM_LANES * 9, &V);
    for (int i = 0; i < 3; i++) {
        carom_lanes d0 = u[3 + i] - u[i], d1 = u[6 + i] - u[i], d2 = u[9 + i] - u[i];
        for (int j = 0; j < 3; j++)
            H[3 * i + j] = d0 * B[j] + d1 * B[3 + j] + d2 * B[6 + j];
    }
    carom_kernel_energy(law, m, H, &W);
    W = V * W;
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
