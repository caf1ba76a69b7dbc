// SPDX-License-Identifier: MIT
// history.csv: the energy ledger over time, one row per output step.
#ifndef CAROM_OUTPUT_TABLES_HISTORY_H
#define CAROM_OUTPUT_TABLES_HISTORY_H

#include "carom/output.h"
#include "carom/state.h"
#include "model/state/load_cells.h"
#include "output/tables/csv.h"

// Columns in addition to those of the ledger.
typedef struct carom_history_choice {
    bool bodies; // energies and momenta of each body
    bool peaks;  // largest stresses and strains of each body
    bool damped; // the method damps (carom_method_arrays)
} carom_history_choice;

// The sums of load cells at the previous row. Plain numbers, stored in a checkpoint as they are.
typedef struct carom_cell_row {
    double time;
    double sums[CAROM_CELLS_MAX][CAROM_CELL_SUMS];
} carom_cell_row;

typedef struct carom_history {
    carom_csv csv;
    carom_history_choice choice;
    carom_cell_row last;
    double *energy; // scratch: element energies of the largest block
} carom_history;

// The columns of a definition, for a method that damps or does not.
carom_history_choice carom_history_choose(const carom_output_def *def, const carom_model *model, bool damped);

// Number of columns. The columns of the ledger come first, `damping` only if a body, a spring or the method damps, `plasticity`
// and `viscosity` only if a material has history; with `peaks`, NAME.max_von_mises and so on follow for each body that has
// them; with `bodies`, NAME.kinetic, NAME.internal, NAME.px ... NAME.lz of each body and more for some kinds of bodies; finally
// NAME.force_x ... NAME.moment_z of the first CAROM_CELLS_MAX obstacles.
int carom_history_columns(const carom_model *model, carom_history_choice choice);

// resume_size as in carom_csv_open.
carom_status carom_history_open(carom_history *history, const char *path, const carom_model *model, carom_history_choice choice,
                                int64_t resume_size, carom_error *error);
carom_status carom_history_row(carom_history *history, const carom_state *state, const carom_ledger_row *row,
                               carom_error *error);
carom_status carom_history_close(carom_history *history, carom_error *error);

#endif
