// SPDX-License-Identifier: MIT
// From elements to bodies. Each element bounds its stiffness by a diagonal matrix, K_e <= diag(s_ea) (element.h). Then
//
//     u.K u = sum_e u.K_e u <= sum_a |u_a|^2 sum_e s_ea <= max_a (sum_e s_ea/m_a) u.M u,
//
// so omega^2 is at most the largest sum of shares at a node over its mass: the mean of the element frequencies, weighted by the
// masses that they bring to the node. This is never worse than the stiffest element, and far better on real meshes, where a
// sliver hangs on heavy nodes. Shares are gathered in the order of forces: same bits for any number of threads.
#include "model/stiffening.h"

#include <math.h>
#include <stdio.h>

#include "element/element.h"
#include "model/damping.h"

// Below so many elements one thread is faster.
enum { SHARED = 4096 };

static bool stiffens(const carom_block *block) {
    return !block->element->framed && block->element->stiffens && block->element->stiffens(block);
}

bool carom_model_can_stiffen(const carom_model *model) {
    bool any = false;
    for (int b = 0; b < model->block_count; b++)
        any = any || stiffens(&model->blocks[b]);
    return any;
}

bool carom_model_is_linear(const carom_model *model) {
    bool linear = true;
    for (int b = 0; b < model->block_count; b++) {
        const carom_element *element = model->blocks[b].element;
        // an element that cannot tell is taken as nonlinear, unless it has no forces at all
        linear = linear && (element->stiffens ? !element->stiffens(&model->blocks[b]) : element == &carom_element_point_mass);
    }
    return linear;
}

int64_t carom_stiffening_room(const carom_model *model) {
    int64_t most = 0;
    for (int b = 0; b < model->block_count; b++) {
        int64_t room = carom_lanes_size(model->blocks[b].count, CAROM_BOUND_MEASURES);
        most += room;
    }
    return most;
}

// Where the measures of each block begin is the sum of the rooms before it.
static int64_t measures_begin(const carom_model *model, int block) {
    int64_t begin = 0;
    for (int b = 0; b < block; b++)
        begin += carom_lanes_size(model->blocks[b].count, CAROM_BOUND_MEASURES);
    return begin;
}

// The larger value counts, and of equal ones the first.
static void take_largest(double value, int index, double *best, int *where) {
    if (*where < 0 || value > *best || (value == *best && index < *where)) {
        *best = value;
        *where = index;
    }
}

// omega^2 at the worst node of a body.
static double frequency_of(const carom_model *model, const carom_body *body, const double *slots, int *node) {
    double most = 0;
    int where = -1;
#pragma omp parallel if (body->node_count > SHARED)
    {
        double own = 0;
        int at = -1;
#pragma omp for schedule(static) nowait
        for (int k = body->node_begin; k < body->node_begin + body->node_count; k++) {
            double sum = 0;
            for (int i = model->gather_begin[k]; i < model->gather_begin[k + 1]; i++)
                sum += slots[model->gather[i]];
            take_largest(sum / model->mass[k], k, &own, &at);
        }
#pragma omp critical
        if (at >= 0)
            take_largest(own, at, &most, &where);
    }
    *node = where;
    return most;
}

// The step that the shares of its elements prove for a body.
static double bound_of(const carom_model *model, const carom_body *body, const double *slots, int *node) {
    *node = -1;
    if (!body->block_count || !stiffens(&model->blocks[body->block_begin]))
        return HUGE_VAL;
    double square = frequency_of(model, body, slots, node);
    return carom_damping_step(&body->damping, 2 / sqrt(square));
}

double carom_model_bound_of(const carom_model *model, int body, const double *slots) {
    int node;
    return bound_of(model, &model->bodies[body], slots, &node);
}

// The worst of the elements [begin, end) of a block, counted from `first` on.
static void survey(int begin, int end, const double *measures, int first, carom_stiffening *seen) {
    for (int e = begin; e < end; e++) {
        double rate = measures[carom_lane(e, CAROM_BOUND_RATE, CAROM_BOUND_MEASURES)];
        double limit = measures[carom_lane(e, CAROM_BOUND_LIMIT, CAROM_BOUND_MEASURES)];
        double volume = measures[carom_lane(e, CAROM_BOUND_VOLUME, CAROM_BOUND_MEASURES)];
        seen->rate = fmax(seen->rate, rate);
        // what is not a number is the worst
        if (!(limit >= seen->squeeze) || seen->squeezed < 0) {
            seen->squeeze = limit;
            seen->squeezed = first + e;
        }
        if (!(volume >= seen->volume) || seen->smallest < 0) {
            seen->volume = volume;
            seen->smallest = first + e;
        }
    }
}

