// SPDX-License-Identifier: MIT
// One evaluation of forces: positions go to the device, sums come back, and the processor settles what the threads could not,
// the extremes of stress (element/extremes.h). A thread compares its element with the envelopes and limits that the device has,
// and marks its batch. The processor lets the kernel of each marked batch compare once more, with the envelopes and limits that are
// true, and tells the device what was raised. An envelope that the device has is never above the true one: no batch is missed.
#include <math.h>
#include <string.h>

#include "carom/profile.h"
#include "device/inside.h"
#include "element/extremes.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/peaks.h"

// Pins what is copied in every step.
static void pin(carom_device *device, int which, const void *memory) {
    if (device->pinned[which] == memory)
        return;
    if (device->pinned[which])
        device->backend->unpin(device->pinned[which]);
    device->pinned[which] = (void *)memory;
    device->backend->pin((void *)memory, (size_t)device->model->node_count * 3 * sizeof(double));
}

// Envelopes of another state are void.
static void renew_envelopes(carom_device *device, const carom_state *state) {
    if (device->generation == state->generation)
        return;
    device->generation = state->generation;
    device->backend->put(device->call.envelopes, carom_peaks_envelopes(state),
                         (size_t)CAROM_ENVELOPES * (size_t)device->model->element_count * sizeof(double));
}

static void launch(carom_device *device, const carom_beside *beside) {
    const carom_model *model = device->model;
    for (int b = 0, chunk = 0; b < model->block_count; b++) {
        carom_extremes extremes;
        while (chunk < model->chunk_count && model->chunks[chunk].block < b)
            chunk++;
        device->call.watches = beside->peaks && device->watched[b] && model->blocks[b].count > 0 &&
                               carom_peaks_begin_chunk(beside->peaks, model, &model->chunks[chunk], &extremes);
        if (device->call.watches)
            memcpy(device->call.limit, extremes.limit, sizeof device->call.limit);
        device->backend->force(&device->blocks[b], &device->call);
    }
    device->backend->gather(&device->nodes);
}

// Marked batches of a chunk.
static void settle_chunk(const carom_device *device, int c, const double (*x)[3], double *slots, const carom_peaks *peaks) {
    const carom_model *model = device->model;
    const carom_chunk *chunk = &model->chunks[c];
    const carom_block *block = &model->blocks[chunk->block];
    carom_extremes extremes;
    if (!carom_peaks_begin_chunk(peaks, model, chunk, &extremes))
        return;
    const unsigned char *beyond = device->beyond + device->blocks[chunk->block].first_batch + chunk->begin / CAROM_LANES;
    int count = chunk->end - chunk->begin;
    carom_block own = carom_block_at(block, chunk->begin, count);
    if (block->data)
        own.data += carom_lane(chunk->begin, 0, block->data_size);
    slots += model->block_slot[chunk->block] + carom_lane(chunk->begin, 0, 3 * block->node_count);
    for (int e = 0; e < count; e += CAROM_LANES)
        if (beyond[e / CAROM_LANES])
            carom_extremes_force_of(&own, e, e + CAROM_LANES < count ? e + CAROM_LANES : count, x,
                                    (carom_const_vectors)model->X, slots, &extremes);
    carom_peaks_end_chunk(peaks, model, chunk, &extremes);
}

// Tells the device what was raised.
static void tell_raised(carom_device *device, const carom_state *state) {
    const carom_model *model = device->model;
    const double *envelopes = carom_peaks_envelopes(state);
    int count = 0;
    for (int b = 0; b < model->block_count; b++) {
        const carom_thread_block *block = &device->blocks[b];
        for (int e = 0; e < block->count; e++) {
            if (!device->beyond[block->first_batch + e / CAROM_LANES]) {
                // to the last of the batch
                e |= CAROM_LANES - 1;
                continue;
            }
            device->rows[count] = block->first + e;
            memcpy(device->raised + (ptrdiff_t)CAROM_ENVELOPES * count,
                   envelopes + (ptrdiff_t)CAROM_ENVELOPES * (block->first + e), CAROM_ENVELOPES * sizeof *envelopes);
            count++;
        }
    }
    device->backend->put(device->device_rows, device->rows, (size_t)count * sizeof *device->rows);
    device->backend->put(device->device_raised, device->raised, CAROM_ENVELOPES * (size_t)count * sizeof *device->raised);
    device->backend->spread(count, CAROM_ENVELOPES, device->device_rows, device->device_raised, device->call.envelopes);
    device->backend->clear(device->call.beyond, (size_t)device->batch_count);
    device->times.to += (double)count * (CAROM_ENVELOPES * sizeof(double) + sizeof(int));
}

// All that is not done by the device: energies, and what its threads have marked.
static void settle(carom_device *device, const carom_state *state, double *slots, const carom_beside *beside) {
    const carom_model *model = device->model;
    carom_const_vectors x = (carom_const_vectors)state->x;
    double *energies = beside->energies;
    for (int b = 0; energies && b < model->block_count; b++) {
        carom_block_energy(model, &model->blocks[b], x, NULL, energies);
        energies += model->blocks[b].count;
    }
    if (!beside->peaks || !device->beyond)
        return;
#pragma omp parallel for schedule(dynamic, 8) if (model->element_count > 4096)
    for (int c = 0; c < model->chunk_count; c++)
        settle_chunk(device, c, x, slots, beside->peaks);
    tell_raised(device, state);
}

void carom_device_force(carom_device *device, const carom_state *state, double *slots, double (*force)[3],
                        const carom_beside *beside) {
    const carom_backend *backend = device->backend;
    size_t bytes = (size_t)device->model->node_count * sizeof *force;
    bool watches = beside->peaks && device->beyond;
    double begin = carom_profile_clocks().wall;
    pin(device, 0, state->x);
    pin(device, 1, force);
    if (watches)
        renew_envelopes(device, state);
    backend->put(device->nodes.x, state->x, bytes);
    launch(device, beside);
    backend->get(force, device->nodes.force, bytes);
    if (watches)
        backend->get(device->beyond, device->call.beyond, (size_t)device->batch_count);
    backend->wait();
    if (!device->fault)
        device->fault = backend->fault();
    double middle = carom_profile_clocks().wall;
    device->times.waiting += middle - begin;
    device->times.to += (double)bytes;
    device->times.from += (double)bytes + (watches ? device->batch_count : 0);
    for (int k = 0; device->fault && k < device->model->node_count; k++)
        force[k][0] = force[k][1] = force[k][2] = NAN;
    if (device->fault)
        return;
    settle(device, state, slots, beside);
    device->times.settling += carom_profile_clocks().wall - middle;
}

double carom_device_leap(carom_device *device, int count, double h, double (*x)[3], double (*w)[3], double *most) {
    const carom_backend *backend = device->backend;
    const carom_model *model = device->model;
    size_t bytes = (size_t)model->node_count * sizeof *x;
    carom_thread_nodes nodes = device->nodes;
    // nobody asks for the forces
    nodes.force = NULL;
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
