// SPDX-License-Identifier: MIT
#include "model/peak_scan.h"

#include <math.h>

#include "element/estimate.h"

// Kernels of forces find F from positions, those of fields from displacements, with errors of rounding times the reach of the
// positions and the slope of the element. 1e-11 stands for 50000 roundings, which leaves room for the sums of an element and
// for laws that are steeper in a strongly deformed state than at rest.
static const double roundings = 1e-11;

carom_peak_slack carom_peak_slack_of(const carom_block *block, double slope, double reach) {
    carom_lame m = carom_elastic_lame(block->material_params);
    double strain = roundings * (1 + slope * reach), modulus = 3 * fabs(m.lambda) + 2 * m.mu;
    return (carom_peak_slack){.stress = strain, .least = strain * modulus, .strain = strain};
}

// The largest eigenvalue of the deviator s, from above: Newton's method for z^3 - J2 z - J3 = 0 from q, which is no less, comes
// down and never passes the root. Four iterations suffice to tell most elements apart.
CAROM_INLINE void descend(const carom_lanes *J2, const carom_lanes *J3, const carom_lanes *q, carom_lanes *z) {
    *z = *q;
    for (int i = 0; i < 4; i++) {
        carom_lanes slope = 3.0 * *z * *z - *J2, next = *z - (*z * (*z * *z - *J2) - *J3) / slope;
        carom_lanes_bits falls = (slope > 0.0) & (next < *z);
        carom_lanes_choose(&falls, &next, z, z);
    }
}

// The largest and minus the least eigenvalue of a tensor of stress, at most.
CAROM_INLINE void principal(const carom_lanes t[6], const carom_lanes *mean, const carom_lanes *q, carom_lanes *largest,
                            carom_lanes *least) {
    carom_lanes a = t[0] - *mean, b = t[1] - *mean, c = t[2] - *mean, z;
    carom_lanes J2 = 0.75 * *q * *q;
    carom_lanes J3 = a * (b * c - t[4] * t[4]) - t[3] * (t[3] * c - t[4] * t[5]) + t[5] * (t[3] * t[4] - b * t[5]), minus = -J3;
    descend(&J2, &J3, q, &z);
    *largest = *mean + z;
    descend(&J2, &minus, q, &z);
    *least = z - *mean;
}

// The limits of a batch: what body and element have both had.
typedef struct bars {
    carom_lanes von_mises, principal;
} bars;

CAROM_INLINE void find_bars(const carom_peak_limits *limits, int first, int count, bars *b) {
    const double most[CAROM_ENVELOPES] = {limits->of[CAROM_PEAK_VON_MISES], limits->of[CAROM_PEAK_PRINCIPAL]};
    double numbers[CAROM_ENVELOPES][CAROM_LANES];
    for (int l = 0; l < CAROM_LANES; l++) {
        // lanes past the end repeat the last element
        const double *envelope = &limits->envelopes[CAROM_ENVELOPES * (first + l < count ? first + l : count - 1)];
        for (int kind = 0; kind < CAROM_ENVELOPES; kind++)
            numbers[kind][l] = envelope[kind] < most[kind] ? envelope[kind] : most[kind];
    }
    carom_lanes_load(numbers[CAROM_PEAK_VON_MISES], &b->von_mises);
    carom_lanes_load(numbers[CAROM_PEAK_PRINCIPAL], &b->principal);
}

CAROM_INLINE bool any(const carom_lanes_bits *bits) {
    int64_t all = 0;
    for (int l = 0; l < CAROM_LANES; l++)
        all |= (*bits)[l];
    return all != 0;
}

// Whatever is not a number counts, so that it is judged by the field itself.
CAROM_INLINE unsigned char judge(const double *estimates, const bars *b, const carom_peak_limits *limits,
                                 const carom_peak_slack *slack) {
    carom_lanes t[6], strain, mean, q, largest, least;
    for (int c = 0; c < 6; c++)
        carom_lanes_load(estimates + CAROM_LANES * c, &t[c]);
    carom_lanes_load(estimates + CAROM_LANES * CAROM_ESTIMATE_STRAIN, &strain);
    carom_estimate_circle(t, &mean, &q);
    carom_estimate_root(&q);
    carom_lanes size = (carom_lanes)((carom_lanes_bits)mean & INT64_MAX), more = slack->stress * (size + q) + slack->least;
    carom_lanes_bits von_mises = ~(1.5 * q + more <= b->von_mises),
                     strains = ~(strain + slack->strain <= limits->of[CAROM_PEAK_STRAIN]);
    carom_lanes_bits stress = ~((mean + q + more <= b->principal) & (q - mean + more <= limits->of[CAROM_PEAK_LEAST]));
    if (any(&stress)) {
        principal(t, &mean, &q, &largest, &least);
        stress = ~((largest + more <= b->principal) & (least + more <= limits->of[CAROM_PEAK_LEAST]));
    }
    return (unsigned char)((any(&von_mises) ? CAROM_WANT_VON_MISES : 0) | (any(&stress) ? CAROM_WANT_STRESS : 0) |
                           (any(&strains) ? CAROM_WANT_STRAIN : 0));
}

CAROM_INLINE void range(const double *estimates, int count, const carom_peak_limits *limits, const carom_peak_slack *slack,
                        unsigned char *want) {
    for (int first = 0; first < count; first += CAROM_LANES) {
        bars b;
        find_bars(limits, first, count, &b);
        want[first / CAROM_LANES] = judge(estimates + carom_lane(first, 0, CAROM_ESTIMATES), &b, limits, slack);
    }
}

CAROM_KERNEL(scan,
             (const double *estimates, int count, const carom_peak_limits *limits, const carom_peak_slack *slack,
              unsigned char *want),
             (estimates, count, limits, slack, want), range(estimates, count, limits, slack, want))

void carom_peak_scan(const double *estimates, int count, const carom_peak_limits *limits, const carom_peak_slack *slack,
                     unsigned char *want) {
    scan(estimates, count, limits, slack, want);
}
