// SPDX-License-Identifier: MIT
// Which elements may have a peak, by the estimates that the kernels of forces made in passing (element/estimate.h). What the
// scan rules out is not looked at; the values of all others are found as ever, so that estimates never enter a result.
#ifndef CAROM_MODEL_PEAK_SCAN_H
#define CAROM_MODEL_PEAK_SCAN_H

#include "model/peak_scores.h"

// What may count of a batch.
enum { CAROM_WANT_VON_MISES = 1, CAROM_WANT_STRESS = 2, CAROM_WANT_STRAIN = 4, CAROM_WANT_ALL = 7 };

// The error of estimates is at most `stress` times the norm of the stress, plus `least`; that of strain at most `strain`.
typedef struct carom_peak_slack {
    double stress, least, strain;
} carom_peak_slack;

// For positions within `reach` of the origin in a block with this slope (carom_estimate_slope).
carom_peak_slack carom_peak_slack_of(const carom_block *block, double slope, double reach);

// Scans `count` elements with their estimates, which begin with a batch. want[b]: what may count in batch b.
void carom_peak_scan(const double *estimates, int count, const carom_peak_limits *limits, const carom_peak_slack *slack,
                     unsigned char *want);

#endif
