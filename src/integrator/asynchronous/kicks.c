// SPDX-License-Identifier: MIT
// Prepares the elements of a model to kick (change the velocities of) their nodes, each with its own step: records of elements
// with their steps rounded to classes, groups of elements with equal steps, and forces of single elements.
#include "integrator/asynchronous/kicks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "element/line/rigid.h"
#include "element/point_law.h"
#include "integrator/asynchronous/kick_history.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "model/limits.h"
#include "model/motion/timed_restraints.h"
#include "model/watch/frequency_bound.h"

enum {
    // A group with at least so many elements has its own block: half of CAROM_LANES.
    BATCH = 4,
    // Most steps in a window, in the harmonic mean: a few large elements must not make it too long.
    MOST_STEPS = 16
};

// Tolerance of rounding to a class, in units of the distance of classes.
static const double same_class = 1e-9;

// Marks the nodes whose prescribed velocity changes in time or whose restraint holds for a time only; NULL if memory is short.
static bool *driven_nodes(const carom_model *model) {
    bool *driven = carom_allocate(model->node_count, sizeof *driven);
    for (int r = 0; driven && model->drives.of_restraint && r < model->restraints.count; r++)
        driven[model->restraints.items[r].node] = model->drives.of_restraint[r].count > 0 || carom_model_is_windowed(model, r);
    return driven;
}

double carom_kicks_longest_window(const carom_model *model) {
    double largest = 0, shortest = HUGE_VAL, rate = 0;
    int count = 0;
    bool *driven = driven_nodes(model);
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        double *step = driven ? carom_block_steps(block, (carom_const_vectors)model->X) : NULL;
        if (!step) {
            free(driven);
            return NAN;
        }
        for (int e = 0; e < block->count; e++) {
            if (isfinite(step[e])) {
                largest = fmax(largest, step[e]);
                rate += 1 / step[e];
                count++;
            }
            for (int a = 0; a < block->node_count; a++)
                if (driven[block->nodes[(int64_t)e * block->node_count + a]])
                    shortest = fmin(shortest, step[e]);
        }
        free(step);
    }
    free(driven);
    return count ? fmin(fmin(largest, MOST_STEPS * count / rate), shortest) : HUGE_VAL;
}

// The step of an element rounded down to a class, since a longer one might not be stable. `aligned`: to the step of the run
// over a whole number, at most `classes` of these between one length and its double. Elements of bouncing bodies join and leave
// the ticks many times; if their own kicks are at the times of ticks, they do so without a kick of another length.
static double rounded_step(const carom_kick_rule *rule, double step, bool aligned) {
    double parts = ceil(rule->longest / step - same_class);
    if (aligned && parts < 1e9) {
        double octave = carom_exp2(floor(carom_log2(parts))),
               grain = rule->classes ? fmax(1, floor(octave / rule->classes)) : 1;
        return rule->longest / (ceil(parts / grain) * grain);
    }
    if (rule->classes == 0)
        return step;
    return rule->longest * carom_exp2(-ceil(rule->classes * carom_log2(rule->longest / step) - same_class) / rule->classes);
}

