// SPDX-License-Identifier: MIT
// A step that follows the body: at kicks the elements are looked at, and the drift to come is made short enough for them.
#ifndef CAROM_INTEGRATOR_STEP_CONTROL_H
#define CAROM_INTEGRATOR_STEP_CONTROL_H

#include "base/arena.h"
#include "integrator/examination_times.h"
#include "integrator/kick_drift.h"
#include "integrator/step_division.h"
#include "model/watch/frequency_bound.h"
#include "model/watch/stiffness_growth.h"

// Start from {0}. Does nothing, and every drift is the nominal step, unless it was created.
typedef struct carom_follow {
    bool active;
    carom_pace pace;
    double reference;              // stable step at the reference, by the same bound
    bool long_step;                // the nominal step is larger than the stable one: it is divided from the start
    carom_vectors v, a;            // of all nodes at the kick
    double *measures;              // of all elements
    carom_vicinity near;           // elements that are examined; empty between kicks
    carom_examination_times times; // when they are
    int64_t batches;               // of all processes
    double asked;                  // the kick for which a device has been asked which of its nodes were pushed; 0: none
    carom_growth growth;           // how stiff they may become
    double *record;                // CAROM_RECORD_*; part of the state
    carom_arena *arena;
} carom_follow;

// The array of the state with the record: drifts shorter than a nominal step so far, the finest level, and the element that
// asked for it (counted through all blocks, plus one) with the time.
enum { CAROM_RECORD_PARTS, CAROM_RECORD_LEVEL, CAROM_RECORD_ELEMENT, CAROM_RECORD_TIME, CAROM_RECORD_NUMBERS };
#define CAROM_RECORD_NAME "parts of steps"

// Notes the level that an element has asked for.
void carom_record_note(double *record, int level, int element, double time);
// An element is inside out: counts it, and fails if that `stops` the run.
carom_status carom_record_inverted(carom_state *state, int element, double time, bool stops, carom_error *error);

// Of the step that the bound allows: the stiffness grows further during the drift.
#define CAROM_SPARE_STEP 0.9
// Strains that lower the stable step by less than this are small.
#define CAROM_SMALL_STRAIN 0.98
// The finest level that compression may ask for where the law has no barrier against J = 0.
enum { CAROM_OPEN_LEVEL = 8 };

// Registers what must survive a restart with the state, and looks at the start.
carom_status carom_follow_create(carom_follow *follow, const carom_kick_drift *nodes, carom_state *state, carom_error *error);
void carom_follow_release(carom_follow *follow);

// The length of the first drift, at the state of the start; sets it for the kick that begins the run.
carom_status carom_follow_start(carom_follow *follow, carom_kick_drift *nodes, carom_state *state, double *h,
                                carom_error *error);

// The length of the drift that is due, also after a restart: the nominal step if it is not divided.
double carom_follow_step(const carom_follow *follow, carom_kick_drift *nodes);

// The time after that drift, which began `place` units of whole/2^CAROM_PACE_FINEST after the start of the nominal step;
// returns how many it took. At the end of the nominal step the step counts.
int64_t carom_follow_advance(const carom_follow *follow, const carom_stepper *stepper, carom_state *state, int64_t place);

// Before the forces of a kick are found: asks a device for what carom_follow_next needs of it, so that both come at once.
void carom_follow_ask(carom_follow *follow, const carom_kick_drift *nodes, const carom_state *state);

// The length of the drift that comes next, at a kick after a drift of length `last` and the forces that were found there.
// `place` tells how much of the nominal step is over, in units of whole/2^CAROM_PACE_FINEST. CAROM_NUMERICAL if an element is
// crushed so far that no division is fine enough, or inside out.
carom_status carom_follow_next(carom_follow *follow, const carom_kick_drift *nodes, carom_state *state, double last,
                               int64_t place, double *next, carom_error *error);

#endif
