// SPDX-License-Identifier: MIT
// What a run shows of its present step: a row, a frame, a look at the surfaces. Each happens once for a step. Every process of
// a run calls these functions; the first one writes and looks.
#ifndef CAROM_SIM_SHOW_H
#define CAROM_SIM_SHOW_H

#include "sim/saves.h"

// The row is measured also where nothing is written. CAROM_NUMERICAL if its energy is not finite.
carom_status carom_show_row(carom_running *run, carom_error *error);
// A sample of the probes with a filter.
carom_status carom_show_sample(carom_running *run, carom_error *error);
carom_status carom_show_frame(carom_running *run, carom_error *error);
// Whether faces intersect, and how far bodies are apart, for the tally.
carom_status carom_show_surfaces(carom_running *run, carom_error *error);

// True if a step that failed has led the state beyond the time of its step, part of the way to the next.
bool carom_run_is_between(const carom_running *run);
// The watch of another phase runs until the phase that is returned is entered again.
carom_phase carom_run_enter(carom_running *run, carom_phase phase);

#endif
