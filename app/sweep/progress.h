// SPDX-License-Identifier: MIT
// How far a sweep is, on stderr.
#ifndef CAROM_APP_SWEEP_PROGRESS_H
#define CAROM_APP_SWEEP_PROGRESS_H

#include "app/sweep/sweep.h"

typedef struct carom_progress_line carom_progress_line;

// `points` in all, of which `waiting` are to be run; NULL if memory is short, which all others take. On a terminal one line is
// rewritten; elsewhere each run that ends has a line. With `quiet` only runs that are not done are told.
carom_progress_line *carom_progress_begin(int points, int waiting, bool quiet);
void carom_progress_ended(carom_progress_line *line, const carom_case *run);
void carom_progress_show(carom_progress_line *line, int running);
void carom_progress_end(carom_progress_line *line);

// True now and then: the table and the page of a long sweep are written meanwhile.
bool carom_progress_wants_results(carom_progress_line *line);

// Prints what the sweep came to, and where it is.
void carom_progress_print_result(const carom_sweep *sweep);

#endif
