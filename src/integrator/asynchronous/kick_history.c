// SPDX-License-Identifier: MIT
// Updates the history variables of materials (such as plastic strain) in elements that kick at their own times. Each element
// has a clock. That of a plastic element is the time of its last commit (update of the history). The clock of viscous branches
// is the time up to which they have relaxed: at a kick at t, followed by the step h, they relax up to t before the force is
// evaluated, and by h/2 after it, so the clock becomes t + h/2. The next kick, at t', first relaxes them by t' - clock. In all
// they relax for the time that has passed, however steps change. When an element joins the ticks, t' may be before the clock:
// they do not relax before the force is evaluated, and after it only beyond the clock. So it is for output between a kick and
// the clock.
#include "integrator/asynchronous/kick_history.h"

#include <math.h>
#include <string.h>

#include "element/point_law.h"
#include "math/vec3.h"
#include "model/state/history.h"

bool carom_kick_history_register(carom_kicks *kicks, carom_state *state) {
    const carom_model *model = kicks->model;
    if (!carom_model_has_history(model))
        return true;
    int64_t rows = carom_history_begin(model, model->block_count) / CAROM_LANES;
    kicks->history = carom_state_add_rows(state, "history of kicks", rows);
    kicks->losses = carom_state_add_elemental(state, "losses of kicks", CAROM_BLOCK_LOSSES);
    kicks->clocks = carom_state_add_elemental(state, "clocks of flow", 1);
    kicks->bound = carom_arena_allocate(kicks->arena, model->block_count, sizeof *kicks->bound);
    if (!kicks->history || !kicks->losses || !kicks->clocks || !kicks->bound)
        return false;
    for (int b = 0, first = 0; b < model->block_count; first += model->blocks[b++].count) {
        carom_block *block = &kicks->bound[b];
        *block = model->blocks[b];
        if (!block->history)
            continue;
        block->history = kicks->history + carom_history_begin(model, b);
        block->losses = kicks->losses + (int64_t)CAROM_BLOCK_LOSSES * first;
    }
    return true;
}

// Copies histories and losses of all elements from the kicks to the state for output (`shows`), or back.
static void copy(const carom_kicks *kicks, const carom_state *state, bool shows) {
    for (int a = 0; kicks->history && a < state->array_count; a++) {
        const carom_state_array *array = &state->arrays[a];
        double *own = strcmp(array->name, CAROM_STATE_HISTORY) == 0           ? kicks->history
                      : strcmp(array->name, CAROM_STATE_MATERIAL_LOSSES) == 0 ? kicks->losses
                                                                              : NULL;
        if (own)
            memcpy(shows ? array->values : own, shows ? own : array->values, (size_t)array->count * sizeof *own);
    }
}

void carom_kick_history_show(const carom_kicks *kicks, carom_state *state) {
    copy(kicks, state, true);
}

void carom_kick_history_start(carom_kicks *kicks, carom_state *state, double *slots) {
    copy(kicks, state, false);
    for (int i = 0; kicks->clocks && i < kicks->count; i++)
        kicks->clocks[i] = state->time;
    const carom_flow at_once = {.use = CAROM_USE_COMMIT};
    for (int b = 0; kicks->history && b < kicks->block_count; b++) {
        carom_block own = kicks->bound[b];
        own.flow = &at_once;
        if (own.history && kicks->blocks[b].flows)
            own.element->force(&own, 0, own.count, (carom_const_vectors)state->x, (carom_const_vectors)kicks->model->X,
                               slots + kicks->model->block_slot[b]);
    }
    copy(kicks, state, true);
}

// The evaluation of an element with the given clock at a time. At the time of its last commit a plastic element only reads its
// history: the points lie on the yield surface, and a second return mapping would add plastic strain by rounding, or divide by
// a time of 0.
static carom_flow flow_at(const carom_kick_block *own, double clock, carom_use use, double time, double next) {
    if (!own->flows) {
        double ahead = fmax(0, clock - time);
        return (carom_flow){.use = use, .before = 2 * fmax(0, time - clock), .after = fmax(0, next - 2 * ahead)};
    }
    if (!(time > clock))
        return (carom_flow){.use = CAROM_USE_READ};
    return (carom_flow){.use = use, .before = own->ages ? time - clock : 0, .after = own->ages ? next : 0};
}

static bool are_equal(const carom_flow *a, const carom_flow *b) {
    return a->use == b->use && a->before == b->before && a->after == b->after;
}

// The same for element i at the instant `now`, at which it kicks (`commits`) or not.
static carom_flow flow_of(const carom_kicks *kicks, const carom_kick_block *own, int i, const carom_kick_instant *now,
                          bool commits) {
    return flow_at(own, kicks->clocks[i], commits ? now->use : CAROM_USE_TRIAL, now->time,
                   now->next > 0 ? now->next : carom_kick_step(kicks, i));
}

// Sets the clock of an element after a commit.
static void set_clock(const carom_kicks *kicks, const carom_kick_block *own, int i, const carom_kick_instant *now,
                      const carom_flow *flow) {
    if (flow->use == CAROM_USE_COMMIT)
        kicks->clocks[i] = own->flows ? now->time : fmax(kicks->clocks[i], now->time) + 0.5 * flow->after;
}

