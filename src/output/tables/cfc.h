// SPDX-License-Identifier: MIT
// The filter of SAE J211-1 and ISO 6487 for channels of accelerometers and load cells: Butterworth with two poles, run forward
// and backward, so that it has four poles and shifts no phase. Its amplitude is 1/sqrt(2) at 5/3 of the class in Hz: 300 Hz for
// CFC 180.
#ifndef CAROM_OUTPUT_TABLES_CFC_H
#define CAROM_OUTPUT_TABLES_CFC_H

#include <stdint.h>

#include "carom/output.h"

// The class of a filter in Hz: 60, 180, 600 or 1000; 0 for none.
double carom_cfc_class(carom_filter filter);

// Filters `count` values, at a stride of `stride`, that were sampled every `interval` seconds. Before the first and behind the
// last one the signal counts as constant.
void carom_cfc_apply(double cfc, double interval, double *values, int64_t count, int stride);

#endif
