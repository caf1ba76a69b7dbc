// SPDX-License-Identifier: MIT
#include "sim/signals.h"

#include <stddef.h>

#include "base/interrupt.h"
#include "carom/parallel.h"

static void note(int signal) {
    (void)signal;
    carom_interrupt_note();
}

static void catch_one(int signal, struct sigaction *old) {
    // Interrupted system calls are restarted: a write to a file must not fail because of Ctrl-C. The handler serves once.
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(signal, NULL, old);
    // A shell without job control starts background commands with SIGINT ignored; they stay deaf to it.
    if (old->sa_handler != SIG_IGN)
        sigaction(signal, &action, NULL);
}

// A second signal finds the default action again and ends the program at once, in case the first is not answered in time.
carom_signals carom_signals_catch(void) {
    carom_signals signals = {.active = true};
    carom_interrupt_clear();
    catch_one(SIGINT, &signals.interrupt);
    catch_one(SIGTERM, &signals.terminate);
    catch_one(SIGHUP, &signals.hang_up);
    // mpirun kills its processes a second after SIGINT or SIGTERM; it passes this one on and waits. It may come several times.
    if (carom_parallel_possible()) {
        struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        sigaction(SIGUSR1, &action, &signals.user);
    }
    return signals;
}

bool carom_signals_arrived(void) {
    return carom_interrupt_is_wanted();
}

void carom_signals_restore(carom_signals *signals, bool ends) {
    if (!signals->active)
        return;
    sigaction(SIGINT, &signals->interrupt, NULL);
    sigaction(SIGTERM, &signals->terminate, NULL);
    sigaction(SIGHUP, &signals->hang_up, NULL);
    // mpirun passes it on once more, or later to this process than to others
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    if (carom_parallel_possible())
        sigaction(SIGUSR1, ends ? &ignore : &signals->user, NULL);
    signals->active = false;
    carom_interrupt_clear();
}
