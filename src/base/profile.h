// SPDX-License-Identifier: MIT
// Where the time of a run goes: a stop watch for each phase, of which exactly one runs at a time.
//
// A phase is entered with carom_profile_enter, which returns the phase before it, and left by entering that one again. Phases
// nest in this way, and each counts only the time in which no phase inside it was running. A profile that is off costs a
// branch. Marks belong around calls of at least some microseconds, outside of parallel regions.
#ifndef CAROM_BASE_PROFILE_H
#define CAROM_BASE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/profile.h"

typedef struct carom_profile {
    bool on;                                  // time or work is measured
    bool times;                               // the time is
    carom_phase phase;                        // the one that is running
    double wall, processor;                   // the clocks when it was entered
    carom_phase_time time[CAROM_PHASE_COUNT]; // of each phase so far
    bool weighs;                              // the work is
    double mark;                              // its clock when the phase was entered
    double work[CAROM_PHASE_COUNT];           // of each phase, as far as it was measured
} carom_profile;

// Starts with all watches at zero, in the phase CAROM_PHASE_OTHER.
void carom_profile_start(carom_profile *profile);
// Stops the watch of the current phase; `time` is complete.
void carom_profile_stop(carom_profile *profile);

// Seconds that never go back, unlike the time of day.
double carom_profile_seconds(void);
// The work of this thread so far: seconds of processor time, to which other programs on the machine add nothing.
double carom_profile_work(void);
// Measures it from now on, or no longer. To be called in the phase CAROM_PHASE_OTHER.
void carom_profile_weigh(carom_profile *profile, bool weighs);

// carom_profile_enter of a profile that is on.
carom_phase carom_profile_switch(carom_profile *profile, carom_phase phase);

// NULL is a profile that is off.
static inline carom_phase carom_profile_enter(carom_profile *profile, carom_phase phase) {
    return profile && profile->on ? carom_profile_switch(profile, phase) : CAROM_PHASE_OTHER;
}

#endif
