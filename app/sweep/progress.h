// SPDX-License-Identifier: MIT
// Progress of a sweep, on stderr.
#ifndef CAROM_APP_SWEEP_PROGRESS_H
#define CAROM_APP_SWEEP_PROGRESS_H

#include "app/sweep/sweep.h"

typedef struct carom_progress_line carom_progress_line;

// `points` in all, of which `waiting` are to be run; NULL if memory is short, which the other functions accept. On a terminal
// one line is rewritten, otherwise each run that ends has a line. With `quiet` only failed runs are reported.
carom_progress_line *carom_progress_begin(int points, int waiting, bool quiet);
void carom_progress_ended(carom_progress_line *line, const carom_case *run);
void carom_progress_show(carom_progress_line *line, int running);
void carom_progress_end(carom_progress_line *line);

// True every ten seconds: table and page should be updated.
bool carom_progress_wants_results(carom_progress_line *line);

// Prints the numbers of runs by status, and where the results are.
void carom_progress_print_result(const carom_sweep *sweep);

#endif