// True if the members from m on are a whole batch of lanes of their block, in the order of the model: it is copied at once.
static bool is_batch(const int *members, int begin, int m, int end) {
    if (end - m < CAROM_LANES || (members[m] - begin) % CAROM_LANES)
        return false;
    for (int l = 1; l < CAROM_LANES; l++)
        if (members[m + l] != members[m] + l)
            return false;
    return true;
}

// Copies the histories of members [begin, end) to `block`, or back.
static void copy_members(const carom_kick_block *own, const carom_block *block, const int *members, int begin, int end,
                         bool back) {
    int size = block->history_size;
    double *here = block->history, *there = own->block->history;
    for (int m = begin; m < end; m++) {
        int64_t to = carom_lane(m, 0, size), from = carom_lane(members[m] - own->begin, 0, size);
        double *target = back ? there + from : here + to;
        const double *source = back ? here + to : there + from;
        if (m % CAROM_LANES == 0 && is_batch(members, own->begin, m, end)) {
            memcpy(target, source, (size_t)size * CAROM_LANES * sizeof *target);
            m += CAROM_LANES - 1;
            continue;
        }
        for (int k = 0; k < size; k++)
            target[CAROM_LANES * k] = source[CAROM_LANES * k];
    }
}

// The same for their losses.
static void copy_member_losses(const carom_kick_block *own, const carom_block *block, const int *members, int begin, int end,
                               bool back) {
    for (int m = begin; m < end; m++) {
        double *here = block->losses + (int64_t)CAROM_BLOCK_LOSSES * m;
        double *there = own->block->losses + (int64_t)CAROM_BLOCK_LOSSES * (members[m] - own->begin);
        memcpy(back ? there : here, back ? here : there, CAROM_BLOCK_LOSSES * sizeof *here);
    }
}

void carom_kick_history_load(const carom_kicks *kicks, const carom_block *block, const int *members, int begin, int end) {
    if (!block->history || begin >= end)
        return;
    copy_members(carom_kick_block_of(kicks, members[begin]), block, members, begin, end, false);
    // lanes after the last member are computed too: they get its history
    int size = block->history_size;
    for (int m = end; end == block->count && m % CAROM_LANES; m++)
        for (int k = 0; k < size; k++)
            block->history[carom_lane(m, k, size)] = block->history[carom_lane(end - 1, k, size)];
}

void carom_kick_members_force(const carom_kicks *kicks, const carom_block *block, const int *members, int begin, int end,
                              const carom_kick_instant *now, double *slots) {
    carom_const_vectors x = (carom_const_vectors)kicks->place, X = (carom_const_vectors)kicks->model->X;
    if (!block->history) {
        block->element->force(block, begin, end, x, X, slots);
        return;
    }
    const carom_kick_block *own = carom_kick_block_of(kicks, members[begin]);
    bool commits = now->use == CAROM_USE_COMMIT;
    carom_kick_history_load(kicks, block, members, begin, end);
    if (commits)
        copy_member_losses(own, block, members, begin, end, false);
    // in runs of members with the same evaluation
    for (int m = begin, next; m < end; m = next) {
        carom_block part = *block;
        carom_flow flow = flow_of(kicks, own, members[m], now, !now->length || now->length[m] != 0);
        for (next = m + 1; next < end; next++) {
            carom_flow other = flow_of(kicks, own, members[next], now, !now->length || now->length[next] != 0);
            if (!are_equal(&flow, &other))
                break;
        }
        part.flow = &flow;
        part.element->force(&part, m, next, x, X, slots);
        for (int i = m; i < next; i++)
            set_clock(kicks, own, members[i], now, &flow);
    }
    if (!commits)
        return;
    copy_members(own, block, members, begin, end, true);
    copy_member_losses(own, block, members, begin, end, true);
}

void carom_kick_one_force(const carom_kicks *kicks, const carom_kick_block *own, int i, const carom_kick_instant *now) {
    carom_const_vectors x = (carom_const_vectors)kicks->place, X = (carom_const_vectors)kicks->model->X;
    int e = i - own->begin;
    if (!own->block->history) {
        own->block->element->force(own->block, e, e + 1, x, X, own->slots);
        return;
    }
    carom_block part = *own->block;
    carom_flow flow = flow_of(kicks, own, i, now, true);
    part.flow = &flow;
    part.element->force(&part, e, e + 1, x, X, own->slots);
    set_clock(kicks, own, i, now, &flow);
}

void carom_kick_history_lead(const carom_kicks *kicks, int b, int begin, int end, double time, const double (*x)[3],
                             double *slots) {
    const carom_kick_block *own = &kicks->blocks[b];
    carom_block part = kicks->model->blocks[b];
    const double *clocks = kicks->clocks + own->begin;
    for (int e = begin, next; e < end; e = next) {
        carom_flow flow = flow_at(own, clocks[e], CAROM_USE_COMMIT, time, 0);
        for (next = e + 1; next < end; next++) {
            carom_flow other = flow_at(own, clocks[next], CAROM_USE_COMMIT, time, 0);
            if (!are_equal(&flow, &other))
                break;
        }
        part.flow = &flow;
        part.element->force(&part, e, next, x, (carom_const_vectors)kicks->model->X, slots);
    }
}
