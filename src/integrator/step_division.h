// SPDX-License-Identifier: MIT
// Adaptive division of the nominal step into substeps of h/2^level.
#ifndef CAROM_INTEGRATOR_STEP_DIVISION_H
#define CAROM_INTEGRATOR_STEP_DIVISION_H

#include <stdint.h>

#include "carom/status.h"
#include "model/state.h"

// The finest level: substeps are never shorter than whole/2^CAROM_PACE_FINEST.
enum { CAROM_PACE_FINEST = 16 };

typedef struct carom_pace {
    double whole;   // the nominal step
    double *memory; // part of the state: level and counters
    double *seen;   // part of the state: the largest kinetic energy
} carom_pace;

// Registers what must survive a restart. NULL memory if memory is short.
carom_pace carom_pace_create(carom_state *state, double whole);

// The coarsest level whose substeps are no longer than `want`; CAROM_PACE_FINEST + 1 if there is none.
int carom_pace_level_of(double step, double want);

// The level at present, and the length of a drift there.
int carom_pace_level(const carom_pace *pace);
double carom_pace_step(const carom_pace *pace);

// Energies by which a longer step is judged: `swing` is a.M a of the accelerations along the motion.
typedef struct carom_pace_energy {
    double kinetic, swing;
} carom_pace_energy;

// Chooses the level of the drift that begins now, `place` units of whole/2^CAROM_PACE_FINEST after the start of the nominal
// step. `want` is the longest drift that the body allows. False if even the finest substep is too long.
bool carom_pace_choose(carom_pace *pace, double want, int64_t place, carom_pace_energy energy);

// Notes a kinetic energy: the largest is the scale for the energy change by a longer substep.
void carom_pace_note_motion(carom_pace *pace, double kinetic);

#endif
