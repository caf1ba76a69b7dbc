// SPDX-License-Identifier: MIT
// pairs.csv: the contact force between each two bodies that have touched and its moment, as means over the time since the
// previous row.
#ifndef CAROM_OUTPUT_TABLES_PAIRS_H
#define CAROM_OUTPUT_TABLES_PAIRS_H

#include "carom/state.h"
#include "model/state.h"
#include "output/tables/csv.h"

// The sums of one pair at the previous row.
typedef struct carom_pair_sum {
    int64_t events;
    double impulse, push[3], moment[3];
} carom_pair_sum;

// The sums of all pairs at the previous row. Plain numbers, stored in a checkpoint as they are.
typedef struct carom_pair_sums {
    double time;
    carom_pair_sum items[CAROM_PAIR_RECORDS_MAX];
} carom_pair_sums;

typedef struct carom_pair_table {
    carom_csv csv;
    int most; // pairs with rows; 0: all
    carom_pair_sums last;
} carom_pair_table;

// Number of columns of the table.
int carom_pairs_columns(void);

// Rows for the first `most` pairs that touched, or for all with 0. resume_size as in carom_csv_open; `last` are the sums at the
// last row of a run that is resumed, else NULL.
carom_status carom_pairs_open(carom_pair_table *pairs, const char *path, int most, int64_t resume_size,
                              const carom_pair_sums *last, carom_error *error);
// Writes a row for each pair that has touched so far; none at the start.
carom_status carom_pairs_row(carom_pair_table *pairs, const carom_state *state, carom_error *error);

#endif
