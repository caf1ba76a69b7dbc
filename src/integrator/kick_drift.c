// SPDX-License-Identifier: MIT
// Kicks and drifts, the two parts of a splitting method, for all nodes at once. With w the velocity between two kicks,
//
//     drift   x <- x + h w            contact happens here
//     kick    w <- w + h M^-1 f(x)    and here, where forces press touching bodies together
//
// Restrained components of w have their prescribed values at all times.
#include "integrator/kick_drift.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "integrator/stepper.h"
#include "model/forces.h"
#include "model/ledger.h"
#include "model/loads.h"
#include "model/restraints.h"

void carom_kick_drift_force(carom_kick_drift *nodes, carom_state *state, double time, const double (*x)[3],
                            double (*force)[3]) {
    carom_newmark_kick *kick = &nodes->kick;
    const carom_model *model = kick->model;
    carom_model_force(model, x, kick->slots, force);
    carom_model_live_load(model, time, x, kick->live);
    for (int i = 0; i < model->live.node_count; i++)
        carom_add_scaled(1, kick->live[model->live.nodes[i]], force[model->live.nodes[i]]);
    state->books.element_updates += model->element_count;
}

void carom_kick_drift_impose(carom_kick_drift *nodes, double time, double (*v)[3]) {
    carom_restraints *restraints = &nodes->kick.restraints;
    carom_model_drive(nodes->kick.model, time, restraints->items);
    for (int r = 0; r < restraints->count; r++)
        carom_restraint_impose(&restraints->items[r], v[restraints->items[r].node]);
}

// A drift of length `step` that begins at `time`, and the kick at one end of it, as contact sees them.
static carom_contact_moment moment_of(const carom_kick_drift *nodes, double time, double step) {
    const carom_newmark_kick *kick = &nodes->kick;
    return (carom_contact_moment){
        .neighbours = carom_search_neighbours(&nodes->search),
        .mobility = kick->mobility,
        .node_count = kick->model->node_count,
        .length = kick->model->contact_length,
        .reach = carom_search_reach(&nodes->search),
        .time = time,
        .step = step,
        .kick_time = time,
        .kick_part = 1,
        .kick_speed = *kick->speed,
    };
}

// The time that the drifts of the present step have covered.
static double drifted(const carom_kick_drift *nodes, const carom_state *state) {
    bool valid = nodes->drifted_attempt == nodes->stepper->attempt && nodes->drifted_step == state->step;
    return valid ? nodes->drifted : 0;
}

// Contact answers a kick: the energy error of impacts in the drift before it is repaid, and touching bodies are kept from
// closing.
static carom_status answer(carom_kick_drift *nodes, carom_state *state, double time, double h, carom_error *error) {
    carom_contact_moment moment = moment_of(nodes, time, nodes->kick.step);
    moment.kick_part = h / nodes->kick.step;
    return carom_contact_step_answer(&nodes->contact_step, &moment, (carom_const_vectors)state->x,
                                     (carom_const_vectors)nodes->kick.w_before, nodes->kick.w, error);
}

carom_status carom_kick_drift_kick(carom_kick_drift *nodes, carom_state *state, double h, double after, carom_error *error) {
    carom_hits *hits = &nodes->contact_step.impacts.hits;
    double since = drifted(nodes, state), time = state->time + since;
    // the repayment formula (repay.c) holds for a whole drift followed by a whole kick, and debts are repaid once
    if (!nodes->owed || h != nodes->kick.step)
        hits->count = 0;
    nodes->owed = false;
    int begin = hits->count;
    carom_newmark_kick_run(&nodes->kick, state, time, h);
    carom_status status = nodes->contact ? answer(nodes, state, time, h, error) : CAROM_OK;
    if (status)
        return status;
    carom_newmark_kick_book(&nodes->kick, state, h, after);
    // a kick between the drifts of a step belongs to the end of that step
    if (hits->count > begin)
        carom_ledger_book_hits_of_step(state, &nodes->stepper->observer, hits->items + begin, hits->count - begin, after,
                                       since > 0 ? state->step + 1 : state->step);
    return CAROM_OK;
}

// Sets w of restrained nodes to the prescribed velocities and books the reaction.
static void drive(carom_kick_drift *nodes, carom_state *state) {
    carom_newmark_kick *kick = &nodes->kick;
    for (int r = 0; r < kick->restraints.count; r++) {
        int k = kick->restraints.items[r].node;
        double before[3], impulse[3], work = 0;
        carom_copy(kick->w[k], before);
        carom_restraint_impose(&kick->restraints.items[r], kick->w[k]);
        for (int i = 0; i < 3; i++) {
            impulse[i] = kick->model->mass[k] * (kick->w[k][i] - before[i]);
            work += 0.5 * impulse[i] * (kick->w[k][i] + before[i]);
        }
        carom_ledger_book_outside(state, state->x[k], impulse, (const double[3]){0}, work);
    }
}

