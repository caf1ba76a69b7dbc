// SPDX-License-Identifier: MIT
// Bounds of the values of stress and strain whose extremes are recorded (peak_values.h), lane by lane; C and C++.
#ifndef CAROM_ELEMENT_PEAK_BOUNDS_H
#define CAROM_ELEMENT_PEAK_BOUNDS_H

#include <math.h>

#include "material/lanes/stress.h"

// The kinds of peaks (carom_peak_kind).
enum { CAROM_EXTREME_VON_MISES, CAROM_EXTREME_PRINCIPAL, CAROM_EXTREME_LEAST, CAROM_EXTREME_STRAIN, CAROM_EXTREME_KINDS };

// The envelopes of an element: the largest of the first kinds.
enum { CAROM_ENVELOPES = CAROM_EXTREME_PRINCIPAL + 1 };

// A score is larger where a value is more extreme: the value itself, or minus the smallest principal stress. CAROM_NO_SCORE:
// none.
#define CAROM_NO_SCORE (-1e300)

// Numbers of eight elements whose bounds exceed a recorded extreme, from which the values themselves are found ("settled"): xx,
// yy, zz, xy, yz, xz of the mean stress, and two that bound the largest strain, which is at most base + slope z for the largest
// eigenvalue z of the deviator of the stress.
enum { CAROM_EXTREME_BASE = 6, CAROM_EXTREME_SLOPE, CAROM_EXTREMES };

// The extremes of a range of elements that begins with a batch.
typedef struct carom_extremes {
    double *envelopes;                 // CAROM_ENVELOPES of each element, which are raised
    int count;                         // elements
    double limit[CAROM_EXTREME_KINDS]; // scores beyond are of interest: those of the body, and of the range so far
    double score[CAROM_EXTREME_KINDS]; // the best of the range that are beyond the limits; CAROM_NO_SCORE: none
    int element[CAROM_EXTREME_KINDS];  // and whose they are: of equals the first
} carom_extremes;

// Roundings that bounds are widened by, and the same of strains, which are differences of numbers near 1.
#define CAROM_EXTREME_ROUNDING 1e-13

// Whether any lane is negative. Comparisons of lanes are made by the signs of differences, because compilers split combinations
// of comparisons into single lanes. The sign of a NaN is meaningless: such lanes may be settled, and have no score.
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

// Mean and q^2.
CAROM_INLINE void carom_extremes_circle(const carom_lanes t[6], carom_lanes *mean, carom_lanes *square) {
    carom_lanes a = t[0] - t[1], b = t[1] - t[2], c = t[2] - t[0];
    *mean = (t[0] + t[1] + t[2]) * (1.0 / 3);
    *square = (a * a + b * b + c * c) * (2.0 / 9) + (t[3] * t[3] + t[4] * t[4] + t[5] * t[5]) * (4.0 / 3);
}

// The bounds m + q and q - m, widened.
CAROM_INLINE void carom_extremes_bounds(const carom_lanes *mean, const carom_lanes *q, carom_lanes *largest,
                                        carom_lanes *least) {
    carom_lanes size = (carom_lanes)((carom_lanes_bits)*mean & INT64_MAX);
    carom_lanes wide = *q + CAROM_EXTREME_ROUNDING * (size + *q);
    *largest = wide + *mean;
    *least = wide - *mean;
}

// The envelopes of the elements of the lanes. Lanes past the end repeat the last element.
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

// Whether the strain may exceed that of the body; z: the largest eigenvalue of the deviator of the stress, or more.
CAROM_INLINE void carom_extremes_strained(const carom_extremes *extremes, const carom_lanes *base, const carom_lanes *slope,
                                          const carom_lanes *z, carom_lanes_bits *over) {
    *over |= (carom_lanes_bits)(extremes->limit[CAROM_EXTREME_STRAIN] - CAROM_EXTREME_ROUNDING - (*base + *slope * *z));
}

// Whether an element may exceed what it has had, or what its body has had.
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

// The Cauchy stress P F^T/det F; in the linear law both stresses are the same. Returns det F through the pointer.
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

// Bounds of the largest value of Green's strain E = (F^T F - I)/2, from F^T F alone.
CAROM_INLINE void carom_extremes_right_strain(const carom_lanes right[6], carom_lanes *base, carom_lanes *slope) {
    carom_lanes mean, q;
    carom_extremes_circle(right, &mean, &q);
    carom_lanes_sqrt(&q, &q);
    *base = 0.5 * (mean - 1.0 + q);
    carom_lanes_fill(0, slope);
}

// Bounds of the linear law, from the mean of the stress and the mean of |F|^2: H = F - I has the symmetric part (P - lambda/(3
// lambda + 2 mu) tr P I)/(2 mu), and E adds H^T H/2 to it, which is at most |H|^2/2 with |H|^2 = |F|^2 - 3 - 2 tr H.
CAROM_INLINE void carom_extremes_linear_strain(carom_lame m, const carom_lanes *mean, const carom_lanes *square,
                                               carom_lanes *base, carom_lanes *slope) {
    double bulk = 3 * m.lambda + 2 * m.mu, of_mean = (1 - 3 * m.lambda / bulk) / (2 * m.mu) - 3 / bulk;
    *base = of_mean * *mean + 0.5 * (*square - 3.0);
    carom_lanes_clear(1, slope);
    *slope += 0.5 / m.mu;
}

// Strain of an element with one point. Neo-Hookean: F F^T has the eigenvalues of F^T F, the mean |F|^2/3, and det F/mu times
// the deviator of the stress.
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
