// SPDX-License-Identifier: MIT
// history.csv: the energy ledger over time, one row per output step.
#ifndef CAROM_OUTPUT_HISTORY_H
#define CAROM_OUTPUT_HISTORY_H

#include "carom/state.h"
#include "output/csv.h"

typedef struct carom_history {
    carom_csv csv;
    bool bodies;    // per-body columns
    double *energy; // scratch: element energies of the largest block
} carom_history;

// Number of columns. The last column of the ledger is `damping` if a body is damped; with `bodies`,
// NAME.kinetic, NAME.internal, NAME.px ... NAME.lz of each body follow.
int carom_history_columns(const carom_model *model, bool bodies);

// resume_size as in carom_csv_open.
carom_status carom_history_open(carom_history *history, const char *path, const carom_model *model, bool bodies,
                                int64_t resume_size, carom_error *error);
carom_status carom_history_row(carom_history *history, const carom_state *state, const carom_ledger_row *row,
                               carom_error *error);
carom_status carom_history_close(carom_history *history, carom_error *error);

#endif
