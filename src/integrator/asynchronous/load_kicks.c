// SPDX-License-Identifier: MIT
// Kicks (velocity changes) of nodes by live loads. The work of a load from one kick to the next is (f0 + f1)/2.(x1 - x0), with
// its forces f and the positions x of its node at both.
#include "integrator/asynchronous/load_kicks.h"

#include "base/allocate.h"
#include "model/limits.h"
#include "model/motion/loads.h"

static carom_limits limits_of(const void *owner, const carom_state *state, int64_t i) {
    (void)i;
    return carom_limits_recurrence(state->time, ((const carom_load_kicks *)owner)->step);
}

carom_status carom_load_kicks_create(carom_load_kicks *loads, carom_flight *flight, carom_arena *arena, carom_error *error) {
    const carom_model *model = flight->model;
    carom_state *state = flight->state;
    int n = model->live.count ? model->node_count : 0;
    *loads = (carom_load_kicks){.flight = flight};
    loads->number = carom_state_add_array(state, "load kicks", 1);
    carom_state_limit(state, loads->number, limits_of, loads);
    loads->force = (carom_vectors)carom_state_add_array(state, "load forces", 3 * (int64_t)model->live.node_count);
    loads->place = (carom_vectors)carom_state_add_array(state, "load places", 3 * (int64_t)model->live.node_count);
    bool enough = loads->number && loads->force && loads->place;
    loads->live = carom_arena_reserve(arena, n, sizeof *loads->live, &enough);
    loads->x = carom_arena_reserve(arena, n, sizeof *loads->x, &enough);
    if (!enough)
        return carom_no_memory(error, "the integrator");
    for (int i = 0; i < model->live.node_count; i++)
        carom_copy(state->x[model->live.nodes[i]], loads->place[i]);
    return CAROM_OK;
}

double carom_load_kicks_covered(const carom_load_kicks *loads) {
    // a kick covers half a step on both sides of its time; the first has half the length and covers only the time after it
    return *loads->number > 0 ? (*loads->number - 0.5) * loads->step : 0;
}

// With the mean of the forces at both ends. The work of the velocities at the kicks would be wrong: the impulse that a load
// gives to a node at rest is cancelled by the next kick of an element.
double carom_load_kicks_work(const carom_load_kicks *loads, int i, const double x[3]) {
    const double *now = loads->live[loads->flight->model->live.nodes[i]], *last = loads->force[i], *from = loads->place[i];
    double sum = 0;
    for (int d = 0; d < 3; d++)
        sum += 0.5 * (last[d] + now[d]) * (x[d] - from[d]);
    return sum;
}

static bool has_function(const carom_live_loads *live) {
    bool any = false;
    for (int l = 0; l < live->count; l++)
        any = any || live->items[l].function;
    return any;
}

void carom_load_kicks_find(carom_load_kicks *loads, double t) {
    const carom_flight *flight = loads->flight;
    const carom_live_loads *live = &flight->model->live;
    // a load given by a function of the calling program may depend on any node
    bool all = has_function(live);
    for (int i = 0, count = all ? flight->model->node_count : live->node_count; i < count; i++) {
        int k = all ? i : live->nodes[i];
        carom_flight_place(flight, k, t, loads->x[k]);
    }
    carom_model_live_load(flight->model, flight->begin + t, (carom_const_vectors)loads->x, loads->live);
}

void carom_load_kicks_kick(carom_load_kicks *loads, double h, double t) {
    carom_flight *flight = loads->flight;
    const carom_live_loads *live = &flight->model->live;
    carom_load_kicks_find(loads, t);
    for (int i = 0; i < live->node_count; i++) {
        int k = live->nodes[i];
        double impulse[3], work = carom_load_kicks_work(loads, i, loads->x[k]);
        for (int d = 0; d < 3; d++)
            impulse[d] = h * loads->live[k][d];
        // the force on a node of a rigid body acts on the body (ticks_rigid.c)
        if (flight->model->mass[k] > 0)
            carom_flight_give(flight, k, impulse, t);
        carom_ledger_record_external(flight->state, loads->x[k], impulse, (const double[3]){0}, work);
        carom_copy(loads->live[k], loads->force[i]);
        carom_copy(loads->x[k], loads->place[i]);
    }
    flight->counts[CAROM_COUNT_LOAD]++;
}
