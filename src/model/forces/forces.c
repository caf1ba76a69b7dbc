// SPDX-License-Identifier: MIT
// Computes forces and stored energies of all elements, with the same bits for any number of threads. Elements write their
// forces into slots (one number per component, node and element); each node then gathers its slots in ascending order. Threads
// are assigned elements first and nodes second, and no sum depends on the assignment. In large models a tile of elements is
// gathered before the next one is evaluated (tiles.h).
#include "model/forces/forces.h"

#include <string.h>

#include "element/peak_values.h"
#include "element/slots.h"
#include "math/exact.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/collective.h"
#include "model/forces/peaks.h"
#include "model/model.h"
#include "model/tiles.h"

enum {
    // Number of elements whose energies a thread computes at a time.
    CHUNK = 512,
    // Number of elements above which several threads compute energies.
    SHARED_ENERGIES = 1024,
    // Number of slots, three per element node, above which several threads are faster than one: the forces of 1024 tetrahedra
    // or 512 bricks take some 30 to 80 us on one thread, several times the start of a group of four threads.
    SHARED_SLOTS = 3 * 4096,
    // The same for beams, whose elements cost more.
    SHARED_FRAMED = 256
};

bool carom_model_is_shared(const carom_model *model) {
    return model->R ? model->element_count > SHARED_FRAMED : carom_model_slot_count(model) > SHARED_SLOTS;
}

// Evaluates the forces of a chunk from slots[0] on, and the other requested results while its data are in the cache.
static void evaluate(const carom_model *model, const carom_chunk *chunk, const double (*x)[3], double *slots,
                     const carom_force_outputs *outputs) {
    const double(*X)[3] = (carom_const_vectors)model->X;
    const carom_block *block = &model->blocks[chunk->block];
    if (block->element->framed)
        return;
    // Chunks begin with whole batches, so a chunk can be treated as a block.
    int count = chunk->end - chunk->begin;
    carom_block own = carom_block_at(block, chunk->begin, count);
    if (block->data)
        own.data += carom_lane(chunk->begin, 0, block->data_size);
    own.flow = outputs->flow;
    carom_extremes extremes;
    if (outputs->peaks && carom_peaks_begin_chunk(outputs->peaks, model, chunk, &extremes)) {
        carom_extremes_force(&own, x, X, slots, &extremes);
        carom_peaks_end_chunk(outputs->peaks, model, chunk, &extremes);
    } else
        block->element->force(&own, 0, count, x, X, slots);
    // energies are those of the committed history
    own.flow = NULL;
    if (outputs->energies)
        block->element->energy(&own, 0, count, x, X, outputs->energies + chunk->first);
}

static int64_t slot_of(const carom_model *model, const carom_chunk *chunk) {
    return model->block_slot[chunk->block] + carom_lane(chunk->begin, 0, 3 * model->blocks[chunk->block].node_count);
}

// Loads first, then elements in ascending order: one order of sums for any number of threads and any tiles.
static void gather(const carom_model *model, int k, const double *slots, int64_t first, double (*force)[3]) {
    double f[3] = {0};
    if (model->loaded)
        carom_copy(model->load[k], f);
    const int *at = model->gather;
    for (int i = model->gather_begin[k]; i < model->gather_begin[k + 1]; i++)
        for (int c = 0; c < 3; c++)
            f[c] += slots[at[i] - first + CAROM_LANES * c];
    carom_copy(f, force[k]);
}

// Evaluates the forces of a tile from slots[0] on, gathers those on its own nodes, and copies those on shared nodes to `aside`.
static void work_on(const carom_model *model, const carom_tile *tile, const double (*x)[3], double *slots, double *aside,
                    double (*force)[3], const carom_force_outputs *outputs) {
    const carom_tiles *tiles = &model->tiles;
    for (int c = tile->chunk_begin; c < tile->chunk_end; c++)
        evaluate(model, &model->chunks[c], x, slots + (slot_of(model, &model->chunks[c]) - tile->slot), outputs);
    for (int i = tile->own_begin; i < tile->own_end; i++)
        gather(model, tiles->own[i], slots, tile->slot, force);
    for (int i = tile->put_begin; i < tile->put_end; i++)
        for (int c = 0; c < 3; c++)
            aside[3 * (int64_t)i + c] = slots[tiles->put[i] - tile->slot + CAROM_LANES * c];
}

