// SPDX-License-Identifier: MIT
// The longest step that the bodies allow, deformed as they are, and the division of the nominal step that follows from it.
#ifndef CAROM_INTEGRATOR_STEP_LIMIT_H
#define CAROM_INTEGRATOR_STEP_LIMIT_H

#include "carom/arena.h"
#include "integrator/step_division.h"
#include "integrator/stepper.h"
#include "model/watch/frequency_bound.h"

// Start from {0}.
typedef struct carom_step_limit {
    const carom_model *model;
    carom_pace pace;
    double reference; // stable step at the start, by the same bound: the caller evaluates it
    bool long_step;   // the nominal step is larger than the stable one: it is divided from the start
    double *measures; // of all elements, for carom_model_stiffening
    double *record;   // CAROM_RECORD_*; part of the state
} carom_step_limit;

// The array of the state with the record: number of drifts shorter than a nominal step so far, the finest level, and the
// element that required it (counted through all blocks, plus one) with the time.
enum { CAROM_RECORD_PARTS, CAROM_RECORD_LEVEL, CAROM_RECORD_ELEMENT, CAROM_RECORD_TIME, CAROM_RECORD_NUMBERS };
#define CAROM_RECORD_NAME "parts of steps"

// Registers the record with the state; NULL if memory is short.
double *carom_record_register(carom_state *state);
// Notes the level that an element requires, if it is the finest so far.
void carom_record_note(double *record, int level, int element, double time);
// Counts an inverted element, and fails if that `stops` the run.
carom_status carom_record_inverted(carom_state *state, int element, double time, bool stops, carom_error *error);

// Fraction of the stable step that is used; the rest covers stiffening until the next kick.
#define CAROM_STEP_SAFETY 0.9
// Strains are small if the stable step is at least this fraction of that at the start.
#define CAROM_UNSTRAINED_STEP_RATIO 0.98
// The finest level that compression may require if the law has no barrier against J = 0.
enum { CAROM_FINEST_LEVEL_WITHOUT_BARRIER = 8 };

// Registers what must survive a restart with the state.
void carom_step_limit_create(carom_step_limit *limit, const carom_stepper *stepper, carom_state *state, carom_arena *arena,
                             bool *enough);

// The longest drift that the bodies allow, and the element that limits it.
double carom_step_limit_allowed(const carom_step_limit *limit, const carom_stiffening *seen, int *element);

// Energies by which a longer step is judged, with the accelerations a along the velocities w of the drift. Nodes pressed onto
// an obstacle do not accelerate, although forces act on them: only accelerations along the motion count.
carom_pace_energy carom_step_limit_energy(const carom_model *model, const double (*v)[3], const double (*a)[3],
                                          const double (*w)[3]);

// Chooses the level of the drift that begins now, `place` units of whole/2^CAROM_PACE_FINEST after the start of the nominal
// step, and notes it. CAROM_NUMERICAL if an element is crushed so far that no division is fine enough, or inverted.
carom_status carom_step_limit_choose(carom_step_limit *limit, const carom_stepper *stepper, carom_state *state,
                                     const carom_stiffening *seen, carom_pace_energy energy, int64_t place, carom_error *error);

#endif
