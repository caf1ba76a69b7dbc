// SPDX-License-Identifier: MIT
// Laws with history on a device. The device keeps the history and the losses of a state from step to step, in the layout of the
// state; they are copied back before they are read or the state is copied (docs/theory/device.md).
#include <stdlib.h>

#include "base/allocate.h"
#include "carom/profile.h"
#include "device/inside.h"
#include "math/exact.h"
#include "model/model.h"
#include "model/state/history.h"

// Losses: exact sums over all elements.
typedef struct loss_report {
    long long digits[CAROM_BLOCK_LOSSES * CAROM_THREAD_DIGITS];
    unsigned special[CAROM_BLOCK_LOSSES];
} loss_report;

_Static_assert((int)CAROM_BLOCK_LOSSES <= (int)CAROM_THREAD_KICK_SUMS, "losses are columns of a table");

// Sends the parameters of laws without Lame's constants.
static bool reserve_params(carom_device *device) {
    bool enough = true;
    for (int b = 0; b < device->model->block_count; b++) {
        const carom_block *block = &device->model->blocks[b];
        carom_thread_block *made = &device->blocks[b];
        if (made->kind != CAROM_THREAD_NOTHING && made->law == CAROM_KERNEL_FLOW)
            made->params = carom_device_reserve(device, block->material_params, 1, block->material->kind.params_size, &enough);
    }
    return enough;
}

bool carom_device_reserve_history(carom_device *device) {
    const carom_model *model = device->model;
    int64_t count = carom_history_begin(model, model->block_count);
    bool enough = reserve_params(device);
    if (!count || !enough)
        return enough;
    // initial values until a state is sent
    double *start = carom_allocate(count, sizeof *start);
    for (int b = 0; start && b < model->block_count; b++)
        carom_block_start_history(&model->blocks[b], start + carom_history_begin(model, b));
    device->history_count = count;
    device->history = carom_device_reserve(device, start, count, sizeof *device->history, &enough);
    device->losses =
        carom_device_reserve(device, NULL, CAROM_BLOCK_LOSSES * (int64_t)model->element_count, sizeof *device->losses, &enough);
    for (int b = 0; b < model->block_count && enough; b++) {
        const carom_block *block = &model->blocks[b];
        carom_thread_block *made = &device->blocks[b];
        if (!block->history_size || made->kind == CAROM_THREAD_NOTHING)
            continue;
        made->history = device->history + carom_history_begin(model, b);
        made->losses = device->losses + (ptrdiff_t)CAROM_BLOCK_LOSSES * made->first;
    }
    device->loss_report_there = carom_device_reserve(device, NULL, 1, sizeof(loss_report), &enough);
    device->loss_report_here = carom_device_hold(device, 1, sizeof(loss_report), &enough);
    device->loss_sums = carom_device_hold(device, CAROM_BLOCK_LOSSES, sizeof *device->loss_sums, &enough);
    device->backend->wait();
    free(start);
    return enough && start;
}

static size_t loss_bytes(const carom_device *device) {
    return CAROM_BLOCK_LOSSES * (size_t)device->model->element_count * sizeof *device->losses;
}

// Pins the history of the state, in place of the array pinned before.
static void pin_history(carom_device *device, double *history, size_t bytes) {
    if (device->pinned_history == history)
        return;
    if (device->pinned_history)
        device->backend->unpin(device->pinned_history);
    device->pinned_history = history;
    device->backend->pin(history, bytes);
}

void carom_device_send_history(carom_device *device) {
    size_t bytes = (size_t)device->history_count * sizeof *device->history;
    if (!bytes || device->remote.has & CAROM_ARRAYS_HISTORY)
        return;
    device->remote.has |= CAROM_ARRAYS_HISTORY;
    pin_history(device, device->arrays.history, bytes);
    device->backend->put(device->history, device->arrays.history, bytes);
    device->backend->put(device->losses, device->arrays.losses, loss_bytes(device));
    device->times.to += (double)bytes + (double)loss_bytes(device);
}

void carom_device_request_losses(carom_device *device) {
    loss_report *there = device->loss_report_there;
    device->backend->clear(there, sizeof *there);
    device->backend->sum(device->losses, device->model->element_count, CAROM_BLOCK_LOSSES,
                         (carom_thread_sums){there->digits, there->special});
    device->backend->get(device->loss_report_here, there, sizeof *there);
    device->times.from += (double)sizeof *there;
}

void carom_device_take_losses(carom_device *device) {
    const loss_report *found = device->loss_report_here;
    for (int i = 0; i < CAROM_BLOCK_LOSSES; i++) {
        carom_exact_clear(&device->loss_sums[i]);
        carom_exact_take(&device->loss_sums[i], (const int64_t *)(found->digits + CAROM_THREAD_DIGITS * (ptrdiff_t)i),
                         device->model->element_count, found->special[i]);
    }
    carom_device_change(device, CAROM_ARRAYS_HISTORY);
}

void carom_device_copy_back_history(carom_device *device) {
    size_t bytes = (size_t)device->history_count * sizeof *device->history;
    double begin = carom_profile_clocks().wall;
    device->backend->get(device->arrays.history, device->history, bytes);
    device->backend->get(device->arrays.losses, device->losses, loss_bytes(device));
    device->backend->wait();
    device->times.from += (double)bytes + (double)loss_bytes(device);
    device->times.waiting += carom_profile_clocks().wall - begin;
}

// The time that a copy takes in addition to its bytes, as the number of bytes that a large copy transfers in this time. If many
// small copies would take longer than one copy of everything, everything is copied.
enum { COPY_OVERHEAD = 65536 };

bool carom_device_fetch_history(carom_device *device, const carom_batch *batches, int count) {
    const carom_model *model = device->model;
    if ((int64_t)count * COPY_OVERHEAD > device->history_count * (int64_t)sizeof *device->history) {
        carom_device_copy_back_history(device);
        return false;
    }
    double begin = carom_profile_clocks().wall;
    for (int i = 0; i < count; i++) {
        const carom_block *block = &model->blocks[batches[i].block];
        int64_t at = carom_lane(batches[i].begin, 0, block->history_size);
        double *to = device->arrays.history + carom_history_begin(model, batches[i].block);
        size_t bytes = CAROM_LANES * (size_t)block->history_size * sizeof *device->history;
        if (!block->history_size)
            continue;
        device->backend->get(to + at, device->blocks[batches[i].block].history + at, bytes);
        device->times.from += (double)bytes;
    }
    device->backend->wait();
    device->times.waiting += carom_profile_clocks().wall - begin;
    return true;
}