// Creates the records of one block. False if memory is short.
static bool add_block(carom_kicks *kicks, int b, int begin, const double *step, const carom_kick_rule *rule) {
    const carom_model *model = kicks->model;
    const carom_block *block = kicks->bound ? &kicks->bound[b] : &model->blocks[b];
    // cells of rigid bodies do not kick: their numbers stay unused
    if (carom_element_is_rigid(block->element)) {
        carom_block *none = carom_arena_allocate(kicks->arena, 1, sizeof *none);
        if (!none)
            return false;
        *none = *block;
        none->count = 0;
        block = none;
    }
    carom_kick_block *own = &kicks->blocks[b];
    int n = block->node_count;
    *own = (carom_kick_block){.block = block, .node_count = n, .begin = begin};
    own->flows = carom_block_flows(block);
    own->ages = carom_block_ages(block);
    if (block->element->single)
        own->single = block->element->single(block);
    // a record is the kicker, its nodes and, aligned to doubles, its numbers; padded to whole cache lines
    int nodes = (int)sizeof(carom_kicker) + n * (int)sizeof(int);
    own->data = (nodes + 7) / 8 * 8;
    own->stride = (own->data + (own->single ? own->single->data_size * 8 : 0) + 63) / 64 * 64;
    own->records = carom_arena_allocate(kicks->arena, block->count, (size_t)own->stride);
    if (!own->single)
        own->slots = carom_arena_allocate(kicks->arena, carom_lanes_size(block->count, 3 * n), sizeof *own->slots);
    bool memory = own->records && (own->single || own->slots);
    for (int e = 0; e < block->count && memory; e++) {
        char *record = own->records + (int64_t)e * own->stride;
        carom_kicker *kicker = (carom_kicker *)record;
        bool touches = false;
        for (int a = 0; a < n; a++)
            touches = touches || rule->touches[block->nodes[(int64_t)e * n + a]];
        double own_step = rounded_step(rule, fmin(step[begin + e], rule->longest), rule->aligned && touches);
        *kicker = (carom_kicker){.step = own_step, .block = b, .memory = -1};
        memcpy(kicker + 1, &block->nodes[(int64_t)e * n], (size_t)n * sizeof(int));
        if (own->single)
            own->single->prepare(block, e, (carom_const_vectors)model->X, (double *)(record + own->data));
        kicks->shortest_step = fmin(kicks->shortest_step, kicker->step);
    }
    return memory;
}

// Lists the elements of each node; sets its fraction of the dead load per element and the shortest step of its elements.
static bool link_nodes(carom_kicks *kicks) {
    int n = kicks->model->node_count, count;
    kicks->begin = carom_arena_allocate(kicks->arena, (int64_t)n + 1, sizeof *kicks->begin);
    kicks->ends = carom_arena_allocate(kicks->arena, kicks->model->element_node_count, sizeof *kicks->ends);
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
            kicks->shortest[k] = fmin(kicks->shortest[k], carom_kicker_of(kicks, i)->step);
        }
    }
    free(filled);
    return true;
}

// Divides the blocks into runs of one body each; one run of all blocks if bodies are not in order.
static void find_runs(carom_kicks *kicks) {
    bool ordered = true;
    for (int b = 1; b < kicks->block_count; b++)
        ordered = ordered && kicks->blocks[b - 1].block->body <= kicks->blocks[b].block->body;
    for (int b = 0; b < kicks->block_count; b++)
        if (b == 0 || (ordered && kicks->blocks[b - 1].block->body < kicks->blocks[b].block->body))
            kicks->runs[kicks->run_count++] = b;
    kicks->runs[kicks->run_count] = kicks->block_count;
}

// Assigns places in `memory` to the last forces of the elements around the nodes marked in `keeps`; returns the size.
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
        carom_kicker_of(kicks, i)->memory = (int)size;
        size += count;
    }
    return 3 * size;
}

// An element and its step.
typedef struct place {
    double step;
    int element;
} place;

static int compare_places(const void *a_, const void *b_) {
    const place *a = a_, *b = b_;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return (a->element > b->element) - (a->element < b->element);
}

// Groups in the order of their first elements: events at equal times then happen in the order of elements.
static int compare_groups(const void *a_, const void *b_) {
    const carom_kick_group *a = a_, *b = b_;
    return (a->members[0] > b->members[0]) - (a->members[0] < b->members[0]);
}

carom_status carom_kick_block_fill(const carom_kicks *kicks, const int *members, int count, const carom_kick_buffer *buffer,
                                   double *mass, carom_block *block, carom_error *error) {
    const carom_kick_block *own = carom_kick_block_of(kicks, members[0]);
    int size = own->block->data_size, *nodes = buffer->nodes;
    double *data = buffer->data;
    *block = *own->block;
    block->count = count;
    block->nodes = nodes;
    block->data = data;
    block->history = buffer->history;
    block->losses = buffer->losses;
    block->ids = NULL;
    block->cells = NULL;
    for (int m = 0; m < count; m++)
        memcpy(&nodes[(int64_t)m * own->node_count], carom_kicker_nodes(carom_kicker_of(kicks, members[m])),
               (size_t)own->node_count * sizeof *nodes);
    // copy the data that `arrange` wrote; `prepare` adds the rest
    for (int m = 0; m < count && block->element->arrange; m++)
        for (int i = 0; i < size; i++)
            data[carom_lane(m, i, size)] = own->block->data[carom_lane(members[m] - own->begin, i, size)];
    return block->element->prepare(block, (carom_const_vectors)kicks->model->X, mass, error);
}

