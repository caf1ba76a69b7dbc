// SPDX-License-Identifier: MIT
// The members of a span: elements that kick at its ticks, and the nodes that these move.
//
// A tick at time t covers the time from t - h/2 to t + h/2. An element that joins the ticks has covered the time up to another
// point with its own steps, and so have all members when h changes: the difference is the lead of the member. It is removed at
// the beginning of the span by one kick of length -lead, which may be negative, so that all velocities belong to one time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "integrator/asynchronous/ticks_inside.h"

// Elements up to which one thread collects and links them: about 100 microseconds.
enum { SHARED_ELEMENTS = 2048 };

// Most ticks of a span: far more than any motion needs that can be computed.
enum { MOST_TICKS = 1 << 24 };

// The number of ticks in a span is reduced only if it can be by more than this factor.
static const double min_slowdown = 1.5;

void carom_ticks_members_reserve(carom_ticks *ticks, const bool *touches, bool *enough) {
    const carom_kicks *kicks = &ticks->flight->kicks;
    carom_ticks_members *m = &ticks->members;
    carom_arena *arena = ticks->arena;
    int n = ticks->flight->model->node_count, elements = carom_ticks_last_member(ticks) + 1;
    m->wanted = carom_arena_reserve(arena, elements, sizeof *m->wanted, enough);
    m->of_group = carom_arena_reserve(arena, kicks->group_count, sizeof *m->of_group, enough);
    m->touches = carom_arena_reserve(arena, n, sizeof *m->touches, enough);
    m->chosen = carom_arena_reserve(arena, n, sizeof *m->chosen, enough);
    m->fresh = carom_arena_reserve(arena, n, sizeof *m->fresh, enough);
    m->tick_nodes = carom_arena_reserve(arena, n, sizeof *m->tick_nodes, enough);
    m->is_tick_node = carom_arena_reserve(arena, n, sizeof *m->is_tick_node, enough);
    m->batches = carom_arena_reserve(arena, kicks->block_count, sizeof *m->batches, enough);
    m->mass = carom_arena_reserve(arena, n, sizeof *m->mass, enough);
    m->begin = carom_arena_reserve(arena, (int64_t)n + 2, sizeof *m->begin, enough);
    if (*enough)
        memcpy(m->touches, touches, (size_t)n * sizeof *touches);
}

static void free_capacity(carom_ticks_batch *own) {
    free(own->members);
    free(own->buffer.nodes);
    free(own->buffer.data);
    free(own->buffer.history);
    free(own->buffer.losses);
    free(own->slots);
    free(own->length);
}

void carom_ticks_members_release(carom_ticks *ticks) {
    for (int b = 0; ticks->members.batches && b < ticks->flight->kicks.block_count; b++)
        free_capacity(&ticks->members.batches[b]);
    free(ticks->members.ends);
}

// Notes what elements that join have covered, before a new level changes the step of which their last kick covered half.
static void note_covered(carom_ticks *ticks) {
    const carom_flight *flight = ticks->flight;
    for (int i = 0; i < flight->kicks.count; i++)
        if (ticks->members.wanted[i] && !carom_ticks_is_on_tick(ticks, i))
            ticks->members.lead[i] = carom_kick_covered(&flight->kicks, i) - flight->begin;
}

