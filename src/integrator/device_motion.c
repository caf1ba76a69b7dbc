// SPDX-License-Identifier: MIT
#include "integrator/device_motion.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "device/device.h"

// Ties move nodes of two surfaces together; projection, and functions of a program for all nodes, look at all of them.
static bool may_stay(const carom_model *model) {
    for (int l = 0; l < model->live.count; l++)
        if (model->live.items[l].array_function)
            return false;
    return !carom_model_is_part(model) && !model->part.replicated && !carom_ties_any(&model->ties) && !model->R &&
           model->contact.resolve == CAROM_RESOLVE_DRIFT;
}

// Marks the nodes of the processor. Returns their number.
static int mark(const carom_model *model, bool *here) {
    int count = 0;
    for (int k = 0; k < model->node_count; k++)
        here[k] = (model->surface.node_body && model->surface.node_body[k] >= 0) || !(model->mass[k] > 0);
    for (int i = 0; i < model->candidates.count; i++)
        for (int a = 0; a < model->candidates.items[i].count; a++)
            here[model->candidates.items[i].node[a]] = true;
    for (int r = 0; r < model->restraints.count; r++)
        here[model->restraints.items[r].node] = true;
    for (int i = 0; i < model->live.node_count; i++)
        here[model->live.nodes[i]] = true;
    for (int s = 0; s < model->springs.count; s++)
        for (int a = 0; a < 2; a++)
            if (model->springs.items[s].node[a] >= 0)
                here[model->springs.items[s].node[a]] = true;
    for (int r = 0; r < model->rigid.count; r++)
        for (int k = model->rigid.items[r].node_begin; k <= model->rigid.items[r].centre; k++)
            here[k] = true;
    for (int k = 0; k < model->node_count; k++)
        count += here[k];
    return count;
}

static carom_status list_nodes(carom_resident *resident, const carom_model *model, carom_error *error) {
    bool *here = carom_allocate(model->node_count, sizeof *here);
    resident->count = here ? mark(model, here) : 0;
    resident->here = carom_allocate(resident->count, sizeof *resident->here);
    for (int k = 0, i = 0; here && resident->here && k < model->node_count; k++)
        if (here[k])
            resident->here[i++] = k;
    bool enough = here && resident->here;
    free(here);
    return enough ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for the nodes of the processor");
}

void carom_resident_release(carom_resident *resident) {
    if (resident->state) {
        if (resident->state->elsewhere == &resident->elsewhere)
            resident->state->elsewhere = NULL;
        *resident->known = NULL;
    }
    free(resident->here);
    *resident = (carom_resident){0};
}

// The motion of the present state to the device.
static void send(carom_resident *resident, carom_state *state) {
    carom_device_send(resident->device, &(carom_device_motion){state->x, state->v, resident->w, resident->kicks, NULL, NULL});
    resident->generation = state->generation;
    resident->fastest = 0;
    for (int k = 0; k < resident->model->node_count; k++) {
        double square = carom_dot(resident->w[k], resident->w[k]);
        resident->fastest = square > resident->fastest ? square : resident->fastest;
    }
}

carom_status carom_resident_enter(carom_resident *resident, carom_state *state, carom_error *error) {
    struct carom_device *device = *resident->of_stepper;
    if (!device || resident->refused)
        return CAROM_OK;
    if (!resident->device) {
        resident->refused = !resident->may || !may_stay(resident->model);
        if (resident->refused)
            return CAROM_OK;
        resident->state = state;
        resident->generation = -1;
        carom_status status = list_nodes(resident, resident->model, error);
        if (!status)
            status = carom_device_stay(device, resident->here, resident->count, resident->kicks != NULL, error);
        // forces alone need less memory
        resident->refused = status == CAROM_BAD_INPUT;
        if (status)
            return resident->refused ? CAROM_OK : status;
        resident->elsewhere.here = resident->here;
        resident->elsewhere.count = resident->count;
        resident->device = device;
        state->elsewhere = &resident->elsewhere;
        *resident->known = resident;
    }
    if (resident->generation != state->generation)
        send(resident, state);
    return CAROM_OK;
}

void carom_resident_drift(carom_resident *resident, carom_state *state, double h) {
    if (!carom_resident_has(resident, state))
        return;
    carom_device_drift(resident->device, h);
    state->elsewhere->x_away = true;
}

const struct carom_sweeper *carom_resident_sweeper(const carom_resident *resident, const carom_state *state) {
    return carom_resident_has(resident, state) ? carom_device_sweeper(resident->device) : NULL;
}

void carom_resident_bring_positions(const carom_resident *resident, carom_state *state) {
    if (!carom_resident_has(resident, state) || !state->elsewhere->x_away)
        return;
    carom_device_bring(resident->device, &(carom_device_motion){.x = state->x});
    state->elsewhere->x_away = false;
}

void carom_resident_bring_velocities(const carom_resident *resident, carom_state *state) {
    if (!carom_resident_has(resident, state) || !state->elsewhere->v_away)
        return;
    carom_device_bring(
        resident->device,
        &(carom_device_motion){.v = state->v, .w = resident->w, .kicks = resident->kicks, .drag = resident->drag});
    state->elsewhere->v_away = false;
}

void carom_resident_bring_forces(const carom_resident *resident, carom_state *state) {
    if (!carom_resident_has(resident, state) || !state->elsewhere->f_away)
        return;
    carom_device_bring(resident->device, &(carom_device_motion){.force = resident->force});
    state->elsewhere->f_away = false;
}

void carom_resident_bring(const carom_resident *resident, carom_state *state) {
    carom_resident_bring_positions(resident, state);
    carom_resident_bring_velocities(resident, state);
    carom_resident_bring_forces(resident, state);
}

void carom_resident_fetch(const carom_resident *resident, carom_state *state, const int *nodes, int count) {
    if (!carom_resident_has(resident, state))
        return;
    const carom_elsewhere *away = state->elsewhere;
    carom_device_fetch(resident->device, nodes, count,
                       &(carom_device_motion){.x = away->x_away ? state->x : NULL,
                                              .v = away->v_away ? state->v : NULL,
                                              .w = away->v_away ? resident->w : NULL,
                                              .force = away->f_away ? resident->force : NULL});
}

// Arrays are registered in the same order in both states.
static const double *same_array(const carom_resident *resident, const carom_state *state, carom_const_vectors values) {
    for (int a = 0; values && a < state->array_count; a++)
        if (resident->state->arrays[a].values == (const double *)values)
            return state->arrays[a].values;
    return NULL;
}

carom_away carom_resident_away(const carom_resident *resident, const carom_state *state) {
    return (carom_away){.nodes = {(const double *)state->x, (const double *)state->v,
                                  same_array(resident, state, (carom_const_vectors)resident->w),
                                  same_array(resident, state, (carom_const_vectors)resident->kicks)}};
}