// Lists the slots with the forces on each node of a group. `number`: index of each node in the group.
static void link_slots(const carom_kick_group *group, int n, const int *number) {
    carom_kick_batch *batch = group->batch;
    const int *nodes = batch->block.nodes;
    int *begin = batch->gather_begin;
    for (int64_t i = 0; i < (int64_t)group->count * n; i++)
        begin[number[nodes[i]] + 1]++;
    for (int i = 0; i < group->node_count; i++)
        begin[i + 1] += begin[i];
    // filled from the last to the first: the end of each list moves down to its beginning, and members stay in order
    for (int64_t i = (int64_t)group->count * n - 1; i >= 0; i--) {
        int m = (int)(i / n), a = (int)(i % n);
        batch->gather[--begin[number[nodes[i]] + 1]] = (int)carom_lane(m, 3 * a, 3 * n);
    }
    memmove(begin, begin + 1, (size_t)group->node_count * sizeof *begin);
    begin[group->node_count] = group->count * n;
}

// Reserves data, and history where there is any, for a block of `count` elements of `block`.
static void reserve_buffer(const carom_kicks *kicks, const carom_block *block, int count, carom_kick_buffer *buffer,
                           bool *enough) {
    carom_arena *arena = kicks->arena;
    buffer->data = carom_arena_reserve(arena, carom_lanes_size(count, block->data_size), sizeof *buffer->data, enough);
    if (!block->history)
        return;
    buffer->history = carom_arena_reserve(arena, carom_lanes_size(count, block->history_size), sizeof *buffer->history, enough);
    buffer->losses = carom_arena_reserve(arena, (int64_t)CAROM_BLOCK_LOSSES * count, sizeof *buffer->losses, enough);
}

// Lists the nodes of a group and those that can touch something; gives a large group its own block. `mark`, `number` and `mass`
// are scratch, one entry per node; `mark` must not contain g.
static carom_status fill_group(carom_kicks *kicks, int g, const bool *touches, int *mark, int *number, double *mass,
                               carom_error *error) {
    carom_kick_group *group = &kicks->groups[g];
    const carom_kick_block *own = carom_kick_block_of(kicks, group->members[0]);
    int n = own->node_count;
    carom_kick_buffer buffer = {.nodes = carom_arena_allocate(kicks->arena, (int64_t)group->count * n, sizeof *buffer.nodes)};
    group->nodes = carom_arena_allocate(kicks->arena, (int64_t)group->count * n, sizeof *group->nodes);
    group->touch = carom_arena_allocate(kicks->arena, (int64_t)group->count * n, sizeof *group->touch);
    if (!buffer.nodes || !group->nodes || !group->touch)
        return carom_no_memory(error, "the steps of elements");
    for (int m = 0; m < group->count; m++) {
        carom_kicker *kicker = carom_kicker_of(kicks, group->members[m]);
        kicker->group = g;
        for (int a = 0; a < n; a++) {
            int k = carom_kicker_nodes(kicker)[a];
            if (mark[k] == g)
                continue;
            mark[k] = g;
            number[k] = group->node_count;
            group->nodes[group->node_count++] = k;
            if (touches && touches[k])
                group->touch[group->touch_count++] = k;
        }
    }
    group->first = group->members[0];
    if (group->count < BATCH)
        return CAROM_OK;
    group->batch = carom_arena_allocate(kicks->arena, 1, sizeof *group->batch);
    if (!group->batch)
        return carom_no_memory(error, "the steps of elements");
    bool enough = true;
    reserve_buffer(kicks, own->block, group->count, &buffer, &enough);
    group->batch->slots = carom_arena_allocate(kicks->arena, carom_lanes_size(group->count, 3 * n), sizeof(double));
    group->batch->gather_begin = carom_arena_allocate(kicks->arena, (int64_t)group->node_count + 1, sizeof(int));
    group->batch->gather = carom_arena_allocate(kicks->arena, (int64_t)group->count * n, sizeof(int));
    if (!enough || !group->batch->slots || !group->batch->gather_begin || !group->batch->gather)
        return carom_no_memory(error, "the steps of elements");
    carom_status status =
        carom_kick_block_fill(kicks, group->members, group->count, &buffer, mass, &group->batch->block, error);
    if (!status)
        link_slots(group, n, number);
    return status;
}

