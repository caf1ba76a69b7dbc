// SPDX-License-Identifier: MIT
// Requests to stop, polled inside steps. There is one request per process, since signal handlers have global state only.
#ifndef CAROM_BASE_INTERRUPT_H
#define CAROM_BASE_INTERRUPT_H

#include <stdbool.h>

#include "carom/status.h"

// A loop of unknown length checks for a request once in this number of iterations; an iteration takes microseconds, so the loop
// stops well within a second.
enum { CAROM_INTERRUPT_EVERY = 1024 };

// Sets the request; may be called by a signal handler.
void carom_interrupt_note(void);
// Clears the request.
void carom_interrupt_clear(void);
bool carom_interrupt_is_wanted(void);

// Between carom_interrupt_hold and carom_interrupt_release, requests are not reported. Processes that share the work of a solve
// must stop it at the same point: they hold requests, and decide collectively (solver/rows.h).
void carom_interrupt_hold(void);
void carom_interrupt_release(void);
// True if there is a request, held or not.
bool carom_interrupt_is_noted(void);

// CAROM_INTERRUPTED if there is a request that is not held. The present step then remains incomplete, and its caller restores
// the state before it.
carom_status carom_interrupt_check(carom_error *error);

#endif
