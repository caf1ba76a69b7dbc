// SPDX-License-Identifier: MIT
#ifndef CAROM_SIM_SUMMARY_FILL_H
#define CAROM_SIM_SUMMARY_FILL_H

#include "carom/run.h"
#include "sim/running_maxima.h"

// Everything that summary.json says, measured at the present state of a run that took so many seconds. Of several processes the
// first one has the summary.
carom_status carom_summary_fill(carom_sim *sim, const carom_tally *tally, double seconds, carom_summary *summary,
                                carom_error *error);

#endif
