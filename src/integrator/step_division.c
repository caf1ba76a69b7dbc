// SPDX-License-Identifier: MIT
// Division of the nominal step by powers of two (docs/theory/step.md).
//
// A substep begins and ends at multiples of its length, and a nominal step consists of whole substeps, so that rows, frames
// and checkpoints keep their times to the last bit whatever the division between them.
//
// Substeps become shorter at once, and longer only after a wait. A change of the step at fixed positions and velocities changes
// the energy that leapfrog conserves, E - (h^2/8) a.M a, by (h-^2 - h+^2)/8 a.M a. Steps shrink where accelerations are large
// and grow where they are small, so every such cycle adds energy to the body. A longer wait makes the cycles rarer; if a
// substep has to shrink again soon after it grew, the wait doubles.
#include "integrator/step_division.h"

#include <math.h>

#include "model/limits.h"

// What must survive a restart; all zero until a step is divided for the first time. ALLOWED_KICKS: kicks in a row that allowed
// a longer substep. SINCE_GROWTH: kicks since the last growth, and GREW_FROM: the level from which it grew. WAIT_DOUBLINGS + j:
// how often the wait at level j has been doubled, up to level LEARNING.
enum { LEVEL, ALLOWED_KICKS, SINCE_GROWTH, GREW_FROM, WAIT_DOUBLINGS, LEARNING = 4, NUMBERS = WAIT_DOUBLINGS + LEARNING + 1 };
// KINETIC: the largest kinetic energy so far.
enum { KINETIC, SEEN };

// Kicks in a row that must allow a longer substep before it is used, initially and at most.
static const double initial_wait = 16;
static const double longest_wait = 256;

// A substep that has to shrink within this many waits after it grew has grown too early.
static const double early_waits = 8;

// A longer substep must be shorter than this fraction of the allowed step.
static const double growth_margin = 0.9;

// The energy change by a longer substep may not exceed this fraction of the largest kinetic energy.
static const double max_energy_jump = 5e-4;

static carom_limits limits_of(const void *unused, const carom_state *state, int64_t i) {
    (void)unused, (void)state;
    return i == ALLOWED_KICKS || i == SINCE_GROWTH ? CAROM_LIMITS_COUNT : (carom_limits){0, CAROM_PACE_FINEST, true};
}

carom_pace carom_pace_create(carom_state *state, double whole) {
    carom_pace pace = {.whole = whole,
                       .memory = carom_state_add_dormant(state, "pace", NUMBERS),
                       .seen = carom_state_add_silent(state, "largest motion", SEEN)};
    carom_state_limit(state, pace.memory, limits_of, NULL);
    return pace;
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

static double wait_at(const carom_pace *pace, int level) {
    return level <= LEARNING ? fmin(ldexp(initial_wait, (int)pace->memory[WAIT_DOUBLINGS + level]), longest_wait)
                             : initial_wait;
}

void carom_pace_note_motion(carom_pace *pace, double kinetic) {
    pace->seen[KINETIC] = fmax(pace->seen[KINETIC], kinetic);
}

bool carom_pace_choose(carom_pace *pace, double want, int64_t place, carom_pace_energy energy) {
    double *m = pace->memory;
    int level = (int)m[LEVEL], need = carom_pace_level_of(pace->whole, want);
    int soft = carom_pace_level_of(pace->whole, growth_margin * want);
    if (need > CAROM_PACE_FINEST)
        return false;
    m[SINCE_GROWTH] += m[GREW_FROM] > 0;
    carom_pace_note_motion(pace, energy.kinetic);
    if (need > level) {
        int from = (int)m[GREW_FROM];
        if (from > 0 && from <= LEARNING && m[SINCE_GROWTH] <= early_waits * wait_at(pace, from) &&
            wait_at(pace, from) < longest_wait)
            m[WAIT_DOUBLINGS + from]++;
        m[GREW_FROM] = m[SINCE_GROWTH] = 0;
        m[LEVEL] = need;
        m[ALLOWED_KICKS] = 0;
    } else if (soft < level) {
        m[ALLOWED_KICKS]++;
        int64_t longer = (int64_t)1 << (CAROM_PACE_FINEST - level + 1);
        // from h to 2 h: (3/8) h^2 a.M a
        double h = carom_pace_step(pace), jump = 0.375 * h * h * energy.swing;
        if (m[ALLOWED_KICKS] >= wait_at(pace, level) && place % longer == 0 && jump <= max_energy_jump * pace->seen[KINETIC]) {
            m[GREW_FROM] = level;
            m[SINCE_GROWTH] = 0;
            m[LEVEL] = level - 1;
            m[ALLOWED_KICKS] = 0;
        }
    } else {
        m[ALLOWED_KICKS] = 0;
    }
    return true;
}
