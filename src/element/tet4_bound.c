// SPDX-License-Identifier: MIT
// Tetrahedra as solid_bound.c sees them, from the reference data of their forces (tet4_kernel.c): B = D(X)^-1 holds the
// gradients of nodes 1, 2, 3, and N = 1/4 at the only point makes G = 4 sum_a g_a g_a^T. Explicit loops with constant bounds
// keep all numbers in registers: a look takes little more time than a force, and after an impact every kick needs one.
#include "element/bound.h"
#include "element/element.h"
#include "element/solid_kernel.h"

// sum_a u_a (x) g_a
CAROM_INLINE void gradient(const carom_lanes q[12], const carom_lanes B[9], carom_lanes out[9]) {
    for (int i = 0; i < 3; i++) {
        carom_lanes d0 = q[3 + i] - q[i], d1 = q[6 + i] - q[i], d2 = q[9 + i] - q[i];
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = d0 * B[j] + d1 * B[3 + j] + d2 * B[6 + j];
    }
}

CAROM_INLINE void weigh(const carom_lanes B[9], carom_lanes G[6]) {
    carom_lanes g[3];
    for (int i = 0; i < 3; i++)
        g[i] = B[i] + B[3 + i] + B[6 + i];
    for (int c = 0; c < 6; c++) {
        int i = carom_bound_row[c], j = carom_bound_column[c];
        G[c] = 4.0 * (B[i] * B[j] + B[3 + i] * B[3 + j] + B[6 + i] * B[6 + j] + g[i] * g[j]);
    }
}

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
    carom_lanes q[12], B[9], V, F[9], inverse[9], U[9], L[9], G[6], J, k, rate, push, unused, measure[CAROM_BOUND_MEASURES];
    const double *data = block->data + carom_lane(e0, 0, CAROM_TET4_DATA);
    for (int i = 0; i < 9; i++)
        carom_lanes_load(data + (ptrdiff_t)CAROM_LANES * i, &B[i]);
    carom_lanes_load(data + (ptrdiff_t)CAROM_LANES * 9, &V);
    carom_kernel_gather(block, 4, e0, motion->x, q);
    gradient(q, B, F);
    carom_bound_invert(F, inverse, &J);
    weigh(B, G);
    if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        carom_bound_st_venant_kirchhoff(3, m.mu, m.lambda, G, F, &k);
    } else {
        carom_lanes log_J, lambda;
        carom_lanes_log(&J, &log_J);
        carom_lanes_fill(m.lambda, &lambda);
        carom_lanes p = m.mu - m.lambda * log_J;
        carom_bound_neo_hookean(3, m.mu, &lambda, &p, G, inverse, &k);
        if (law == CAROM_KERNEL_OPEN)
            carom_bound_open(m, G, F, &J, &k);
    }
    carom_kernel_gather(block, 4, e0, motion->v, q);
    gradient(q, B, U);
    carom_bound_multiply(U, inverse, L);
    carom_bound_squeeze(3, L, &rate, &measure[CAROM_BOUND_RATE]);
    carom_kernel_gather(block, 4, e0, motion->a, q);
    gradient(q, B, U);
    carom_bound_multiply(U, inverse, L);
    carom_bound_squeeze(3, L, &push, &unused);

    // the limit of carom_bound_limit
    carom_lanes square = rate * rate + (2 * CAROM_SQUEEZE_MAX) * push, root, each;
    carom_lanes_sqrt(&square, &root);
    measure[CAROM_BOUND_LIMIT] = 2 * CAROM_SQUEEZE_MAX / (rate + root);
    measure[CAROM_BOUND_VOLUME] = J;
    each = 0.25 * V * k;
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
