// SPDX-License-Identifier: MIT
// Creates a device (device.h): finds its functions (backend.h), allocates memory, and sends elements, nodes, and the lists of
// the places for element forces (lists.c).
#include "device/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/platform.h"
#include "device/inside.h"
#include "element/peak_values.h"
#include "element/shell/loop_shell.h"
#include "model/collective.h"
#include "model/forces/peaks.h"
#include "model/model.h"
#include "model/motion/damping.h"

_Static_assert((int)CAROM_THREAD_LIMITS == (int)CAROM_EXTREME_KINDS, "a call has a limit for each kind of extremes");

void *carom_device_reserve(carom_device *device, const void *from, int64_t count, size_t size, bool *enough) {
    size_t bytes = (size_t)count * size;
    void *memory = *enough ? device->backend->allocate(bytes) : NULL;
    // counted even if memory is short, for the message
    device->bytes += bytes;
    *enough = memory != NULL;
    if (!memory)
        return NULL;
    device->owned[device->owned_count++] = memory;
    if (from)
        device->backend->put(memory, from, bytes);
    return memory;
}

void *carom_device_hold(carom_device *device, int64_t count, size_t size, bool *enough) {
    return carom_arena_reserve(device->arena, count, size, enough);
}

// Not from the arena: pinned memory must not share pages with other memory.
void *carom_device_hold_pinned(carom_device *device, int64_t count, size_t size, bool *enough) {
    void *memory = *enough ? carom_allocate(count, size) : NULL;
    *enough = memory != NULL;
    if (!memory)
        return NULL;
    device->kept_pinned[device->kept_pinned_count++] = memory;
    device->backend->pin(memory, (size_t)count * size);
    return memory;
}

// Sends the lists of a block whose groups sort their forces.
static void send_groups(carom_device *device, carom_thread_block *made, const carom_device_lists *lists, const int *slots,
                        bool *enough) {
    int64_t entries = (int64_t)made->count * made->node_count;
    int groups = (made->count + CAROM_GROUP - 1) / CAROM_GROUP;
    made->sorted = slots;
    made->sorted_source = carom_device_reserve(device, lists->sources, entries, sizeof *lists->sources, enough);
    made->groups = carom_device_reserve(device, lists->groups, groups, sizeof *lists->groups, enough);
    made->run_ends = carom_device_reserve(device, lists->run_ends, lists->run_count, sizeof *lists->run_ends, enough);
    if (device->model->loaded)
        made->run_nodes = carom_device_reserve(device, lists->run_nodes, lists->run_count, sizeof *lists->run_nodes, enough);
}

static bool is_pointwise(int kind) {
    return false CAROM_THREAD_FULL_SOLIDS(CAROM_THREAD_IS_POINTS, );
}

// Sends the arrays of one block.
static void send_block(carom_device *device, int b, const carom_device_lists *lists, bool *enough) {
    const carom_block *block = &device->model->blocks[b];
    carom_thread_block *made = &device->blocks[b];
    int64_t entries = (int64_t)block->count * block->node_count;
    if (made->kind == CAROM_THREAD_NOTHING)
        return;
    made->nodes = carom_device_reserve(device, block->nodes, entries, sizeof *block->nodes, enough);
    if (block->data)
        made->data = carom_device_reserve(device, block->data, carom_lanes_size(block->count, block->data_size),
                                          sizeof *block->data, enough);
    int *slots = carom_device_reserve(device, lists->slots, lists->output_count, sizeof *slots, enough);
    if (lists->groups)
        send_groups(device, made, lists, slots, enough);
    else
        made->target = slots;
    if (is_pointwise(made->kind))
        carom_device_send_points(device, b, enough);
    if (made->solid)
        made->solid = carom_device_reserve(device, made->solid, 1, sizeof *made->solid, enough);
    if (made->kind == CAROM_THREAD_SHELL) {
        carom_shell shell = carom_shell_of(block);
        made->table = carom_device_reserve(device, shell.N, made->point_count, sizeof *shell.N, enough);
    }
}

