// SPDX-License-Identifier: MIT
// The signals of a result by name: columns of history.csv and probes.csv, and those of each two bodies in pairs.csv, which has
// a row for each pair: `part-floor.normal`.
#ifndef CAROM_APP_SHOW_SIGNALS_H
#define CAROM_APP_SHOW_SIGNALS_H

#include "carom/table.h"
#include "carom/text.h"

// The tables of a result. Start from {0}.
typedef struct carom_signals {
    carom_csv_table history, probes, pairs;
} carom_signals;

// A column, of all rows or of those of a pair.
typedef struct carom_signal {
    const carom_csv_table *table;
    int column;
    const char *pair[2]; // NULL: all rows
    double sign;         // -1: the force of a pair that was named in reverse order
    double begin[2];     // of a pair, whose rows begin with its first contact: the times between which nothing touched
} carom_signal;

// Reads the tables. The history must be there and have rows; the others are optional. CAROM_BAD_INPUT if carom did not write
// them. To be released in any case.
carom_status carom_signals_read(const char *directory, int64_t rows_max, carom_signals *signals, carom_error *error);
void carom_signals_release(carom_signals *signals);

// False if there is no signal of that name.
bool carom_signals_find(const carom_signals *signals, const char *name, carom_signal *signal);
// Refuses a name; the message suggests the nearest one and lists the others.
carom_status carom_signals_unknown(const carom_signals *signals, const char *directory, const char *name, carom_error *error);

// Number of its values, those before the first contact included; times and values go where x and y are not NULL.
int64_t carom_signal_values(const carom_signal *signal, double *x, double *y);
// The largest magnitude; 0 if it is zero throughout.
double carom_signal_largest(const carom_signal *signal);

// Names of signals that belong in one panel.
typedef struct carom_signal_names {
    int count;
    char name[16][3 * CAROM_NAME_MAX];  // of the signal: part-floor.normal
    char label[16][3 * CAROM_NAME_MAX]; // of its curve: part-floor
} carom_signal_names;

// Adds the `most` largest contact forces, or von Mises stresses of bodies, that are not in the list yet.
void carom_signals_forces(const carom_signals *signals, int most, carom_signal_names *names);
void carom_signals_stresses(const carom_signals *signals, int most, carom_signal_names *names);

#endif
