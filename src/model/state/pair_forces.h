// SPDX-License-Identifier: MIT
// The largest contact force of each pair of bodies. Impulses come in single events, so a force is a mean over some time: the
// run is divided into windows of a fixed number of steps, and the force in a window is the sum of the normal impulses in it
// divided by its length. Windows depend on the steps of the run alone, not on what is written.
#ifndef CAROM_MODEL_STATE_PAIR_FORCES_H
#define CAROM_MODEL_STATE_PAIR_FORCES_H

#include "model/state.h"

// Begins to follow forces at the present time, in windows of so many steps of length `step`.
void carom_pair_forces_start(carom_state *state, int64_t steps, double step);

// To be called after each step: if a window ends with it, takes its forces into the records and begins the next one.
void carom_pair_forces_step(carom_state *state);

// Adds the window that has not ended yet to a record with the present sums. Its force counts as that of a whole window, so that
// the peak never rests on a few steps.
void carom_pair_forces_check(const carom_state *state, int pair, carom_pair_record *record);

#endif
