// SPDX-License-Identifier: MIT
// Steps that run entirely on a device, without contact, restraints and loads that change. For the benchmark and the unit test.
#ifndef CAROM_BENCH_DEVICE_LEAP_H
#define CAROM_BENCH_DEVICE_LEAP_H

#include "carom/profile.h"
#include "device/inside.h"
#include "model/model.h"

// `count` steps of length h; x and w are input and output. `most` receives the largest change of speed of the last kick.
// Returns the seconds of the steps alone.
static inline double leap_on_device(carom_device *device, int count, double h, double (*x)[3], double (*w)[3], double *most) {
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

#endif
