// SPDX-License-Identifier: MIT
// Creates new subdomains and new data of the simulation, in the same manner as a resumed run: a method keeps in its state
// everything that a later step depends on. Then the states are moved through rank 0: the present one and those to which a
// failure returns. All other data of the run are kept.
#include "sim/repartition.h"

#include <assert.h>

#include "model/collective.h"
#include "sim/collect.h"
#include "sim/parts.h"

// A simulation of another subdomain, to be stored in the object of the previous one, which the method refers to.
static carom_sim begin(const carom_sim *before, carom_model *part) {
    return (carom_sim){
        .model = part,
        .whole = before->whole,
        .own = part,
        .partition = before->partition,
        .distribution_seconds = before->distribution_seconds,
        .unwatched = before->unwatched,
        .unpeaked = before->unpeaked,
    };
}

static void move_states(const carom_sim *before, carom_sim *sim) {
    const carom_collection *from = before->collection, *to = sim->collection;
    carom_collection_move(from, before->balanced, to, sim->balanced);
    carom_collection_move(from, before->last_good, to, sim->last_good);
    carom_collection_move_vectors(from, (carom_const_vectors)before->checked_x, to, sim->checked_x);
    // last, so that the collected whole state is this one
    carom_collection_move(from, before->state, to, sim->state);
}

// Keeps what belongs to the run and not to its subdomains. The impacts of the last step have been reported.
static void keep(carom_sim *before, carom_sim *sim) {
    carom_stepper *stepper = &sim->stepper;
    stepper->kept_state = before->stepper.kept_state;
    stepper->missed = before->stepper.missed;
    stepper->observer = before->stepper.observer;
    stepper->row_step = before->stepper.row_step;
    stepper->attempt = before->stepper.attempt;
    stepper->profile = before->stepper.profile;
    sim->unbalanced = before->unbalanced;
    sim->advised = before->advised;
    sim->output = before->output;
    sim->listener = before->listener;
    sim->listener_context = before->listener_context;
    sim->heard = before->heard;
    before->heard = (carom_contacts){0};
    sim->own_space = before->own_space;
    before->own_space = NULL;
}

carom_status carom_sim_move(carom_sim *sim, const int *owner, carom_error *error) {
    carom_model *part = NULL;
    carom_status status = CAROM_SIM_AGREE(sim, carom_sim_synchronize(sim, error), error);
    if (!status)
        status = carom_subdomains_distribute(sim->whole, owner, sim->own_space, &part, error);
    if (status)
        return status;
    carom_sim before = *sim;
    *sim = begin(&before, part);
    status = carom_sim_prepare(sim, (carom_pick){&before.stepper.method->kind, before.params}, &before.time, before.collection,
                               error);
    status = CAROM_PARALLEL_AGREE(status, error);
    if (status) {
        carom_sim_clear(sim);
        *sim = before;
        return status;
    }
    assert(sim->stepper.step == before.stepper.step && sim->state->array_count == before.state->array_count);
    move_states(&before, sim);
    keep(&before, sim);
    carom_collection_take_over(sim->collection, before.collection);
    carom_sim_clear(&before);
    return CAROM_OK;
}
