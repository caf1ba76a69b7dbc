// SPDX-License-Identifier: MIT
// Forces of the cells of tetrahedra with volumes at nodes, eight at a time (tet4_kernel.c has B and the forces).
#include "element/solid_kernel.h"
#include "element/split_lanes.h"
#include "element/volume.h"

enum { DOFS = 12 };

CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force) {
    carom_lanes q[DOFS], u[DOFS], B[9], V, H[9], F[9], P[9], f[DOFS], growth;
    const double *data = block->data + carom_lane(e0, 0, CAROM_TET4_DATA);
    carom_kernel_gather(block, 4, e0, X, q);
    carom_kernel_gather(block, 4, e0, x, u);
    for (int d = 0; d < DOFS; d++)
        u[d] = u[d] - q[d];
    for (int k = 0; k < 9; k++)
        carom_lanes_load(data + CAROM_LANES * k, &B[k]);
    carom_lanes_load(data + CAROM_LANES * 9, &V);
    for (int i = 0; i < 3; i++) {
        carom_lanes d0 = u[3 + i] - u[i], d1 = u[6 + i] - u[i], d2 = u[9 + i] - u[i];
        for (int j = 0; j < 3; j++)
            H[3 * i + j] = d0 * B[j] + d1 * B[3 + j] + d2 * B[6 + j];
    }
    carom_split_deform(H, F, &growth);
    carom_split_batch(block, e0, 0, begin, end, &V, F, P);
    for (int i = 0; i < 3; i++) {
        carom_lanes p0 = -V * P[3 * i], p1 = -V * P[3 * i + 1], p2 = -V * P[3 * i + 2];
        for (int a = 0; a < 3; a++)
            f[3 * (a + 1) + i] = p0 * B[3 * a] + p1 * B[3 * a + 1] + p2 * B[3 * a + 2];
        f[i] = -(f[3 + i] + f[6 + i] + f[9 + i]);
    }
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
