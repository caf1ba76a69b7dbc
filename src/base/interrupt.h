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

// From carom_interrupt_hold to carom_interrupt_let_go nobody is told of the wish. Processes that do the same and share some of
// the work must leave it at the same place; they hold the wish, and ask each other for it (solver/rows.h).
void carom_interrupt_hold(void);
void carom_interrupt_let_go(void);
// True if there is a wish, held or not.
bool carom_interrupt_is_noted(void);

// CAROM_INTERRUPTED if somebody wishes to stop. The step that hears it is left unfinished: whoever called it returns to the
// state before.
carom_status carom_interrupt_check(carom_error *error);

#endif
