// SPDX-License-Identifier: MIT
// probes.csv: positions, displacements and velocities of chosen nodes over time.
#ifndef CAROM_OUTPUT_PROBES_H
#define CAROM_OUTPUT_PROBES_H

#include "carom/output.h"
#include "carom/state.h"
#include "output/csv.h"

// A probe with the nodes of its selection.
typedef struct carom_probe {
    const carom_probe_def *def;
    int *nodes;
    int count;
} carom_probe;

typedef struct carom_probes {
    carom_csv csv;
    int count;
    carom_probe *items;
} carom_probes;

// Number of columns of the table, `time` included.
int carom_probes_columns(const carom_probe_def *defs, int count);

// The definitions must outlive the probes. resume_size as in carom_csv_open.
carom_status carom_probes_open(carom_probes *probes, const char *path, const carom_model *model, const carom_probe_def *defs,
                               int count, int64_t resume_size, carom_error *error);
carom_status carom_probes_row(carom_probes *probes, const carom_state *state, carom_error *error);
carom_status carom_probes_close(carom_probes *probes, carom_error *error);

// Mass-weighted mean of a vector over some nodes; one node gives its own bits.
void carom_probe_mean(const int *nodes, int count, const double *mass, const double (*values)[3], double result[3]);

#endif