// Number of places, from the first on, that form a group: those with equal steps. Fewer than BATCH elements form one only if
// forces of one of them are kept.
static int run_of(const carom_kicks *kicks, const place *places, int count) {
    int run = 1;
    bool keeps = carom_kicker_of(kicks, places[0].element)->memory >= 0;
    for (; run < count && places[run].step == places[0].step; run++)
        keeps = keeps || carom_kicker_of(kicks, places[run].element)->memory >= 0;
    return run < BATCH && !keeps ? 1 : run;
}

static carom_limits limits_of(const void *owner, const carom_state *state, int64_t g) {
    return carom_limits_recurrence(state->time, ((const carom_kicks *)owner)->groups[g].step);
}

// Groups the elements of each block by equal steps.
static carom_status make_groups(carom_kicks *kicks, const bool *touches, carom_state *state, carom_error *error) {
    const carom_model *model = kicks->model;
    place *places = carom_allocate(kicks->count, sizeof *places);
    int *mark = carom_allocate(model->node_count, sizeof *mark);
    int *number = carom_allocate(model->node_count, sizeof *number);
    double *mass = carom_allocate(model->node_count, sizeof *mass);
    int *members = carom_arena_allocate(kicks->arena, kicks->count, sizeof *members);
    bool memory = places && mark && number && mass && members;
    for (int b = 0; b < kicks->block_count && memory; b++) {
        int begin = kicks->blocks[b].begin, count = kicks->blocks[b].block->count;
        for (int e = begin; e < begin + count; e++)
            places[e] = (place){carom_kicker_of(kicks, e)->step, e};
        qsort(&places[begin], (size_t)count, sizeof *places, compare_places);
        for (int e = begin; e < begin + count; e++)
            members[e] = places[e].element;
        for (int e = begin; e < begin + count; e += run_of(kicks, &places[e], begin + count - e))
            kicks->group_count++;
    }
    kicks->groups = carom_arena_allocate(kicks->arena, kicks->group_count, sizeof *kicks->groups);
    double *numbers = carom_state_add_array(state, "kicks", kicks->group_count);
    carom_state_limit(state, numbers, limits_of, kicks);
    carom_status status = CAROM_OK;
    if (!memory || !kicks->groups || !numbers)
        status = carom_no_memory(error, "the steps of elements");
    for (int b = 0, g = 0; b < kicks->block_count && !status; b++) {
        int begin = kicks->blocks[b].begin, count = kicks->blocks[b].block->count;
        for (int e = begin, run; e < begin + count; e += run) {
            run = run_of(kicks, &places[e], begin + count - e);
            kicks->groups[g++] = (carom_kick_group){.step = places[e].step, .members = &members[e], .count = run};
        }
    }
    if (!status)
        qsort(kicks->groups, (size_t)kicks->group_count, sizeof *kicks->groups, compare_groups);
    for (int k = 0; k < model->node_count && mark; k++)
        mark[k] = -1;
    for (int g = 0; g < kicks->group_count && !status; g++) {
        kicks->groups[g].number = &numbers[g];
        kicks->rate += 1 / kicks->groups[g].step;
        status = fill_group(kicks, g, touches, mark, number, mass, error);
    }
    free(places);
    free(mark);
    free(number);
    free(mass);
    return status;
}

