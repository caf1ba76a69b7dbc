// SPDX-License-Identifier: MIT
// The whole state of a distributed simulation: gathered to the first process, and spread from there.
#include "sim/collect.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "model/collective.h"
#include "model/forces/peaks.h"
#include "parallel/insist.h"
#include "sim/ownership.h"

struct carom_collection {
    carom_distribution distribution;
    carom_state *whole; // on the first process
    carom_vectors x;    // on the first process: buffer for a vector of all nodes
    bool borrowed;      // `whole` and `x` belong to another collection
};

bool carom_sim_is_shared(const carom_sim *sim) {
    return carom_model_is_subdomain(sim->model) || sim->model->part.replicated;
}

bool carom_sim_first(const carom_sim *sim) {
    return !carom_sim_is_shared(sim) || carom_parallel_rank() == 0;
}

// The whole state on the first process: the same arrays as those of a part, over the whole model.
static carom_status create_whole(const carom_sim *sim, carom_state **whole, carom_error *error) {
    const carom_state *state = sim->state;
    const carom_collection *c = sim->collection;
    carom_status status = carom_state_create(sim->whole, whole, error);
    for (int a = status ? 0 : (*whole)->array_count; !status && a < state->array_count; a++) {
        const carom_state_array *array = &state->arrays[a];
        const carom_distributed *distributed = carom_distribution_of(&c->distribution, array);
        status = carom_state_add_like(*whole, array,
                                      distributed ? (int64_t)array->components * distributed->whole : array->count, error);
    }
    return status;
}

// Allocates the whole state on the first process, or borrows that of `before`.
static carom_status ensure_capacity(const carom_sim *sim, const carom_collection *before, carom_error *error) {
    carom_collection *c = sim->collection;
    if (before) {
        c->whole = before->whole;
        c->x = before->x;
        c->borrowed = true;
        return CAROM_OK;
    }
    carom_status status = create_whole(sim, &c->whole, error);
    c->x = carom_allocate(sim->whole->node_count, sizeof *c->x);
    return status || c->x ? status : carom_fail(error, CAROM_NO_MEMORY, "no memory for the state");
}

carom_status carom_collection_create(carom_sim *sim, const carom_collection *before, carom_error *error) {
    carom_collection *c = carom_allocate(1, sizeof *c);
    sim->collection = c;
    int components = 3;
    for (int a = 0; a < sim->state->array_count; a++)
        components = sim->state->arrays[a].components > components ? sim->state->arrays[a].components : components;
    carom_status status = c ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the state");
    status = CAROM_PARALLEL_AGREE(status, error);
    if (!status)
        status = carom_distribution_create(sim->model, components, &c->distribution, error);
    if (!status && carom_parallel_rank() == 0)
        status = ensure_capacity(sim, before, error);
    return CAROM_PARALLEL_AGREE(status, error);
}

void carom_collection_release(carom_sim *sim) {
    carom_collection *c = sim->collection;
    if (!c)
        return;
    carom_distribution_release(&c->distribution);
    if (!c->borrowed) {
        carom_state_release(c->whole);
        free(c->x);
    }
    free(c);
    sim->collection = NULL;
}

// Copies what is the same on all processes: everything but the numbers of nodes and elements.
static void copy_rest(carom_state *to, const carom_state *from) {
    to->time = from->time;
    to->step = from->step;
    to->books = from->books;
    to->pair_count = from->pair_count;
    memcpy(to->pairs, from->pairs, (size_t)from->pair_count * sizeof *from->pairs);
    memcpy(to->pair_firsts, from->pair_firsts, (size_t)from->pair_count * sizeof *from->pair_firsts);
    memcpy(to->pair_sums, from->pair_sums, (size_t)from->pair_count * sizeof *from->pair_sums);
    for (int a = 0; a < from->array_count; a++)
        if (from->arrays[a].components == 0)
            memcpy(to->arrays[a].values, from->arrays[a].values, (size_t)from->arrays[a].count * sizeof(double));
}

void carom_collection_take_over(carom_collection *collection, carom_collection *before) {
    collection->borrowed = before->borrowed;
    before->borrowed = true;
}

static void collect(const carom_collection *c, const carom_state *state) {
    carom_peaks_join(state);
    if (c->whole)
        copy_rest(c->whole, state);
    for (int a = 0; a < state->array_count; a++) {
        const carom_state_array *array = &state->arrays[a];
        const carom_distributed *distributed = carom_distribution_of(&c->distribution, array);
        if (distributed)
            carom_distribution_collect(&c->distribution, distributed, array->components, array->values,
                                       c->whole ? c->whole->arrays[a].values : NULL);
    }
}

static void spread(const carom_collection *c, const carom_state *whole, carom_state *state) {
    for (int a = 0; a < state->array_count; a++) {
        carom_state_array *array = &state->arrays[a];
        const carom_distributed *distributed = carom_distribution_of(&c->distribution, array);
        if (distributed)
            carom_distribution_spread(&c->distribution, distributed, array->components, whole ? whole->arrays[a].values : NULL,
                                      array->values);
    }
}

