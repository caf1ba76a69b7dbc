// SPDX-License-Identifier: MIT
// Theory: docs/theory/guards.md
// The checks of a completed step. They depend only on the number of the step, not on rows, frames and checkpoints.
#ifndef CAROM_SIM_WATCH_H
#define CAROM_SIM_WATCH_H

#include "sim/sim.h"

// Starts the guards at the present state, just after the set-up of the method.
void carom_watch_start(carom_sim *sim);

// Continues from a loaded state, whose ledger is assumed to balance.
void carom_watch_resume(carom_sim *sim);

// All checks of the present step. CAROM_NUMERICAL if an event ends the run; sim->unbalanced: the audit of the ledger did.
carom_status carom_watch_step(carom_sim *sim, carom_error *error);
// True if the ledger is audited at the end of this step.
bool carom_watch_audits(const carom_sim *sim, int64_t step);

// True if the ledger of the present state balances well enough to return to it.
bool carom_watch_balances(const carom_sim *sim);

// True if a checkpoint may contain the present state: a run that ends because of its ledger returns to a state whose ledger
// balances, also if it was resumed. `keeps`: the present state is then the one to return to.
bool carom_watch_may_save(carom_sim *sim, bool keeps);

// The last check of a complete run: CAROM_NUMERICAL if its ledger leaves more unexplained than is allowed at the end. The
// results are complete nevertheless. Counted; fails only if events end the run.
carom_status carom_watch_end(carom_sim *sim, carom_error *error);

// Whether an element is inside out now: counted, and CAROM_NUMERICAL with its name if events end the run or `stops`.
carom_status carom_watch_elements(carom_sim *sim, bool stops, carom_error *error);

// Counts, once in a run, that the step is unstable for a body deformed to positions x, unless steps are divided.
// CAROM_NUMERICAL if events end the run and `reports` is set.
carom_status carom_watch_stability(carom_sim *sim, const double (*x)[3], bool reports, carom_error *error);

#endif