// Sends the arrays of the nodes, and reserves memory for forces and peaks.
static void send_nodes(carom_device *device, const int *gather_begin, double (*start)[3], bool *enough) {
    const carom_model *model = device->model;
    int n = model->node_count;
    carom_thread_nodes *nodes = &device->nodes;
    carom_thread_call *call = &device->call;
    nodes->count = n;
    nodes->gather_begin = carom_device_reserve(device, gather_begin, (int64_t)n + 1, sizeof *gather_begin, enough);
    nodes->load = model->loaded ? carom_device_reserve(device, model->load, n, sizeof *model->load, enough) : NULL;
    nodes->start = start ? carom_device_reserve(device, start, n, sizeof *start, enough) : NULL;
    call->load = nodes->load;
    nodes->mass = carom_device_reserve(device, model->mass, n, sizeof *model->mass, enough);
    nodes->x = carom_device_reserve(device, model->X, n, sizeof *model->X, enough);
    nodes->w = carom_device_reserve(device, NULL, n, sizeof *model->X, enough);
    nodes->force = carom_device_reserve(device, NULL, n, sizeof *model->X, enough);
    device->slot_count = gather_begin[n];
    call->slots = carom_device_reserve(device, NULL, 3 * (int64_t)device->slot_count, sizeof *call->slots, enough);
    call->X = carom_device_reserve(device, model->X, n, sizeof *model->X, enough);
    call->x = nodes->x;
    nodes->slots = call->slots;
    for (int b = 0; b < model->block_count; b++)
        device->stores = device->stores || device->blocks[b].stores;
    if (device->stores)
        device->energies = carom_device_reserve(device, NULL, model->element_count, sizeof *device->energies, enough);
    device->most = carom_device_reserve(device, NULL, 1, sizeof *device->most, enough);
    device->wrong = carom_device_hold(device, 1, sizeof *device->wrong, enough);
    device->wrong_there = carom_device_reserve(device, NULL, 1, sizeof *device->wrong_there, enough);
    bool watches = false;
    for (int b = 0; b < model->block_count; b++)
        watches = watches || device->watched[b];
    if (!watches)
        return;
    int64_t bests = CAROM_EXTREME_KINDS * (int64_t)device->group_count;
    call->envelopes =
        carom_device_reserve(device, NULL, CAROM_ENVELOPES * (int64_t)model->element_count, sizeof *call->envelopes, enough);
    call->best = carom_device_reserve(device, NULL, bests, sizeof *call->best, enough);
    call->best_element = carom_device_reserve(device, NULL, bests, sizeof *call->best_element, enough);
    call->any = carom_device_reserve(device, NULL, model->block_count, sizeof *call->any, enough);
    device->blocks_there =
        carom_device_reserve(device, device->blocks, model->block_count, sizeof *device->blocks_there, enough);
    device->tops_there = carom_device_reserve(device, NULL, model->block_count, sizeof *device->tops_there, enough);
    device->watching = carom_device_hold(device, model->block_count, sizeof *device->watching, enough);
    device->tops = carom_device_hold_pinned(device, model->block_count, sizeof *device->tops, enough);
}

// Kinds and counts of the blocks.
static void describe(carom_device *device) {
    const carom_model *model = device->model;
    int first = 0, acting = 0;
    for (int b = 0; b < model->block_count; b++) {
        carom_thread_block *made = &device->blocks[b];
        carom_device_block(&model->blocks[b], made);
        made->number = b;
        made->first = first;
        made->first_group = device->group_count;
        first += made->count;
        device->group_count += (made->count + CAROM_GROUP - 1) / CAROM_GROUP;
        device->watched[b] = !model->skip_peaks && carom_extremes_known(&model->blocks[b]);
        if (made->count == 0)
            made->kind = CAROM_THREAD_NOTHING;
        acting += made->kind != CAROM_THREAD_NOTHING;
    }
    for (int b = 0; b < model->block_count; b++)
        device->blocks[b].concurrent = acting > 1;
}

// Initial values of the sums at nodes: the loads, unless a group has begun with them. Adding -0 changes no number.
static double (*make_start(const carom_model *model, const carom_device_lists *lists))[3] {
    double(*start)[3] = carom_allocate(model->node_count, sizeof *start);
    if (!start)
        return NULL;
    memcpy(start, model->load, (size_t)model->node_count * sizeof *start);
    for (int b = 0; b < model->block_count; b++)
        for (int r = 0; r < lists[b].run_count; r++)
            for (int c = 0; c < 3; c++)
                start[lists[b].run_nodes[r]][c] = -0.0;
    return start;
}

// Makes the lists, then sends all arrays.
static bool send_all(carom_device *device) {
    const carom_model *model = device->model;
    int *gather_begin = carom_allocate((int64_t)model->node_count + 1, sizeof *gather_begin);
    // damping forces are computed from the forces of single elements
    bool begins = !carom_model_is_viscous(model);
    carom_device_lists *lists = gather_begin ? carom_device_make_lists(device, begins, gather_begin) : NULL;
    double(*start)[3] = lists && model->loaded ? make_start(model, lists) : NULL;
    bool listed = lists && (start || !model->loaded), enough = listed;
    for (int b = 0; listed && b < model->block_count; b++)
        send_block(device, b, &lists[b], &enough);
    if (listed)
        send_nodes(device, gather_begin, start, &enough);
    enough = listed && carom_device_reserve_history(device) && carom_device_reserve_damping(device) && enough;
    // the lists must not be freed before they have been copied
    device->backend->wait();
    carom_device_free_lists(device, lists);
    free(start);
    free(gather_begin);
    return enough;
}

