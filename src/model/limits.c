// SPDX-License-Identifier: MIT
// Checks the numbers of a state that was read from a file (limits.h): time, ledger, records of pairs, and all arrays.
#include "model/limits.h"

#include <inttypes.h>
#include <math.h>

#include "model/model.h"

// Names the number that is checked in messages.
typedef struct examined {
    const char *source, *what;
    carom_error *error;
} examined;

carom_limits carom_limits_element(const carom_model *model) {
    return (carom_limits){0, model->part.whole_elements, true};
}

carom_limits carom_limits_recurrence(double time, double step) {
    double number = step > 0 ? time / step : 0;
    return (carom_limits){fmax(floor(number) - 1, 0), ceil(number) + 2, true};
}

// Fails if number i of what is examined is not within its limits; NaN never is.
static carom_status check(const examined *of, int64_t i, double value, carom_limits limits) {
    if (value >= limits.least && value <= limits.most && (!limits.whole || value == floor(value)))
        return CAROM_OK;
    return carom_fail(of->error, CAROM_BAD_INPUT,
                      "%s holds a damaged state: number %" PRId64 " of '%s' is %.17g, expected a %snumber from %.17g to %.17g",
                      of->source, i + 1, of->what, value, limits.whole ? "whole " : "", limits.least, limits.most);
}

static carom_status check_reals(const examined *of, const double *values, int64_t count) {
    carom_status status = CAROM_OK;
    for (int64_t i = 0; i < count && !status; i++)
        status = check(of, i, values[i], CAROM_LIMITS_NONE);
    return status;
}

static carom_status check_sums(const examined *of, const carom_exact *sums, int count) {
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && !status; i++)
        status = check(of, i, carom_exact_value(&sums[i]), CAROM_LIMITS_NONE);
    return status;
}

static carom_status check_counts(const examined *of, const int64_t *values, int64_t count) {
    carom_status status = CAROM_OK;
    for (int64_t i = 0; i < count && !status; i++)
        status = check(of, i, (double)values[i], CAROM_LIMITS_COUNT);
    return status;
}

// A step ends at its number times h; a method that stopped inside a step has not counted it.
static carom_status check_time(const carom_state *state, double h, examined of) {
    of.what = "steps";
    carom_status status = check_counts(&of, &state->step, 1);
    of.what = "time";
    double step = (double)state->step;
    return status ? status : check(&of, 0, state->time, (carom_limits){(step - 1) * h, (step + 1) * h, false});
}

static carom_status check_ledger(const carom_state *state, examined of) {
    const carom_books *ledger = &state->books;
    const double *first = &ledger->initial_total;
    const int64_t counts[] = {ledger->contacts, ledger->contact_events, ledger->element_updates, ledger->window.steps};
    const double window[] = {ledger->window.length, ledger->window.begin};
    of.what = "ledger";
    carom_status status = check_reals(&of, first, &ledger->overlap + 1 - first);
    if (!status)
        status = check_counts(&of, counts, sizeof counts / sizeof *counts);
    if (!status)
        status = check_sums(&of, ledger->booked.of, CAROM_ACCOUNTS);
    if (!status)
        status = check_sums(&of, ledger->pending.of, CAROM_ACCOUNTS);
    of.what = "force window";
    if (!status)
        status = check_reals(&of, window, 2);
    of.what = "events";
    return status ? status : check_counts(&of, ledger->events, CAROM_EVENT_COUNT);
}

static carom_status check_pair(const carom_state *state, int p, examined of) {
    const carom_model *model = state->model;
    const carom_pair_record *pair = &state->pairs[p];
    const carom_pair_first *first = &state->pair_firsts[p];
    const int64_t counts[] = {pair->events, pair->last_step, first->step};
    // a plane is always the second side
    of.what = "bodies of a pair";
    carom_status status = check(&of, 0, pair->body[0], (carom_limits){0, model->body_count - 1, true});
    if (!status)
        status = check(&of, 1, pair->body[1], (carom_limits){-model->contact.plane_count, model->body_count - 1, true});
    of.what = "record of a pair";
    if (!status)
        status = check_reals(&of, &pair->first_contact, &pair->separation + 1 - &pair->first_contact);
    if (!status)
        status = check_reals(&of, pair->push, (const double *)(pair + 1) - pair->push);
    if (!status)
        status = check_reals(&of, &first->window_impulse, 1);
    if (!status)
        status = check_sums(&of, state->pair_sums[p].of, CAROM_PAIR_SUMS);
    return status ? status : check_counts(&of, counts, sizeof counts / sizeof *counts);
}

static carom_status check_array(const carom_state *state, const carom_state_array *array, examined of) {
    of.what = array->name;
    carom_status status = check_reals(&of, array->values, array->count);
    for (int64_t i = 0; i < array->count && array->limits && !status; i++)
        status = check(&of, i, array->values[i], array->limits(array->owner, state, i));
    return status;
}

carom_status carom_state_examine(const carom_state *state, double h, const char *source, carom_error *error) {
    const examined of = {.source = source, .error = error};
    carom_status status = check_time(state, h, of);
    if (!status)
        status = check_ledger(state, of);
    for (int p = 0; p < state->pair_count && !status; p++)
        status = check_pair(state, p, of);
    for (int a = 0; a < state->array_count && !status; a++)
        status = check_array(state, &state->arrays[a], of);
    return status;
}
