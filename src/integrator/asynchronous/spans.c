// SPDX-License-Identifier: MIT
// Divides a step into spans (stretches of time for each of which the possible contacts are chosen); saves the state at the
// beginning of a span, and restores it if the span must be repeated.
#include "integrator/asynchronous/spans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "model/state/accounts.h"
#include "model/state/guard.h"

// A span is repeated at most this many times. Each time doubles the allowance, so only non-finite velocities need more.
enum { TRIALS = 60 };

carom_status carom_spans_create(carom_spans *spans, carom_error *error) {
    const carom_state *state = spans->loop->flight.state;
    // a span that exceeded its allowance is undone by copying all arrays of the state back
    int64_t size = 0;
    for (int a = 0; a < state->array_count; a++)
        size += state->arrays[a].count;
    spans->saved = carom_allocate(size, sizeof *spans->saved);
    return spans->saved ? CAROM_OK : carom_no_memory(error, "the integrator");
}

void carom_spans_release(carom_spans *spans) {
    free(spans->saved);
    *spans = (carom_spans){0};
}

// Saves all arrays of the state, or restores them.
static void save(carom_spans *spans, bool back) {
    carom_state *state = spans->loop->flight.state;
    double *at = spans->saved;
    for (int a = 0; a < state->array_count; a++) {
        carom_state_array *array = &state->arrays[a];
        size_t size = (size_t)array->count * sizeof *at;
        if (size)
            memcpy(back ? array->values : at, back ? at : array->values, size);
        at += array->count;
    }
}

static bool is_finite(const carom_flight *flight) {
    bool finite = true;
    for (int k = 0; k < flight->model->node_count; k++)
        finite = finite && isfinite(flight->w[k][0] + flight->w[k][1] + flight->w[k][2]);
    return finite;
}

static carom_status not_finite(carom_flight *flight, carom_error *error) {
    flight->state->books.events[CAROM_EVENT_NOT_FINITE]++;
    return carom_fail(error, CAROM_NUMERICAL, "velocities are not finite at time %g (step %lld)", flight->begin,
                      (long long)flight->state->step + 1);
}

// Runs one span, up to the time `end`. If the span should be shorter, the state is unchanged, and *fraction is the part to run.
static carom_status run_span(carom_spans *spans, double end, bool driven, double *fraction, carom_error *error) {
    carom_flight *flight = &spans->loop->flight;
    carom_ticks *ticks = spans->loop->ticks;
    carom_books books;
    carom_ticks_allow(ticks);
    // invariant: at the beginning of each trial the state is that of the beginning of the span
    for (int trial = 0; trial < TRIALS; trial++) {
        carom_phase before = carom_profile_enter(&spans->stepper->profile, CAROM_PHASE_SEARCH);
        carom_status status = carom_ticks_choose(ticks, error);
        carom_profile_enter(&spans->stepper->profile, before);
        if (trial == 0) {
            // the record of a pair of bodies begins with their velocities before they meet
            if (spans->stepper->stale && carom_ticks_meet_new(ticks))
                carom_stepper_synchronize(spans->stepper, flight->state, NULL);
            books = flight->state->books;
            save(spans, false);
        }
        if (!status)
            status = carom_ticks_start(ticks, driven, spans->undriven, fraction, error);
        if (!status && *fraction == 1)
            status = carom_event_loop_run(spans->loop, end, error);
        if (status || (*fraction == 1 && !carom_ticks_must_repeat(ticks)))
            return status;
        if (*fraction == 1)
            *fraction = carom_ticks_tight_part(ticks);
        // no allowance is large enough for a non-finite kick
        if (*fraction == 1 && !is_finite(flight))
            return not_finite(flight, error);
        save(spans, true);
        flight->state->books = books;
        if (*fraction < 1)
            return CAROM_OK;
        carom_ticks_allow_more(ticks);
    }
    return not_finite(flight, error);
}

bool carom_spans_move_nodes(carom_flight *flight) {
    bool finite = true;
    for (int k = 0; k < flight->model->node_count; k++) {
        carom_add_scaled(flight->step, flight->w[k], flight->x[k]);
        finite = finite && isfinite(flight->x[k][0] + flight->x[k][1] + flight->x[k][2]);
    }
    return finite;
}

// Checks the speed before each span: an unstable element may cause millions of impacts in a step. The velocities of the flight
// are ahead by part of a kick; if they exceed the bound, those at the beginning of the span decide.
static carom_status judge_speed(carom_spans *spans, carom_error *error) {
    carom_flight *flight = &spans->loop->flight;
    carom_state *state = flight->state;
    if (carom_guard_holds_ahead(state, (carom_const_vectors)flight->w, flight->step))
        return CAROM_OK;
    double time = state->time;
    carom_exact_accounts pending = state->books.pending;
    state->time = flight->begin;
    carom_status status = spans->stepper->method->synchronize(spans->stepper, state, error);
    if (!status)
        status = carom_guard_kinetic(state, (carom_const_vectors)state->v, flight->step, spans->stepper->stops, error);
    state->time = time;
    state->books.pending = pending;
    return status;
}

carom_status carom_spans_run(carom_spans *spans, double end, bool *finite, carom_error *error) {
    carom_flight *flight = &spans->loop->flight;
    carom_ticks *ticks = spans->loop->ticks;
    bool driven = spans->undriven != NULL;
    *finite = true;
    double span = carom_ticks_span(ticks, end - flight->begin);
    for (double begin = flight->begin; begin < end && *finite;) {
        // the last span ends at the end of the step exactly, not by a sum of lengths
        // one too short to advance the time would never end
        bool last = span == end - begin || !(begin + span > begin);
        double until = last ? end : begin + span, fraction;
        flight->begin = begin;
        flight->step = until - begin;
        carom_status status = judge_speed(spans, error);
        if (!status)
            status = run_span(spans, until, driven, &fraction, error);
        if (status)
            return status;
        if (fraction < 1) {
            span = carom_ticks_shorter_span(ticks, end - begin, fraction);
            continue;
        }
        // later spans of the step have the same prescribed velocities and need no output velocities of earlier times
        driven = spans->stepper->stale = false;
        *finite = carom_spans_move_nodes(flight);
        carom_ticks_book(ticks, last);
        // pending accounts at the beginning of the step are settled now
        carom_accounts_clear(spans->contact);
        carom_accounts_clear(&flight->state->books.pending);
        begin = until;
        span = carom_ticks_span(ticks, end - begin);
    }
    return CAROM_OK;
}
