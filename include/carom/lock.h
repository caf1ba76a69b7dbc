// SPDX-License-Identifier: MIT
// The lock of a result directory: one run at a time writes there.
#ifndef CAROM_LOCK_H
#define CAROM_LOCK_H

#include <stddef.h>

#include "carom/file.h"

#ifdef __cplusplus
extern "C" {
#endif

// DIR/lock.carom, held by this process.
typedef struct carom_lock carom_lock;

// Takes the lock of a directory. With `make` the directory is made if it is not there; otherwise a missing one is not locked
// (the lock is then NULL). CAROM_BAD_INPUT if another run holds it: the message names the process, its machine, the start of
// the run and the remedy. The lock of a process that no longer exists is taken over; `note` (of `note_size` bytes, NULL if that
// is 0) then reports it, and is empty otherwise. A lock of another machine is never taken over.
CAROM_API carom_status carom_lock_take(const char *directory, bool make, carom_lock **lock, char *note, size_t note_size,
                                       carom_error *error);

// Removes the lock, if it is still the one that was taken. NULL is permitted.
CAROM_API void carom_lock_release(carom_lock *lock);

#ifdef __cplusplus
}
#endif
#endif
