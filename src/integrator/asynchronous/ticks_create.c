// SPDX-License-Identifier: MIT
// Creates and releases ticks; registers the arrays that survive a restart.
#include <stdlib.h>

#include "base/allocate.h"
#include "integrator/asynchronous/ticks_inside.h"
#include "model/limits.h"

// Only what exists can have ticks: elements that are no cells of rigid bodies, live loads, and rigid bodies.
static carom_limits on_tick_limits(const void *owner, const carom_state *state, int64_t i) {
    const carom_kicks *kicks = &((const carom_ticks *)owner)->flight->kicks;
    bool exists = i < kicks->count    ? carom_kick_exists(kicks, (int)i)
                  : i == kicks->count ? state->model->live.count > 0
                                      : state->model->rigid.count > 0;
    return (carom_limits){0, exists, true};
}

static carom_limits clock_limits(const void *unused, const carom_state *state, int64_t i) {
    (void)unused, (void)state, (void)i;
    return (carom_limits){0, CAROM_STATE_FINITE, false};
}

carom_status carom_ticks_create(carom_flight *flight, carom_load_kicks *loads, carom_levels *levels, const bool *touches,
                                double beta, carom_ticks **result, carom_error *error) {
    const carom_model *model = flight->model;
    const carom_candidates *fixed = &model->candidates;
    int n = model->node_count, rows = carom_model_row_count(model), elements = flight->kicks.count + 1;
    elements += model->rigid.count > 0;
    carom_ticks *ticks = *result = carom_allocate(1, sizeof *ticks);
    if (!ticks)
        return carom_no_memory(error, "contact");
    *ticks = (carom_ticks){.flight = flight,
                           .loads = loads,
                           .levels = levels,
                           .arena = carom_arena_create(),
                           .pace.least = beta * carom_model_stable_step(model)};
    int numbers = sizeof *ticks->memory / sizeof(double);
    ticks->memory = (carom_ticks_memory *)carom_state_add_array(flight->state, "contact clock", numbers);
    ticks->members.on_tick = carom_state_add_array(flight->state, "on the clock", elements);
    ticks->members.lead = carom_state_add_array(flight->state, "lead", elements);
    ticks->kick.middle = (carom_vectors)carom_state_add_field(flight->state, "middle of ticks");
    carom_state_limit(flight->state, ticks->memory, clock_limits, NULL);
    carom_state_limit(flight->state, ticks->members.on_tick, on_tick_limits, ticks);
    bool enough = ticks->arena && ticks->memory && ticks->members.on_tick && ticks->members.lead && ticks->kick.middle;

    carom_ticks_members_reserve(ticks, touches, &enough);
    carom_vectors *per_node[] = {&ticks->paths.x, &ticks->paths.w, &ticks->kick.w_before, &ticks->kick.whole,
                                 &ticks->kick.answer};
    for (size_t i = 0; i < sizeof per_node / sizeof *per_node; i++)
        *per_node[i] = carom_arena_reserve(ticks->arena, rows, sizeof **per_node[i], &enough);
    carom_ticks_contacts *own = &ticks->contacts;
    int ends = fixed->begin ? fixed->begin[n] : 0;
    own->pairs.rows = carom_arena_reserve(ticks->arena, n, sizeof *own->pairs.rows, &enough);
    own->fixed.items = carom_arena_reserve(ticks->arena, fixed->count, sizeof *own->fixed.items, &enough);
    own->fixed.begin = carom_arena_reserve(ticks->arena, (int64_t)n + 1, sizeof *own->fixed.begin, &enough);
    own->fixed.of_node = carom_arena_reserve(ticks->arena, ends, sizeof *own->fixed.of_node, &enough);
    if (!enough || !carom_ticks_rigid_create(ticks) || !carom_ticks_springs_create(ticks))
        return carom_no_memory(error, "contact");
    ticks->pace.spring = carom_ticks_springs_step(ticks, beta);
    carom_status status = carom_contact_step_create(&ticks->contact, model, flight->state, "whole kicks", error);
    if (!status)
        status = carom_contact_step_open_accounts(&ticks->contact, flight->state, error);
    // contacts of a rigid body distribute their losses, which depend on the kicks at both ends of a drift
    if (!status && model->rigid.count)
        status = carom_contact_step_measure_losses(&ticks->contact, flight->state, error);
    if (!status && carom_ticks_debts(ticks) && carom_ticks_rigid_forces_vary(ticks)) {
        ticks->held_start = carom_state_add_silent(flight->state, "start of joints", 1);
        enough = ticks->held_start;
    }
    if (!status && ticks->contact.impacts.forces)
        ticks->kick.end = carom_arena_reserve(ticks->arena, rows, sizeof *ticks->kick.end, &enough);
    if (!enough)
        return carom_no_memory(error, "contact");
    return status ? status : carom_search_create(model, flight->step, &ticks->search, error);
}

void carom_ticks_release(carom_ticks *ticks) {
    if (!ticks)
        return;
    carom_search_release(&ticks->search);
    carom_contact_step_release(&ticks->contact);
    carom_ticks_members_release(ticks);
    carom_arena_release(ticks->contacts.arena);
    carom_hits_release(&ticks->hits);
    carom_arena_release(ticks->arena);
    free(ticks);
}
