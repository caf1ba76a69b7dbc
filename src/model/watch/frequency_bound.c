// SPDX-License-Identifier: MIT
// Frequency bounds of bodies from their elements, which limit the step. Each element e bounds its stiffness K_e by a diagonal
// matrix, K_e <= diag(s_ea), s_ea its share at node a (element.h). Then, with the masses m_a of the nodes,
//
//     u.K u = sum_e u.K_e u <= sum_a |u_a|^2 sum_e s_ea <= max_a (sum_e s_ea/m_a) u.M u,
//
// so omega^2 is at most the largest sum of shares s_ea at a node over its mass: the mean of the squared element frequencies,
// weighted by the masses that they add to the node. This is never worse than the stiffest element, and far better on real
// meshes, where a sliver has heavy nodes. Shares are gathered in the order of forces: same bits for any number of threads.
#include "model/watch/frequency_bound.h"

#include <math.h>
#include <stdio.h>

#include "base/allocate.h"
#include "base/bisect.h"
#include "element/body_step.h"
#include "element/element.h"
#include "element/line/obstacle.h"
#include "model/collective.h"
#include "model/motion/damping.h"
#include "model/rigid.h"

// With fewer elements (a quarter of a microsecond each for bricks) or nodes one thread is faster.
enum { SHARED = 1024, SHARED_NODES = 4096 };

bool carom_block_stiffens(const carom_block *block) {
    return !block->element->framed && block->element->stiffens && block->element->stiffens(block);
}

bool carom_model_can_stiffen(const carom_model *model) {
    bool any = false;
    for (int b = 0; b < model->block_count; b++)
        any = any || carom_block_stiffens(&model->blocks[b]);
    return any;
}

double *carom_block_steps(const carom_block *block, const double (*X)[3]) {
    double *steps = carom_allocate(block->count, sizeof *steps);
    if (steps && block->element->framed)
        block->element->framed->stable_step(block, 0, block->count, steps);
    else if (steps)
        carom_block_stable_steps(block, X, steps);
    return steps;
}

// True for elements without forces.
static bool is_idle(const carom_element *element) {
    return element == &carom_element_point_mass || carom_element_is_obstacle(element);
}

bool carom_model_is_linear(const carom_model *model) {
    bool linear = true;
    for (int b = 0; b < model->block_count; b++) {
        const carom_element *element = model->blocks[b].element;
        // without a function `stiffens` an element counts as nonlinear, unless it has no forces at all
        linear = linear && (element->stiffens ? !element->stiffens(&model->blocks[b]) : is_idle(element));
    }
    return linear;
}