carom_status carom_kicks_create(const carom_model *model, const carom_kick_rule *rule, carom_state *state, carom_kicks *kicks,
                                carom_error *error) {
    *kicks = (carom_kicks){.model = model, .block_count = model->block_count, .count = model->element_count};
    kicks->shortest_step = HUGE_VAL;
    kicks->arena = carom_arena_create();
    bool memory = kicks->arena;
    kicks->blocks = carom_arena_reserve(kicks->arena, model->block_count, sizeof *kicks->blocks, &memory);
    kicks->runs = carom_arena_reserve(kicks->arena, (int64_t)model->block_count + 1, sizeof *kicks->runs, &memory);
    kicks->shortest = carom_arena_reserve(kicks->arena, model->node_count, sizeof *kicks->shortest, &memory);
    kicks->share = carom_arena_reserve(kicks->arena, model->node_count, sizeof *kicks->share, &memory);
    kicks->place = carom_arena_reserve(kicks->arena, model->node_count, sizeof *kicks->place, &memory);
    double *step = memory ? carom_kick_steps(model, rule->beta, rule->mass) : NULL;
    memory = step && carom_kick_history_register(kicks, state);
    int begin = 0, most = 0;
    for (int b = 0; b < model->block_count && memory; b++) {
        memory = add_block(kicks, b, begin, step, rule);
        begin += model->blocks[b].count;
        most = kicks->blocks[b].node_count > most ? kicks->blocks[b].node_count : most;
    }
    free(step);
    if (memory)
        find_runs(kicks);
    kicks->q = carom_arena_reserve(kicks->arena, most, sizeof *kicks->q, &memory);
    kicks->f = carom_arena_reserve(kicks->arena, most, sizeof *kicks->f, &memory);
    memory = memory && link_nodes(kicks);
    if (memory)
        kicks->memory = carom_state_add_array(state, "last forces", keep_forces(kicks, rule->keeps ? rule->touches : NULL));
    if (!memory || !kicks->memory)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the steps of %d elements", kicks->count);
    memcpy(kicks->place, model->X, (size_t)model->node_count * sizeof *kicks->place);
    return make_groups(kicks, rule->touches, state, error);
}

void carom_kicks_release(carom_kicks *kicks) {
    carom_arena_release(kicks->arena);
    *kicks = (carom_kicks){0};
}

void carom_kick_batch_keep(const carom_kicks *kicks, const carom_kick_group *group, int begin, int end) {
    int dofs = 3 * group->batch->block.node_count;
    for (int m = begin; m < end; m++) {
        int memory = carom_kicker_of(kicks, group->members[m])->memory;
        for (int d = 0; d < dofs && memory >= 0; d++)
            kicks->memory[3 * memory + d] = group->batch->slots[carom_lane(m, d, dofs)];
    }
}

void carom_kick_force(carom_kicks *kicks, int i, const carom_kicker *kicker, const double (*x)[3], const double (*w)[3],
                      double t, const carom_kick_instant *now) {
    const carom_kick_block *b = &kicks->blocks[kicker->block];
    const int *nodes = carom_kicker_nodes(kicker);
    for (int a = 0; a < b->node_count; a++)
        for (int c = 0; c < 3; c++)
            kicks->q[a][c] = x[nodes[a]][c] + t * w[nodes[a]][c];
    if (b->single) {
        b->single->force(b->block, (const double *)((const char *)kicker + b->data), (carom_const_vectors)kicks->q, kicks->f);
        return;
    }
    int e = i - b->begin;
    for (int a = 0; a < b->node_count; a++)
        carom_copy(kicks->q[a], kicks->place[nodes[a]]);
    carom_kick_one_force(kicks, b, i, now);
    for (int a = 0; a < b->node_count; a++)
        for (int c = 0; c < 3; c++)
            kicks->f[a][c] = b->slots[carom_lane(e, 3 * a + c, 3 * b->node_count)];
}

void carom_kicks_centre(const carom_kicks *kicks, int node, double time, double change[3]) {
    double mass = kicks->model->mass[node];
    for (int j = kicks->begin[node]; j < kicks->begin[node + 1]; j++) {
        const carom_kicker *kicker = carom_kicker_of(kicks, kicks->ends[j].kicker);
        // before the first kick there is no force
        double number = carom_kicker_number(kicks, kicker);
        if (number == 0)
            continue;
        double span = time - carom_kick_covered(kicks, kicks->ends[j].kicker);
        carom_add_scaled(span / mass, &kicks->memory[3 * (kicker->memory + kicks->ends[j].corner)], change);
        carom_add_scaled(span * kicks->share[node] / mass, kicks->model->load[node], change);
    }
}
