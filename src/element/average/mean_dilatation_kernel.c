// SPDX-License-Identifier: MIT
// Forces of bricks with mean dilatation, eight at a time (mean_dilatation_body.h).
#include "element/average/isochoric_lanes.h"
#include "element/average/mean_dilatation.h"
#include "element/average/mean_dilatation_body.h"
#include "element/solid/hex8_lanes.h"

// Conjugates to the derivatives of the map, summed over the points that share them.
CAROM_INLINE void stress(const carom_block *block, int e0, int begin, int end, const carom_dilated_points *p,
                         carom_lanes Q[3][4][3]) {
    carom_lanes_clear(36, &Q[0][0][0]);
    CAROM_ROLLED
    for (int point = 0; point < 8; point++) {
        carom_lanes P[9], volume;
        carom_hex8_point_volume(&p->j[point], &volume);
        carom_split_batch(block, e0, carom_hex8_point_number(point), begin, end, &volume, p->F[point], P);
        carom_dilated_collect(p, point, P, Q);
    }
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                        double *force) {
    double bulk = block->material->bulk(block->material_params);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES) {
        carom_dilated_points p;
        carom_lanes q[CAROM_HEX8_DOFS], u[CAROM_HEX8_DOFS], Q[3][4][3], f[CAROM_HEX8_DOFS];
        carom_kernel_gather(block, 8, e0, X, q);
        carom_kernel_gather(block, 8, e0, x, u);
        for (int d = 0; d < CAROM_HEX8_DOFS; d++)
            u[d] = u[d] - q[d];
        carom_dilated_look(q, u, bulk, &p);
        stress(block, e0, begin, end, &p, Q);
        carom_hex8_forces(Q, f);
        carom_kernel_scatter(f, CAROM_HEX8_DOFS, e0, begin, end, force);
    }
}

CAROM_KERNEL(bricks, (const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force),
             (block, begin, end, x, X, force), range(block, begin, end, x, X, force))

void carom_dilated_hex8_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                              double *force) {
    bricks(block, begin, end, x, X, force);
}
