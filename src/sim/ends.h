// SPDX-License-Identifier: MIT
// The end of a run: complete, interrupted, failed, or unable to write its files.
#ifndef CAROM_SIM_ENDS_H
#define CAROM_SIM_ENDS_H

#include "sim/saves.h"

// Saves what the status of the last step requires, and returns the final status of the run: a failure to save replaces an
// interruption. The message says where the last state is.
carom_status carom_run_stop(carom_running *run, carom_status status, carom_error *error);

#endif