const carom_state *carom_sim_collect(const carom_sim *sim) {
    const carom_collection *c = sim->collection;
    carom_state_read(sim->state, CAROM_ARRAYS_ALL);
    if (!c)
        return carom_sim_first(sim) ? sim->state : NULL;
    collect(c, sim->state);
    return c->whole;
}

void carom_collection_move(const carom_collection *from, const carom_state *state, const carom_collection *to,
                           carom_state *moved) {
    moved->generation++;
    copy_rest(moved, state);
    collect(from, state);
    spread(to, from->whole, moved);
}

void carom_collection_move_vectors(const carom_collection *from, const double (*x)[3], const carom_collection *to,
                                   double (*moved)[3]) {
    double *whole = from->x ? from->x[0] : NULL;
    carom_distribution_collect(&from->distribution, &from->distribution.of[CAROM_DISTRIBUTE_NODES], 3, x[0], whole);
    carom_distribution_spread(&to->distribution, &to->distribution.of[CAROM_DISTRIBUTE_NODES], 3, whole, moved[0]);
}

void carom_collection_owners(const carom_collection *collection, int *owner) {
    const carom_distributed *nodes = &collection->distribution.of[CAROM_DISTRIBUTE_NODES];
    for (int r = 0; r < carom_parallel_size(); r++)
        for (int64_t i = nodes->own_of.begin[r]; i < nodes->own_of.begin[r + 1]; i++)
            owner[nodes->own_in_whole[i]] = r;
}

const carom_state *carom_sim_collect_positions(const carom_sim *sim) {
    const carom_collection *c = sim->collection;
    if (!c)
        return carom_sim_first(sim) ? sim->state : NULL;
    carom_sim_outline(sim);
    carom_distribution_collect(&c->distribution, &c->distribution.of[CAROM_DISTRIBUTE_NODES], 3, sim->state->x[0],
                               c->whole ? c->whole->x[0] : NULL);
    return c->whole;
}

const double (*carom_sim_collect_vectors(const carom_sim *sim, const double (*x)[3]))[3] {
    const carom_collection *c = sim->collection;
    if (!c)
        return carom_sim_first(sim) ? x : NULL;
    carom_distribution_collect(&c->distribution, &c->distribution.of[CAROM_DISTRIBUTE_NODES], 3, x[0], c->x ? c->x[0] : NULL);
    return (carom_const_vectors)c->x;
}

const carom_state *carom_sim_outline(const carom_sim *sim) {
    const carom_collection *c = sim->collection;
    if (!c)
        return sim->state;
    if (c->whole) {
        c->whole->time = sim->state->time;
        c->whole->step = sim->state->step;
    }
    return c->whole;
}

carom_state *carom_sim_whole(const carom_sim *sim) {
    if (sim->collection)
        return sim->collection->whole;
    return carom_sim_first(sim) ? sim->state : NULL;
}

// Broadcasts the arrays of a state from the first process, for a model that all processes have.
static void report_state(carom_state *state) {
    for (int a = 0; a < state->array_count; a++)
        carom_parallel_broadcast(state->arrays[a].values, state->arrays[a].count * (int64_t)sizeof(double));
}

// Broadcasts what copy_rest copies.
static void report_rest(carom_state *state) {
    carom_parallel_broadcast(&state->time, sizeof state->time);
    carom_parallel_broadcast(&state->step, sizeof state->step);
    carom_parallel_broadcast(&state->books, sizeof state->books);
    carom_parallel_broadcast(&state->pair_count, sizeof state->pair_count);
    carom_parallel_broadcast(state->pairs, state->pair_count * (int64_t)sizeof *state->pairs);
    carom_parallel_broadcast(state->pair_firsts, state->pair_count * (int64_t)sizeof *state->pair_firsts);
    carom_parallel_broadcast(state->pair_sums, state->pair_count * (int64_t)sizeof *state->pair_sums);
    for (int a = 0; a < state->array_count; a++)
        if (state->arrays[a].components == 0)
            carom_parallel_broadcast(state->arrays[a].values, state->arrays[a].count * (int64_t)sizeof(double));
}

void carom_sim_spread(carom_sim *sim, const carom_state *whole) {
    const carom_collection *c = sim->collection;
    carom_state *state = sim->state;
    state->generation++;
    if (!c) {
        if (whole && whole != state)
            carom_state_copy(state, whole);
        if (carom_sim_is_shared(sim)) {
            report_rest(state);
            report_state(state);
        }
        return;
    }
    if (whole)
        copy_rest(state, whole);
    report_rest(state);
    spread(c, whole, state);
}

carom_status carom_sim_insist(const carom_sim *sim, carom_status status, const carom_error *error) {
    return carom_sim_is_shared(sim) ? carom_parallel_insist(status, error) : status;
}

void carom_sim_vote(const carom_sim *sim, carom_vote *vote) {
    if (carom_sim_is_shared(sim))
        carom_parallel_vote(vote);
}

void carom_sim_report(const carom_sim *sim, void *bytes, size_t size) {
    if (carom_sim_is_shared(sim))
        carom_parallel_broadcast(bytes, (int64_t)size);
}

bool carom_sim_says(const carom_sim *sim, bool answer) {
    carom_sim_report(sim, &answer, sizeof answer);
    return answer;
}
