// SPDX-License-Identifier: MIT
// How a run ends: complete, interrupted, failed, or for want of a place to write.
#ifndef CAROM_SIM_ENDS_H
#define CAROM_SIM_ENDS_H

#include "sim/saves.h"

// Keeps what the way in which the last step ended leaves to keep, and returns how the run ended: a failure to save takes the
// place of an interruption. The message says where the last state is.
carom_status carom_run_stop(carom_running *run, carom_status status, carom_error *error);

#endif