// Marks the elements that have a chosen node, and finds the longest step allowed for all elements with ticks.
static carom_status choose_elements(carom_ticks *ticks, double *step, carom_error *error) {
    const carom_live_loads *live = &ticks->flight->model->live;
    const carom_ties *ties = &ticks->flight->model->ties;
    const carom_kicks *kicks = &ticks->flight->kicks;
    int count = kicks->count;
    memset(ticks->members.wanted, 0, ((size_t)carom_ticks_last_member(ticks) + 1) * sizeof *ticks->members.wanted);
    for (int k = 0; k < ticks->flight->model->node_count; k++)
        for (int j = kicks->begin[k]; ticks->members.chosen[k] && j < kicks->begin[k + 1]; j++)
            ticks->members.wanted[kicks->ends[j].kicker] = true;
    for (int i = 0; i < live->node_count; i++)
        ticks->members.wanted[count] = ticks->members.wanted[count] || ticks->members.chosen[live->nodes[i]] ||
                                       carom_ticks_is_rigid(ticks, live->nodes[i]);
    if (ticks->rigid.state)
        ticks->members.wanted[carom_ticks_rigid_member(ticks)] = true;
    // elements at nodes tied to rigid bodies kick these; springs act on other nodes
    for (int g = 0; g < ties->tied_count; g++)
        for (int k = ties->tied[g][0], j = kicks->begin[k]; j < kicks->begin[k + 1]; j++)
            ticks->members.wanted[kicks->ends[j].kicker] = true;
    for (int i = 0; i < ticks->springs.count; i++)
        for (int k = ticks->springs.nodes[i], j = kicks->begin[k]; j < kicks->begin[k + 1]; j++)
            ticks->members.wanted[kicks->ends[j].kicker] = true;
    note_covered(ticks);
    if (ticks->levels->flight) {
        carom_status status = carom_levels_choose(ticks->levels, ticks->members.wanted, ticks->members.on_tick, error);
        if (status)
            return status;
    }
    double longest = 0;
    bool divided = false, bounces = ticks->contact.impacts.forces != NULL;
    *step = HUGE_VAL;
    for (int b = 0; b < kicks->block_count; b++) {
        const carom_kick_block *own = &kicks->blocks[b];
        for (int i = own->begin; i < own->begin + own->block->count; i++)
            if (ticks->members.wanted[i] || carom_ticks_is_on_tick(ticks, i)) {
                int level = carom_kick_level(kicks, i);
                double h = carom_kicker_in(own, i)->step, part = level ? ldexp(h, -level) : h;
                *step = part < *step ? part : *step;
                longest = part > longest ? part : longest;
                divided = divided || level > 0;
            }
    }
    bool equal = *step == longest;
    if (ticks->members.wanted[count] || carom_ticks_is_on_tick(ticks, count))
        *step = fmin(*step, ticks->loads->step);
    // pace.least is stable for the reference configuration, not for elements that have become stiffer. Bouncing elements with
    // equal steps have ticks at the times of their own kicks, so that none has a lead when it joins.
    if (!divided && !(bounces && equal))
        *step = fmax(*step, ticks->pace.least);
    if (ticks->rigid.state)
        *step = fmin(*step, fmin(carom_ticks_rigid_step(ticks), ticks->pace.spring));
    return CAROM_OK;
}

// Sets the interval of the ticks: the span divided by a whole number. The last tick has covered half an interval after it, so a
// change of the interval changes all leads.
static void set_step(carom_ticks *ticks, double longest) {
    double span = ticks->flight->step, old = ticks->memory->step;
    int count = isfinite(longest) ? (int)fmax(1, ceil(span / longest * (1 - CAROM_TICKS_SAME))) : 1;
    int before = old > 0 ? (int)lround(span / old) : 0;
    // every change of the interval costs a kick of all elements: one slightly shorter than necessary is kept
    if (before > count && before <= min_slowdown * count)
        count = before;
    ticks->pace.count = count;
    ticks->pace.step = span / count;
    double shift = old > 0 ? 0.5 * (old - ticks->pace.step) : 0;
    if (fabs(shift) <= CAROM_TICKS_SAME * ticks->pace.step)
        shift = 0;
    for (int i = 0; i <= carom_ticks_last_member(ticks) && shift != 0; i++)
        if (carom_ticks_is_on_tick(ticks, i))
            ticks->members.lead[i] += shift;
    ticks->memory->step = ticks->pace.step;
}

