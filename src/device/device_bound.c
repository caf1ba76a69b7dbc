// SPDX-License-Identifier: MIT
// The stable step of deformed bodies: the device proves that a step is stable, by the bounds of model/watch/frequency_bound.c
// and with their bits. If it cannot prove this, the processor decides.
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "device/inside.h"
#include "element/element.h"
#include "element/solid/solid_point.h"
#include "model/model.h"
#include "model/motion/damping.h"
#include "model/watch/frequency_bound.h"

#define CAROM_BOUND_LAW(NAME, name, law) || (law) == CAROM_KERNEL_##NAME
// cells of `nodal` have these kernels too, and bounds of their own
#define CAROM_BOUND_SOLID(NAME, name, nodes, share, of, kind) \
    || ((of) == &carom_element_##name.element && (kind) == CAROM_THREAD_##NAME)

// True if there is a kernel for the bound of the elements of a block.
static bool is_known(const carom_block *block, const carom_thread_block *made) {
    if (carom_thread_is_shell(made->kind))
        return true;
    bool law = false CAROM_FINITE_LAWS(CAROM_BOUND_LAW, made->law);
    return law && (false CAROM_THREAD_BOUNDED(CAROM_BOUND_SOLID, block->element, made->kind));
}

static bool stiffens(const carom_model *model, const carom_body *body) {
    return body->block_count && carom_block_stiffens(&model->blocks[body->block_begin]);
}

// True if the device can compute the bounds of all bodies that stiffen. It cannot if nodes are tied to rigid bodies, since
// their masses are stored separately (model/rigid.h), or if other processes have parts of the model.
static bool can_prove(const carom_device *device) {
    const carom_model *model = device->model;
    for (int b = 0; b < model->block_count; b++)
        if (carom_block_stiffens(&model->blocks[b]) && device->blocks[b].count &&
            !is_known(&model->blocks[b], &device->blocks[b]))
            return false;
    return !model->rigid.brought && !carom_model_is_subdomain(model);
}

// Allocates, once, the body of each node (-1 if it does not stiffen) and the result of each body.
static bool ensure_capacity(carom_device *device) {
    const carom_model *model = device->model;
    carom_device_bound *bound = &device->bound;
    bool enough = true;
    int *body = carom_allocate(model->node_count, sizeof *body);
    bound->squares = carom_device_hold(device, model->body_count, sizeof *bound->squares, &enough);
    if (body && enough) {
        for (int k = 0; k < model->node_count; k++)
            body[k] = -1;
        for (int b = 0; b < model->body_count; b++)
            for (int k = 0; k < model->bodies[b].node_count && stiffens(model, &model->bodies[b]); k++)
                body[model->bodies[b].node_begin + k] = b;
        bound->body = carom_device_reserve(device, body, model->node_count, sizeof *body, &enough);
        bound->squares_there = carom_device_reserve(device, NULL, model->body_count, sizeof *bound->squares, &enough);
        device->backend->wait();
    }
    enough = enough && body;
    free(body);
    return enough;
}

bool carom_device_proves_step(carom_device *device, double step) {
    const carom_model *model = device->model;
    const carom_backend *backend = device->backend;
    carom_device_bound *bound = &device->bound;
    if (!bound->asked)
        bound->can = can_prove(device) && ensure_capacity(device);
    bound->asked = true;
    if (!bound->can || device->fault)
        return false;
    // The slots can be overwritten: their forces have been summed, and are computed again before the next kick. Slots of
    // elements that do not stiffen stay zero.
    backend->clear(device->call.slots, 3 * (size_t)device->slot_count * sizeof *device->call.slots);
    for (int b = 0; b < model->block_count; b++)
        if (carom_block_stiffens(&model->blocks[b]))
            backend->share(&device->blocks[b], &device->call);
    backend->clear(bound->squares_there, (size_t)model->body_count * sizeof *bound->squares);
    backend->frequency(&device->nodes, bound->body, bound->squares_there);
    // no kernel writes the slots of blocks without forces, so they must be zero again
    backend->clear(device->call.slots, 3 * (size_t)device->slot_count * sizeof *device->call.slots);
    backend->get(bound->squares, bound->squares_there, (size_t)model->body_count * sizeof *bound->squares);
    carom_device_wait(device);
    bool proven = !device->fault;
    for (int b = 0; b < model->body_count; b++)
        if (stiffens(model, &model->bodies[b]))
            proven = proven && carom_damping_step(&model->bodies[b].damping, 2 / sqrt(bound->squares[b])) >= step;
    return proven;
}
