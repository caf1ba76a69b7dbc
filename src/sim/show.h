// SPDX-License-Identifier: MIT
// Output of the present step: a row, a sample, a frame, a check of the surfaces; each once per step. Every process of a run
// calls these functions; the first one writes and checks.
#ifndef CAROM_SIM_SHOW_H
#define CAROM_SIM_SHOW_H

#include "sim/saves.h"

// The row is measured also where nothing is written. CAROM_NUMERICAL if its energy is not finite.
carom_status carom_show_row(carom_running *run, carom_error *error);
// A sample of the probes with a filter.
carom_status carom_show_sample(carom_running *run, carom_error *error);
carom_status carom_show_frame(carom_running *run, carom_error *error);
// Adds the number of intersecting faces and the distance between bodies to the tally.
carom_status carom_show_surfaces(carom_running *run, carom_error *error);

// True if a failed step has left the state at a time between two steps.
bool carom_run_is_between(const carom_running *run);
// Enters a phase of the profile; returns the previous one, to be entered again at its end.
carom_phase carom_run_enter(carom_running *run, carom_phase phase);

#endif
