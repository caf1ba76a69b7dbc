// SPDX-License-Identifier: MIT
// Motion of nodes that stays on a device (GPU) between steps: decides which nodes the processor keeps, and transfers the motion
// of all others to the device.
#include "integrator/device_motion.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "device/device.h"

// False if something reads or moves nodes that the device would keep: ties, projection, frames of beams, the other subdomains
// or copies of the model on several processes, or load functions of a program for all nodes.
static bool can_stay(const carom_model *model) {
    for (int l = 0; l < model->live.count; l++)
        if (model->live.items[l].array_function)
            return false;
    return !carom_model_is_subdomain(model) && !model->part.replicated && !carom_ties_any(&model->ties) && !model->R &&
           model->contact.resolve == CAROM_RESOLVE_EXACT;
}

// Marks the nodes that the processor keeps. Returns their number.
static int mark(const carom_model *model, bool *here) {
    int count = 0;
    for (int k = 0; k < model->node_count; k++)
        here[k] = carom_model_can_touch(model, k) || !(model->mass[k] > 0);
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

// Moves the motion of all other nodes to the device, where it stays between steps.
static carom_status stay(const carom_resident *resident, const carom_state *state, carom_error *error) {
    const carom_model *model = resident->model;
    bool *marks = carom_allocate(model->node_count, sizeof *marks);
    int count = marks ? mark(model, marks) : 0;
    int *here = carom_allocate(count, sizeof *here);
    carom_device_motion motion = {state->x, state->v, resident->w, resident->kicks, resident->force, resident->drag};
    carom_status status = marks && here ? CAROM_OK : carom_no_memory(error, "the nodes of the processor");
    for (int k = 0, i = 0; !status && k < model->node_count; k++)
        if (marks[k])
            here[i++] = k;
    if (!status)
        status = carom_device_stay(*resident->of_stepper, here, count, &motion, error);
    free(marks);
    free(here);
    return status;
}

// Sends the motion of the present state to the device.
static void send(carom_resident *resident, const carom_state *state) {
    carom_state_read(state, CAROM_ARRAYS_MOTION);
    carom_device_send(resident->device);
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
        resident->refused = !resident->allowed || !can_stay(resident->model);
        if (resident->refused)
            return CAROM_OK;
        carom_status status = stay(resident, state, error);
        // the device may have enough memory for forces, but not for motion as well
        resident->refused = status == CAROM_BAD_INPUT;
        if (status)
            return resident->refused ? CAROM_OK : status;
        resident->device = device;
    }
    if (!carom_state_moved_by(state))
        send(resident, state);
    return CAROM_OK;
}

void carom_resident_drift(const carom_resident *resident, const carom_state *state, double h) {
    if (carom_state_moved_by(state))
        carom_device_drift(resident->device, h);
}

const struct carom_sweeper *carom_resident_sweeper(const carom_resident *resident, const carom_state *state) {
    return carom_state_moved_by(state) ? carom_device_sweeper(resident->device) : NULL;
}
