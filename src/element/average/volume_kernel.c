// SPDX-License-Identifier: MIT
// Forces of the cells of tetrahedra with volumes at nodes, eight at a time (tet4_kernel.c has B and the forces).
#include "element/average/isochoric_lanes.h"
#include "element/average/volumes.h"
#include "element/solid/solid_kernel.h"

enum { DOFS = 12 };

CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force) {
    carom_lanes q[DOFS], u[DOFS], B[9], V, H[9], F[9], P[9], f[DOFS], growth;
    const double *data = block->data + carom_lane(e0, 0, CAROM_TET4_DATA);
    carom_kernel_gather(block, 4, e0, X, q);
    carom_kernel_gather(block, 4, e0, x, u);
    for (int d = 0; d < DOFS; d++)
        u[d] = u[d] - q[d];
    carom_tet4_load(data, B, &V);
    carom_tet4_map(u, B, H);
    carom_split_deform(H, F, &growth);
    carom_split_batch(block, e0, 0, begin, end, &V, F, P);
    carom_tet4_forces(B, &V, P, f);
    carom_kernel_scatter(f, DOFS, e0, begin, end, force);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force) {
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES)
        batch(block, e0, begin, end, x, X, force);
}

CAROM_KERNEL(cells, (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force),
             (block, begin, end, x, X, force), range(block, begin, end, x, X, force))

void carom_volume_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force) {
    cells(block, begin, end, x, X, force);
}
