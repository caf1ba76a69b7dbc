// SPDX-License-Identifier: MIT
// Division of the nominal step by powers of two (docs/theory/step.md).
//
// Parts of a step begin and end on the grid of its own length, and nominal steps are made of whole parts, so that rows, frames
// and checkpoints keep their times to the last bit whatever happens between them.
//
// Parts become shorter at once, and longer only with patience. A change of the step at fixed positions and velocities changes
// the energy that leapfrog keeps, E - (h^2/8) a.M a, by (h-^2 - h+^2)/8 a.M a. Steps shrink where accelerations are large and
// grow where they are small, so every such round pumps energy into the body. The longer the wait before a part grows, the rarer
// the rounds; where a part has to shrink again soon after it grew, the wait doubles.
#include "integrator/step_division.h"

#include <math.h>

// What must survive a restart; all zero until a step is divided for the first time. HOLD + j: how often the wait at level j has
// been doubled, for the coarse levels that learn.
enum { LEVEL, HELD, SINCE, FELL_FROM, HOLD, LEARNING = 4, NUMBERS = HOLD + LEARNING + 1 };
// The largest kinetic energy that was noted.
enum { KINETIC, SEEN };

// Kicks that must have asked for a longer part before it is taken, at first and at most.
static const double first_hold = 16;
static const double longest_hold = 256;

// A part that has to shrink within so many waits after it grew, grew too early.
static const double soon = 8;

// A longer part must be allowed with this much to spare.
static const double spare = 0.9;

// A longer part may cost no more than this fraction of the largest kinetic energy.
static const double dear = 5e-4;

carom_pace carom_pace_create(carom_state *state, double whole) {
    return (carom_pace){.whole = whole,
                        .memory = carom_state_add_dormant(state, "pace", NUMBERS),
                        .seen = carom_state_add_silent(state, "largest motion", SEEN)};
}

int carom_pace_level(const carom_pace *pace) {
    return (int)pace->memory[LEVEL];
}

double carom_pace_step(const carom_pace *pace) {
    return ldexp(pace->whole, -carom_pace_level(pace));
}

int carom_pace_level_of(double step, double want) {
    int level = 0;
    while (level <= CAROM_PACE_FINEST && !(ldexp(step, -level) <= want))
        level++;
    return level;
}

static double hold_of(const carom_pace *pace, int level) {
    return level <= LEARNING ? fmin(ldexp(first_hold, (int)pace->memory[HOLD + level]), longest_hold) : first_hold;
}

void carom_pace_note_motion(carom_pace *pace, double kinetic) {
    pace->seen[KINETIC] = fmax(pace->seen[KINETIC], kinetic);
}

bool carom_pace_choose(carom_pace *pace, double want, int64_t place, carom_pace_energy energy) {
    double *m = pace->memory;
    int level = (int)m[LEVEL], need = carom_pace_level_of(pace->whole, want);
    int soft = carom_pace_level_of(pace->whole, spare * want);
    if (need > CAROM_PACE_FINEST)
        return false;
    m[SINCE] += m[FELL_FROM] > 0;
    carom_pace_note_motion(pace, energy.kinetic);
    if (need > level) {
        int from = (int)m[FELL_FROM];
        if (from > 0 && from <= LEARNING && m[SINCE] <= soon * hold_of(pace, from) && hold_of(pace, from) < longest_hold)
            m[HOLD + from]++;
        m[FELL_FROM] = m[SINCE] = 0;
        m[LEVEL] = need;
        m[HELD] = 0;
    } else if (soft < level) {
        m[HELD]++;
        int64_t longer = (int64_t)1 << (CAROM_PACE_FINEST - level + 1);
        // from h to 2 h: (3/8) h^2 a.M a
        double h = carom_pace_step(pace), jump = 0.375 * h * h * energy.swing;
        if (m[HELD] >= hold_of(pace, level) && place % longer == 0 && jump <= dear * pace->seen[KINETIC]) {
            m[FELL_FROM] = level;
            m[SINCE] = 0;
            m[LEVEL] = level - 1;
            m[HELD] = 0;
        }
    } else {
        m[HELD] = 0;
    }
    return true;
}
