// SPDX-License-Identifier: MIT
// The largest contact force of each pair of bodies. Impulses come in single events, so a force is a mean over some time: the
// run is divided into windows of a fixed number of steps, and the force in a window is the sum of the normal impulses in it
// divided by its length. Windows depend on the steps of the run alone, not on what is written.
#ifndef CAROM_MODEL_STATE_PAIR_FORCES_H
#define CAROM_MODEL_STATE_PAIR_FORCES_H

#include "model/state.h"

// Starts the windows at the present time, each of `steps` steps of length `step`.
void carom_pair_forces_start(carom_state *state, int64_t steps, double step);

// To be called after each step: if a window ends with it, records its forces and starts the next window.
void carom_pair_forces_step(carom_state *state);

// Adds the unfinished window to a record with the present sums. Its mean is taken over the length of a whole window, so that
// the peak never results from a few steps.
void carom_pair_forces_check(const carom_state *state, int pair, carom_pair_record *record);

#endif
