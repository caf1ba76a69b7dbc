// SPDX-License-Identifier: MIT
// Computes the values of the elements of a batch in which a bound exceeds a recorded extreme (peak_bounds.h): von Mises stress,
// principal stresses and the largest principal strain, for each lane of a vector; C and C++.
#ifndef CAROM_ELEMENT_PEAK_SETTLE_H
#define CAROM_ELEMENT_PEAK_SETTLE_H

#include "element/peak_bounds.h"

// Larger magnitudes, infinities and NaN mean that the law of the element is undefined.
#define CAROM_SCORE_MAX 1e100

// c = cos(acos(r)/3) for 0 <= r <= 1, which is the largest root of 4 c^3 - 3 c = r: two iterations of Newton's method from a
// polynomial with an error of at most 5e-5.
CAROM_INLINE void carom_extremes_third_cosine(const carom_lanes *r, carom_lanes *c) {
    *c = 0.86606633 + *r * (0.16533035 + *r * (-0.04069120 + *r * 0.00931968));
    for (int i = 0; i < 2; i++) {
        carom_lanes square = *c * *c;
        *c -= (*c * (4.0 * square - 3.0) - *r) / (12.0 * square - 3.0);
    }
}

// The determinant of the deviator of t.
CAROM_INLINE void carom_extremes_find_det(const carom_lanes t[6], const carom_lanes *mean, carom_lanes *det) {
    carom_lanes a = t[0] - *mean, b = t[1] - *mean, c = t[2] - *mean;
    *det = a * (b * c - t[4] * t[4]) - t[3] * (t[3] * c - t[4] * t[5]) + t[5] * (t[3] * t[4] - b * t[5]);
}

// The adjugate of A - z I for a symmetric A.
CAROM_INLINE void carom_extremes_adjugate(const carom_lanes A[6], const carom_lanes *z, carom_lanes adj[6]) {
    carom_lanes a = A[0] - *z, b = A[1] - *z, c = A[2] - *z;
    adj[0] = b * c - A[4] * A[4];
    adj[1] = a * c - A[5] * A[5];
    adj[2] = a * b - A[3] * A[3];
    adj[3] = A[4] * A[5] - A[3] * c;
    adj[4] = A[3] * A[5] - A[4] * a;
    adj[5] = A[3] * A[4] - A[5] * b;
}

// The largest and minus the least eigenvalue of t, with an error of the rounding of the largest entry, also where two are
// equal. The deviator A has the eigenvalues q cos(phi + 2 pi k/3) with cos(3 phi) = 4 det A/q^3. Of the largest and the least,
// the one farther from the middle eigenvalue is well conditioned: z1 = +-q cos(acos(|4 det A/q^3|)/3). Its projector is n n^T =
// adj(A - z1 I)/tr adj(A - z1 I). The others are -z1/2 +- h, where A + z1/2 I - 3/2 z1 n n^T has the eigenvalues 0 and +-h, and
// so the norm sqrt(2) h: a sum of squares, without cancellation.
CAROM_INLINE void carom_extremes_find_principal(const carom_lanes t[6], const carom_lanes *mean, const carom_lanes *q,
                                                const carom_lanes *det, carom_lanes *largest, carom_lanes *least) {
    carom_lanes one, A[6], adj[6], r, c;
    for (int i = 0; i < 6; i++)
        A[i] = i < 3 ? t[i] - *mean : t[i];
    // where the cube is not a normal number, the eigenvalues are practically zero
    carom_lanes cube = *q * *q * *q, ratio = 4.0 * *det / cube;
    carom_lanes_fill(1e-280, &one);
    carom_lanes_bits sound = ~(((carom_lanes_bits)cube - (carom_lanes_bits)one) >> 63);
    ratio = (carom_lanes)((carom_lanes_bits)ratio & sound);
    carom_lanes_bits sign = (carom_lanes_bits)ratio & INT64_MIN;
    r = (carom_lanes)((carom_lanes_bits)ratio & INT64_MAX);
    carom_lanes_fill(1, &one);
    carom_lanes_bits below = (carom_lanes_bits)(r - one) >> 63;
    carom_lanes_choose(&below, &r, &one, &r);
    carom_extremes_third_cosine(&r, &c);
    carom_lanes z = (carom_lanes)((carom_lanes_bits)(*q * c) ^ sign);
    carom_extremes_adjugate(A, &z, adj);
    carom_lanes scale = 1.5 * z / (adj[0] + adj[1] + adj[2]), half = 0.5 * z;
    scale = (carom_lanes)((carom_lanes_bits)scale & sound);
    carom_lanes sum = {0};
    for (int i = 0; i < 3; i++) {
        carom_lanes on = A[i] + half - scale * adj[i], off = A[3 + i] - scale * adj[3 + i];
        sum += 0.5 * (on * on) + off * off;
    }
    carom_lanes_sqrt(&sum, &sum);
    carom_lanes_bits positive = ~(sign >> 63);
    carom_lanes up = sum - half, down = sum + half, minus = -z;
    carom_lanes_choose(&positive, &z, &up, largest);
    carom_lanes_choose(&positive, &down, &minus, least);
    *largest += *mean;
    *least -= *mean;
}

