// SPDX-License-Identifier: MIT
// One evaluation of element forces: sends positions to the device and receives their sums at the nodes. Threads also raise the
// envelopes (the largest stress that each element has had), which stay on the device until they are read, and each block
// reports the stresses and strains beyond the largest of its body so far, from which the processor updates the records of
// bodies (model/forces/peaks.c).
#include <assert.h>
#include <math.h>
#include <string.h>

#include "carom/profile.h"
#include "device/inside.h"
#include "element/peak_values.h"
#include "math/vec3.h"
#include "model/forces/peaks.h"
#include "model/model.h"

void carom_device_pin(carom_device *device, int which, void *memory) {
    if (device->pinned[which] == memory)
        return;
    if (device->pinned[which])
        device->backend->unpin(device->pinned[which]);
    device->pinned[which] = memory;
    device->backend->pin(memory, (size_t)device->model->node_count * 3 * sizeof(double));
}

// Sends the envelopes of the state, unless the device has them.
static void send_envelopes(carom_device *device) {
    if (device->remote.has & CAROM_ARRAYS_ENVELOPES)
        return;
    device->remote.has |= CAROM_ARRAYS_ENVELOPES;
    device->backend->put(device->call.envelopes, device->arrays.envelopes,
                         (size_t)CAROM_ENVELOPES * (size_t)device->model->element_count * sizeof(double));
}

static void launch(carom_device *device, const carom_force_outputs *beside) {
    const carom_model *model = device->model;
    device->call.flow = beside->flow ? *beside->flow : (carom_flow){.use = CAROM_USE_READ};
    for (int b = 0, chunk = 0; b < model->block_count; b++) {
        carom_extremes extremes;
        while (chunk < model->chunk_count && model->chunks[chunk].block < b)
            chunk++;
        device->call.watches = beside->peaks && device->watched[b] && model->blocks[b].count > 0 &&
                               carom_peaks_begin_chunk(beside->peaks, model, &model->chunks[chunk], &extremes);
        if (device->call.watches)
            memcpy(device->call.limit, extremes.limit, sizeof device->call.limit);
        if (device->tops)
            device->watching[b] = device->call.watches;
        device->backend->force(&device->blocks[b], &device->call);
    }
    device->backend->gather(&device->nodes);
}

// Starts the transfer of the energies that the device computes.
static void request_energies(carom_device *device, double *energies) {
    for (int b = 0; b < device->model->block_count; b++) {
        const carom_thread_block *block = &device->blocks[b];
        size_t bytes = (size_t)block->count * sizeof *energies;
        if (!block->stores || !block->count)
            continue;
        device->backend->energy(block, &device->call, device->energies + block->first);
        device->backend->get(energies + block->first, device->energies + block->first, bytes);
        device->times.from += (double)bytes;
    }
}

// The remaining work of the processor: energies of other elements, and the records of bodies.
static void settle(const carom_device *device, const carom_state *state, const carom_force_outputs *beside) {
    const carom_model *model = state->model;
    double *energies = beside->energies;
    if (energies && !carom_device_stores(device))
        carom_state_read(state, CAROM_ARRAYS_POSITIONS | CAROM_ARRAYS_HISTORY);
    for (int b = 0; energies && b < model->block_count; b++) {
        if (!device->blocks[b].stores)
            carom_block_energy(model, &model->blocks[b], (carom_const_vectors)state->x, NULL, energies);
        energies += model->blocks[b].count;
    }
    for (int b = 0; beside->peaks && device->tops && b < model->block_count; b++) {
        if (device->watching[b] && device->tops[b].score[CAROM_EXTREME_VON_MISES] < HUGE_VAL)
            carom_peaks_pass_block(beside->peaks, b, device->tops[b].score, device->tops[b].element);
        else if (device->watching[b])
            carom_peaks_leave_block(beside->peaks, b);
    }
}

void carom_device_get_envelopes(carom_device *device, const double *from, double *to) {
    // the processor computes those of other blocks
    for (int b = 0; b < device->model->block_count; b++) {
        const carom_thread_block *block = &device->blocks[b];
        size_t numbers = CAROM_ENVELOPES * (size_t)block->count;
        ptrdiff_t first = CAROM_ENVELOPES * (ptrdiff_t)block->first;
        if (device->watched[b])
            device->backend->get(to + first, from + first, numbers * sizeof *to);
    }
    device->backend->wait();
}

// Copies the positions of the nodes of elements that may become records of their bodies, since a record contains them.
static void take_places(carom_device *device, const carom_state *state) {
    const carom_model *model = device->model;
    device->partly |= CAROM_ARRAYS_POSITIONS;
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        const carom_thread_top *top = &device->tops[b];
        int count = block->node_count < CAROM_TOP_NODES ? block->node_count : CAROM_TOP_NODES;
        for (int kind = 0; device->watching[b] && kind < CAROM_EXTREME_KINDS; kind++)
            for (int a = 0; top->score[kind] > CAROM_NO_SCORE && a < count; a++) {
                int node = block->nodes[(ptrdiff_t)top->element[kind] * block->node_count + a];
                if (!device->held[node])
                    carom_copy(&top->x[kind][3 * (ptrdiff_t)a], state->x[node]);
            }
    }
}

void carom_device_force(carom_device *device, const carom_state *state, double (*force)[3], const carom_force_outputs *beside) {
    const carom_backend *backend = device->backend;
    size_t bytes = (size_t)device->model->node_count * sizeof *force;
    size_t tops = (size_t)device->model->block_count * sizeof *device->tops;
    bool watches = beside->peaks && device->tops;
    // only forces on the nodes of the processor are transferred
    bool here = carom_state_moved_by(state);
    assert(state->remote == &device->remote);
    if (watches)
        send_envelopes(device);
    carom_device_send_history(device);
    if (here) {
        carom_device_put_here(device, (carom_const_vectors)state->x);
    } else {
        carom_device_pin(device, CAROM_PINNED_X, state->x);
        carom_device_pin(device, CAROM_PINNED_FORCE, force);
        backend->put(device->nodes.x, state->x, bytes);
    }
    if (watches)
        backend->clear(device->call.any, (size_t)device->model->block_count * sizeof *device->call.any);
    launch(device, beside);
    bool commits = device->history_count && device->call.flow.use == CAROM_USE_COMMIT;
    if (commits)
        carom_device_request_losses(device);
    if (beside->energies)
        request_energies(device, beside->energies);
    if (here)
        carom_device_request_here(device);
    else
        backend->get(force, device->nodes.force, bytes);
    if (watches) {
        backend->find_tops(device->blocks_there, device->model->block_count, &device->call, device->tops_there);
        backend->get(device->tops, device->tops_there, tops);
        carom_device_change(device, CAROM_ARRAYS_ENVELOPES);
    }
    carom_device_wait(device);
    double begin = carom_profile_clocks().wall;
    if (commits)
        carom_device_take_losses(device);
    if (here) {
        carom_device_take_here(device, force);
        carom_device_change(device, CAROM_ARRAYS_FORCES);
    }
    if (watches && here && !device->fault)
        take_places(device, state);
    device->times.to += here ? 0 : (double)bytes;
    device->times.from += (here ? 0 : (double)bytes) + (watches ? (double)tops : 0);
    for (int k = 0; device->fault && k < device->model->node_count; k++)
        force[k][0] = force[k][1] = force[k][2] = NAN;
    if (device->fault)
        return;
    settle(device, state, beside);
    device->times.settling += carom_profile_clocks().wall - begin;
}
