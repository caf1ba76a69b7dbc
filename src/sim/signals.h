// SPDX-License-Identifier: MIT
// SIGINT, SIGTERM and SIGHUP, and SIGUSR1 where mpirun passes it on, as requests to stop. Signal handlers belong to the
// process, so there is one request per process; no handler is set unless a run requires it.
#ifndef CAROM_SIM_SIGNALS_H
#define CAROM_SIM_SIGNALS_H

#include <stdbool.h>

#include "base/platform.h"

// The previous actions of the signals.
typedef struct carom_signals {
    bool active;
    carom_platform_action interrupt, terminate, hang_up, user;
} carom_signals;

// From now on the first signal of each kind is noted, and a second one of the same kind has its default action. SIGUSR1 is
// noted each time, because mpirun may pass it on any number of times. Signals that the parent has set to be ignored stay
// ignored.
carom_signals carom_signals_catch(void);
// True once a signal has arrived.
bool carom_signals_arrived(void);
// Restores the previous actions; if the program ends because of a signal (`ends`), SIGUSR1 is ignored from now on.
void carom_signals_restore(carom_signals *signals, bool ends);

#endif
