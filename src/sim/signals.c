// SPDX-License-Identifier: MIT
// Signal handlers of a run. They only set the flag of base/interrupt.h.
#include "sim/signals.h"

#include "base/interrupt.h"
#include "carom/parallel.h"
#include "carom/run.h"

// Signals that carom_run_catch_signals has caught for the next run.
static carom_signals caught_early;

static void note(int signal) {
    (void)signal;
    carom_interrupt_note();
}

// A second signal, if it is not a repetition of the first, has its default action and ends the program at once, in case the run
// does not stop in time.
carom_signals carom_signals_catch(void) {
    carom_signals signals = caught_early;
    caught_early.active = false;
    if (signals.active)
        return signals;
    signals.active = true;
    carom_interrupt_clear();
    carom_platform_catch(CAROM_SIGNAL_INTERRUPT, note, true, &signals.interrupt);
    carom_platform_catch(CAROM_SIGNAL_TERMINATE, note, true, &signals.terminate);
    carom_platform_catch(CAROM_SIGNAL_HANG_UP, note, true, &signals.hang_up);
    // mpirun kills its processes a second after SIGINT or SIGTERM; it passes this one on and waits. It may come several times.
    if (carom_parallel_possible())
        carom_platform_catch(CAROM_SIGNAL_USER, note, false, &signals.user);
    return signals;
}

carom_status carom_run_catch_signals(carom_error *error) {
    caught_early = carom_signals_catch();
    return carom_parallel_agree(CAROM_OK, error);
}

bool carom_signals_arrived(void) {
    return carom_interrupt_is_wanted();
}

void carom_signals_restore(carom_signals *signals, bool ends) {
    if (!signals->active)
        return;
    carom_platform_set_action(CAROM_SIGNAL_INTERRUPT, &signals->interrupt);
    carom_platform_set_action(CAROM_SIGNAL_TERMINATE, &signals->terminate);
    carom_platform_set_action(CAROM_SIGNAL_HANG_UP, &signals->hang_up);
    // mpirun passes it on once more, or later to this process than to others
    if (carom_parallel_possible() && ends)
        carom_platform_ignore(CAROM_SIGNAL_USER);
    else if (carom_parallel_possible())
        carom_platform_set_action(CAROM_SIGNAL_USER, &signals->user);
    signals->active = false;
    carom_interrupt_clear();
}
