// SPDX-License-Identifier: MIT
// The wish to stop, as seen from inside a step. A signal handler can only reach the process, so there is one wish per process.
#ifndef CAROM_BASE_INTERRUPT_H
#define CAROM_BASE_INTERRUPT_H

#include <stdbool.h>

#include "carom/status.h"

// Loops whose length nobody knows in advance look for the wish after so many rounds: microseconds each, so that an answer never
// takes a second.
enum { CAROM_INTERRUPT_EVERY = 1024 };

// Notes the wish; may be called by a signal handler.
void carom_interrupt_note(void);
// Forgets it.
void carom_interrupt_clear(void);
bool carom_interrupt_is_wanted(void);
// Between these two calls nobody hears of it: several processes must do the same, and hear of it together after the step.
void carom_interrupt_suspend(void);
void carom_interrupt_resume(void);

// CAROM_INTERRUPTED if somebody wishes to stop. The step that hears it is left unfinished: whoever called it returns to the
// state before.
carom_status carom_interrupt_check(carom_error *error);

#endif