carom_status carom_device_find_backend(const carom_backend **backend, carom_error *error) {
    const char *emulate = getenv("CAROM_DEVICE_EMULATE");
    if (emulate && *emulate && strcmp(emulate, "0") != 0) {
        *backend = carom_backend_emulation();
        return CAROM_OK;
    }
    const char *const files[] = {getenv("CAROM_CUDA_OBJECT"), CAROM_CUDA_BUILT, CAROM_CUDA_INSTALLED, "libcarom-cuda.so"};
    char why[512] = "";
    const carom_backend *(*give)(void);
    void *symbol = NULL;
    // if the environment names an object, no other is tried
    for (int i = files[0] ? 0 : 1; !symbol && i < (files[0] ? 1 : 4); i++)
        symbol = carom_platform_load_symbol(files[i], CAROM_BACKEND_SYMBOL, why, sizeof why);
    if (!symbol)
        return carom_fail(error, CAROM_BAD_INPUT, "no GPU can be used: %s (make gpu builds it)", why);
    memcpy(&give, &symbol, sizeof give);
    *backend = give();
    if ((*backend)->version != CAROM_BACKEND_VERSION)
        return carom_fail(error, CAROM_BAD_INPUT, "no GPU can be used: libcarom-cuda.so is of another version");
    return CAROM_OK;
}

carom_status carom_device_create(const carom_backend *backend, const carom_model *model, carom_device **device,
                                 carom_error *error) {
    *device = NULL;
    carom_status status = carom_device_accepts(model, error);
    if (status)
        return status;
    carom_device *made = carom_allocate(1, sizeof *made);
    size_t memory = 0;
    if (!made)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the device");
    made->model = model;
    made->arena = carom_arena_create();
    bool enough = made->arena;
    made->blocks = carom_device_hold(made, model->block_count, sizeof *made->blocks, &enough);
    made->watched = carom_device_hold(made, model->block_count, sizeof *made->watched, &enough);
    // upper bound of the number of arrays of each block, and of the nodes
    made->owned = carom_device_hold(made, 16 * (int64_t)model->block_count + 128, sizeof *made->owned, &enough);
    const char *why = backend->open(made->name, sizeof made->name, &memory);
    if (why)
        status = carom_fail(error, CAROM_BAD_INPUT, "no GPU can be used: %s", why);
    else
        made->backend = backend;
    if (!status && !enough)
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the device");
    if (!status) {
        describe(made);
        if (!send_all(made))
            status = carom_fail(error, CAROM_BAD_INPUT,
                                "%s has too little memory for this model: %.3g GB are needed, %.3g GB are free", made->name,
                                1e-9 * (double)made->bytes, 1e-9 * (double)memory);
        else if ((why = backend->fault()) != NULL)
            status = carom_fail(error, CAROM_BAD_INPUT, "%s: %s", made->name, why);
    }
    if (status) {
        carom_device_release(made);
        return status;
    }
    *device = made;
    return CAROM_OK;
}

void carom_device_release(carom_device *device) {
    if (!device)
        return;
    // states may outlive the device
    if (device->remote.state)
        device->remote.state->remote = NULL;
    for (int c = 0; c < CAROM_COPIES; c++)
        if (device->kept[c].remote.state)
            device->kept[c].remote.state->remote = NULL;
    for (int i = 0; device->backend && i < CAROM_PINNED; i++)
        if (device->pinned[i])
            device->backend->unpin(device->pinned[i]);
    if (device->pinned_history)
        device->backend->unpin(device->pinned_history);
    for (int i = 0; i < device->kept_pinned_count; i++) {
        device->backend->unpin(device->kept_pinned[i]);
        free(device->kept_pinned[i]);
    }
    carom_device_release_sweep(device);
    for (int i = 0; i < device->owned_count; i++)
        device->backend->release(device->owned[i]);
    if (device->backend)
        device->backend->close();
    carom_arena_release(device->arena);
    free(device);
}

const char *carom_device_name(const carom_device *device) {
    return device->name;
}

size_t carom_device_bytes(const carom_device *device) {
    return device->bytes;
}

bool carom_device_stores(const carom_device *device) {
    for (int b = 0; b < device->model->block_count; b++)
        if (!device->blocks[b].stores && device->blocks[b].kind != CAROM_THREAD_NOTHING)
            return false;
    return true;
}

const char *carom_device_fault(const carom_device *device) {
    return device->fault;
}

carom_device_times carom_device_spent(const carom_device *device) {
    return device->times;
}
