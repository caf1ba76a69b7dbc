// SPDX-License-Identifier: MIT
// Mean contact forces over windows of steps: the largest force of each pair, and the time and impulse of its windows.
#include "model/state/pair_forces.h"

#include "math/exact.h"
#include "model/state/load_cells.h"

void carom_pair_forces_start(carom_state *state, int64_t steps, double step) {
    state->books.window = (carom_force_window){.steps = steps, .length = (double)steps * step, .begin = state->time};
    for (int p = 0; p < state->pair_count; p++)
        state->pair_firsts[p].window_impulse = carom_exact_value(&state->pair_sums[p].of[CAROM_PAIR_IMPULSE]);
}

// Updates a record with a window of that length in which the pair has exchanged a normal impulse. If impulses were only
// amended, the sum of a window may be negative: that is no contact.
static void take_in(carom_pair_record *record, double gained, double length, double passed, double end) {
    if (!(gained > 0))
        return;
    record->contact_time += passed;
    double force = gained / length;
    if (force > record->peak_force) {
        record->peak_force = force;
        record->peak_time = end;
    }
}

void carom_pair_forces_step(carom_state *state) {
    carom_force_window *window = &state->books.window;
    if (window->steps <= 0 || state->step % window->steps != 0)
        return;
    double passed = state->time - window->begin;
    for (int p = 0; p < state->pair_count && passed > 0; p++) {
        carom_pair_first *memory = &state->pair_firsts[p];
        double sum = carom_exact_value(&state->pair_sums[p].of[CAROM_PAIR_IMPULSE]);
        take_in(&state->pairs[p], sum - memory->window_impulse, passed, passed, state->time);
        memory->window_impulse = sum;
    }
    carom_cells_end_window(state, passed);
    window->begin = state->time;
}

void carom_pair_forces_check(const carom_state *state, int pair, carom_pair_record *record) {
    const carom_force_window *window = &state->books.window;
    double passed = state->time - window->begin, length = passed < window->length ? window->length : passed;
    if (window->steps > 0 && length > 0)
        take_in(record, record->impulse - state->pair_firsts[pair].window_impulse, length, passed, state->time);
}
