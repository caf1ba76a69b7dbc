// SPDX-License-Identifier: MIT
#include "sim/signals.h"

#include <stddef.h>

static volatile sig_atomic_t arrived;

static void note(int signal) {
    (void)signal;
    arrived = 1;
}

static void catch_one(int signal, struct sigaction *old) {
    // system calls go on, and the handler serves once
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(signal, NULL, old);
    if (old->sa_handler != SIG_IGN)
        sigaction(signal, &action, NULL);
}

carom_signals carom_signals_catch(void) {
    carom_signals signals = {.active = true};
    arrived = 0;
    catch_one(SIGINT, &signals.interrupt);
    catch_one(SIGTERM, &signals.terminate);
    return signals;
}

bool carom_signals_arrived(void) {
    return arrived != 0;
}

void carom_signals_restore(carom_signals *signals) {
    if (!signals->active)
        return;
    sigaction(SIGINT, &signals->interrupt, NULL);
    sigaction(SIGTERM, &signals->terminate, NULL);
    signals->active = false;
}
