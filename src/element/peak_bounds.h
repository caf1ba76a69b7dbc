// SPDX-License-Identifier: MIT
// Bounds of the values of stress and strain whose extremes are recorded (peak_values.h), for each lane of a vector; C and C++.
#ifndef CAROM_ELEMENT_PEAK_BOUNDS_H
#define CAROM_ELEMENT_PEAK_BOUNDS_H

#include <math.h>

#include "material/lanes/stress.h"

// The kinds of peaks (carom_peak_kind).
enum { CAROM_EXTREME_VON_MISES, CAROM_EXTREME_PRINCIPAL, CAROM_EXTREME_LEAST, CAROM_EXTREME_STRAIN, CAROM_EXTREME_KINDS };

// The envelopes of an element over time: its largest von Mises and its largest principal stress, the first two kinds.
enum { CAROM_ENVELOPES = CAROM_EXTREME_PRINCIPAL + 1 };

// A score is a number that is larger where a value is more extreme: the value itself, or minus the smallest principal stress.
// CAROM_NO_SCORE means that there is none.
#define CAROM_NO_SCORE (-1e300)

// Where a bound exceeds a recorded extreme, the value itself is computed ("settled") from these numbers of eight elements: xx,
// yy, zz, xy, yz, xz of the mean stress, and two that bound the largest strain, which is at most base + slope z for the largest
// eigenvalue z of the deviator of the stress.
enum { CAROM_EXTREME_BASE = 6, CAROM_EXTREME_SLOPE, CAROM_EXTREMES };

// The extremes of a range of elements that begins with a batch.
typedef struct carom_extremes {
    double *envelopes;                 // CAROM_ENVELOPES of each element, which are raised
    int count;                         // elements
    double limit[CAROM_EXTREME_KINDS]; // the largest scores of the body and of the range so far; only larger ones are recorded
    double score[CAROM_EXTREME_KINDS]; // the largest scores of the range above the initial limits, or CAROM_NO_SCORE
    int element[CAROM_EXTREME_KINDS];  // the elements that have them; of equal ones the first
} carom_extremes;

// Bounds are widened by this relative error, which exceeds rounding. For strains, which are differences of numbers near 1, it
// is an absolute error.
#define CAROM_EXTREME_ROUNDING 1e-13

// Whether any lane is negative. Lanes are compared by the signs of differences, because compilers split combinations of
// comparisons into single lanes. The sign of a NaN is meaningless: such a lane may be settled, and then has no score.
#ifdef CAROM_LANES_ONE
CAROM_INLINE bool carom_extremes_any(const carom_lanes_bits *b) {
    return (*b)[0] < 0;
}
#else
typedef __attribute__((vector_size(4 * sizeof(int64_t)))) int64_t carom_extremes_half;
typedef __attribute__((vector_size(2 * sizeof(int64_t)))) int64_t carom_extremes_quarter;
CAROM_INLINE bool carom_extremes_any(const carom_lanes_bits *b) {
    carom_extremes_half half = __builtin_shufflevector(*b, *b, 0, 1, 2, 3) | __builtin_shufflevector(*b, *b, 4, 5, 6, 7);
    carom_extremes_quarter two = __builtin_shufflevector(half, half, 0, 1) | __builtin_shufflevector(half, half, 2, 3);
    return (two[0] | two[1]) < 0;
}
#endif

// The mean m of the eigenvalues of t, and q^2 = 2/3 |dev t|^2.
CAROM_INLINE void carom_extremes_circle(const carom_lanes t[6], carom_lanes *mean, carom_lanes *square) {
    carom_lanes a = t[0] - t[1], b = t[1] - t[2], c = t[2] - t[0];
    *mean = (t[0] + t[1] + t[2]) * (1.0 / 3);
    *square = (a * a + b * b + c * c) * (2.0 / 9) + (t[3] * t[3] + t[4] * t[4] + t[5] * t[5]) * (4.0 / 3);
}

// Upper bounds of the largest eigenvalue, m + q, and of minus the smallest, q - m; widened.
CAROM_INLINE void carom_extremes_bounds(const carom_lanes *mean, const carom_lanes *q, carom_lanes *largest,
                                        carom_lanes *least) {
    carom_lanes size = (carom_lanes)((carom_lanes_bits)*mean & INT64_MAX);
    carom_lanes wide = *q + CAROM_EXTREME_ROUNDING * (size + *q);
    *largest = wide + *mean;
    *least = wide - *mean;
}

// Loads the envelopes of the elements of a batch. Lanes past the end repeat the last element.
#ifdef CAROM_LANES_ONE
CAROM_INLINE void carom_extremes_envelopes(const carom_extremes *extremes, int e, carom_lanes *von_mises,
                                           carom_lanes *principal) {
    carom_lanes_fill(extremes->envelopes[(ptrdiff_t)CAROM_ENVELOPES * e], von_mises);
    carom_lanes_fill(extremes->envelopes[(ptrdiff_t)CAROM_ENVELOPES * e + 1], principal);
}
#else
CAROM_INLINE void carom_extremes_envelopes(const carom_extremes *extremes, int e0, carom_lanes *von_mises,
                                           carom_lanes *principal) {
    const double *from = extremes->envelopes + (ptrdiff_t)CAROM_ENVELOPES * e0;
    double buffer[CAROM_ENVELOPES * CAROM_LANES];
    carom_lanes low, high;
    if (e0 + CAROM_LANES > extremes->count) {
        for (int l = 0; l < CAROM_LANES; l++)
            memcpy(&buffer[CAROM_ENVELOPES * l],
                   from + CAROM_ENVELOPES * (e0 + l < extremes->count ? l : extremes->count - 1 - e0),
                   CAROM_ENVELOPES * sizeof *buffer);
        from = buffer;
    }
    carom_lanes_load(from, &low);
    carom_lanes_load(from + CAROM_LANES, &high);
    *von_mises = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
    *principal = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}
