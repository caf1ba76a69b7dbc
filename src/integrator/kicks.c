// SPDX-License-Identifier: MIT
#include "integrator/kicks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

static int nodes_per_element(const carom_block *block) {
    return block->element->node_count;
}

// Critical steps of all elements of a block, at the reference; NULL if memory is short.
static double *critical_steps(const carom_model *model, const carom_block *block) {
    const double(*X)[3] = (const double(*)[3])model->X;
    double *step = carom_allocate(block->count, sizeof *step);
    if (step)
        block->element->stable_step(block, 0, block->count, X, X, step);
    return step;
}

double carom_kicks_largest_critical_step(const carom_model *model) {
    double largest = 0;
    for (int b = 0; b < model->block_count; b++) {
        double *step = critical_steps(model, &model->blocks[b]);
        if (!step)
            return NAN;
        for (int e = 0; e < model->blocks[b].count; e++)
            largest = isfinite(step[e]) ? fmax(largest, step[e]) : largest;
        free(step);
    }
    return largest > 0 ? largest : HUGE_VAL;
}

// The elements of one block, and their steps.
static bool add_block(carom_kicks *kicks, int b, int begin, double beta, double longest) {
    const carom_model *model = kicks->model;
    const carom_block *block = &model->blocks[b];
    carom_kick_block *own = &kicks->blocks[b];
    *own = (carom_kick_block){.block = block, .node_count = nodes_per_element(block), .begin = begin};
    if (block->element->single)
        own->single = block->element->single(block);
    if (own->single)
        own->data = carom_allocate((int64_t)block->count * own->single->data_size, sizeof *own->data);
    else
        own->slots = carom_allocate(carom_lanes_size(block->count, 3 * own->node_count), sizeof *own->slots);
    double *step = critical_steps(model, block);
    bool memory = step && (own->data || own->slots);
    for (int e = 0; e < block->count && memory; e++) {
        if (own->single)
            own->single->prepare(block, e, (const double(*)[3])model->X, own->data + (int64_t)e * own->single->data_size);
        carom_kicker *kicker = &kicks->items[begin + e];
        *kicker = (carom_kicker){.step = fmin(beta * step[e], longest), .block = b, .memory = -1};
        kicks->shortest_step = fmin(kicks->shortest_step, kicker->step);
        kicks->longest_step = fmax(kicks->longest_step, kicker->step);
        kicks->rate += 1 / kicker->step;
    }
    free(step);
    return memory;
}

// Which elements each node has.
static bool link_nodes(carom_kicks *kicks) {
    int n = kicks->model->node_count, count;
    kicks->begin = carom_allocate((int64_t)n + 1, sizeof *kicks->begin);
    kicks->ends = carom_allocate(kicks->model->element_node_count, sizeof *kicks->ends);
    int *filled = carom_allocate(n, sizeof *filled);
    if (!kicks->begin || !kicks->ends || !filled) {
        free(filled);
        return false;
    }
    for (int i = 0; i < kicks->count; i++) {
        const int *nodes = carom_kick_nodes(kicks, i, &count);
        for (int a = 0; a < count; a++)
            kicks->begin[nodes[a] + 1]++;
    }
    for (int k = 0; k < n; k++) {
        kicks->share[k] = 1.0 / kicks->begin[k + 1];
        kicks->shortest[k] = HUGE_VAL;
        kicks->begin[k + 1] += kicks->begin[k];
    }
    for (int i = 0; i < kicks->count; i++) {
        const int *nodes = carom_kick_nodes(kicks, i, &count);
        for (int a = 0; a < count; a++) {
            int k = nodes[a];
            kicks->ends[kicks->begin[k] + filled[k]++] = (carom_kick_end){i, a};
            kicks->shortest[k] = fmin(kicks->shortest[k], kicks->items[i].step);
        }
    }
    free(filled);
    return true;
}

// Gives room for last forces to the elements around the nodes that want them; returns how many numbers.
static int64_t keep_forces(carom_kicks *kicks, const bool *keeps) {
    int64_t size = 0;
    for (int i = 0; i < kicks->count && keeps; i++) {
        int count;
        const int *nodes = carom_kick_nodes(kicks, i, &count);
        bool wanted = false;
        for (int a = 0; a < count; a++)
            wanted = wanted || keeps[nodes[a]];
        if (!wanted)
            continue;
        kicks->items[i].memory = (int)size;
        size += count;
    }
    return 3 * size;
}

