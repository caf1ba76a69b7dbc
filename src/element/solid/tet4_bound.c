// SPDX-License-Identifier: MIT
// Tetrahedra as solid_bound.c sees them, from the reference data of their forces (tet4_kernel.c): B = D(X)^-1 holds the
// gradients of nodes 1, 2, 3; stiffness_bound.h has their stiffness. Explicit loops with constant bounds keep all numbers in
// registers: a look takes little more time than a force, and after an impact every kick needs one.
#include "element/bound.h"
#include "element/element.h"
#include "element/solid/solid_kernel.h"
#include "element/solid/stiffness_bound.h"

// Elements of the batch that lie in [begin, end); whole batches at once.
CAROM_INLINE void store(const carom_lanes *share_, const carom_lanes measure[CAROM_BOUND_MEASURES], int e0, int begin, int end,
                        double *share, double *measures) {
    double *slot = share + carom_lane(e0, 0, 12), *seen = measures + carom_lane(e0, 0, CAROM_BOUND_MEASURES);
    if (begin <= e0 && e0 + CAROM_LANES <= end) {
        for (int a = 0; a < 4; a++)
            carom_lanes_store(share_, slot + (ptrdiff_t)3 * a * CAROM_LANES);
        for (int m = 0; m < CAROM_BOUND_MEASURES; m++)
            carom_lanes_store(&measure[m], seen + (ptrdiff_t)m * CAROM_LANES);
        return;
    }
    for (int l = 0; l < CAROM_LANES; l++) {
        if (e0 + l < begin || e0 + l >= end)
            continue;
        for (int a = 0; a < 4; a++)
            slot[3 * a * CAROM_LANES + l] = (*share_)[l];
        for (int m = 0; m < CAROM_BOUND_MEASURES; m++)
            seen[m * CAROM_LANES + l] = measure[m][l];
    }
}

CAROM_INLINE void batch(const carom_block *block, int e0, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures, carom_kernel_law law, carom_lame m) {
    carom_lanes q[12], B[9], V, F[9], inverse[9], U[9], L[9], J, rate, push, unused, each, measure[CAROM_BOUND_MEASURES];
    carom_tet4_load(block->data + carom_lane(e0, 0, CAROM_TET4_DATA), B, &V);
    carom_kernel_gather(block, 4, e0, motion->x, q);
    carom_tet4_share(law, m, q, B, &V, F, inverse, &J, &each);
    carom_kernel_gather(block, 4, e0, motion->v, q);
    carom_tet4_map(q, B, U);
    carom_bound_multiply(U, inverse, L);
    carom_bound_squeeze(3, L, &rate, &measure[CAROM_BOUND_RATE]);
    carom_kernel_gather(block, 4, e0, motion->a, q);
    carom_tet4_map(q, B, U);
    carom_bound_multiply(U, inverse, L);
    carom_bound_squeeze(3, L, &push, &unused);

    // the limit of carom_bound_limit
    carom_lanes square = rate * rate + (2 * CAROM_SQUEEZE_MAX) * push, root;
    carom_lanes_sqrt(&square, &root);
    measure[CAROM_BOUND_LIMIT] = 2 * CAROM_SQUEEZE_MAX / (rate + root);
    measure[CAROM_BOUND_VOLUME] = J;
    store(&each, measure, e0, begin, end, share, measures);
}

CAROM_INLINE void range(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                        double *measures, carom_kernel_law law) {
    carom_lame m = carom_elastic_lame(block->material_params);
    for (int e0 = begin - begin % CAROM_LANES; e0 < end; e0 += CAROM_LANES)
        batch(block, e0, begin, end, motion, share, measures, law, m);
}

CAROM_KERNEL(neo_hookean,
             (const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share, double *measures),
             (block, begin, end, motion, share, measures),
             range(block, begin, end, motion, share, measures, CAROM_KERNEL_NEO_HOOKEAN))

CAROM_KERNEL(st_venant_kirchhoff,
             (const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share, double *measures),
             (block, begin, end, motion, share, measures),
             range(block, begin, end, motion, share, measures, CAROM_KERNEL_ST_VENANT_KIRCHHOFF))

CAROM_KERNEL(open_law,
             (const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share, double *measures),
             (block, begin, end, motion, share, measures), range(block, begin, end, motion, share, measures, CAROM_KERNEL_OPEN))

void carom_tet4_bound(const carom_block *block, int begin, int end, const carom_kinematics *motion, double *share,
                      double *measures) {
    carom_kernel_law law = carom_kernel_law_of(block->material);
    if (law == CAROM_KERNEL_OPEN)
        open_law(block, begin, end, motion, share, measures);
    else if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF)
        st_venant_kirchhoff(block, begin, end, motion, share, measures);
    else
        neo_hookean(block, begin, end, motion, share, measures);
}
