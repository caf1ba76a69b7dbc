// SPDX-License-Identifier: MIT
// Forces of tetrahedra, eight at a time.
//
//     D = (x1 - x0, x2 - x0, x3 - x0),   F = D B with B = D(X)^-1,   H = -V P B^T,   f1, f2, f3 = columns of H,
//     f0 = -(f1 + f2 + f3)
//
// P is the first Piola-Kirchhoff stress and V the reference volume. B and V are stored per element: ten numbers.
#include "element/j2_batch.h"
#include "element/peak_values.h"
#include "element/solid/solid_kernel.h"

// Eight tetrahedra, one per lane.
CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const double (*x)[3], double *force,
                        carom_extremes *extremes, carom_kernel_law law, carom_lame m) {
    carom_lanes q[CAROM_TET4_DOFS], B[9], V, F[9], P[9], f[CAROM_TET4_DOFS];
    carom_kernel_gather(block, 4, e0, x, q);
    carom_tet4_load(block->data + carom_lane(e0, 0, CAROM_TET4_DATA), B, &V);
    carom_tet4_map(q, B, F);
    if (law == CAROM_KERNEL_FLOW)
        carom_flow_stress_at(block, e0, begin, end, 0, &V, F, P);
    else
        carom_kernel_stress(law, m, F, P);
    carom_tet4_forces(B, &V, P, f);
    carom_kernel_scatter(f, CAROM_TET4_DOFS, e0, begin, end, force);
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
