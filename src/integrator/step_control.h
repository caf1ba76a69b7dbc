// SPDX-License-Identifier: MIT
// Adaptive steps: at kicks the elements are examined, and the next drift is made short enough for them.
#ifndef CAROM_INTEGRATOR_STEP_CONTROL_H
#define CAROM_INTEGRATOR_STEP_CONTROL_H

#include "base/arena.h"
#include "integrator/examination_times.h"
#include "integrator/kick_drift.h"
#include "integrator/step_limit.h"
#include "model/watch/stiffness_growth.h"

// Start from {0}. Unless created, the functions do nothing and every drift is the nominal step.
typedef struct carom_step_control {
    bool active;
    carom_step_limit limit;
    carom_vectors v, a;            // of all nodes at the kick
    carom_vicinity near;           // elements that are examined; empty between kicks
    carom_examination_times times; // when elements are examined
    int64_t batches;               // of all processes
    double queried_kick;           // the kick for which a device has been queried for its nodes; 0: none
    carom_growth growth;           // bounds of the stiffnesses of elements
    carom_arena *arena;
} carom_step_control;

// Registers what must survive a restart with the state, and examines the elements at the start.
carom_status carom_step_control_create(carom_step_control *control, const carom_kick_drift *nodes, carom_state *state,
                                       carom_error *error);
void carom_step_control_release(carom_step_control *control);

// The length of the first drift, at the state of the start; sets it for the kick that begins the run.
carom_status carom_step_control_start(carom_step_control *control, carom_kick_drift *nodes, carom_state *state, double *h,
                                      carom_error *error);

// The length of the next drift, also after a restart: the nominal step if it is not divided.
double carom_step_control_step(const carom_step_control *control, carom_kick_drift *nodes);

// Advances the time by that drift, which began `place` units of whole/2^CAROM_PACE_FINEST after the start of the nominal step;
// returns its length in units. At the end of the nominal step the step counter is incremented.
int64_t carom_step_control_advance(const carom_step_control *control, const carom_stepper *stepper, carom_state *state,
                                   int64_t place);

// Call before the forces of a kick are found: queries a device for the data that carom_step_control_next needs, so that both
// are transferred at once.
void carom_step_control_query(carom_step_control *control, const carom_kick_drift *nodes, const carom_state *state);

// Chooses the length of the next drift, at a kick after a drift of length `last`, with the forces of the kick. `place` is the
// time since the start of the nominal step, in units of whole/2^CAROM_PACE_FINEST. CAROM_NUMERICAL if an element is crushed so
// far that no division is fine enough, or inverted.
carom_status carom_step_control_next(carom_step_control *control, const carom_kick_drift *nodes, carom_state *state,
                                     double last, int64_t place, double *next, carom_error *error);

#endif