#endif

// Marks lanes whose strain may exceed the recorded one of the body; z is an upper bound of the largest eigenvalue of the
// deviator of the stress.
CAROM_INLINE void carom_extremes_strained(const carom_extremes *extremes, const carom_lanes *base, const carom_lanes *slope,
                                          const carom_lanes *z, carom_lanes_bits *over) {
    *over |= (carom_lanes_bits)(extremes->limit[CAROM_EXTREME_STRAIN] - CAROM_EXTREME_ROUNDING - (*base + *slope * *z));
}

// Whether a value of any of the elements may exceed the recorded extreme of the element or of the body.
CAROM_INLINE bool carom_extremes_exceed(const carom_extremes *extremes, int e0, const carom_lanes *mean, const carom_lanes *q,
                                        const carom_lanes *base, const carom_lanes *slope) {
    const double *limit = extremes->limit;
    carom_lanes von_mises, principal, largest, least, score = 1.5 * *q;
    carom_extremes_envelopes(extremes, e0, &von_mises, &principal);
    carom_extremes_bounds(mean, q, &largest, &least);
    carom_lanes_bits over = (carom_lanes_bits)(von_mises - score) | (carom_lanes_bits)(limit[CAROM_EXTREME_VON_MISES] - score);
    over |= (carom_lanes_bits)(principal - largest) | (carom_lanes_bits)(limit[CAROM_EXTREME_PRINCIPAL] - largest);
    over |= (carom_lanes_bits)(limit[CAROM_EXTREME_LEAST] - least);
    carom_extremes_strained(extremes, base, slope, q, &over);
    return carom_extremes_any(&over);
}

// |F|^2
CAROM_INLINE void carom_extremes_square(const carom_lanes F[9], carom_lanes *square) {
    *square = F[0] * F[0];
    for (int i = 1; i < 9; i++)
        *square += F[i] * F[i];
}

// The Cauchy stress P F^T/det F, and det F. The linear law does not distinguish the two stresses: `det` is then not written.
CAROM_INLINE void carom_extremes_stress(carom_kernel_law law, const carom_lanes F[9], const carom_lanes P[9], carom_lanes t[6],
                                        carom_lanes *det) {
    carom_lanes C[9];
    if (law == CAROM_KERNEL_LINEAR) {
        t[0] = P[0], t[1] = P[4], t[2] = P[8], t[3] = P[1], t[4] = P[5], t[5] = P[2];
        return;
    }
    carom_kernel_cofactor(F, C, det);
    carom_lanes scale = 1.0 / *det;
    carom_kernel_outer(P, F, t);
    for (int c = 0; c < 6; c++)
        t[c] *= scale;
}

// Bound of the largest eigenvalue of Green's strain E = (F^T F - I)/2, from F^T F alone.
CAROM_INLINE void carom_extremes_right_strain(const carom_lanes right[6], carom_lanes *base, carom_lanes *slope) {
    carom_lanes mean, q;
    carom_extremes_circle(right, &mean, &q);
    carom_lanes_sqrt(&q, &q);
    *base = 0.5 * (mean - 1.0 + q);
    carom_lanes_fill(0, slope);
}

// Bound for the linear law, from the mean of the stress and the mean of |F|^2: H = F - I has the symmetric part (P - lambda/(3
// lambda + 2 mu) tr P I)/(2 mu), and E adds H^T H/2 to it, which is at most |H|^2/2 with |H|^2 = |F|^2 - 3 - 2 tr H.
CAROM_INLINE void carom_extremes_linear_strain(carom_lame m, const carom_lanes *mean, const carom_lanes *square,
                                               carom_lanes *base, carom_lanes *slope) {
    double bulk = 3 * m.lambda + 2 * m.mu, of_mean = (1 - 3 * m.lambda / bulk) / (2 * m.mu) - 3 / bulk;
    *base = of_mean * *mean + 0.5 * (*square - 3.0);
    carom_lanes_clear(1, slope);
    *slope += 0.5 / m.mu;
}

// Bound of the strain of an element with one point. For the neo-Hookean law, F F^T has the eigenvalues of F^T F, their mean is
// |F|^2/3, and its deviator is det F/mu times that of the stress.
CAROM_INLINE void carom_extremes_strain(carom_kernel_law law, carom_lame m, const carom_lanes F[9], const carom_lanes *det,
                                        const carom_lanes *mean, carom_lanes *base, carom_lanes *slope) {
    carom_lanes square, right[6];
    if (law == CAROM_KERNEL_ST_VENANT_KIRCHHOFF) {
        carom_kernel_gram(F, right);
        carom_extremes_right_strain(right, base, slope);
        return;
    }
    carom_extremes_square(F, &square);
    if (law == CAROM_KERNEL_LINEAR) {
        carom_extremes_linear_strain(m, mean, &square, base, slope);
    } else {
        *base = (1.0 / 6) * square - 0.5;
        *slope = 0.5 / m.mu * *det;
    }
}

#endif
