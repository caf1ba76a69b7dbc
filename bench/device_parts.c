// SPDX-License-Identifier: MIT
// The time of the parts of a step on a device (device_parts.h).
#include "device_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "carom/profile.h"
#include "device/inside.h"
#include "element/peak_values.h"
#include "model/model.h"

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
static void call_part(carom_device *device, carom_bench_part part) {
    const carom_backend *backend = device->backend;
    double most, fastest;
    carom_exact sums[CAROM_THREAD_KICK_SUMS] = {0};
    switch (part) {
    case CAROM_BENCH_DRIFT: backend->drift(&device->nodes, 0); break;
    case CAROM_BENCH_FORCE: force_all(device, false); break;
    case CAROM_BENCH_WATCHED: force_all(device, true); break;
    case CAROM_BENCH_TOPS:
        if (device->tops)
            backend->find_tops(device->blocks_there, device->model->block_count, &device->call, device->tops_there);
        break;
    case CAROM_BENCH_GATHER: backend->gather(&device->nodes); break;
    case CAROM_BENCH_PUSH: carom_device_push(device, 0, 1, 0.5, &most, &fastest, sums); break;
    case CAROM_BENCH_PUSHED: backend->find_pushed(&device->nodes, &device->pushed_there); break;
    default: backend->wait(); break;
    }
}

const char *carom_bench_part_name(carom_bench_part part) {
    static const char *const names[CAROM_BENCH_PARTS] = {"drift",  "force", "watched", "tops",
                                                         "gather", "push",  "pushed",  "wait"};
    return names[part];
}

bool carom_bench_device_parts(carom_device *device, int count, double seconds[CAROM_BENCH_PARTS]) {
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
    for (int part = 0; enough && part < CAROM_BENCH_PARTS; part++) {
        call_part(device, (carom_bench_part)part);
        device->backend->wait();
        double begin = carom_profile_clocks().wall;
        for (int i = 0; i < count; i++)
            call_part(device, (carom_bench_part)part);
        device->backend->wait();
        seconds[part] = (carom_profile_clocks().wall - begin) / count;
    }
    free(envelopes);
    free(kicks);
    return enough && !device->backend->fault();
}
