// SPDX-License-Identifier: MIT
// Kicks and drifts, the two parts of a splitting method, for all nodes at once. With w the velocity between two kicks,
//
//     drift   x <- x + h w            contact happens here
//     kick    w <- w + h M^-1 f(x)    and here, where forces press touching bodies together
//
// Restrained components of w have their prescribed values at all times. Mass damping -a m (w- + w+)/2 is linear in the unknown
// w+ and diagonal: each node is solved by a division. Stiffness damping takes the velocity before the kick.
#include "integrator/kick_drift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "integrator/stepper.h"
#include "model/damping.h"
#include "model/forces.h"
#include "model/ledger.h"
#include "model/loads.h"
#include "model/model.h"
#include "model/restraints.h"

void carom_kick_drift_force(carom_kick_drift *nodes, carom_state *state, double time, const double (*x)[3],
                            double (*force)[3]) {
    const carom_model *model = nodes->model;
    carom_model_force(model, x, nodes->slots, force);
    carom_model_live_load(model, time, x, nodes->live);
    for (int i = 0; i < model->live.node_count; i++)
        carom_add_scaled(1, nodes->live[model->live.nodes[i]], force[model->live.nodes[i]]);
    state->books.element_updates += model->element_count;
}

void carom_kick_drift_impose(carom_kick_drift *nodes, double time, double (*v)[3]) {
    carom_model_drive(nodes->model, time, nodes->restraints.items);
    for (int r = 0; r < nodes->restraints.count; r++)
        carom_restraint_impose(&nodes->restraints.items[r], v[nodes->restraints.items[r].node]);
}

// Stiffness damping, from the element forces that are still in the slots.
static void add_viscous(carom_kick_drift *nodes, const carom_state *state) {
    if (!nodes->scratch)
        return;
    carom_model_viscous_force(nodes->model, (carom_const_vectors)state->x, (carom_const_vectors)nodes->w, nodes->slots,
                              nodes->scratch, nodes->viscous);
    for (int k = 0; k < nodes->model->node_count; k++)
        carom_add_scaled(1, nodes->viscous[k], nodes->force[k]);
}

// Velocities take in the impulse h f; restrained components keep their prescribed value.
static void kick_nodes(carom_kick_drift *nodes, double h) {
    const carom_model *model = nodes->model;
    double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most) if (model->node_count > 4096)
    for (int k = 0; k < model->node_count; k++) {
        carom_copy(nodes->w[k], nodes->w_before[k]);
        carom_add_scaled(h / model->mass[k], nodes->force[k], nodes->w[k]);
        most = fmax(most, h / model->mass[k] * carom_norm(nodes->force[k]));
    }
    *nodes->kick_speed = most;
    if (nodes->drag)
        carom_model_drag(model, &nodes->restraints, h, (carom_const_vectors)nodes->w_before, nodes->w, nodes->drag,
                         nodes->force);
    for (int r = 0; r < nodes->restraints.count; r++) {
        int k = nodes->restraints.items[r].node;
        carom_restraint_impose(&nodes->restraints.items[r], nodes->w[k]);
        for (int i = 0; i < 3; i++)
            nodes->reaction[r][i] = model->mass[k] * (nodes->w[k][i] - nodes->w_before[k][i]) - h * nodes->force[k][i];
    }
}

// The drift of length `step` that begins at `time`, and the kick at one end of it, as contact sees them.
static carom_contact_moment moment_of(const carom_kick_drift *nodes, double time, double step) {
    return (carom_contact_moment){
        .neighbours = carom_search_neighbours(&nodes->search),
        .mobility = nodes->mobility,
        .node_count = nodes->model->node_count,
        .length = nodes->model->contact_length,
        .reach = carom_search_reach(&nodes->search),
        .time = time,
        .step = step,
        .kick_time = time,
        .kick_part = 1,
        .kick_speed = *nodes->kick_speed,
    };
}

