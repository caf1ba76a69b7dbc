// SPDX-License-Identifier: MIT
// Theory: docs/theory/guards.md
// The checks of a step that has returned. They depend on the steps of the run alone: rows, frames and checkpoints judge
// nothing.
#ifndef CAROM_SIM_WATCH_H
#define CAROM_SIM_WATCH_H

#include "sim/sim.h"

// Starts the guards at the present state, which is that of a method just set up.
void carom_watch_start(carom_sim *sim);

// Goes on from a state that was loaded, whose books balanced as far as anybody can tell.
void carom_watch_resume(carom_sim *sim);

// All checks of the present step. CAROM_NUMERICAL if an event ends the run; sim->unbalanced tells that the books did.
carom_status carom_watch_step(carom_sim *sim, carom_error *error);
// True if the books are audited at the end of this step.
bool carom_watch_audits(const carom_sim *sim, int64_t step);

// Whether the books of the present state balance well enough to return to it.
bool carom_watch_balances(const carom_sim *sim);

// The last check of a run that has come to its end: CAROM_NUMERICAL if its books leave more unexplained than an end may. The
// results are complete all the same. Counted; fails only if events end the run.
carom_status carom_watch_end(carom_sim *sim, carom_error *error);

// Whether an element is inside out now: counted, and CAROM_NUMERICAL with its name if events end the run or `stops`.
carom_status carom_watch_elements(carom_sim *sim, bool stops, carom_error *error);

// Counts, once in a run, that a body deformed to positions x has outgrown a step that is not divided. CAROM_NUMERICAL if events
// end the run and it is for this function to tell.
carom_status carom_watch_stability(carom_sim *sim, const double (*x)[3], bool tells, carom_error *error);

#endif
