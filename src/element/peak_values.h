// SPDX-License-Identifier: MIT
// The largest stresses and strains of a run (model/forces/peaks.c), found by the force kernels, which compute the stress
// anyway: they compare cheap bounds of its values with the recorded extremes, eight elements at a time, while it is in
// registers. For most batches that is all. Where an element may exceed the extreme of itself or of its body,
// carom_extremes_settle computes the values.
//
// With the mean m of the eigenvalues of a symmetric tensor and q^2 = 2/3 |dev|^2, 3/2 q is the von Mises value, and no
// eigenvalue is above m + q or below m - q.
//
// Every value is a function of the element alone, and every bound is widened by more than rounding. So it has no effect on
// results whether a batch is settled, and they do not depend on the limits or on the other elements of the batch.
#ifndef CAROM_ELEMENT_PEAK_VALUES_H
#define CAROM_ELEMENT_PEAK_VALUES_H

#include "carom/element.h"
#include "element/peak_bounds.h"
#ifdef CAROM_LANES_ONE
#include "element/peak_settle.h"
#endif

// True if the force kernel of the block compares its values with extremes.
bool carom_extremes_known(const carom_block *block);

// Forces of elements [0, count), like `force` of the element, and their extremes; only for blocks with such a kernel.
void carom_extremes_force(const carom_block *block, const double (*x)[3], const double (*X)[3], double *force,
                          carom_extremes *extremes);

// The same of each kind, over any range; `extremes` may be NULL, and begins with element 0 of the block.
void carom_solid_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], const double (*X)[3],
                               double *force, carom_extremes *extremes);
void carom_nodal_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                               carom_extremes *extremes);
void carom_shell_force_watched(const carom_block *block, int begin, int end, const double (*x)[3], double *force,
                               carom_extremes *extremes);

// Computes and records the stresses of eight elements from e0 on, from the CAROM_EXTREMES numbers of each. True if their strain
// may exceed the recorded one: carom_extremes_settle_strain then records it, from the six numbers of the mean of F^T F.
bool carom_extremes_settle(carom_extremes *extremes, int e0, const double *numbers);
void carom_extremes_settle_strain(carom_extremes *extremes, int e0, const double *numbers);

// Compares the bounds, and settles the batch if one exceeds an extreme; true if the strain is to be settled as well.
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

// Compares and settles elements with one point; m has the constants of the law that gives P.
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