// Contact answers a kick: impacts of the drift before it are corrected, and touching bodies are kept from closing.
static carom_status answer(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    double step = nodes->stepper->step;
    carom_contact_moment moment = moment_of(nodes, state->time, step);
    moment.kick_part = h / step;
    return carom_contact_step_answer(&nodes->contact_step, &moment, (carom_const_vectors)state->x,
                                     (carom_const_vectors)nodes->w_before, nodes->w, error);
}

carom_status carom_kick_drift_kick(carom_kick_drift *nodes, carom_state *state, double h, double after, carom_error *error) {
    carom_hits *hits = &nodes->contact_step.impacts.hits;
    int begin = hits->count;
    carom_kick_drift_force(nodes, state, state->time, (carom_const_vectors)state->x, nodes->force);
    add_viscous(nodes, state);
    // the velocities of restraints are those of the middle of the drift that follows
    carom_model_drive(nodes->model, state->time + 0.5 * nodes->stepper->step, nodes->restraints.items);
    kick_nodes(nodes, h);
    carom_status status = nodes->contact ? answer(nodes, state, h, error) : CAROM_OK;
    if (status)
        return status;
    carom_ledger_book_kick(state, &(carom_kick){.h = h,
                                                .after = after,
                                                .w_before = (carom_const_vectors)nodes->w_before,
                                                .w = (carom_const_vectors)nodes->w,
                                                .reaction = (carom_const_vectors)nodes->reaction,
                                                .live = (carom_const_vectors)nodes->live,
                                                .drag = (carom_const_vectors)nodes->drag,
                                                .viscous = (carom_const_vectors)nodes->viscous});
    if (hits->count > begin)
        carom_ledger_book_hits(state, &nodes->stepper->observer, hits->items + begin, hits->count - begin, after);
    return CAROM_OK;
}

// Straight flight, impacts resolved at their times. Should impacts lead a node farther from its line than the list of
// neighbours allows for, nothing has happened, and the drift is run again with a longer list.
static carom_status fly(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    carom_const_vectors w = (carom_const_vectors)nodes->w;
    bool outran = true;
    for (double allowance = carom_search_allowance(&nodes->search, w); outran; allowance *= 2) {
        carom_status status = carom_search_list(&nodes->search, (carom_const_vectors)state->x, w, allowance, error);
        if (status)
            return status;
        carom_contact_moment moment = moment_of(nodes, state->time, h);
        moment.allowance = allowance;
        status = carom_contact_step_drift(&nodes->contact_step, &moment, (carom_const_vectors)state->v, state->x, nodes->w,
                                          &state->books, &outran, error);
        if (status)
            return status;
    }
    return CAROM_OK;
}

carom_status carom_kick_drift_drift(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    carom_hits *hits = &nodes->contact_step.impacts.hits;
    // the first half kick is older than the observer
    if (state->step == 0)
        carom_ledger_report_hits(state, &nodes->stepper->observer, hits->items, hits->count);
    state->books.contacts = 0;
    hits->count = 0;
    carom_model_drive(nodes->model, state->time + 0.5 * h, nodes->restraints.items);
    if (!nodes->contact) {
        for (int k = 0; k < nodes->model->node_count; k++)
            carom_add_scaled(h, nodes->w[k], state->x[k]);
        return CAROM_OK;
    }
    carom_status status = fly(nodes, state, h, error);
    if (!status)
        carom_ledger_book_hits(state, &nodes->stepper->observer, hits->items, hits->count, 0);
    return status;
}

carom_status carom_kick_drift_finish(carom_kick_drift *nodes, carom_state *state, carom_error *error) {
    bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite) if (nodes->model->node_count > 4096)
    for (int k = 0; k < nodes->model->node_count; k++) {
        for (int i = 0; i < 3; i++)
            state->v[k][i] = 0.5 * (nodes->w_before[k][i] + nodes->w[k][i]);
        finite = finite && isfinite(nodes->w[k][0] + nodes->w[k][1] + nodes->w[k][2]);
    }
    return carom_stepper_finish_step(nodes->stepper, state, finite, error);
}

