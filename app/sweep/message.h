// SPDX-License-Identifier: MIT
// The reason why a run of a sweep has failed, in one line.
#ifndef CAROM_APP_SWEEP_MESSAGE_H
#define CAROM_APP_SWEEP_MESSAGE_H

#include "app/sweep/sweep.h"

// Sets the message of a run that has ended: the last error that it has printed, else the first finding in its scene; of failed
// gates, what was expected and found. `signal`: the one that has ended the run, or 0. The message does not depend on the name
// of the directory of the sweep.
void carom_case_find_message(carom_sweep *sweep, int point, int signal);

#endif