void carom_kick_drift_begin(carom_kick_drift *nodes, carom_state *state, double h) {
    carom_hits *hits = &nodes->contact_step.impacts.hits;
    double since = drifted(nodes, state);
    if (nodes->untold && state->step == 0)
        carom_ledger_report_hits(state, &nodes->stepper->observer, hits->items, hits->count);
    nodes->untold = false;
    if (since == 0)
        state->books.contacts = 0;
    hits->count = 0;
    nodes->owed = h == nodes->kick.step;
    carom_model_drive(nodes->kick.model, state->time + since + 0.5 * h, nodes->kick.restraints.items);
    // the last kick has imposed the velocities for the middle of a whole step that begins with it
    if (!nodes->owed || since > 0)
        drive(nodes, state);
}

// The list of neighbours is complete for nodes that stay within an allowance of their straight paths; in the rare case that
// impacts lead one farther, nothing has happened, and the drift is run again with a list made for twice as much. The result
// does not depend on the allowance.
carom_status carom_kick_drift_fly(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    carom_const_vectors x = (carom_const_vectors)state->x, w = (carom_const_vectors)nodes->kick.w;
    bool outran = true;
    for (double allowance = carom_search_allowance(&nodes->search, w); outran; allowance *= 2) {
        carom_status status = carom_search_list(&nodes->search, x, w, allowance, error);
        if (status)
            return status;
        carom_contact_moment moment = moment_of(nodes, state->time + drifted(nodes, state), h);
        moment.allowance = allowance;
        status = carom_contact_step_drift(&nodes->contact_step, &moment, (carom_const_vectors)state->v, state->x, nodes->kick.w,
                                          &state->books, &outran, error);
        if (status)
            return status;
    }
    return CAROM_OK;
}

void carom_kick_drift_book(carom_kick_drift *nodes, carom_state *state) {
    const carom_hits *hits = &nodes->contact_step.impacts.hits;
    carom_ledger_book_hits(state, &nodes->stepper->observer, hits->items, hits->count, 0);
}

carom_status carom_kick_drift_drift(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error) {
    carom_kick_drift_begin(nodes, state, h);
    if (nodes->contact) {
        carom_status status = carom_kick_drift_fly(nodes, state, h, error);
        if (status)
            return status;
        carom_kick_drift_book(nodes, state);
    } else {
        for (int k = 0; k < nodes->kick.model->node_count; k++)
            carom_add_scaled(h, nodes->kick.w[k], state->x[k]);
    }
    nodes->drifted = drifted(nodes, state) + h;
    nodes->drifted_attempt = nodes->stepper->attempt;
    nodes->drifted_step = state->step;
    return CAROM_OK;
}

carom_status carom_kick_drift_finish(carom_kick_drift *nodes, carom_state *state, carom_error *error) {
    bool finite = carom_newmark_kick_velocities(&nodes->kick, state);
    return carom_stepper_finish_step(nodes->stepper, state, finite, error);
}

double (*carom_kick_drift_velocities(carom_kick_drift *nodes))[3] {
    return nodes->kick.w;
}

carom_status carom_kick_drift_open(carom_kick_drift *nodes, carom_stepper *stepper, carom_state *state, bool contact,
                                   carom_error *error) {
    const carom_model *model = stepper->model;
    *nodes = (carom_kick_drift){.stepper = stepper, .contact = contact, .untold = true};
    if (model->R)
        return carom_fail(error, CAROM_BAD_INPUT, "kicks and drifts cannot turn the frames of beams");
    carom_status status = carom_newmark_kick_create(&nodes->kick, model, stepper->step, state, error);
    if (status || !contact)
        return status;
    status = carom_contact_step_create(&nodes->contact_step, model, state, "kicks", error);
    if (!status)
        status = carom_search_create(model, stepper->step, &nodes->search, error);
    // the kick that starts a run is answered before its first drift
    if (!status)
        status = carom_search_list(&nodes->search, (carom_const_vectors)state->x, (carom_const_vectors)nodes->kick.w, 0, error);
    return status;
}

void carom_kick_drift_close(carom_kick_drift *nodes) {
    carom_contact_step_release(&nodes->contact_step);
    carom_search_release(&nodes->search);
    carom_newmark_kick_release(&nodes->kick);
}

carom_status carom_kick_drift_create(carom_stepper *stepper, carom_state *state, bool contact, carom_kick_drift **made,
                                     carom_error *error) {
    carom_kick_drift *nodes = carom_allocate(1, sizeof *nodes);
    *made = nodes;
    if (!nodes)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the integrator");
    if (contact && stepper->model->contact.resolve != CAROM_RESOLVE_DRIFT)
        return carom_fail(error, CAROM_BAD_INPUT, "contact.resolve: only newmark-dcr has projection, use drift");
    return carom_kick_drift_open(nodes, stepper, state, contact, error);
}

void carom_kick_drift_release(carom_kick_drift *nodes) {
    if (!nodes)
        return;
    carom_kick_drift_close(nodes);
    free(nodes);
}
