// SPDX-License-Identifier: MIT
// A step that is divided into substeps if it does not converge: substeps are halved until they converge, and doubled again
// after some successes.
#ifndef CAROM_INTEGRATOR_HALVING_H
#define CAROM_INTEGRATOR_HALVING_H

#include <stdint.h>

#include "integrator/step_division.h"
#include "integrator/stepper.h"

// Advances the state by h from `time`, or leaves it as it was: CAROM_NUMERICAL if it does not converge. `smallest`: no shorter
// substep is allowed.
typedef carom_status (*carom_halving_advance)(carom_stepper *stepper, carom_state *state, double time, double h, bool smallest,
                                              carom_error *error);

// Chooses the level of the substep that begins now, `place` units of 2^-CAROM_PACE_FINEST of the step after its start: its
// length is the step over 2^*level, unless it fails.
typedef carom_status (*carom_halving_choose)(carom_stepper *stepper, carom_state *state, int64_t place, int *level,
                                             carom_error *error);

typedef struct carom_halving {
    carom_halving_advance advance;
    carom_halving_choose choose; // NULL: level 0
    int halvings;                // at most, below the chosen level
    double *pace;                // number of halvings at present, and substeps since it changed; part of the state
    carom_state *start;          // buffer for the state at the start of the step

    // of the last step
    int64_t halved;      // how often a substep was halved
    double time, length; // start and length of the last substep, or of the one that failed; length 0: no level was allowed
} carom_halving;

// Registers the pace with the state, and with `start`. False if memory is short.
bool carom_halving_register(carom_halving *halving, carom_state *state);

// Advances the state by the step of the stepper, and notes the contacts that have parted. On failure the state is that at the
// start, stepper->kept_state is set, and the error is that of the substep. If no level is allowed, the state is that of the
// substep that cannot begin.
carom_status carom_halving_run(carom_halving *halving, carom_stepper *stepper, carom_state *state, carom_error *error);

#endif
