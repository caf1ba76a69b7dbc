// SPDX-License-Identifier: MIT
// Substeps of h/2^level on the dyadic grid of the step: finer after a failure, coarser after some successes. The level is that
// which the bodies allow, at places of its grid, plus the halvings after failures.
#include "integrator/halving.h"

#include "model/limits.h"
#include "model/state.h"
#include "model/state/ledger.h"

// Substeps that must converge before a longer one is tried.
static const int successes_before_growth = 4;

static carom_limits limits_of(const void *owner, const carom_state *state, int64_t i) {
    (void)state;
    return i ? CAROM_LIMITS_COUNT : (carom_limits){0, ((const carom_halving *)owner)->halvings, true};
}

bool carom_halving_register(carom_halving *halving, carom_state *state) {
    halving->pace = carom_state_add_array(state, "halvings", 2);
    carom_state_limit(state, halving->pace, limits_of, halving);
    return halving->pace && carom_state_add_array(halving->start, "halvings", 2);
}

carom_status carom_halving_run(carom_halving *halving, carom_stepper *stepper, carom_state *state, carom_error *error) {
    int level = (int)halving->pace[0];
    int64_t whole = (int64_t)1 << (halving->halvings + CAROM_PACE_FINEST), done = 0;
    int allowed = 0;
    double *since = &halving->pace[1];
    halving->halved = 0;
    carom_state_copy(halving->start, state);
    while (done < whole) {
        halving->time = state->time + stepper->step * ((double)done / (double)whole);
        halving->length = 0;
        if (halving->choose && done % (whole >> allowed) == 0) {
            carom_status chosen = halving->choose(stepper, state, done >> halving->halvings, &allowed, error);
            if (chosen)
                return chosen;
        }
        int64_t part = whole >> (allowed + level);
        halving->length = stepper->step * ((double)part / (double)whole);
        carom_status status =
            halving->advance(stepper, state, halving->time, halving->length, level == halving->halvings, error);
        if (status == CAROM_NUMERICAL && level < halving->halvings) {
            level++;
            *since = 0;
            halving->halved++;
            continue;
        }
        if (status) {
            carom_state_copy(state, halving->start);
            stepper->kept_state = true;
            return status;
        }

        // a longer substep begins on its own grid only
        done += part;
        ++*since;
        if (level > 0 && *since >= successes_before_growth && done % (2 * part) == 0) {
            level--;
            *since = 0;
        }
    }
    halving->pace[0] = level;
    carom_stepper_advance_time(stepper, state);
    carom_ledger_note_partings(state);
    return CAROM_OK;
}