static void gather_shared(const carom_model *model, int s, const double *aside, double (*force)[3]) {
    const carom_tiles *tiles = &model->tiles;
    int k = tiles->shared[s];
    double f[3] = {0};
    if (model->loaded)
        carom_copy(model->load[k], f);
    for (int i = tiles->at_begin[s]; i < tiles->at_begin[s + 1]; i++)
        for (int c = 0; c < 3; c++)
            f[c] += aside[3 * (int64_t)tiles->at[i] + c];
    carom_copy(f, force[k]);
}

// Evaluates the forces tile by tile. A thread has a run of tiles, and evaluates each of them at the beginning of the section of
// the buffer that belongs to the run: that section stays in its cache, and it is long enough, since it contains the slots of
// the tile.
static void force_of_tiles(const carom_model *model, const double (*x)[3], double *slots, double (*force)[3],
                           const carom_force_outputs *outputs) {
    const carom_tiles *tiles = &model->tiles;
    double *aside = slots + model->block_slot[model->block_count];
#pragma omp parallel
    {
        double *own = NULL;
#pragma omp for schedule(static)
        for (int t = 0; t < tiles->count; t++) {
            own = own ? own : slots + tiles->items[t].slot;
            work_on(model, &tiles->items[t], x, own, aside, force, outputs);
        }
        // The implied barrier separates writing to `aside` from gathering from it.
#pragma omp for schedule(static)
        for (int s = 0; s < tiles->shared_count; s++)
            gather_shared(model, s, aside, force);
    }
}

// Evaluates all chunks, then gathers all nodes, on one thread without a parallel region.
static void force_of_few(const carom_model *model, const double (*x)[3], double *slots, double (*force)[3],
                         const carom_force_outputs *outputs) {
    for (int c = 0; c < model->chunk_count; c++)
        evaluate(model, &model->chunks[c], x, slots + slot_of(model, &model->chunks[c]), outputs);
    for (int k = 0; k < model->part.owned_count; k++)
        if (!carom_model_has_frame(model, k))
            gather(model, k, slots, 0, force);
}

void carom_model_force_outputs(const carom_model *model, const double (*x)[3], double *slots, double (*force)[3],
                               const carom_force_outputs *outputs) {
    // Models with tiles are large.
    if (model->tiles.count) {
        force_of_tiles(model, x, slots, force, outputs);
        return;
    }
    if (carom_model_slot_count(model) <= SHARED_SLOTS) {
        force_of_few(model, x, slots, force, outputs);
        return;
    }
#pragma omp parallel
    {
#pragma omp for schedule(static)
        // The implied barrier of the first loop separates writing slots from gathering them.
        for (int c = 0; c < model->chunk_count; c++)
            evaluate(model, &model->chunks[c], x, slots + slot_of(model, &model->chunks[c]), outputs);
#pragma omp for schedule(static)
        for (int k = 0; k < model->part.owned_count; k++)
            if (!carom_model_has_frame(model, k))
                gather(model, k, slots, 0, force);
    }
}

void carom_model_force(const carom_model *model, const double (*x)[3], double *slots, double (*force)[3], double *energies) {
    carom_model_force_outputs(model, x, slots, force, &(carom_force_outputs){.energies = energies});
}

int64_t carom_model_slot_count(const carom_model *model) {
    return model->block_slot[model->block_count] + carom_tiles_buffer(&model->tiles);
}

