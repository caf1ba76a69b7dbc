// SPDX-License-Identifier: MIT
// Copies of what the device keeps, on the device: of states to which a run may return, and of positions. They are brought only
// if it does.
#include "device/inside.h"
#include "element/peak_values.h"
#include "model/model.h"

static size_t bytes_of_nodes(const carom_device *device) {
    return (size_t)device->nodes.count * 3 * sizeof(double);
}

static size_t envelopes_of(const carom_device *device) {
    return device->call.envelopes ? CAROM_ENVELOPES * (size_t)device->model->element_count : 0;
}

// Memory for a copy. False if there is none left.
static bool reserve(carom_device *device, carom_device_copy copy) {
    carom_kept *kept = &device->kept[copy];
    int n = device->nodes.count;
    bool enough = true, whole = copy != CAROM_COPY_LOOKED;
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

bool carom_device_keep(carom_device *device, carom_device_copy copy, const carom_state *state) {
    carom_kept *kept = &device->kept[copy];
    const carom_thread_nodes *n = &device->nodes;
    size_t bytes = bytes_of_nodes(device);
    if (!reserve(device, copy))
        return false;
    device->backend->copy(kept->x, n->x, bytes);
    if (copy == CAROM_COPY_LOOKED)
        return true;
    device->backend->copy(kept->v, n->v, bytes);
    device->backend->copy(kept->w, n->w, bytes);
    if (n->kicks)
        device->backend->copy(kept->kicks, n->kicks, bytes);
    kept->raised = device->raised && device->generation == state->generation;
    if (kept->raised)
        device->backend->copy(kept->envelopes, device->call.envelopes, envelopes_of(device) * sizeof(double));
    return true;
}

bool carom_device_has_raised(const carom_device *device, const carom_state *state, int block) {
    return device->raised && device->generation == state->generation && device->watched[block];
}

void carom_device_recall(carom_device *device, carom_device_copy copy, const carom_device_motion *motion, double *envelopes) {
    const carom_kept *kept = &device->kept[copy];
    if (copy == CAROM_COPY_LOOKED) {
        device->backend->get(motion->x, kept->x, bytes_of_nodes(device));
        device->backend->wait();
        return;
    }
    carom_device_bring_array(device, kept->x, motion->x);
    carom_device_bring_array(device, kept->v, motion->v);
    carom_device_bring_array(device, kept->w, motion->w);
    carom_device_bring_array(device, kept->kicks, motion->kicks);
    if (kept->raised)
        carom_device_get_envelopes(device, kept->envelopes, envelopes);
}

bool carom_device_is_finite(carom_device *device, double most) {
    const carom_thread_nodes *n = &device->nodes;
    const double *const arrays[] = {n->x, n->v, n->w, n->kicks};
    device->backend->clear(device->wrong_there, sizeof *device->wrong_there);
    for (int a = 0; a < 4; a++)
        if (arrays[a])
            device->backend->judge(arrays[a], 3 * (size_t)n->count, most, device->wrong_there);
    if (device->history_count) {
        device->backend->judge(device->history, (size_t)device->history_count, most, device->wrong_there);
        device->backend->judge(device->losses, CAROM_BLOCK_LOSSES * (size_t)device->model->element_count, most,
                               device->wrong_there);
    }
    if (device->call.envelopes)
        device->backend->judge(device->call.envelopes, envelopes_of(device), most, device->wrong_there);
    device->backend->get(device->wrong, device->wrong_there, sizeof *device->wrong);
    carom_device_wait(device);
    return !*device->wrong && !device->fault;
}