// Gives ticks to member i if it is wanted and has none. True if it has just joined, or has a lead, and must kick at the
// beginning of the span.
static bool join_one(carom_ticks *ticks, int i) {
    const carom_kicks *kicks = &ticks->flight->kicks;
    bool late = false;
    if (ticks->members.wanted[i] && !carom_ticks_is_on_tick(ticks, i)) {
        ticks->members.on_tick[i] = 1;
        // that of elements has been noted; rigid bodies join at the start of the run
        if (i >= kicks->count)
            ticks->members.lead[i] = (i == kicks->count ? carom_load_kicks_covered(ticks->loads) : 0) - ticks->flight->begin;
        ticks->members.lead[i] -= 0.5 * ticks->pace.step;
        int count = 0;
        const int *nodes = i < kicks->count ? carom_kick_nodes(kicks, i, &count) : NULL;
        for (int a = 0; a < count; a++)
            ticks->members.fresh[nodes[a]] = true;
        for (int j = 0; i > kicks->count && j < ticks->rigid_node_count; j++)
            ticks->members.fresh[ticks->rigid_nodes[j]] = true;
        for (int j = 0; i > kicks->count && j < ticks->springs.count; j++)
            ticks->members.fresh[ticks->springs.nodes[j]] = true;
        late = true;
    }
    if (carom_ticks_is_on_tick(ticks, i) && fabs(ticks->members.lead[i]) <= CAROM_TICKS_SAME * ticks->pace.step)
        ticks->members.lead[i] = 0;
    return late || (carom_ticks_is_on_tick(ticks, i) && ticks->members.lead[i] != 0);
}

// Gives ticks to all wanted members; true if one has joined, or has a lead, and must kick at the beginning of the span.
static bool join(carom_ticks *ticks) {
    const carom_kicks *kicks = &ticks->flight->kicks;
    memset(ticks->members.of_group, 0, (size_t)kicks->group_count * sizeof *ticks->members.of_group);
    memset(ticks->members.fresh, 0, (size_t)ticks->flight->model->node_count * sizeof *ticks->members.fresh);
    bool late = join_one(ticks, kicks->count);
    if (ticks->rigid.state)
        late = join_one(ticks, carom_ticks_rigid_member(ticks)) || late;
    for (int b = 0; b < kicks->block_count; b++) {
        const carom_kick_block *own = &kicks->blocks[b];
        for (int i = own->begin; i < own->begin + own->block->count; i++) {
            if (!ticks->members.wanted[i] && !carom_ticks_is_on_tick(ticks, i))
                continue;
            late = join_one(ticks, i) || late;
            ticks->members.of_group[carom_kicker_in(own, i)->group]++;
        }
    }
    return late;
}

// Allocates memory for at least `count` elements; contents are lost if it grows.
static bool ensure_capacity(carom_ticks_batch *own, const carom_kick_block *from, int count) {
    if (count <= own->capacity)
        return true;
    free_capacity(own);
    int capacity = count + count / 2;
    bool flows = from->block->history != NULL;
    carom_kick_buffer *buffer = &own->buffer;
    own->capacity = 0;
    own->members = carom_allocate(capacity, sizeof *own->members);
    buffer->nodes = carom_allocate((int64_t)capacity * from->node_count, sizeof *buffer->nodes);
    buffer->data = carom_allocate(carom_lanes_size(capacity, from->block->data_size), sizeof *buffer->data);
    buffer->history = flows ? carom_allocate(carom_lanes_size(capacity, from->block->history_size), sizeof(double)) : NULL;
    buffer->losses = flows ? carom_allocate((int64_t)CAROM_BLOCK_LOSSES * capacity, sizeof(double)) : NULL;
    own->slots = carom_allocate(carom_lanes_size(capacity, 3 * from->node_count), sizeof *own->slots);
    own->length = carom_allocate(capacity, sizeof *own->length);
    if (!own->members || !buffer->nodes || !buffer->data || !own->slots || !own->length)
        return false;
    if (flows && (!buffer->history || !buffer->losses))
        return false;
    own->capacity = capacity;
    return true;
}

// Collects the elements of one block that have ticks. Filling a block is expensive, and spans often have the same members: a
// batch with the same members is kept.
static carom_status fill_batch(carom_ticks *ticks, int b, bool *changed, carom_error *error) {
    const carom_kicks *kicks = &ticks->flight->kicks;
    const carom_kick_block *from = &kicks->blocks[b];
    carom_ticks_batch *own = &ticks->members.batches[b];
    int count = 0;
    bool same_members = true;
    for (int i = from->begin; i < from->begin + from->block->count; i++)
        if (carom_ticks_is_on_tick(ticks, i)) {
            same_members = same_members && count < own->count && own->members[count] == i;
            count++;
        }
    if (same_members && count == own->count)
        return CAROM_OK;
    *changed = true;
    if (!ensure_capacity(own, from, count))
        return carom_no_memory(error, "contact");
    own->count = 0;
    for (int i = from->begin; i < from->begin + from->block->count; i++)
        if (carom_ticks_is_on_tick(ticks, i))
            own->members[own->count++] = i;
    return count ? carom_kick_block_fill(kicks, own->members, count, &own->buffer, ticks->members.mass, &own->block, error)
                 : CAROM_OK;
}