// Number of the first element of a block among all elements: that of the first chunk of this block or a later one. By
// bisection, since there may be as many blocks as bodies, and this is called for every batch.
static int first_of(const carom_model *model, int block) {
    int low = 0, high = model->chunk_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (model->chunks[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low < model->chunk_count ? model->chunks[low].first - model->chunks[low].begin : model->element_count;
}

// The block of an element counted through all blocks; *element becomes its number in this block.
static int block_at(const carom_model *model, int *element) {
    int low = carom_last_at(&model->chunks->first, sizeof *model->chunks, model->chunk_count, *element);
    *element -= model->chunks[low].first - model->chunks[low].begin;
    return model->chunks[low].block;
}

// An upper bound of the number of batches of L elements before a block that begins after n elements in b blocks: (n + (L - 1)
// b)/L, with one incomplete batch per block.
int64_t carom_stiffening_begin(const carom_model *model, int block) {
    int64_t batches = (first_of(model, block) + (int64_t)(CAROM_LANES - 1) * block) / CAROM_LANES;
    return batches * CAROM_LANES * CAROM_BOUND_MEASURES;
}

int64_t carom_stiffening_buffer(const carom_model *model) {
    return carom_stiffening_begin(model, model->block_count);
}

// Keeps the larger value, and of equal ones the first.
static void take_largest(double value, int index, double *best, int *where) {
    if (*where < 0 || value > *best || (value == *best && index < *where)) {
        *best = value;
        *where = index;
    }
}

double carom_model_frequency_at(const carom_model *model, int k, const double *slots) {
    double sum = 0;
    for (int i = model->gather_begin[k]; i < model->gather_begin[k + 1]; i++)
        sum += slots[model->gather[i]];
    double mass = carom_model_node_mass(model, k);
    return mass > 0 ? sum / mass : 0;
}

// The largest omega^2 of the nodes of a body, and its node.
static double frequency_of(const carom_model *model, const carom_body *body, const double *slots, int *node) {
    double most = 0;
    int where = -1, end = body->node_begin + body->node_count;
    if (body->node_count <= SHARED_NODES) {
        for (int k = body->node_begin; k < end; k++)
            take_largest(carom_model_frequency_at(model, k, slots), k, &most, &where);
        *node = where;
        return most;
    }
#pragma omp parallel
    {
        double own = 0;
        int at = -1;
#pragma omp for schedule(static) nowait
        for (int k = body->node_begin; k < end; k++)
            take_largest(carom_model_frequency_at(model, k, slots), k, &own, &at);
#pragma omp critical(carom_stiffening)
        if (at >= 0)
            take_largest(own, at, &most, &where);
    }
    *node = where;
    return most;
}

// The step that is proven stable for a body by the shares of its elements.
static double bound_of(const carom_model *model, const carom_body *body, const double *slots, int *node, double *square) {
    *node = -1;
    *square = 0;
    if (!body->block_count || !carom_block_stiffens(&model->blocks[body->block_begin]))
        return HUGE_VAL;
    *square = frequency_of(model, body, slots, node);
    return carom_damping_step(&body->damping, 2 / sqrt(*square));
}

double carom_model_bound_of(const carom_model *model, int body, const double *slots) {
    int node;
    double square;
    return bound_of(model, &model->bodies[body], slots, &node, &square);
}

void carom_model_bounds(const carom_model *model, const double *slots, double *steps) {
    for (int b = 0; b < model->body_count; b++) {
        int node;
        bound_of(model, &model->bodies[b], slots, &node, &steps[b]);
    }
    carom_model_most_of(model, steps, model->body_count);
    for (int b = 0; b < model->body_count; b++) {
        const carom_body *body = &model->bodies[b];
        bool stiffens = body->block_count && carom_block_stiffens(&model->blocks[body->block_begin]);
        steps[b] = stiffens ? carom_damping_step(&body->damping, 2 / sqrt(steps[b])) : HUGE_VAL;
    }
}

// Keeps the smaller value, of equal ones the first, and NaN before all others.
static void take_smallest(double value, int index, double *best, int *where) {
    bool first = *where < 0 || index < *where;
    if (isnan(*best) && *where >= 0 ? isnan(value) && first : !(value >= *best) || (value == *best && first)) {
        *best = value;
        *where = index;
    }
}

// Updates the extremes with the elements [begin, end) of a block, counted from `first` on.
static void survey(int begin, int end, const double *measures, int first, carom_stiffening *seen) {
    for (int e = begin; e < end; e++) {
        const double *own = measures + carom_lane(e, 0, CAROM_BOUND_MEASURES);
        double rate = own[CAROM_BOUND_RATE * CAROM_LANES];
        seen->rate = rate > seen->rate ? rate : seen->rate;
        take_smallest(own[CAROM_BOUND_LIMIT * CAROM_LANES], first + e, &seen->squeeze, &seen->squeezed);
        take_smallest(own[CAROM_BOUND_VOLUME * CAROM_LANES], first + e, &seen->volume, &seen->smallest);
    }
}

// Combines the extremes of two different sets of elements, in any order.
static void merge(const carom_stiffening *other, carom_stiffening *seen) {
    seen->rate = fmax(seen->rate, other->rate);
    if (other->squeezed >= 0)
        take_smallest(other->squeeze, other->squeezed, &seen->squeeze, &seen->squeezed);
    if (other->smallest >= 0)
        take_smallest(other->volume, other->smallest, &seen->volume, &seen->smallest);
}

// The element that contributes most to the stiffness of a node, counted through all blocks.
static int stiffest_at(const carom_model *model, int node, const double *slots) {
    double most = 0;
    int where = -1;
    for (int i = model->gather_begin[node]; i < model->gather_begin[node + 1]; i++)
        take_largest(slots[model->gather[i]], i, &most, &where);
    if (where < 0)
        return -1;
    int block, element = carom_model_element_at(model, model->gather[where], &block);
    return first_of(model, block) + element;
}

static const carom_stiffening nothing = {.stable = HUGE_VAL,
                                         .squeeze = HUGE_VAL,
                                         .volume = HUGE_VAL,
                                         .stiffest = -1,
                                         .squeezed = -1,
                                         .smallest = -1,
                                         .body = -1,
                                         .node = -1};

// Evaluates the elements [begin, end) of a block.
static void examine(const carom_model *model, int b, int begin, int end, const carom_kinematics *motion, double *slots,
                    double *measures, carom_stiffening *seen) {
    const carom_block *block = &model->blocks[b];
    if (!carom_block_stiffens(block))
        return;
    double *own = measures + carom_stiffening_begin(model, b);
    block->element->bound(block, begin, end, motion, slots + model->block_slot[b], own);
    survey(begin, end, own, first_of(model, b), seen);
}

// Keeps the smaller stable step, of equal ones the first body, and in it the node with the largest omega^2.
static void take_bound(double step, int body, double square, int node, carom_stiffening *seen) {
    bool other = seen->body != body;
    int where = seen->body;
    double best = seen->stable;
    if (other)
        take_smallest(step, body, &best, &where);
    bool stiffer = square > seen->square || (square == seen->square && node < seen->node);
    if (other ? where == body : stiffer) {
        seen->stable = step;
        seen->body = body;
        seen->square = square;
        seen->node = node;
    }
}

// Finds the smallest stable step of all bodies, and the node that limits it. Threads share the nodes of a large body, or the
// bodies if all are small.
static void find_smallest_step(const carom_model *model, const double *slots, carom_stiffening *seen) {
#pragma omp parallel for schedule(dynamic) if (model->node_count > SHARED_NODES && model->bodies[0].node_count <= SHARED_NODES)
    for (int b = 0; b < model->body_count; b++) {
        int node;
        double square, step = bound_of(model, &model->bodies[b], slots, &node, &square);
        if (node < 0)
            continue;
#pragma omp critical(carom_stiffening)
        take_bound(step, b, square, node, seen);
    }
    if (seen->node >= 0)
        seen->stiffest = stiffest_at(model, seen->node, slots);
}

// The extremes of the elements of chunks [begin, end).
static carom_stiffening check_one(const carom_model *model, int begin, int end, const carom_kinematics *motion, double *slots,
                                  double *measures) {
    carom_stiffening seen = nothing;
    for (int c = begin; c < end; c++)
        examine(model, model->chunks[c].block, model->chunks[c].begin, model->chunks[c].end, motion, slots, measures, &seen);
    return seen;
}

// Combines the results of all processes, in the numbers of the whole model.
static carom_stiffening share(const carom_model *model, carom_stiffening seen) {
    if (!carom_model_is_subdomain(model))
        return seen;
    seen.stiffest = carom_model_global_element(model, seen.stiffest);
    seen.squeezed = carom_model_global_element(model, seen.squeezed);
    seen.smallest = carom_model_global_element(model, seen.smallest);
    seen.node = seen.node >= 0 ? carom_model_global_node(model, seen.node) : -1;
    carom_stiffening all = nothing, *theirs = model->part.agree_buffer;
    carom_parallel_exchange(&seen, sizeof seen, theirs);
    for (int r = 0; r < carom_parallel_size(); r++) {
        merge(&theirs[r], &all);
        if (theirs[r].node < 0)
            continue;
        int node = all.node, body = all.body;
        take_bound(theirs[r].stable, theirs[r].body, theirs[r].square, theirs[r].node, &all);
        if (all.node != node || all.body != body)
            all.stiffest = theirs[r].stiffest;
    }
    return all;
}

carom_stiffening carom_model_stiffening(const carom_model *model, const carom_kinematics *motion, double *slots,
                                        double *measures) {
    carom_stiffening seen = nothing;
    if (model->element_count <= SHARED)
        seen = check_one(model, 0, model->chunk_count, motion, slots, measures);
    else
#pragma omp parallel for schedule(static)
        for (int c = 0; c < model->chunk_count; c++) {
            carom_stiffening own = check_one(model, c, c + 1, motion, slots, measures);
#pragma omp critical(carom_stiffening)
            merge(&own, &seen);
        }
    find_smallest_step(model, slots, &seen);
    return share(model, seen);
}

carom_stiffening carom_model_stiffening_near(const carom_model *model, const carom_vicinity *near, int from,
                                             const carom_kinematics *motion, double *slots, double *measures) {
    carom_stiffening seen = nothing;
    if (near->batch_count - from <= SHARED / CAROM_LANES) {
        for (int i = from; i < near->batch_count; i++)
            examine(model, near->batches[i].block, near->batches[i].begin, near->batches[i].end, motion, slots, measures,
                    &seen);
        return seen;
    }
#pragma omp parallel
    {
        carom_stiffening own = nothing;
#pragma omp for schedule(static) nowait
        for (int i = from; i < near->batch_count; i++)
            examine(model, near->batches[i].block, near->batches[i].begin, near->batches[i].end, motion, slots, measures, &own);
#pragma omp critical(carom_stiffening)
        merge(&own, &seen);
    }
    return seen;
}

double carom_stiffening_rate(const carom_model *model, carom_batch batch, const double *measures) {
    double most = 0;
    const double *own =
        measures + carom_stiffening_begin(model, batch.block) + carom_lane(batch.begin, 0, CAROM_BOUND_MEASURES);
    for (int l = 0; l < batch.end - batch.begin; l++) {
        double rate = own[CAROM_LANES * CAROM_BOUND_RATE + l], limit = own[CAROM_LANES * CAROM_BOUND_LIMIT + l];
        // NaN is kept
        most = most >= rate ? most : rate;
        most = most >= CAROM_SQUEEZE_MAX / limit ? most : CAROM_SQUEEZE_MAX / limit;
    }
    return most;
}

double carom_stiffening_volume(const carom_model *model, int element, const double *measures) {
    int here = carom_model_local_element(model, element), b = here < 0 ? 0 : block_at(model, &here);
    double volume = -HUGE_VAL;
    if (here >= 0)
        volume = measures[carom_stiffening_begin(model, b) + carom_lane(here, CAROM_BOUND_VOLUME, CAROM_BOUND_MEASURES)];
    return carom_model_most(model, volume);
}

const carom_block *carom_model_block_of(const carom_model *model, int element) {
    if (!carom_model_is_subdomain(model))
        return &model->blocks[block_at(model, &element)];
    const int *first = model->part.block_first;
    return &model->blocks[carom_last_at(first, sizeof *first, model->block_count, element)];
}

void carom_block_name_element(const carom_model *model, int b, int element, char *name, size_t size) {
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

void carom_model_name_element(const carom_model *model, int element, char *name, size_t size) {
    int here = carom_model_local_element(model, element);
    name[0] = 0;
    int b = here >= 0 ? block_at(model, &here) : 0;
    if (here >= 0)
        carom_block_name_element(model, b, here, name, size);
    carom_model_share_text(model, name, size);
}
