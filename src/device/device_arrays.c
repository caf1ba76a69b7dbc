// SPDX-License-Identifier: MIT
// Which arrays of a state (positions, velocities, forces, history ...) the device has newer values of, and how they are copied
// back when code on the processor reads them: the functions of carom_remote (model/remote.h).
#include <math.h>

#include "device/inside.h"
#include "model/forces/peaks.h"
#include "model/model.h"
#include "model/state/history.h"

carom_device_motion carom_device_motion_of(const carom_device_motion *motion, unsigned sets) {
    carom_device_motion some = *motion;
    if (!(sets & CAROM_ARRAYS_POSITIONS))
        some.x = NULL;
    if (!(sets & CAROM_ARRAYS_VELOCITIES))
        some.v = some.w = some.kicks = some.drag = NULL;
    if (!(sets & CAROM_ARRAYS_FORCES))
        some.force = NULL;
    return some;
}

static void fetch(carom_remote *remote, unsigned sets, const carom_state_rows *some) {
    // its first member
    carom_device *device = (carom_device *)remote;
    carom_device_motion motion = carom_device_motion_of(&device->arrays.motion, sets);
    if (some) {
        carom_device_fetch(device, some->nodes, some->node_count, &motion);
        if (sets & CAROM_ARRAYS_HISTORY && !carom_device_fetch_history(device, some->batches, some->batch_count))
            remote->on_device &= ~(unsigned)CAROM_ARRAYS_HISTORY;
        device->partly |= sets;
        return;
    }
    carom_device_copy_back(device, &motion);
    if (sets & CAROM_ARRAYS_HISTORY)
        carom_device_copy_back_history(device);
    if (sets & CAROM_ARRAYS_ENVELOPES)
        carom_device_get_envelopes(device, device->call.envelopes, device->arrays.envelopes);
    remote->on_device &= ~sets;
}

static bool is_finite(carom_remote *remote, unsigned sets) {
    carom_device *device = (carom_device *)remote;
    const carom_thread_nodes *n = &device->nodes;
    bool x = sets & CAROM_ARRAYS_POSITIONS, v = sets & CAROM_ARRAYS_VELOCITIES, flow = sets & CAROM_ARRAYS_HISTORY;
    const struct {
        const double *values;
        size_t count;
    } arrays[] = {
        {x ? n->x : NULL, 3 * (size_t)n->count},
        {v ? n->v : NULL, 3 * (size_t)n->count},
        {v ? n->w : NULL, 3 * (size_t)n->count},
        {v ? n->kicks : NULL, 3 * (size_t)n->count},
        {flow ? device->history : NULL, (size_t)device->history_count},
        {flow ? device->losses : NULL, CAROM_BLOCK_LOSSES * (size_t)device->model->element_count},
        {sets & CAROM_ARRAYS_ENVELOPES ? device->call.envelopes : NULL, CAROM_ENVELOPES * (size_t)device->model->element_count},
    };
    device->backend->clear(device->wrong_there, sizeof *device->wrong_there);
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        if (arrays[a].values)
            device->backend->check_magnitude(arrays[a].values, arrays[a].count, CAROM_STATE_FINITE, device->wrong_there);
    device->backend->get(device->wrong, device->wrong_there, sizeof *device->wrong);
    carom_device_wait(device);
    return !*device->wrong && !device->fault;
}

void carom_device_serve(carom_device *device, carom_state *state) {
    device->remote = (carom_remote){.state = state, .fetch = fetch, .is_finite = is_finite, .watched = device->watched};
    device->remote.losses = device->loss_sums;
    device->arrays = (carom_device_arrays){
        .history = carom_state_find_array(state, CAROM_STATE_HISTORY),
        .losses = carom_state_find_array(state, CAROM_STATE_MATERIAL_LOSSES),
        .envelopes = carom_peaks_envelopes(state),
    };
    state->remote = &device->remote;
}

void carom_device_change(carom_device *device, unsigned sets) {
    carom_remote *remote = &device->remote;
    unsigned fresh = sets & (~remote->on_device | device->partly);
    remote->has |= sets;
    remote->on_device |= sets;
    device->partly &= ~sets;
    carom_device_spoil(device, &device->arrays, fresh);
}

static void spoil(double *values, int64_t count) {
    for (int64_t i = 0; values && i < count; i++)
        values[i] = NAN;
}

void carom_device_spoil(const carom_device *device, const carom_device_arrays *arrays, unsigned sets) {
    const carom_model *model = device->model;
    carom_device_motion motion = carom_device_motion_of(&arrays->motion, sets);
    double(*const vectors[])[3] = {motion.x, motion.v, motion.w, motion.kicks, motion.force, motion.drag};
    if (!device->backend->poisons)
        return;
    for (size_t a = 0; a < sizeof vectors / sizeof *vectors; a++)
        for (int k = 0; vectors[a] && k < model->node_count; k++)
            if (!device->held[k])
                spoil(vectors[a][k], 3);
    if (sets & CAROM_ARRAYS_HISTORY) {
        spoil(arrays->history, device->history_count);
        spoil(arrays->losses, CAROM_BLOCK_LOSSES * (int64_t)model->element_count);
    }
    for (int b = 0, first = 0; sets & CAROM_ARRAYS_ENVELOPES && b < model->block_count; first += model->blocks[b++].count)
        if (device->watched[b] && arrays->envelopes)
            spoil(arrays->envelopes + CAROM_ENVELOPES * (ptrdiff_t)first, CAROM_ENVELOPES * (int64_t)model->blocks[b].count);
}