carom_status carom_kicks_create(const carom_model *model, double beta, double longest, const bool *keeps, carom_state *state,
                                carom_kicks *kicks, carom_error *error) {
    *kicks = (carom_kicks){.model = model, .block_count = model->block_count, .count = model->element_count};
    kicks->shortest_step = HUGE_VAL;
    kicks->blocks = carom_allocate(model->block_count, sizeof *kicks->blocks);
    kicks->items = carom_allocate(kicks->count, sizeof *kicks->items);
    kicks->shortest = carom_allocate(model->node_count, sizeof *kicks->shortest);
    kicks->share = carom_allocate(model->node_count, sizeof *kicks->share);
    kicks->place = carom_allocate(model->node_count, sizeof *kicks->place);
    kicks->number = carom_state_add_array(state, "kicks", kicks->count);
    bool memory = kicks->blocks && kicks->items && kicks->shortest && kicks->share && kicks->place && kicks->number;
    int begin = 0, most = 0;
    for (int b = 0; b < model->block_count && memory; b++) {
        memory = add_block(kicks, b, begin, beta, longest);
        begin += model->blocks[b].count;
        most = kicks->blocks[b].node_count > most ? kicks->blocks[b].node_count : most;
    }
    kicks->q = carom_allocate(most, sizeof *kicks->q);
    kicks->f = carom_allocate(most, sizeof *kicks->f);
    memory = memory && kicks->q && kicks->f && link_nodes(kicks);
    if (memory)
        kicks->memory = carom_state_add_array(state, "last forces", keep_forces(kicks, keeps));
    if (!memory || !kicks->memory)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the steps of %d elements", kicks->count);
    memcpy(kicks->place, model->X, (size_t)model->node_count * sizeof *kicks->place);
    return CAROM_OK;
}

void carom_kicks_release(carom_kicks *kicks) {
    for (int b = 0; b < kicks->block_count && kicks->blocks; b++) {
        free(kicks->blocks[b].data);
        free(kicks->blocks[b].slots);
    }
    free(kicks->blocks);
    free(kicks->items);
    free(kicks->shortest);
    free(kicks->share);
    free(kicks->begin);
    free(kicks->ends);
    free(kicks->q);
    free(kicks->f);
    free(kicks->place);
    *kicks = (carom_kicks){0};
}

void carom_kick_force(carom_kicks *kicks, int i, const double (*x)[3], const double (*w)[3], double t) {
    const carom_kick_block *b = &kicks->blocks[kicks->items[i].block];
    int e = i - b->begin;
    const int *nodes = &b->block->nodes[(int64_t)e * b->node_count];
    for (int a = 0; a < b->node_count; a++)
        for (int c = 0; c < 3; c++)
            kicks->q[a][c] = x[nodes[a]][c] + t * w[nodes[a]][c];
    if (b->single) {
        b->single->force(b->block, b->data + (int64_t)e * b->single->data_size, (const double(*)[3])kicks->q, kicks->f);
        return;
    }
    for (int a = 0; a < b->node_count; a++)
        carom_copy(kicks->q[a], kicks->place[nodes[a]]);
    b->block->element->force(b->block, e, e + 1, (const double(*)[3])kicks->place, (const double(*)[3])kicks->model->X,
                             b->slots);
    for (int a = 0; a < b->node_count; a++)
        for (int c = 0; c < 3; c++)
            kicks->f[a][c] = b->slots[carom_lane(e, 3 * a + c, 3 * b->node_count)];
}

// Adds forces of last kicks for a time each: up to `time`, or one step.
static void add_last(const carom_kicks *kicks, int node, const double *time, double change[3]) {
    double mass = kicks->model->mass[node];
    for (int j = kicks->begin[node]; j < kicks->begin[node + 1]; j++) {
        const carom_kicker *kicker = &kicks->items[kicks->ends[j].kicker];
        double number = kicks->number[kicks->ends[j].kicker];
        if (number == 0)
            continue;
        double span = kicker->step;
        if (time)
            span = *time - (number - 0.5) * kicker->step;
        carom_add_scaled(span / mass, &kicks->memory[3 * (kicker->memory + kicks->ends[j].corner)], change);
        carom_add_scaled(span * kicks->share[node] / mass, kicks->model->load[node], change);
    }
}

void carom_kicks_centre(const carom_kicks *kicks, int node, double time, double change[3]) {
    add_last(kicks, node, &time, change);
}

void carom_kicks_last(const carom_kicks *kicks, int node, double change[3]) {
    add_last(kicks, node, NULL, change);
}
