// SPDX-License-Identifier: MIT
// Fills the summary of a run.
#ifndef CAROM_SIM_SUMMARY_FILL_H
#define CAROM_SIM_SUMMARY_FILL_H

#include "carom/run.h"
#include "sim/running_maxima.h"

// Fills everything that summary.json contains, at the present state of a run that took so many seconds. With several processes
// only the first one has the summary. Collective.
carom_status carom_summary_fill(carom_sim *sim, const carom_tally *tally, double seconds, carom_summary *summary,
                                carom_error *error);

#endif
