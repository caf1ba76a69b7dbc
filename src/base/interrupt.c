// SPDX-License-Identifier: MIT
// The request to stop the run, which signal handlers may set, and whether requests are held at present (interrupt.h).
#include "base/interrupt.h"

#include <signal.h>

static volatile sig_atomic_t wanted, held;

void carom_interrupt_note(void) {
    wanted = 1;
}

void carom_interrupt_clear(void) {
    wanted = 0;
}

void carom_interrupt_hold(void) {
    held = 1;
}

void carom_interrupt_release(void) {
    held = 0;
}

bool carom_interrupt_is_noted(void) {
    return wanted != 0;
}

bool carom_interrupt_is_wanted(void) {
    return wanted && !held;
}

carom_status carom_interrupt_check(carom_error *error) {
    return carom_interrupt_is_wanted() ? carom_fail(error, CAROM_INTERRUPTED, "interrupted") : CAROM_OK;
}