double (*carom_kick_drift_velocities(carom_kick_drift *nodes))[3] {
    return nodes->w;
}

// Room for the forces of damping; false if memory is short.
static bool reserve_damping(carom_kick_drift *nodes) {
    const carom_model *model = nodes->model;
    if (!model->damped)
        return true;
    nodes->drag = carom_allocate(model->node_count, sizeof *nodes->drag);
    nodes->viscous = carom_allocate(model->node_count, sizeof *nodes->viscous);
    bool viscous = carom_model_is_viscous(model);
    if (viscous)
        nodes->scratch = carom_allocate(carom_model_slot_count(model), sizeof *nodes->scratch);
    return nodes->drag && nodes->viscous && (nodes->scratch || !viscous);
}

static bool reserve(carom_kick_drift *nodes, carom_state *state) {
    const carom_model *model = nodes->model;
    nodes->w = (carom_vectors)carom_state_add_array(state, "drift velocities", 3 * (int64_t)model->node_count);
    nodes->kick_speed = carom_state_add_array(state, "kick speed", 1);
    nodes->w_before = carom_allocate(model->node_count, sizeof *nodes->w_before);
    nodes->force = carom_allocate(model->node_count, sizeof *nodes->force);
    nodes->slots = carom_allocate(carom_model_slot_count(model), sizeof *nodes->slots);
    nodes->live = carom_allocate(model->live.count ? model->node_count : 0, sizeof *nodes->live);
    nodes->reaction = carom_allocate(model->restraints.count, sizeof *nodes->reaction);
    nodes->restraints = model->restraints;
    nodes->restraints.items = carom_allocate(model->restraints.count, sizeof *nodes->restraints.items);
    if (nodes->restraints.items && model->restraints.count)
        memcpy(nodes->restraints.items, model->restraints.items,
               (size_t)model->restraints.count * sizeof *nodes->restraints.items);
    return nodes->w && nodes->kick_speed && nodes->w_before && nodes->force && nodes->slots && nodes->live && nodes->reaction &&
           nodes->restraints.items && reserve_damping(nodes);
}

carom_status carom_kick_drift_create(carom_stepper *stepper, carom_state *state, bool contact, carom_kick_drift **made,
                                     carom_error *error) {
    const carom_model *model = stepper->model;
    carom_kick_drift *nodes = carom_allocate(1, sizeof *nodes);
    *made = nodes;
    if (!nodes)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    *nodes = (carom_kick_drift){.stepper = stepper, .model = model, .contact = contact};
    if (model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "kicks and drifts cannot turn the frames of beams");
    if (!reserve(nodes, state))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    memcpy(nodes->w, state->v, (size_t)model->node_count * sizeof *nodes->w);
    memcpy(nodes->w_before, state->v, (size_t)model->node_count * sizeof *nodes->w);
    if (!contact)
        return CAROM_OK;
    if (model->contact.resolve != CAROM_RESOLVE_DRIFT)
        return carom_fail(error, CAROM_BAD_INPUT, "contact.resolve: only newmark-dcr has projection, use drift");
    nodes->mobility = (carom_mobility){model->mass, &nodes->restraints};
    carom_status status = carom_contact_step_create(&nodes->contact_step, model, state, "kicks", error);
    if (!status)
        status = carom_search_create(model, stepper->step, &nodes->search, error);
    if (!status)
        status = carom_search_list(&nodes->search, (carom_const_vectors)state->x, (carom_const_vectors)nodes->w, 0, error);
    return status;
}

void carom_kick_drift_release(carom_kick_drift *nodes) {
    if (!nodes)
        return;
    free(nodes->w_before);
    free(nodes->force);
    free(nodes->slots);
    free(nodes->live);
    free(nodes->drag);
    free(nodes->viscous);
    free(nodes->scratch);
    free(nodes->reaction);
    free(nodes->restraints.items);
    carom_contact_step_release(&nodes->contact_step);
    carom_search_release(&nodes->search);
    free(nodes);
}
