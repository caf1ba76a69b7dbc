// SPDX-License-Identifier: MIT
// The largest stresses and strains of a run (model/forces/peaks.c), found by the force kernels, which compute the stress
// anyway: they compare bounds of its values with what is recorded, eight elements at a time, while it is in registers. Most
// batches end there. Those in which an element may exceed what it or its body has had are settled by carom_extremes_settle,
// which finds the values.
//
// With the mean m of the eigenvalues of a symmetric tensor and q^2 = 2/3 |dev|^2, 3/2 q is the von Mises value, and no
// eigenvalue is above m + q or below m - q.
//
// Every value is a function of the element alone, and every bound is widened by more than rounding: whether a batch is settled
// or not changes no result, so neither limits nor neighbours have an effect.
#ifndef CAROM_ELEMENT_PEAK_VALUES_H
#define CAROM_ELEMENT_PEAK_VALUES_H

#include "carom/element.h"
#include "element/peak_bounds.h"
#ifdef CAROM_LANES_ONE
#include "element/peak_settle.h"
#endif

// True if the kernel of the block compares.
bool carom_extremes_known(const carom_block *block);

// Forces of elements [0, count), like `force` of the element, and their extremes; for blocks that compare only.
void carom_extremes_force(const carom_block *block, const double (*x)[3], const double (*X)[3], double *force,
                          carom_extremes *extremes);

// The same of each kind, over any range; `extremes` may be NULL, and begins with element 0 of the block.
void carom_solid_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                               double *force, carom_extremes *extremes);
void carom_nodal_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                               carom_extremes *extremes);
void carom_shell_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                               carom_extremes *extremes);

// Takes eight elements from e0 on into account, by the CAROM_EXTREMES numbers of each. True if their strain may count as well:
// that is taken by the six numbers of the mean of F^T F.
bool carom_extremes_settle(carom_extremes *extremes, int e0, const double *numbers);
void carom_extremes_settle_strain(carom_extremes *extremes, int e0, const double *numbers);

// Compares, and settles what may count; true if the strain may count as well.
#ifdef CAROM_LANES_ONE
CAROM_INLINE bool carom_extremes_compare(carom_extremes *extremes, int e, const carom_lanes stress[6], const carom_lanes *mean,
                                         const carom_lanes *q, const carom_lanes *base, const carom_lanes *slope) {
    bool strained = false;
    if (carom_extremes_exceed(extremes, e, mean, q, base, slope))
        carom_extremes_settle_lanes(extremes, e, stress, base, slope, &strained);
    return strained;
}

CAROM_INLINE void carom_extremes_give_right(carom_extremes *extremes, int e, const carom_lanes right[6]) {
    carom_extremes_settle_right(extremes, e, right);
}
#else
CAROM_INLINE bool carom_extremes_compare(carom_extremes *extremes, int e0, const carom_lanes stress[6], const carom_lanes *mean,
                                         const carom_lanes *q, const carom_lanes *base, const carom_lanes *slope) {
    double numbers[CAROM_EXTREMES * CAROM_LANES];
    if (!carom_extremes_exceed(extremes, e0, mean, q, base, slope))
        return false;
    for (int c = 0; c < 6; c++)
        carom_lanes_store(&stress[c], numbers + CAROM_LANES * c);
    carom_lanes_store(base, numbers + CAROM_LANES * CAROM_EXTREME_BASE);
    carom_lanes_store(slope, numbers + CAROM_LANES * CAROM_EXTREME_SLOPE);
    return carom_extremes_settle(extremes, e0, numbers);
}

CAROM_INLINE void carom_extremes_give_right(carom_extremes *extremes, int e0, const carom_lanes right[6]) {
    double numbers[6 * CAROM_LANES];
    for (int c = 0; c < 6; c++)
        carom_lanes_store(&right[c], numbers + CAROM_LANES * c);
    carom_extremes_settle_strain(extremes, e0, numbers);
}
#endif

// Elements with one point; m is the law of the stress P.
CAROM_INLINE void carom_extremes_take(carom_kernel_law law, carom_lame m, const carom_lanes F[9], const carom_lanes P[9],
                                      int e0, carom_extremes *extremes) {
    carom_lanes stress[6], right[6], det = {0}, mean, q, base, slope;
    carom_extremes_stress(law, F, P, stress, &det);
    carom_extremes_circle(stress, &mean, &q);
    carom_lanes_sqrt(&q, &q);
    carom_extremes_strain(law, m, F, &det, &mean, &base, &slope);
    if (!carom_extremes_compare(extremes, e0, stress, &mean, &q, &base, &slope))
        return;
    carom_kernel_gram(F, right);
    carom_extremes_give_right(extremes, e0, right);
}

#endif
