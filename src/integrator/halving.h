// SPDX-License-Identifier: MIT
// A step that may have to be done in parts: what does not converge is halved, and halved again; parts grow when some have
// converged.
#ifndef CAROM_INTEGRATOR_HALVING_H
#define CAROM_INTEGRATOR_HALVING_H

#include <stdint.h>

#include "integrator/stepper.h"

// Advances the state by h from `time`, or leaves it as it was: CAROM_NUMERICAL if it does not converge. `smallest`: there is no
// smaller part.
typedef carom_status (*carom_halving_advance)(carom_stepper *stepper, carom_state *state, double time, double h, bool smallest,
                                              carom_error *error);

typedef struct carom_halving {
    carom_halving_advance advance;
    int halvings;       // at most
    double *pace;       // how often steps are halved at present, and parts since that changed; part of the state
    carom_state *start; // room for the state to return to

    // of the last step
    int64_t halved;      // how often a part was halved
    double time, length; // where the last part began, and its length: of the one that failed, if any
} carom_halving;

// Advances the state by the step of the stepper. On failure the state is that of the start, the error is that of the part, and
// the stepper is settled.
carom_status carom_halving_run(carom_halving *halving, carom_stepper *stepper, carom_state *state, carom_error *error);

#endif