// The elements with ticks of all blocks. Threads process whole bodies, which have no nodes in common.
static carom_status fill_batches(carom_ticks *ticks, bool *changed, carom_error *error) {
    const carom_kicks *kicks = &ticks->flight->kicks;
    bool any = false;
    carom_status failed = CAROM_OK;
#pragma omp parallel for schedule(dynamic, 1) reduction(|| : any) if (kicks->count > SHARED_ELEMENTS && kicks->run_count > 1)
    for (int r = 0; r < kicks->run_count; r++)
        for (int b = kicks->runs[r]; b < kicks->runs[r + 1]; b++) {
            carom_error own;
            carom_status status = fill_batch(ticks, b, &any, &own);
            if (status) {
#pragma omp critical(carom_fill_batches)
                {
                    failed = status;
                    *error = own;
                }
            }
        }
    *changed = any;
    return failed;
}

// Counts the forces on each node of a block in begin[k + 2]: fill_ends then moves each begin[k + 1] to its final value.
static void count_ends(carom_ticks_members *m, int b) {
    const carom_ticks_batch *own = &m->batches[b];
    for (int64_t i = 0; i < (int64_t)own->count * own->block.node_count; i++)
        m->begin[own->buffer.nodes[i] + 2]++;
}

static void fill_ends(carom_ticks_members *m, int b) {
    const carom_ticks_batch *own = &m->batches[b];
    int n = own->block.node_count;
    for (int i = 0; i < own->count; i++)
        for (int a = 0; a < n; a++)
            m->ends[m->begin[own->buffer.nodes[(int64_t)i * n + a] + 1]++] =
                (carom_ticks_end){b, i, carom_lane(i, 3 * a, 3 * n)};
}

// Lists the forces on each node, so that threads can share the nodes and add forces up in the order of elements.
static carom_status link_ends(carom_ticks *ticks, carom_error *error) {
    const carom_kicks *kicks = &ticks->flight->kicks;
    carom_ticks_members *m = &ticks->members;
    int64_t *begin = m->begin, count = 0;
    int nodes = ticks->flight->model->node_count;
    memset(begin, 0, ((size_t)nodes + 2) * sizeof *begin);
    m->element_count = 0;
    for (int b = 0; b < kicks->block_count; b++) {
        m->element_count += m->batches[b].count;
        count += (int64_t)m->batches[b].count * m->batches[b].block.node_count;
    }
#pragma omp parallel for schedule(dynamic, 1) if (m->element_count > SHARED_ELEMENTS && kicks->run_count > 1)
    for (int r = 0; r < kicks->run_count; r++)
        for (int b = kicks->runs[r]; b < kicks->runs[r + 1]; b++)
            count_ends(m, b);
    if (count > m->end_capacity) {
        free(m->ends);
        m->end_capacity = count + count / 2;
        m->ends = carom_allocate(m->end_capacity, sizeof *m->ends);
        if (!m->ends) {
            m->end_capacity = 0;
            return carom_no_memory(error, "contact");
        }
    }
    for (int k = 0; k < nodes; k++)
        begin[k + 2] += begin[k + 1];
#pragma omp parallel for schedule(dynamic, 1) if (m->element_count > SHARED_ELEMENTS && kicks->run_count > 1)
    for (int r = 0; r < kicks->run_count; r++)
        for (int b = kicks->runs[r]; b < kicks->runs[r + 1]; b++)
            fill_ends(m, b);
    return CAROM_OK;
}

// Adds a node to the nodes of ticks.
static void add_tick_node(carom_ticks *ticks, int k) {
    if (ticks->members.is_tick_node[k])
        return;
    ticks->members.is_tick_node[k] = true;
    ticks->members.tick_nodes[ticks->members.tick_node_count++] = k;
}

