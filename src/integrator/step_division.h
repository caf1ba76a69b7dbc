// SPDX-License-Identifier: MIT
// The step follows the body: how finely the nominal step is divided at present.
#ifndef CAROM_INTEGRATOR_STEP_DIVISION_H
#define CAROM_INTEGRATOR_STEP_DIVISION_H

#include <stdint.h>

#include "carom/status.h"
#include "model/state.h"

// Steps of whole/2^level; finer than CAROM_PACE_FINEST nothing is followed.
enum { CAROM_PACE_FINEST = 16 };

typedef struct carom_pace {
    double whole;   // the nominal step
    double *memory; // both part of the state
    double *seen;
} carom_pace;

// Registers what must survive a restart. NULL memory if memory is short.
carom_pace carom_pace_create(carom_state *state, double whole);

// The coarsest level whose parts of a step are no longer than `want`; one more than the finest if there is none.
int carom_pace_level_of(double step, double want);

// The level at present, and the length of a drift there.
int carom_pace_level(const carom_pace *pace);
double carom_pace_step(const carom_pace *pace);

// What a change of the step means for the energy: `swing` is a.M a of the accelerations along the motion.
typedef struct carom_pace_energy {
    double kinetic, swing;
} carom_pace_energy;

// Chooses the level of the drift that begins now, `place` parts of size whole/2^CAROM_PACE_FINEST after the start of the
// nominal step. `want` is the longest drift that the body allows. False if even the finest division is too long.
bool carom_pace_choose(carom_pace *pace, double want, int64_t place, carom_pace_energy energy);

// Notes a kinetic energy, by whose largest value the cost of a longer part is judged.
void carom_pace_note_motion(carom_pace *pace, double kinetic);

#endif
