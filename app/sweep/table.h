// SPDX-License-Identifier: MIT
// The table of all runs of a sweep, and the page that shows it.
#ifndef CAROM_APP_SWEEP_TABLE_H
#define CAROM_APP_SWEEP_TABLE_H

#include "app/sweep/sweep.h"

// The columns of results that any run has. They are in the order of the summaries: a column that only some runs have is
// inserted after the one that precedes it in their summary. Depends on the results alone, not on the order in which the runs
// ended.
typedef struct carom_table {
    int count;
    const char **names; // borrowed from the runs
} carom_table;

carom_status carom_table_create(const carom_sweep *sweep, carom_table *table, carom_error *error);
void carom_table_release(carom_table *table);
// The value of a run in a column, "" if it has none. `hint` is the index to search from, 0 at first: runs have their columns
// in nearly the same order.
const char *carom_table_value(const carom_case *run, const char *name, int *hint);

// Writes DIR/sweep.csv: the keys, run, status, message, then the results.
carom_status carom_table_write(const carom_sweep *sweep, carom_error *error);
// Writes DIR/sweep.html.
carom_status carom_sweep_page_write(const carom_sweep *sweep, carom_error *error);

#endif
