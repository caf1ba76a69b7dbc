// SPDX-License-Identifier: MIT
// Signals of probes with a filter: probes_samples.csv records velocity and impulse of contact at short, equal intervals during
// the run; probes_filtered.csv is computed from it at the end. A filter without phase shift needs the whole signal, and the
// file of samples is kept if the run is interrupted.
#ifndef CAROM_OUTPUT_TABLES_SAMPLES_H
#define CAROM_OUTPUT_TABLES_SAMPLES_H

#include "carom/peak.h"
#include "output/tables/probes.h"

typedef struct carom_samples {
    carom_csv csv;
    int count; // probes with a filter
    carom_probe *items;
    double interval; // time between two samples
    char path[CAROM_PATH_MAX];
    bool kept; // in memory, because nothing is written
    double *rows;
    int64_t row_count, capacity;
} carom_samples;

// Steps between two samples, such that there are at least 64 samples in a period of the corner frequency of the fastest filter,
// or 1 if the steps are too long for that; 0 if no probe has a filter. CAROM_BAD_INPUT if there are fewer than 10 steps in the
// period 1/CFC of a class.
carom_status carom_samples_every(const carom_probe_def *defs, int count, double step, int *every, carom_error *error);

// Opens DIRECTORY/probes_samples.csv for the probes that have a filter; nothing if there is none. resume_size as in
// carom_csv_open. Without a directory (NULL) samples are kept in memory.
carom_status carom_samples_open(carom_samples *samples, const char *directory, const carom_model *model,
                                const carom_probe_def *defs, int count, double interval, int64_t resume_size,
                                carom_error *error);
carom_status carom_samples_row(carom_samples *samples, const carom_state *state, carom_error *error);
// Filters all samples so far, writes probes_filtered.csv, and finds the largest values: `*peaks` is to be freed.
carom_status carom_samples_filter(carom_samples *samples, carom_filtered_peak **peaks, int *peak_count, carom_error *error);
carom_status carom_samples_close(carom_samples *samples, carom_error *error);

#endif
