// SPDX-License-Identifier: MIT
// Measures the time spent in each phase of a run: every phase has a stop watch, and exactly one of them runs at any time.
//
// A phase is entered with carom_profile_enter, which returns the previous phase, and left by entering that one again. So phases
// may be nested, and each counts only the time outside of inner phases. A profile that is off costs one branch. Calls of
// carom_profile_enter should enclose at least some microseconds, outside of parallel regions.
#ifndef CAROM_BASE_PROFILE_H
#define CAROM_BASE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/profile.h"

typedef struct carom_profile {
    bool on;                                  // time or work is measured
    bool times;                               // time is measured
    carom_phase phase;                        // present phase
    double wall, processor;                   // clocks when the phase was entered
    carom_phase_time time[CAROM_PHASE_COUNT]; // time of each phase so far
    bool weighs;                              // work is measured
    double mark;                              // processor time when the phase was entered
    double work[CAROM_PHASE_COUNT];           // measured work of each phase
} carom_profile;

// Starts with all watches at zero, in the phase CAROM_PHASE_OTHER.
void carom_profile_start(carom_profile *profile);
// Stops the watch of the current phase; `time` is complete.
void carom_profile_stop(carom_profile *profile);

// Monotonic clock in seconds.
double carom_profile_seconds(void);
// The work of this thread so far: processor time in seconds, which does not include that of other programs.
double carom_profile_work(void);
// Starts or stops measuring the work. Must be called in the phase CAROM_PHASE_OTHER.
void carom_profile_measure_work(carom_profile *profile, bool weighs);

// Implements carom_profile_enter for a profile that is on.
carom_phase carom_profile_switch(carom_profile *profile, carom_phase phase);

// NULL is a profile that is off.
static inline carom_phase carom_profile_enter(carom_profile *profile, carom_phase phase) {
    return profile && profile->on ? carom_profile_switch(profile, phase) : CAROM_PHASE_OTHER;
}

#endif
