// SPDX-License-Identifier: MIT
// For benchmarks: steps that run entirely on the device, and the time of their parts.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "carom/profile.h"
#include "device/inside.h"
#include "element/peak_values.h"
#include "model/model.h"

double carom_device_leap(carom_device *device, int count, double h, double (*x)[3], double (*w)[3], double *most) {
    const carom_backend *backend = device->backend;
    const carom_model *model = device->model;
    size_t bytes = (size_t)model->node_count * sizeof *x;
    carom_thread_nodes nodes = device->nodes;
    // forces are not needed, and all nodes belong to the device
    nodes.force = NULL;
    nodes.held = NULL;
    device->call.watches = 0;
    backend->put(nodes.x, x, bytes);
    backend->put(nodes.w, w, bytes);
    backend->wait();
    double begin = carom_profile_clocks().wall;
    for (int i = 0; i < count; i++) {
        backend->drift(&nodes, h);
        for (int b = 0; b < model->block_count; b++)
            backend->force(&device->blocks[b], &device->call);
        backend->kick(&nodes, h, device->most);
    }
    backend->wait();
    double seconds = carom_profile_clocks().wall - begin;
    backend->get(x, nodes.x, bytes);
    backend->get(w, nodes.w, bytes);
    backend->get(most, device->most, sizeof *most);
    backend->wait();
    device->fault = device->fault ? device->fault : backend->fault();
    return seconds;
}

static void force_all(carom_device *device, bool watches) {
    for (int b = 0; b < device->model->block_count; b++) {
        device->call.watches = watches && device->watched[b];
        for (int kind = 0; kind < CAROM_THREAD_LIMITS; kind++)
            device->call.limit[kind] = HUGE_VAL;
        device->backend->force(&device->blocks[b], &device->call);
    }
    device->call.watches = 0;
}

// One call of a part, with steps of length zero, so that positions do not change.
static void call_part(carom_device *device, carom_device_part part) {
    const carom_backend *backend = device->backend;
    double most, fastest;
    carom_exact sums[CAROM_THREAD_KICK_SUMS] = {0};
    switch (part) {
    case CAROM_PART_DRIFT: backend->drift(&device->nodes, 0); break;
    case CAROM_PART_FORCE: force_all(device, false); break;
    case CAROM_PART_WATCHED: force_all(device, true); break;
    case CAROM_PART_TOPS:
        if (device->tops)
            backend->find_tops(device->blocks_there, device->model->block_count, &device->call, device->tops_there);
        break;
    case CAROM_PART_GATHER: backend->gather(&device->nodes); break;
    case CAROM_PART_PUSH: carom_device_push(device, 0, 1, 0.5, &most, &fastest, sums); break;
    case CAROM_PART_PUSHED: backend->find_pushed(&device->nodes, &device->pushed_there); break;
    default: backend->wait(); break;
    }
}

const char *carom_device_part_name(carom_device_part part) {
    static const char *const names[CAROM_DEVICE_PARTS] = {"drift",  "force", "watched", "tops",
                                                          "gather", "push",  "pushed",  "wait"};
    return names[part];
}

bool carom_device_measure_parts(carom_device *device, int count, double seconds[CAROM_DEVICE_PARTS]) {
    carom_error error;
    int64_t numbers = CAROM_ENVELOPES * (int64_t)device->model->element_count;
    double *envelopes = carom_allocate(numbers, sizeof *envelopes);
    // no element exceeds its envelopes
    for (int64_t i = 0; envelopes && i < numbers; i++)
        envelopes[i] = 1e99;
    double(*kicks)[3] = carom_allocate(device->model->node_count, sizeof *kicks);
    const carom_device_motion motion = {.kicks = kicks};
    bool enough = envelopes && kicks && carom_device_stay(device, NULL, 0, &motion, &error) == CAROM_OK;
    if (enough && device->tops)
        device->backend->put(device->call.envelopes, envelopes, (size_t)numbers * sizeof *envelopes);
    device->pushed_there.most = HUGE_VAL;
    for (int part = 0; enough && part < CAROM_DEVICE_PARTS; part++) {
        call_part(device, (carom_device_part)part);
        device->backend->wait();
        double begin = carom_profile_clocks().wall;
        for (int i = 0; i < count; i++)
            call_part(device, (carom_device_part)part);
        device->backend->wait();
        seconds[part] = (carom_profile_clocks().wall - begin) / count;
    }
    free(envelopes);
    free(kicks);
    return enough && !device->backend->fault();
}