// Marks lanes in which an eigenvalue of t may be above `bar`. With z = bar - m all eigenvalues of the deviator A are below z if
// z > q/2, from where the characteristic polynomial z^3 - 3/4 q^2 z - det A increases, and the polynomial is positive at z.
// Both conditions have a margin of more than rounding. `sign` is -1 for minus the least eigenvalue.
CAROM_INLINE void carom_extremes_may_exceed(double sign, const carom_lanes *mean, const carom_lanes *q, const carom_lanes *det,
                                            const carom_lanes *bar, carom_lanes_bits *over) {
    carom_lanes size = (carom_lanes)((carom_lanes_bits)*mean & INT64_MAX), square = *q * *q;
    carom_lanes z = *bar - sign * *mean - CAROM_EXTREME_ROUNDING * (size + *q), cube = z * z * z;
    carom_lanes value = cube - 0.75 * square * z - sign * *det, slack = CAROM_EXTREME_ROUNDING * (cube + square * *q);
    *over |= (carom_lanes_bits)(z - 0.501 * *q) | (carom_lanes_bits)(value - slack);
}

// Sets undefined lanes to CAROM_NO_SCORE. The bits of magnitudes are compared as integers, of which those of NaN and infinities
// are the largest. Minus zero becomes zero.
CAROM_INLINE void carom_extremes_clean(carom_lanes *score) {
    carom_lanes none, most;
    carom_lanes_fill(CAROM_SCORE_MAX, &most);
    carom_lanes_fill(CAROM_NO_SCORE, &none);
    carom_lanes_bits sound = (((carom_lanes_bits)*score & INT64_MAX) - (carom_lanes_bits)most) >> 63;
    *score += 0.0;
    carom_lanes_choose(&sound, score, &none, score);
}

// envelope = max(envelope, score)
CAROM_INLINE void carom_extremes_raise(const carom_lanes *score, carom_lanes *envelope) {
    carom_lanes_bits more = (carom_lanes_bits)(*envelope - *score) >> 63;
    carom_lanes_choose(&more, score, envelope, envelope);
}

#ifdef CAROM_LANES_ONE
CAROM_INLINE void carom_extremes_put_envelopes(carom_extremes *extremes, int e, const carom_lanes *von_mises,
                                               const carom_lanes *principal) {
    extremes->envelopes[(ptrdiff_t)CAROM_ENVELOPES * e] = (*von_mises)[0];
    extremes->envelopes[(ptrdiff_t)CAROM_ENVELOPES * e + 1] = (*principal)[0];
}

// Version of a device thread, which has one element.
CAROM_INLINE void carom_extremes_keep(carom_extremes *extremes, int e, int kind, const carom_lanes *score) {
    (void)e;
    if ((*score)[0] > extremes->limit[kind])
        extremes->score[kind] = (*score)[0];
}
#else
CAROM_INLINE void carom_extremes_put_envelopes(carom_extremes *extremes, int e0, const carom_lanes *von_mises,
                                               const carom_lanes *principal) {
    double *to = extremes->envelopes + (ptrdiff_t)CAROM_ENVELOPES * e0, buffer[CAROM_ENVELOPES * CAROM_LANES];
    carom_lanes low = __builtin_shufflevector(*von_mises, *principal, 0, 8, 1, 9, 2, 10, 3, 11);
    carom_lanes high = __builtin_shufflevector(*von_mises, *principal, 4, 12, 5, 13, 6, 14, 7, 15);
    int count = extremes->count - e0;
    carom_lanes_store(&low, count < CAROM_LANES ? buffer : to);
    carom_lanes_store(&high, (count < CAROM_LANES ? buffer : to) + CAROM_LANES);
    if (count < CAROM_LANES)
        memcpy(to, buffer, (size_t)(CAROM_ENVELOPES * count) * sizeof *to);
}

