// SPDX-License-Identifier: MIT
// What the numbers of a state may be. A checkpoint with a right hash may hold any numbers, and some of them are indices, counts
// or times that drive a loop. The owner of such an array declares their limits; they are checked after a state has been read.
#ifndef CAROM_MODEL_LIMITS_H
#define CAROM_MODEL_LIMITS_H

#include "model/state.h"

// Limits of any number, of a flag, of a count and of the number of an element of the whole model, counted from 1.
#define CAROM_LIMITS_NONE ((carom_limits){-CAROM_STATE_FINITE, CAROM_STATE_FINITE, false})
#define CAROM_LIMITS_FLAG ((carom_limits){0, 1, true})
#define CAROM_LIMITS_COUNT ((carom_limits){0, 0x1p53, true})
carom_limits carom_limits_element(const carom_model *model);
// Of the number of times that what recurs at multiples of `step` has happened up to `time`.
carom_limits carom_limits_recurrence(double time, double step);

// Declares the limits of a registered array; `owner` must live as long as the state.
void carom_state_limit(carom_state *state, const void *values, carom_limits_of *limits, const void *owner);

// Fails with CAROM_BAD_INPUT if a number of the state is not within its limits. `source` is the file that it was read from, `h`
// the step of the run.
carom_status carom_state_examine(const carom_state *state, double h, const char *source, carom_error *error);

#endif
