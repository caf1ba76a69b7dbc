// SPDX-License-Identifier: MIT
// The ledger as a table to read, at most 100 columns wide.
#ifndef CAROM_SIM_LEDGER_TABLE_H
#define CAROM_SIM_LEDGER_TABLE_H

#include "carom/run.h"

// What the record of a pair does not know itself.
typedef struct carom_pair_label {
    char name[2][CAROM_NAME_MAX]; // of the bodies, or of the plane
    double restitution;           // macroscopic; NaN if there is none
} carom_pair_label;

// The names of the momenta in the order of carom_summary.conserved: px, py, pz, lx, ly, lz.
extern const char *const carom_momentum_names[6];

// "loads", "load_moment", ...: carom_summary.forces in summary.json
extern const char *const carom_force_names[4];

// One label per pair of the summary.
void carom_ledger_table_print(const carom_summary *summary, const carom_pair_label *labels, FILE *stream);

#endif
