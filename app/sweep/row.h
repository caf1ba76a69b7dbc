// SPDX-License-Identifier: MIT
// The results of a run in one row: names of columns and their values.
#ifndef CAROM_APP_SWEEP_ROW_H
#define CAROM_APP_SWEEP_ROW_H

#include <stdbool.h>

#include "app/json.h"

typedef struct carom_row_item {
    char *name; // "pairs.left-right.impulse"
    char *text; // the value; "" if there is none
} carom_row_item;

typedef struct carom_row {
    int count, capacity;
    carom_row_item *items;
    bool failed; // memory was short
} carom_row;

// The numbers of summary.json, its hashes and the name of its integrator. Members of objects are joined by dots; vectors have
// .x, .y, .z; entries of a list of objects are called by their `name` or by their `bodies`. What depends on the machine and not
// on the scene (seconds, threads, processes) is left out.
void carom_row_read_summary(carom_row *columns, const carom_json *summary);
// Of each column of a table of probes: its last value and its extremes, as probes.COLUMN.last, .min and .max. Nothing if there
// is no table.
void carom_row_read_table(carom_row *columns, const char *path);
void carom_row_release(carom_row *columns);

#endif
