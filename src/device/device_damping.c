// SPDX-License-Identifier: MIT
// Computes stiffness damping on a device (model/motion/damping_body.h): the nodes of each element are displaced along their
// velocities (each element has its own copies of its nodes), the kernels of forces compute its forces again, and the damping
// forces, computed from the differences, are summed at the nodes.
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/profile.h"
#include "device/inside.h"
#include "model/model.h"
#include "model/motion/damping.h"

bool carom_device_reserve_damping(carom_device *device) {
    const carom_model *model = device->model;
    carom_device_damping *d = &device->damping;
    int64_t entries = 0, most = 0;
    bool enough = true;
    if (!carom_model_is_viscous(model))
        return true;
    d->first = carom_device_hold(device, (int64_t)model->block_count + 1, sizeof *d->first, &enough);
    for (int b = 0; d->first && b < model->block_count; b++)
        d->first[b + 1] = entries += (int64_t)model->blocks[b].count * model->blocks[b].node_count;
    for (int b = 0; d->first && b < model->block_count; b++)
        most = d->first[b + 1] - d->first[b] > most ? d->first[b + 1] - d->first[b] : most;
    int *place = carom_allocate(entries, sizeof *place), *own = carom_allocate(most, sizeof *own);
    double(*Y)[3] = carom_allocate(entries, sizeof *Y);
    enough = d->first && place && own && Y;
    if (enough)
        carom_device_find_places(model, d->first, place);
    for (int b = 0; enough && b < model->block_count; b++)
        for (int64_t i = 0; i < d->first[b + 1] - d->first[b]; i++)
            memcpy(Y[d->first[b] + i], model->X[model->blocks[b].nodes[i]], sizeof *Y);
    for (int64_t i = 0; enough && i < most; i++)
        own[i] = (int)i;
    bool device_enough = true;
    d->place = carom_device_reserve(device, enough ? place : NULL, entries, sizeof *place, &device_enough);
    d->own = carom_device_reserve(device, enough ? own : NULL, most, sizeof *own, &device_enough);
    d->Y = carom_device_reserve(device, enough ? Y : NULL, entries, sizeof *Y, &device_enough);
    d->y = carom_device_reserve(device, NULL, entries, sizeof *Y, &device_enough);
    d->u = carom_device_reserve(device, NULL, entries, sizeof *Y, &device_enough);
    d->r = carom_device_reserve(device, NULL, entries, sizeof *Y, &device_enough);
    d->slots = carom_device_reserve(device, NULL, 3 * (int64_t)model->element_node_count, sizeof *d->slots, &device_enough);
    d->forces = carom_device_reserve(device, NULL, model->node_count, sizeof *Y, &device_enough);
    device->backend->wait();
    free(place);
    free(own);
    free(Y);
    return enough && device_enough;
}

// Computes one block: writes the forces at the perturbed positions to the slots of damping, and replaces them by the damping
// forces.
static void damp_block(carom_device *device, int b) {
    const carom_backend *backend = device->backend;
    const carom_device_damping *d = &device->damping;
    const carom_block *block = &device->model->blocks[b];
    carom_thread_block own = device->blocks[b];
    carom_thread_call call = device->call;
    ptrdiff_t first = d->first[b];
    carom_thread_damping damping = {
        .b = carom_block_stiffness_damping(device->model, block),
        .x = device->nodes.x,
        .w = device->nodes.w,
        .y = d->y + 3 * first,
        .u = d->u + 3 * first,
        .r = d->r + 3 * first,
        .place = d->place + first,
        .slots = d->slots,
        .still = device->call.slots,
        .out = d->slots,
    };
    if (!(damping.b > 0) || own.kind == CAROM_THREAD_NOTHING)
        return;
    call.watches = 0;
    // laws with history must evaluate both forces with the same history, so those without perturbation are computed again, too
    call.flow = (carom_flow){.use = CAROM_USE_READ};
    backend->disturb(&device->blocks[b], &damping);
    if (block->history_size)
        backend->force(&device->blocks[b], &call);
    own.nodes = d->own;
    call.x = d->y + 3 * first;
    call.X = d->Y + 3 * first;
    call.slots = d->slots;
    backend->force(&own, &call);
    backend->damp(&device->blocks[b], &damping);
}

void carom_device_viscous_force(carom_device *device, const double (*w)[3], double (*viscous)[3]) {
    const carom_backend *backend = device->backend;
    size_t bytes = (size_t)device->model->node_count * sizeof *w;
    carom_thread_nodes nodes = device->nodes;
    double begin = carom_profile_clocks().wall;
    nodes.slots = device->damping.slots;
    nodes.load = nodes.start = NULL;
    nodes.force = device->damping.forces;
    backend->put(device->nodes.w, w, bytes);
    for (int b = 0; b < device->model->block_count; b++)
        damp_block(device, b);
    backend->gather(&nodes);
    backend->get(viscous, nodes.force, bytes);
    backend->wait();
    if (!device->fault)
        device->fault = backend->fault();
    device->times.to += (double)bytes;
    device->times.from += (double)bytes;
    device->times.waiting += carom_profile_clocks().wall - begin;
}
