// SPDX-License-Identifier: MIT
// Forces of tetrahedra, eight at a time.
//
//     D = (x1 - x0, x2 - x0, x3 - x0),   F = D B with B = D(X)^-1,   H = -V P B^T,   f1, f2, f3 = columns of H,
//     f0 = -(f1 + f2 + f3)
//
// P is the first Piola-Kirchhoff stress and V the reference volume. B and V are stored per element: ten numbers.
#include "element/extremes.h"
#include "element/flow_lanes.h"
#include "element/solid_kernel.h"

enum { DOFS = 12 };

// Eight tetrahedra, one per lane.
CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], double *force,
                        carom_extremes *extremes, carom_kernel_law law, carom_lame m) {
    carom_lanes q[DOFS], B[9], V, F[9], P[9], f[DOFS];
    const double *data = block->data + carom_lane(e0, 0, CAROM_TET4_DATA);
    carom_kernel_gather(block, 4, e0, x, q);
    for (int k = 0; k < 9; k++)
        carom_lanes_load(data + CAROM_LANES * k, &B[k]);
    carom_lanes_load(data + CAROM_LANES * 9, &V);

    for (int i = 0; i < 3; i++) {
        carom_lanes d0 = q[3 + i] - q[i], d1 = q[6 + i] - q[i], d2 = q[9 + i] - q[i];
        for (int j = 0; j < 3; j++)
            F[3 * i + j] = d0 * B[j] + d1 * B[3 + j] + d2 * B[6 + j];
    }
    if (law == CAROM_KERNEL_FLOW)
        carom_flow_stress_at(block, e0, begin, end, 0, &V, F, P);
    else
        carom_kernel_stress(law, m, F, P);
    for (int i = 0; i < 3; i++) {
        carom_lanes p0 = -V * P[3 * i], p1 = -V * P[3 * i + 1], p2 = -V * P[3 * i + 2];
        for (int a = 0; a < 3; a++)
            f[3 * (a + 1) + i] = p0 * B[3 * a] + p1 * B[3 * a + 1] + p2 * B[3 * a + 2];
        f[i] = -(f[3 + i] + f[6 + i] + f[9 + i]);
    }
    carom_kernel_scatter(f, DOFS, e0, begin, end, force);
    if (extremes)
        carom_extremes_take(law, m, F, P, e0, extremes);
}

// Batches begin at multiples of CAROM_LANES whatever the range is, so that an element undergoes the same operations in any
// range.
CAROM_INLINE void range(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                        carom_extremes *extremes, carom_kernel_law law) {
    carom_lame m = law == CAROM_KERNEL_FLOW ? (carom_lame){0} : carom_elastic_lame(block->material_params);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES)
        batch(block, e0, begin, end, x, force, extremes, law, m);
}

CAROM_KERNEL_LAWS(force_of_law, range(block, begin, end, x, force, extremes, law),
                  (const carom_block *block, int begin, int end, const double (*x)[3], double *force, carom_extremes *extremes),
                  (block, begin, end, x, force, extremes))

CAROM_KERNEL(force_of_flow, (const carom_block *block, int begin, int end, const double (*x)[3], double *force),
             (block, begin, end, x, force), range(block, begin, end, x, force, NULL, CAROM_KERNEL_FLOW))

void carom_tet4_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                              carom_extremes *extremes) {
    force_of_law(block, begin, end, x, force, extremes);
}

void carom_tet4_force(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3], double *force) {
    if (block->history)
        force_of_flow(block, begin, end, x, force);
    else if (carom_kernel_law_of(block->material) == CAROM_KERNEL_NONE)
        carom_solid_force(block, begin, end, x, X, force);
    else
        force_of_law(block, begin, end, x, force, NULL);
}