// The element that adds most to the stiffness of a node, counted through all blocks.
static int stiffest_at(const carom_model *model, int node, const double *slots) {
    double most = 0;
    int where = -1;
    for (int i = model->gather_begin[node]; i < model->gather_begin[node + 1]; i++)
        take_largest(slots[model->gather[i]], i, &most, &where);
    if (where < 0)
        return -1;
    int block, element = carom_model_element_at(model, model->gather[where], &block);
    for (int b = 0; b < block; b++)
        element += model->blocks[b].count;
    return element;
}

static const carom_stiffening nothing = {
    .stable = HUGE_VAL, .squeeze = HUGE_VAL, .volume = HUGE_VAL, .stiffest = -1, .squeezed = -1, .smallest = -1};

carom_stiffening carom_model_stiffening(const carom_model *model, const carom_kinematics *motion, double *slots,
                                        double *measures) {
#pragma omp parallel for schedule(static) if (model->element_count > SHARED)
    for (int c = 0; c < model->chunk_count; c++) {
        const carom_chunk *chunk = &model->chunks[c];
        const carom_block *block = &model->blocks[chunk->block];
        if (stiffens(block))
            block->element->bound(block, chunk->begin, chunk->end, motion, slots + model->block_slot[chunk->block],
                                  measures + measures_begin(model, chunk->block));
    }

    carom_stiffening seen = nothing;
    int first = 0, stiffest = -1;
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        int node;
        double step = bound_of(model, body, slots, &node);
        if (!(step >= seen.stable)) {
            seen.stable = step;
            stiffest = node;
        }
        for (int i = body->block_begin; i < body->block_begin + body->block_count; i++) {
            if (stiffens(&model->blocks[i]))
                survey(0, model->blocks[i].count, measures + measures_begin(model, i), first, &seen);
            first += model->blocks[i].count;
        }
    }
    if (stiffest >= 0)
        seen.stiffest = stiffest_at(model, stiffest, slots);
    return seen;
}

carom_stiffening carom_model_stiffening_near(const carom_model *model, const carom_vicinity *near,
                                             const carom_kinematics *motion, double *slots, double *measures) {
#pragma omp parallel for schedule(static) if (near->batch_count > SHARED / CAROM_LANES)
    for (int i = 0; i < near->batch_count; i++) {
        carom_batch batch = near->batches[i];
        const carom_block *block = &model->blocks[batch.block];
        if (stiffens(block))
            block->element->bound(block, batch.begin, batch.end, motion, slots + model->block_slot[batch.block],
                                  measures + measures_begin(model, batch.block));
    }
    carom_stiffening seen = nothing;
    for (int i = 0; i < near->batch_count; i++) {
        carom_batch batch = near->batches[i];
        int first = 0;
        for (int b = 0; b < batch.block; b++)
            first += model->blocks[b].count;
        if (stiffens(&model->blocks[batch.block]))
            survey(batch.begin, batch.end, measures + measures_begin(model, batch.block), first, &seen);
    }
    return seen;
}

double carom_stiffening_volume(const carom_model *model, int element, const double *measures) {
    int b = 0;
    while (b < model->block_count - 1 && element >= model->blocks[b].count)
        element -= model->blocks[b++].count;
    return measures[measures_begin(model, b) + carom_lane(element, CAROM_BOUND_VOLUME, CAROM_BOUND_MEASURES)];
}

const carom_block *carom_model_block_of(const carom_model *model, int element) {
    int b = 0;
    while (b < model->block_count - 1 && element >= model->blocks[b].count)
        element -= model->blocks[b++].count;
    return &model->blocks[b];
}

void carom_model_name_element(const carom_model *model, int element, char *name, size_t size) {
    int b = 0;
    while (b < model->block_count - 1 && element >= model->blocks[b].count)
        element -= model->blocks[b++].count;
    const carom_block *block = &model->blocks[b];
    const carom_body *body = &model->bodies[block->body];
    long long number = element;
    for (int before = body->block_begin; before < b; before++)
        number += model->blocks[before].count;
    if (block->cells)
        number = block->cells[element];
    if (block->ids)
        number = (long long)block->ids[element];
    snprintf(name, size, "element %lld of body '%s'", number, body->name);
}
