// SPDX-License-Identifier: MIT
// Collects the elements around a few nodes. The gather lists of forces contain the elements of a node: each slot (place of a
// force component in a buffer) belongs to one node of one element.
#include "model/node_elements.h"

#include "base/bisect.h"
#include "element/element.h"

enum {
    // Batches above which threads share the loops over them.
    SHARED = 512,
    // Number of ranges into which loops over nodes are divided for threads.
    RANGES = 64
};

static int batches_of(const carom_block *block) {
    return (block->count + CAROM_LANES - 1) / CAROM_LANES;
}

carom_vicinity carom_vicinity_create(carom_arena *arena, const carom_model *model, bool *enough) {
    carom_vicinity near = {.first = carom_arena_reserve(arena, model->block_count + 1, sizeof *near.first, enough)};
    int total = 0;
    for (int b = 0; *enough && b < model->block_count; b++) {
        near.first[b] = total;
        total += batches_of(&model->blocks[b]);
    }
    if (*enough)
        near.first[model->block_count] = total;
    near.batches = carom_arena_reserve(arena, total, sizeof *near.batches, enough);
    near.has = carom_arena_reserve(arena, total, sizeof *near.has, enough);
    near.nodes = carom_arena_reserve(arena, model->node_count, sizeof *near.nodes, enough);
    near.has_node = carom_arena_reserve(arena, model->node_count, sizeof *near.has_node, enough);
    return near;
}

int carom_model_element_at(const carom_model *model, int64_t slot, int *block) {
    // the last block that begins at or before the slot
    int low = 0, high = model->block_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (model->block_slot[middle] <= slot)
            low = middle;
        else
            high = middle - 1;
    }
    *block = low;
    int64_t at = slot - model->block_slot[low], size = (int64_t)3 * model->blocks[low].node_count * CAROM_LANES;
    // the inverse of carom_lane
    return (int)(at / size * CAROM_LANES + at % CAROM_LANES);
}

void carom_vicinity_add_batch(carom_vicinity *near, const carom_model *model, int b, int number) {
    int which = near->first[b] + number;
    if (near->has[which])
        return;
    near->has[which] = true;
    const carom_block *block = &model->blocks[b];
    int begin = number * CAROM_LANES, end = begin + CAROM_LANES < block->count ? begin + CAROM_LANES : block->count;
    near->batches[near->batch_count++] = (carom_batch){b, begin, end};
    for (int i = begin * block->node_count; i < end * block->node_count; i++) {
        int node = block->nodes[i];
        if (!near->has_node[node])
            near->nodes[near->node_count++] = node;
        near->has_node[node] = true;
    }
}

static void mark_nodes(carom_vicinity *near, const carom_block *block, carom_batch batch) {
    for (int i = batch.begin * block->node_count; i < batch.end * block->node_count; i++) {
        // other threads write the same value
#pragma omp atomic write
        near->has_node[block->nodes[i]] = true;
    }
}

// Lists the marked nodes, in ascending order.
static void list_marked(carom_vicinity *near, const carom_model *model) {
    int begin[RANGES + 1], place[RANGES], total = 0;
    for (int p = 0; p <= RANGES; p++)
        begin[p] = (int)((int64_t)model->node_count * p / RANGES);
#pragma omp parallel for schedule(static)
    for (int p = 0; p < RANGES; p++) {
        int count = 0;
        for (int k = begin[p]; k < begin[p + 1]; k++)
            count += near->has_node[k];
        place[p] = count;
    }
    for (int p = 0; p < RANGES; p++) {
        int count = place[p];
        place[p] = total;
        total += count;
    }
#pragma omp parallel for schedule(static)
    for (int p = 0; p < RANGES; p++)
        for (int k = begin[p], at = place[p]; k < begin[p + 1]; k++)
            if (near->has_node[k])
                near->nodes[at++] = k;
    near->node_count = total;
}

// The block of a batch that is counted through all blocks.
static int block_of(const carom_vicinity *near, const carom_model *model, int which) {
    return carom_last_at(near->first, sizeof *near->first, model->block_count, which);
}

void carom_vicinity_add_batches(carom_vicinity *near, const carom_model *model, const int *numbers, int count) {
    // listing the marked nodes traverses all nodes
    if (count <= SHARED || near->batch_count || model->node_count / 64 > count) {
        for (int i = 0; i < count; i++) {
            int b = block_of(near, model, numbers[i]);
            carom_vicinity_add_batch(near, model, b, numbers[i] - near->first[b]);
        }
        return;
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; i++) {
        int b = block_of(near, model, numbers[i]), begin = (numbers[i] - near->first[b]) * CAROM_LANES;
        const carom_block *block = &model->blocks[b];
        near->has[numbers[i]] = true;
        near->batches[i] = (carom_batch){b, begin, begin + CAROM_LANES < block->count ? begin + CAROM_LANES : block->count};
        mark_nodes(near, block, near->batches[i]);
    }
    near->batch_count = count;
    list_marked(near, model);
}

bool carom_vicinity_is_home(const carom_vicinity *near, const carom_model *model, carom_batch batch) {
    return !model->part.home || model->part.home[near->first[batch.block] + batch.begin / CAROM_LANES];
}

void carom_vicinity_add(carom_vicinity *near, const carom_model *model, int node, bool at_home) {
    for (int i = model->gather_begin[node]; i < model->gather_begin[node + 1]; i++) {
        int b, e = carom_model_element_at(model, model->gather[i], &b);
        carom_batch batch = {b, e / CAROM_LANES * CAROM_LANES, 0};
        if (!model->blocks[b].element->framed && (!at_home || carom_vicinity_is_home(near, model, batch)))
            carom_vicinity_add_batch(near, model, b, e / CAROM_LANES);
    }
}

void carom_vicinity_clear(carom_vicinity *near) {
    bool shared = near->batch_count > SHARED;
#pragma omp parallel for schedule(static) if (shared)
    for (int i = 0; i < near->batch_count; i++)
        near->has[near->first[near->batches[i].block] + near->batches[i].begin / CAROM_LANES] = false;
#pragma omp parallel for schedule(static) if (shared)
    for (int i = 0; i < near->node_count; i++)
        near->has_node[near->nodes[i]] = false;
    near->batch_count = near->node_count = 0;
}
