// SPDX-License-Identifier: MIT
// Keeps copies of arrays in the memory of the device: those of states to which a run may return, and of positions. They are
// transferred to the processor only if they are needed.
#include "device/inside.h"
#include "element/peak_values.h"
#include "model/forces/peaks.h"
#include "model/model.h"

static size_t bytes_of_nodes(const carom_device *device) {
    return (size_t)device->nodes.count * 3 * sizeof(double);
}

static size_t envelopes_of(const carom_device *device) {
    return device->call.envelopes ? CAROM_ENVELOPES * (size_t)device->model->element_count : 0;
}

// Reserves memory for a copy. False if memory is short.
static bool reserve(carom_device *device, carom_device_copy copy) {
    carom_kept *kept = &device->kept[copy];
    int n = device->nodes.count;
    bool enough = true, whole = copy != CAROM_COPY_CHECKED;
    if (kept->x || kept->refused)
        return !kept->refused;
    kept->x = carom_device_reserve(device, NULL, 3 * (int64_t)n, sizeof(double), &enough);
    if (whole) {
        kept->v = carom_device_reserve(device, NULL, 3 * (int64_t)n, sizeof(double), &enough);
        kept->w = carom_device_reserve(device, NULL, 3 * (int64_t)n, sizeof(double), &enough);
    }
    if (whole && device->nodes.kicks)
        kept->kicks = carom_device_reserve(device, NULL, 3 * (int64_t)n, sizeof(double), &enough);
    if (whole && device->call.envelopes)
        kept->envelopes = carom_device_reserve(device, NULL, (int64_t)envelopes_of(device), sizeof(double), &enough);
    kept->refused = !enough;
    return enough;
}

// Copies to the processor the positions of all nodes, or arrays of a state.
static void fetch(carom_remote *remote, unsigned sets, const carom_state_rows *some) {
    // its first member
    carom_kept *kept = (carom_kept *)remote;
    carom_device *device = kept->device;
    carom_device_motion motion = carom_device_motion_of(&kept->arrays.motion, sets);
    (void)some;
    if (kept == &device->kept[CAROM_COPY_CHECKED]) {
        device->backend->get(motion.x, kept->x, bytes_of_nodes(device));
        device->backend->wait();
    } else {
        carom_device_copy_back_array(device, kept->x, motion.x);
        carom_device_copy_back_array(device, kept->v, motion.v);
        carom_device_copy_back_array(device, kept->w, motion.w);
        carom_device_copy_back_array(device, kept->kicks, motion.kicks);
        if (sets & CAROM_ARRAYS_ENVELOPES)
            carom_device_get_envelopes(device, kept->envelopes, kept->arrays.envelopes);
    }
    remote->on_device &= ~sets;
}

// Starts a copy with the positions. NULL if the motion does not stay on the device, or memory is short.
static carom_kept *begin(carom_device *device, carom_device_copy copy, carom_state *to) {
    const carom_remote *remote = &device->remote;
    carom_kept *kept = &device->kept[copy];
    if (!remote->state || !carom_state_moved_by(remote->state) || !reserve(device, copy))
        return NULL;
    kept->device = device;
    kept->remote =
        (carom_remote){.state = to, .fetch = fetch, .here = remote->here, .count = remote->count, .watched = remote->watched};
    device->backend->copy(kept->x, device->nodes.x, bytes_of_nodes(device));
    return kept;
}

unsigned carom_device_keep(carom_device *device, carom_device_copy copy, carom_state *to) {
    const carom_thread_nodes *n = &device->nodes;
    const carom_state *state = device->remote.state;
    const carom_device_motion *motion = &device->arrays.motion;
    carom_kept *kept = begin(device, copy, to);
    // an earlier copy is no longer valid
    to->remote = kept ? &kept->remote : NULL;
    if (!kept)
        return 0;
    kept->arrays.motion = (carom_device_motion){.x = to->x,
                                                .v = to->v,
                                                .w = (carom_vectors)carom_state_twin(state, motion->w, to),
                                                .kicks = (carom_vectors)carom_state_twin(state, motion->kicks, to)};
    kept->arrays.envelopes = carom_peaks_envelopes(to);
    device->backend->copy(kept->v, n->v, bytes_of_nodes(device));
    device->backend->copy(kept->w, n->w, bytes_of_nodes(device));
    if (n->kicks)
        device->backend->copy(kept->kicks, n->kicks, bytes_of_nodes(device));
    // the other sets are in the arrays of the state
    unsigned sets = CAROM_ARRAYS_MOTION | (device->remote.on_device & CAROM_ARRAYS_ENVELOPES);
    if (sets & CAROM_ARRAYS_ENVELOPES)
        device->backend->copy(kept->envelopes, device->call.envelopes, envelopes_of(device) * sizeof(double));
    carom_device_spoil(device, &kept->arrays, sets);
    return sets;
}

carom_remote *carom_device_keep_positions(carom_device *device, double (*to)[3]) {
    carom_kept *kept = begin(device, CAROM_COPY_CHECKED, NULL);
    if (!kept)
        return NULL;
    kept->arrays.motion = (carom_device_motion){.x = to};
    kept->remote.has = kept->remote.on_device = CAROM_ARRAYS_POSITIONS;
    return &kept->remote;
}
