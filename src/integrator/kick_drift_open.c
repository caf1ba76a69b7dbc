// SPDX-License-Identifier: MIT
// Allocates and releases the memory of kicks and drifts (kick_drift.h): arrays of the state, scratch for contact and ties.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/interrupt.h"
#include "integrator/kick_drift.h"
#include "integrator/stepper.h"
#include "model/collective.h"
#include "model/watch/frequency_bound.h"

// Passes of a drift with bounces. The first pass uses the kick before the drift in place of the one after it. The second has
// the latter up to the small part that depends on the bounce itself, and the third extrapolates this part.
enum { USUAL_PASSES = 2, EXTRAPOLATING_PASSES = 3 };

// Memory for drifts that are run several times.
static carom_status prepare_passes(carom_kick_drift *nodes, int passes, carom_error *error) {
    const carom_model *model = nodes->kick.model;
    bool enough = true;
    nodes->start = carom_arena_reserve(nodes->kick.arena, model->node_count, sizeof *nodes->start, &enough);
    nodes->end_kick = carom_arena_reserve(nodes->kick.arena, carom_model_row_count(model), sizeof *nodes->end_kick, &enough);
    nodes->passes = passes;
    nodes->audited = !nodes->oscillates;
    nodes->oscillates = true;
    return enough ? CAROM_OK : carom_no_memory(error, "the integrator");
}

// In a whole model contact works on the arrays of the state themselves.
static carom_status open_space(carom_kick_drift *nodes, carom_state *state, carom_error *error) {
    carom_newmark_kick *kick = &nodes->kick;
    const carom_model *model = kick->model;
    nodes->exchange_velocities = carom_model_is_subdomain(model) && (nodes->stepper->follows || kick->scratch);
    if (carom_model_is_subdomain(model))
        return carom_contact_space_create(&nodes->space, model, nodes->other, error);
    nodes->space = (carom_contact_space){.model = model,
                                         .mobility = kick->mobility,
                                         .x = state->x,
                                         .v = state->v,
                                         .w = kick->w,
                                         .w_before = kick->w_before,
                                         .other = nodes->other};
    return CAROM_OK;
}

// Prepares contact, and the correction of impacts on tied nodes.
static carom_status open_contact(carom_kick_drift *nodes, carom_state *state, bool kinked, carom_error *error) {
    const carom_model *model = nodes->kick.model;
    bool enough = true;
    if (model->damped || model->live.count || nodes->ties.tie.model)
        nodes->other = carom_arena_reserve(nodes->kick.arena, model->node_count, sizeof *nodes->other, &enough);
    carom_status status = enough ? CAROM_OK : carom_no_memory(error, "the integrator");
    status = CAROM_MODEL_AGREE(model, status, error);
    if (!status)
        status = open_space(nodes, state, error);
    nodes->contact_step.drifts = kinked;
    if (!status)
        status = carom_contact_step_create(&nodes->contact_step, model, state, "kicks", error);
    if (!status)
        status = carom_contact_step_open_accounts(&nodes->contact_step, state, error);
    if (!status)
        status = carom_contact_step_measure_losses(&nodes->contact_step, state, error);
    if (!status)
        status = carom_tie_repay_open(&nodes->ties, &nodes->kick, &nodes->contact_step.debts, state, error);
    if (!status && nodes->contact_step.impacts.forces)
        status = prepare_passes(nodes, kinked ? EXTRAPOLATING_PASSES : USUAL_PASSES, error);
    if (!status)
        status = carom_search_create(nodes->space.model, nodes->stepper->step, &nodes->search, error);
    status = CAROM_MODEL_AGREE(model, status, error);
    if (status)
        return status;
    nodes->resident = (carom_resident){.model = model,
                                       .allowed = !nodes->kick.scratch,
                                       .w = nodes->kick.w,
                                       .force = nodes->kick.force,
                                       .drag = nodes->kick.drag,
                                       .kicks = carom_contact_step_forces(&nodes->contact_step),
                                       .of_stepper = &nodes->stepper->device};
    if (nodes->space.part)
        carom_kick_drift_enter_space(nodes, state);
    if (nodes->space.shares)
        nodes->search.broad.tree.together = &nodes->space.together;
    // contact acts at the kick that starts a run, before the first drift; processes that share the search must all complete it
    if (nodes->space.part)
        carom_interrupt_hold();
    status =
        carom_search_list(&nodes->search, (carom_const_vectors)nodes->space.x, (carom_const_vectors)nodes->space.w, 0, error);
    if (nodes->space.part)
        carom_interrupt_release();
    return CAROM_MODEL_AGREE(model, status, error);
}

carom_status carom_kick_drift_open(carom_kick_drift *nodes, carom_stepper *stepper, carom_state *state,
                                   carom_kick_drift_contact contact, carom_error *error) {
    const carom_model *model = stepper->model;
    *nodes = (carom_kick_drift){
        .stepper = stepper, .energies_time = NAN, .contact = contact != CAROM_KICK_DRIFT_FREE, .initial_hits_pending = true};
    if (model->R)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "kicks and drifts do not support beam elements (rotational degrees of freedom)");
    carom_status status = carom_newmark_kick_create(&nodes->kick, model, stepper->step, state, error);
    if (status)
        return status;
    nodes->kick.device = &stepper->device;
    nodes->kick.resident = &nodes->resident;
    carom_newmark_kick_add_parts(&nodes->kick);
    status = carom_tie_repay_create(&nodes->ties, &nodes->kick, error);
    if (status)
        return status;
    nodes->oscillates = carom_model_is_linear(model);
    nodes->oscillation = carom_state_add_silent(state, "start of oscillation", CAROM_OSCILLATION_NUMBERS);
    if (nodes->oscillation)
        nodes->oscillation[CAROM_OSCILLATION_TIME] = -1;
    else
        status = carom_no_memory(error, "the integrator");
    status = CAROM_MODEL_AGREE(model, status, error);
    return status || !nodes->contact ? status : open_contact(nodes, state, contact == CAROM_KICK_DRIFT_KINKED, error);
}

void carom_kick_drift_close(carom_kick_drift *nodes) {
    carom_contact_step_release(&nodes->contact_step);
    carom_search_release(&nodes->search);
    carom_contact_space_release(&nodes->space);
    carom_tie_repay_release(&nodes->ties);
    carom_newmark_kick_release(&nodes->kick);
}

carom_status carom_kick_drift_create(carom_stepper *stepper, carom_state *state, bool contact, carom_kick_drift **made,
                                     carom_error *error) {
    carom_kick_drift *nodes = carom_allocate(1, sizeof *nodes);
    *made = nodes;
    if (!nodes)
        return carom_no_memory(error, "the integrator");
    if (contact && stepper->model->contact.resolve != CAROM_RESOLVE_EXACT)
        return carom_fail(error, CAROM_BAD_INPUT, "contact.resolve: only newmark-dcr has projection; use exact");
    return carom_kick_drift_open(nodes, stepper, state, contact ? CAROM_KICK_DRIFT_CONTACT : CAROM_KICK_DRIFT_FREE, error);
}

void carom_kick_drift_release(carom_kick_drift *nodes) {
    if (!nodes)
        return;
    carom_kick_drift_close(nodes);
    free(nodes);
}