// Records the largest score of a kind. Elements come in ascending order, and the first of equal ones stays recorded.
CAROM_INLINE void carom_extremes_keep(carom_extremes *extremes, int e0, int kind, const carom_lanes *score) {
    carom_lanes_bits over = (carom_lanes_bits)(extremes->limit[kind] - *score);
    if (!carom_extremes_any(&over))
        return;
    for (int l = 0; l < CAROM_LANES && e0 + l < extremes->count; l++)
        if ((*score)[l] > extremes->limit[kind]) {
            extremes->limit[kind] = extremes->score[kind] = (*score)[l];
            extremes->element[kind] = e0 + l;
        }
}
#endif

// Computes the values that may be extreme; `strained` becomes true if the strain may be extreme as well.
CAROM_INLINE void carom_extremes_settle_lanes(carom_extremes *extremes, int e0, const carom_lanes t[6], const carom_lanes *base,
                                              const carom_lanes *slope, bool *strained) {
    carom_lanes mean, q, von_mises, principal, largest, least, bar, det;
    carom_extremes_circle(t, &mean, &q);
    carom_lanes_sqrt(&q, &q);
    carom_extremes_envelopes(extremes, e0, &von_mises, &principal);
    carom_extremes_find_det(t, &mean, &det);
    carom_lanes score = 1.5 * q;
    carom_extremes_clean(&score);
    carom_extremes_raise(&score, &von_mises);
    carom_extremes_keep(extremes, e0, CAROM_EXTREME_VON_MISES, &score);

    carom_lanes_bits over = {0}, strains = {0};
    carom_extremes_may_exceed(1, &mean, &q, &det, &principal, &over);
    carom_lanes_fill(extremes->limit[CAROM_EXTREME_PRINCIPAL], &bar);
    carom_extremes_may_exceed(1, &mean, &q, &det, &bar, &over);
    carom_lanes_fill(extremes->limit[CAROM_EXTREME_LEAST], &bar);
    carom_extremes_may_exceed(-1, &mean, &q, &det, &bar, &over);
    carom_extremes_strained(extremes, base, slope, &q, &over);
    if (carom_extremes_any(&over)) {
        carom_extremes_find_principal(t, &mean, &q, &det, &largest, &least);
        score = largest - mean;
        carom_extremes_strained(extremes, base, slope, &score, &strains);
        *strained = carom_extremes_any(&strains);
        carom_extremes_clean(&largest);
        carom_extremes_clean(&least);
        carom_extremes_raise(&largest, &principal);
        carom_extremes_keep(extremes, e0, CAROM_EXTREME_PRINCIPAL, &largest);
        carom_extremes_keep(extremes, e0, CAROM_EXTREME_LEAST, &least);
    }
    carom_extremes_put_envelopes(extremes, e0, &von_mises, &principal);
}

// Records the von Mises stress alone, for elements without tensor fields.
CAROM_INLINE void carom_extremes_take_von_mises(carom_extremes *extremes, int e0, const carom_lanes *stress) {
    carom_lanes score = *stress, von_mises, principal;
    carom_extremes_clean(&score);
    carom_extremes_envelopes(extremes, e0, &von_mises, &principal);
    carom_lanes_bits over =
        (carom_lanes_bits)(von_mises - score) | (carom_lanes_bits)(extremes->limit[CAROM_EXTREME_VON_MISES] - score);
    if (!carom_extremes_any(&over))
        return;
    carom_extremes_raise(&score, &von_mises);
    carom_extremes_keep(extremes, e0, CAROM_EXTREME_VON_MISES, &score);
    carom_extremes_put_envelopes(extremes, e0, &von_mises, &principal);
}

// Records the largest principal strain E = (C - I)/2, from C.
CAROM_INLINE void carom_extremes_settle_right(carom_extremes *extremes, int e0, const carom_lanes right[6]) {
    carom_lanes t[6], mean, q, det, largest, least;
    for (int c = 0; c < 6; c++)
        t[c] = 0.5 * (c < 3 ? right[c] - 1.0 : right[c]);
    carom_extremes_circle(t, &mean, &q);
    carom_lanes_sqrt(&q, &q);
    carom_extremes_find_det(t, &mean, &det);
    carom_extremes_find_principal(t, &mean, &q, &det, &largest, &least);
    carom_extremes_clean(&largest);
    carom_extremes_keep(extremes, e0, CAROM_EXTREME_STRAIN, &largest);
}

#endif