// Lists the nodes that ticks or contact may move: nodes of elements with ticks, chosen nodes and those that share a face with
// one, nodes of rigid bodies, and ends of springs.
static void find_tick_nodes(carom_ticks *ticks) {
    const carom_model *model = ticks->flight->model;
    const carom_surface *surface = &model->surface;
    memset(ticks->members.is_tick_node, 0, (size_t)model->node_count * sizeof *ticks->members.is_tick_node);
    ticks->members.tick_node_count = 0;
    for (int b = 0; b < ticks->flight->kicks.block_count; b++) {
        const carom_ticks_batch *own = &ticks->members.batches[b];
        for (int64_t i = 0; i < (int64_t)own->count * own->block.node_count; i++)
            add_tick_node(ticks, own->buffer.nodes[i]);
    }
    for (int k = 0; k < model->node_count; k++) {
        if (!ticks->members.chosen[k])
            continue;
        add_tick_node(ticks, k);
        for (int i = surface->face_count ? surface->node_faces_begin[k] : 0;
             surface->face_count && i < surface->node_faces_begin[k + 1]; i++)
            for (int c = 0; c < surface->corners; c++)
                add_tick_node(ticks, surface->faces[surface->node_faces[i]][c]);
    }
    for (int j = 0; j < ticks->rigid_node_count; j++)
        add_tick_node(ticks, ticks->rigid_nodes[j]);
    for (int j = 0; j < ticks->springs.count; j++)
        add_tick_node(ticks, ticks->springs.nodes[j]);
}

// Clears the ticks when no contact is possible and no member has ticks.
static void stop(carom_ticks *ticks) {
    const carom_kicks *kicks = &ticks->flight->kicks;
    ticks->memory->step = ticks->pace.step = 0;
    ticks->members.tick_node_count = 0;
    for (int b = 0; b < kicks->block_count; b++)
        ticks->members.batches[b].count = 0;
    ticks->members.element_count = 0;
    memset(ticks->members.of_group, 0, (size_t)kicks->group_count * sizeof *ticks->members.of_group);
}

carom_status carom_ticks_choose_members(carom_ticks *ticks, bool *late, double *fraction, carom_error *error) {
    const carom_kicks *kicks = &ticks->flight->kicks;
    carom_ticks_pace *pace = &ticks->pace;
    *late = false;
    *fraction = 1;
    pace->done = pace->count = 0;
    bool touches = carom_neighbours_count(&ticks->contacts.neighbours) > 0, any = touches;
    any = any || ticks->rigid.state;
    for (int i = 0; i <= kicks->count && !any; i++)
        any = carom_ticks_is_on_tick(ticks, i);
    if (!any) {
        stop(ticks);
        return CAROM_OK;
    }
    double longest;
    carom_status status = choose_elements(ticks, &longest, error);
    if (status)
        return status;
    if (ticks->flight->step > longest * MOST_TICKS)
        return carom_fail(
            error, CAROM_NUMERICAL,
            "more than %d steps are needed in the step at time %g (step %lld): a rigid body turns too fast, or an "
            "element is crushed",
            MOST_TICKS, ticks->flight->begin, (long long)ticks->flight->state->step + 1);
    set_step(ticks, longest);

    // in a long span with contact too many nodes are chosen: it is shortened, in whole ticks
    double part = fmin(1, CAROM_TICKS_LONGEST_PATH * carom_ticks_length(ticks) / ticks->paths.longest);
    int count = touches ? (int)fmax(1, floor(pace->count * part)) : pace->count;
    if (count < pace->count) {
        *fraction = (double)count / pace->count;
        return CAROM_OK;
    }
    *late = join(ticks);
    // `slow` of the contact layer was set for the step of the flight; scaled to the interval of ticks
    ticks->contacts.neighbours.layer.slow *= ticks->flight->step / pace->step;
    bool changed;
    status = fill_batches(ticks, &changed, error);
    if (!status && changed)
        status = link_ends(ticks, error);
    find_tick_nodes(ticks);
    return status;
}