void carom_model_wrench(const carom_model *model, const double (*x)[3], const double (*R)[3][3], double *slots,
                        double (*moment)[3], double (*force)[3]) {
#pragma omp parallel if (model->element_count > SHARED_FRAMED)
    {
#pragma omp for schedule(static)
        for (int c = 0; c < model->chunk_count; c++) {
            const carom_chunk *chunk = &model->chunks[c];
            const carom_block *block = &model->blocks[chunk->block];
            if (block->element->framed)
                block->element->framed->wrench(block, chunk->begin, chunk->end, x, R,
                                               (double(*)[6])(slots + model->block_slot[chunk->block]));
        }
#pragma omp for schedule(static)
        for (int k = 0; k < model->part.owned_count; k++) {
            if (!carom_model_has_frame(model, k))
                continue;
            double m[3] = {0}, f[3];
            // loads are given in space, wrenches are in the axes of the node
            carom_mat3_apply_transposed(R[k], model->load[k], f);
            for (int i = model->gather_begin[k]; i < model->gather_begin[k + 1]; i++) {
                // Moments first, then forces: the six numbers of a wrench.
                carom_add_scaled(1, &slots[model->gather[i]], m);
                carom_add_scaled(1, &slots[model->gather[i] + 3], f);
            }
            carom_copy(m, moment[k]);
            carom_copy(f, force[k]);
        }
    }
}

static void find_energies(const carom_model *model, const carom_block *block, int begin, int end, const double (*x)[3],
                          const double (*R)[3][3], double *energies) {
    if (block->element->framed)
        block->element->framed->energy(block, begin, end, x, R, energies);
    else
        block->element->energy(block, begin, end, x, (carom_const_vectors)model->X, energies);
}

void carom_block_energy(const carom_model *model, const carom_block *block, const double (*x)[3], const double (*R)[3][3],
                        double *energies) {
    // A parallel region with one thread would cost more than the few elements of a small block.
    if (block->count <= CHUNK) {
        find_energies(model, block, 0, block->count, x, R, energies);
        return;
    }
#pragma omp parallel for schedule(static) if (block->count > SHARED_ENERGIES)
    for (int begin = 0; begin < block->count; begin += CHUNK)
        find_energies(model, block, begin, begin + CHUNK < block->count ? begin + CHUNK : block->count, x, R, energies);
}

int carom_block_counted(const carom_model *model, const carom_block *block, int begin, int end, double *energies) {
    if (!carom_model_is_subdomain(model))
        return end - begin;
    int count = 0;
    for (int e = begin; e < end; e++)
        if (carom_model_counts(model, &block->nodes[(ptrdiff_t)e * block->node_count]))
            energies[count++] = energies[e - begin];
    return count;
}

// Computes the energies of a chunk, unless they are known, stored in the order of the model; and their sum.
static void add_energies(const carom_model *model, const carom_chunk *chunk, const double (*x)[3], const double (*R)[3][3],
                         bool known, double *energies, carom_exact *sum) {
    const carom_block *block = &model->blocks[chunk->block];
    double terms[CAROM_CHUNK_MAX];
    if (!known)
        find_energies(model, block, chunk->begin, chunk->end, x, R, energies + chunk->first - chunk->begin);
    memcpy(terms, energies + chunk->first, (size_t)(chunk->end - chunk->begin) * sizeof *terms);
    carom_exact_add_all(sum, terms, carom_block_counted(model, block, chunk->begin, chunk->end, terms));
}

static carom_exact sum_here(const carom_model *model, const double (*x)[3], const double (*R)[3][3], bool known,
                            double *energies) {
    carom_exact sum = {0};
    if (model->element_count <= SHARED_ENERGIES) {
        for (int c = 0; c < model->chunk_count; c++)
            add_energies(model, &model->chunks[c], x, R, known, energies, &sum);
        return sum;
    }
#pragma omp parallel
    {
        carom_exact own = {0};
#pragma omp for schedule(static) nowait
        for (int c = 0; c < model->chunk_count; c++)
            add_energies(model, &model->chunks[c], x, R, known, energies, &own);
            // exact sums have no order
#pragma omp critical(carom_model_energy)
        carom_exact_merge(&sum, &own);
    }
    return sum;
}

static double sum_of(const carom_model *model, const double (*x)[3], const double (*R)[3][3], bool known, double *energies) {
    carom_exact sum = sum_here(model, x, R, known, energies);
    carom_model_sum(model, &sum, 1);
    return carom_exact_value(&sum);
}

double carom_model_energy(const carom_model *model, const double (*x)[3], const double (*R)[3][3], double *energies) {
    return sum_of(model, x, R, false, energies);
}

double carom_model_sum_energies(const carom_model *model, double *energies) {
    return sum_of(model, NULL, NULL, true, energies);
}
