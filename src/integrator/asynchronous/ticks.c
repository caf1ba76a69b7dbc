// SPDX-License-Identifier: MIT
// Whose ticks. A pair of surfaces may act in a span if it comes within the range of contact while its nodes stay within the allowance A of their straight
// ways. With d the distance of its features and r the largest speed of its nodes against each other, both at the beginning and at the end of the span,
//
//     min(d(0), d(h)) <= range + 2 A + r h/2
//
// holds for all that do. It is a function of positions and velocities alone, not of how the pairs were found, so that a restart chooses the same nodes.
//
// Weights. At a tick at time t the clock covers the time from t - h/2 to t + h/2: an element kicks with h, less its lead. Leads come from
// elements that have covered more or less with their own steps when they come, and from changes of h. They are kicked away at once, with what may be negative: until then nodes would
// fly with velocities that belong to no common time.
#include "integrator/asynchronous/ticks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum { STEP, SPEED, USED, SPAN, NUMBERS };

// Threads take chunks of elements, above so many.
enum { CHUNK = 512, SHARED = 4096 };

// In units of the shortest side: the bounds of the first allowance. So many ways of the fastest node are it between them.
static const double least_allowance = 0.002, most_allowance = 0.05, ways = 2;

// A span is allowed so much more than the one before it used.
static const double more = 2;

// Spans with contact are cut if nodes may go farther in them than this part of the shortest side.
static const double far_away = 0.25;

// The clock is not slowed down for less than this factor.
static const double slower = 1.5;

// Times that differ by less than this part of a step are the same.
static const double same = 1e-9;

// ---- memory ----

carom_status carom_ticks_create(carom_ticks *clock, carom_flight *flight, const bool *touches, double least_step,
                                carom_error *error) {
    const carom_model *model = flight->model;
    int n = model->node_count, elements = flight->kicks.count + 1;
    *clock = (carom_ticks){.flight = flight, .least_step = least_step};
    clock->numbers = carom_state_add_array(flight->state, "contact clock", NUMBERS);
    clock->away = carom_state_add_array(flight->state, "on the clock", elements);
    clock->lead = carom_state_add_array(flight->state, "lead", elements);
    clock->middle = (carom_vectors)carom_state_add_array(flight->state, "middle of ticks", 3 * (int64_t)n);
    clock->touches = carom_allocate(n, sizeof *clock->touches);
    clock->on = carom_allocate(n, sizeof *clock->on);
    clock->carried = carom_allocate(n, sizeof *clock->carried);
    clock->is_carried = carom_allocate(n, sizeof *clock->is_carried);
    clock->fresh = carom_allocate(n, sizeof *clock->fresh);
    clock->wanted = carom_allocate(elements, sizeof *clock->wanted);
    clock->gone = carom_allocate(flight->kicks.group_count, sizeof *clock->gone);
    clock->batches = carom_allocate(flight->kicks.block_count, sizeof *clock->batches);
    clock->mass = carom_allocate(n, sizeof *clock->mass);
    clock->x_line = carom_allocate(n, sizeof *clock->x_line);
    clock->w_line = carom_allocate(n, sizeof *clock->w_line);
    clock->w_before = carom_allocate(n, sizeof *clock->w_before);
    clock->whole = carom_allocate(n, sizeof *clock->whole);
    clock->answer = carom_allocate(n, sizeof *clock->answer);
    clock->pairs.begin = carom_allocate((int64_t)n + 1, sizeof *clock->pairs.begin);
    const carom_candidates *all = &model->candidates;
    clock->fixed.items = carom_allocate(all->count, sizeof *clock->fixed.items);
    clock->fixed.begin = carom_allocate((int64_t)n + 1, sizeof *clock->fixed.begin);
    clock->fixed.of_node = carom_allocate(all->begin ? all->begin[n] : 0, sizeof *clock->fixed.of_node);
    if (!clock->numbers || !clock->away || !clock->lead || !clock->middle || !clock->touches || !clock->on || !clock->carried ||
        !clock->is_carried || !clock->fresh || !clock->wanted || !clock->gone || !clock->batches || !clock->mass ||
        !clock->x_line || !clock->w_line || !clock->w_before || !clock->whole || !clock->answer || !clock->pairs.begin ||
        !clock->fixed.items || !clock->fixed.begin || !clock->fixed.of_node)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    memcpy(clock->touches, touches, (size_t)n * sizeof *touches);
    carom_status status = carom_contact_step_create(&clock->contact, model, flight->state, "whole kicks", error);
    return status ? status : carom_search_create(model, flight->step, &clock->search, error);
}

void carom_ticks_release(carom_ticks *clock) {
    carom_search_release(&clock->search);
    carom_contact_step_release(&clock->contact);
    for (int b = 0; clock->batches && b < clock->flight->kicks.block_count; b++) {
        carom_ticks_batch *own = &clock->batches[b];
        free(own->members);
        free(own->nodes);
        free(own->data);
        free(own->slots);
    }
    free(clock->batches);
    free(clock->touches);
    free(clock->on);
    free(clock->carried);
    free(clock->is_carried);
    free(clock->fresh);
    free(clock->wanted);
    free(clock->gone);
    free(clock->mass);
    free(clock->x_line);
    free(clock->w_line);
    free(clock->w_before);
    free(clock->whole);
    free(clock->answer);
    free(clock->pairs.features);
    free(clock->pairs.nodes);
    free(clock->pairs.begin);
    free(clock->pairs.of_node);
    free(clock->fixed.items);
    free(clock->fixed.begin);
    free(clock->fixed.of_node);
    carom_hits_release(&clock->hits);
    *clock = (carom_ticks){0};
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
}

// ---- what may touch ----

// The scale of distances; 0 if there is none.
static double length_of(const carom_ticks *clock) {
    const carom_model *model = clock->flight->model;
    return model->surface.face_count ? model->surface_length : model->contact_length;
}

// The largest speed of a node that can touch something, against the mean of all of them; where there is no scale of distances, points fall on planes at rest.
static double largest_speed(const carom_ticks *clock) {
    const carom_flight *flight = clock->flight;
    double mean[3] = {0}, square = 0;
    int count = 0;
    for (int k = 0; k < flight->model->node_count; k++)
        if (clock->touches[k]) {
            carom_add_scaled(1, flight->w[k], mean);
            count++;
        }
    for (int d = 0; d < 3 && count; d++)
        mean[d] = length_of(clock) > 0 ? mean[d] / count : 0;
    for (int k = 0; k < flight->model->node_count; k++)
        if (clock->touches[k]) {
            double u[3];
            carom_difference(flight->w[k], mean, u);
            square = fmax(square, carom_dot(u, u));
        }
    return sqrt(square);
}

double carom_ticks_allowance(const carom_ticks *clock) {
    double length = length_of(clock);
    double way = ways * clock->flight->step * largest_speed(clock);
    double first = length > 0 ? fmax(fmin(way, most_allowance * length), least_allowance * length) : way;
    return fmax(first, more * clock->numbers[USED] * clock->flight->step);
}

// True if pair number i of the list may act in the span. Where all of its nodes are on the clock already a rough look will do.
static bool may_meet(const carom_ticks *clock, const carom_neighbours *neighbours, int i, double range) {
    const carom_flight *flight = clock->flight;
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
    double y[4][3], v[4][3], h = flight->step, square = 0;
    carom_neighbours_place(neighbours, i, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, 0, y, v);
    int n = carom_narrow_count(kind), split = carom_narrow_split(kind);
    for (int a = 0; a < split; a++)
        for (int b = split; b < n; b++) {
            double u[3];
            carom_difference(v[a], v[b], u);
            square = fmax(square, carom_dot(u, u));
        }
    double far = range + carom_neighbours_layer(neighbours, i).offset + 2 * clock->allowance + 0.5 * h * sqrt(square);
    if (!carom_narrow_boxes_meet(kind, (carom_const_vectors)y, (carom_const_vectors)v, 0, h, far))
        return false;
    const int *node = neighbours->pairs->nodes[i - neighbours->fixed->count];
    bool known = true;
    for (int k = 0; k < n; k++)
        known = known && clock->on[node[k]];
    if (known)
        return true;
    carom_nearest nearest;
    carom_narrow_nearest(kind, (carom_const_vectors)y, NULL, &nearest);
    if (nearest.distance <= far)
        return true;
    carom_neighbours_place(neighbours, i, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, h, y, v);
    carom_narrow_nearest(kind, (carom_const_vectors)y, NULL, &nearest);
    return nearest.distance <= far;
}

// Which contacts each node has, given those of number i.
static void link_contacts(const carom_neighbours *neighbours, int first, int count, int node_count, int *begin, int *of_node) {
    int node[4];
    memset(begin, 0, ((size_t)node_count + 1) * sizeof *begin);
    for (int i = first; i < first + count; i++)
        for (int k = 0, n = carom_neighbours_nodes(neighbours, i, node); k < n; k++)
            begin[node[k] + 1]++;
    for (int k = 0; k < node_count; k++)
        begin[k + 1] += begin[k];
    for (int i = first; i < first + count; i++)
        for (int k = 0, n = carom_neighbours_nodes(neighbours, i, node); k < n; k++)
            of_node[begin[node[k]]++] = i - first;
    memmove(begin + 1, begin, (size_t)node_count * sizeof *begin);
    begin[0] = 0;
}

static bool make_room(carom_pair_list *pairs, int count) {
    if (count <= pairs->capacity)
        return true;
    free(pairs->features);
    free(pairs->nodes);
    free(pairs->of_node);
    pairs->capacity = count + count / 2;
    pairs->features = carom_allocate(pairs->capacity, sizeof *pairs->features);
    pairs->nodes = carom_allocate(pairs->capacity, sizeof *pairs->nodes);
    pairs->of_node = carom_allocate(4 * pairs->capacity, sizeof *pairs->of_node);
    if (pairs->features && pairs->nodes && pairs->of_node)
        return true;
    pairs->capacity = 0;
    return false;
}

static void put_on(carom_ticks *clock, const int *nodes, int count) {
    for (int k = 0; k < count; k++)
        clock->on[nodes[k]] = true;
}

// The pairs of the list that may act in the span.
static carom_status choose_pairs(carom_ticks *clock, carom_error *error) {
    const carom_neighbours all = carom_search_neighbours(&clock->search);
    carom_pair_list *pairs = &clock->pairs;
    int begin = all.fixed->count;
    double range = carom_search_range(&clock->search);
    pairs->count = pairs->node_pair_count = 0;
    if (!make_room(pairs, all.pairs->count))
        return no_memory(error);
    for (int p = 0; p < all.pairs->count; p++) {
        if (!may_meet(clock, &all, begin + p, range))
            continue;
        memcpy(pairs->features[pairs->count], all.pairs->features[p], sizeof *pairs->features);
        memcpy(pairs->nodes[pairs->count], all.pairs->nodes[p], sizeof *pairs->nodes);
        put_on(clock, pairs->nodes[pairs->count], all.surface->corners == 2 ? 3 : 4);
        pairs->count++;
        pairs->node_pair_count += p < all.pairs->node_pair_count;
    }
    return CAROM_OK;
}

// The contacts of fixed geometry that may act in the span.
static void choose_fixed(carom_ticks *clock) {
    const carom_flight *flight = clock->flight;
    const carom_candidates *all = &flight->model->candidates;
    clock->fixed.count = 0;
    for (int c = 0; c < all->count; c++) {
        const carom_contact *contact = &all->items[c];
        double gap = carom_contact_gap(contact, (carom_const_vectors)flight->x), sides = 0;
        double end = gap + flight->step * carom_contact_rate(contact, (carom_const_vectors)flight->w);
        for (int k = 0; k < contact->count; k++)
            sides += fabs(contact->weight[k]);
        if (fmin(gap, end) <= sides * clock->allowance) {
            clock->fixed.items[clock->fixed.count++] = *contact;
            put_on(clock, contact->node, contact->count);
        }
    }
}

carom_status carom_ticks_choose(carom_ticks *clock, carom_error *error) {
    carom_flight *flight = clock->flight;
    int n = flight->model->node_count;
    size_t size = (size_t)n * sizeof *flight->x;
    clock->search.step = flight->step;
    // what passes the test below must be in the list whatever that was made for
    double allowance = clock->allowance + 0.5 * flight->step * largest_speed(clock);
    clock->way = allowance;
    clock->search.room = fmax(0.99 * clock->search.room, 2 * allowance);
    carom_status status =
        carom_search_list(&clock->search, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, allowance, error);
    clock->neighbours = carom_search_neighbours(&clock->search);
    memset(clock->on, 0, (size_t)n * sizeof *clock->on);
    if (!status && clock->neighbours.pairs)
        status = choose_pairs(clock, error);
    if (status)
        return status;
    choose_fixed(clock);
    clock->neighbours.fixed = &clock->fixed;
    if (clock->neighbours.pairs)
        clock->neighbours.pairs = &clock->pairs;
    int fixed = clock->fixed.count, count = carom_neighbours_count(&clock->neighbours);
    link_contacts(&clock->neighbours, 0, fixed, n, clock->fixed.begin, clock->fixed.of_node);
    if (clock->neighbours.pairs)
        link_contacts(&clock->neighbours, fixed, count - fixed, n, clock->pairs.begin, clock->pairs.of_node);
    memcpy(clock->x_line, flight->x, size);
    memcpy(clock->w_line, flight->w, size);
    return CAROM_OK;
}

bool carom_ticks_meets_new(const carom_ticks *clock) {
    const carom_state *state = clock->flight->state;
    int last[2] = {-2, -2};
    for (int i = 0, count = carom_neighbours_count(&clock->neighbours); i < count; i++) {
        int body[2];
        if (carom_neighbours_is_fixed(&clock->neighbours, i))
            memcpy(body, clock->fixed.items[i].body, sizeof body);
        else
            carom_neighbours_bodies(&clock->neighbours, i - clock->fixed.count, body);
        if (memcmp(body, last, sizeof body) == 0)
            continue;
        memcpy(last, body, sizeof body);
        // a body does not close against itself
        bool known = body[0] == body[1];
        for (int p = 0; p < state->pair_count && !known; p++) {
            const int *other = state->pairs[p].body;
            known = (other[0] == body[0] && other[1] == body[1]) || (other[0] == body[1] && other[1] == body[0]);
        }
        if (!known)
            return true;
    }
    return false;
}

// ---- who kicks ----

// Marks what has a node on the clock; returns the longest step that suits all on the clock.
static double choose_elements(carom_ticks *clock, const carom_ticks_loads *loads) {
    const carom_kicks *kicks = &clock->flight->kicks;
    int count = kicks->count;
    double step = HUGE_VAL;
    memset(clock->wanted, 0, ((size_t)count + 1) * sizeof *clock->wanted);
    for (int k = 0; k < clock->flight->model->node_count; k++)
        for (int j = kicks->begin[k]; clock->on[k] && j < kicks->begin[k + 1]; j++)
            clock->wanted[kicks->ends[j].kicker] = true;
    for (int i = 0; i < loads->count; i++)
        clock->wanted[count] = clock->wanted[count] || clock->on[loads->nodes[i]];
    for (int i = 0; i < count; i++)
        if (clock->wanted[i] || clock->away[i] > 0)
            step = fmin(step, carom_kicker_of(kicks, i)->step);
    return clock->wanted[count] || clock->away[count] > 0 ? fmin(step, loads->step) : step;
}

// The step of the ticks: a whole part of the span.
static void set_step(carom_ticks *clock, double longest) {
    double span = clock->flight->step, old = clock->numbers[STEP];
    int count = isfinite(longest) ? (int)fmax(1, ceil(span / longest * (1 - same))) : 1;
    int before = old > 0 ? (int)lround(span / old) : 0;
    if (before > count && before <= slower * count)
        count = before;
    clock->tick_count = count;
    clock->step = span / count;
    double shift = old > 0 ? 0.5 * (old - clock->step) : 0;
    if (fabs(shift) <= same * clock->step)
        shift = 0;
    for (int i = 0; i <= clock->flight->kicks.count && shift != 0; i++)
        if (clock->away[i] > 0)
            clock->lead[i] += shift;
    clock->numbers[STEP] = clock->step;
}

// Takes in what has a node on the clock; true if anything is new, or has to kick at once.
static bool take_in(carom_ticks *clock, const carom_ticks_loads *loads) {
    const carom_kicks *kicks = &clock->flight->kicks;
    double begin = clock->flight->begin;
    bool late = false;
    memset(clock->gone, 0, (size_t)kicks->group_count * sizeof *clock->gone);
    memset(clock->fresh, 0, (size_t)clock->flight->model->node_count * sizeof *clock->fresh);
    for (int i = 0; i <= kicks->count; i++) {
        if (clock->wanted[i] && !(clock->away[i] > 0)) {
            double until = i < kicks->count ? carom_kick_covered(kicks, i) : loads->covered;
            clock->away[i] = 1;
            clock->lead[i] = until - begin - 0.5 * clock->step;
            int count = 0;
            const int *nodes = i < kicks->count ? carom_kick_nodes(kicks, i, &count) : NULL;
            for (int a = 0; a < count; a++)
                clock->fresh[nodes[a]] = true;
            late = true;
        }
        if (clock->away[i] > 0 && fabs(clock->lead[i]) <= same * clock->step)
            clock->lead[i] = 0;
        if (i < kicks->count && clock->away[i] > 0)
            clock->gone[carom_kicker_of(kicks, i)->group]++;
        late = late || (clock->away[i] > 0 && clock->lead[i] != 0);
    }
    return late;
}

static bool make_batch_room(carom_ticks_batch *own, const carom_kick_block *from, int count) {
    if (count <= own->capacity)
        return true;
    free(own->members);
    free(own->nodes);
    free(own->data);
    free(own->slots);
    own->capacity = count + count / 2;
    own->members = carom_allocate(own->capacity, sizeof *own->members);
    own->nodes = carom_allocate(own->capacity * from->node_count, sizeof *own->nodes);
    own->data = carom_allocate(carom_lanes_size((int)own->capacity, from->block->data_size), sizeof(double));
    own->slots = carom_allocate(carom_lanes_size((int)own->capacity, 3 * from->node_count), sizeof *own->slots);
    if (own->members && own->nodes && own->data && own->slots)
        return true;
    own->capacity = 0;
    return false;
}

// The elements of one block that are on the clock; what is there already is kept.
static carom_status fill_batch(carom_ticks *clock, int b, carom_error *error) {
    const carom_kicks *kicks = &clock->flight->kicks;
    const carom_kick_block *from = &kicks->blocks[b];
    carom_ticks_batch *own = &clock->batches[b];
    int count = 0;
    bool same_members = true;
    for (int i = from->begin; i < from->begin + from->block->count; i++)
        if (clock->away[i] > 0) {
            same_members = same_members && count < own->count && own->members[count] == i;
            count++;
        }
    if (same_members && count == own->count)
        return CAROM_OK;
    if (!make_batch_room(own, from, count))
        return no_memory(error);
    own->count = 0;
    for (int i = from->begin; i < from->begin + from->block->count; i++)
        if (clock->away[i] > 0)
            own->members[own->count++] = i;
    return count ? carom_kick_block_fill(kicks, own->members, count, own->nodes, own->data, clock->mass, &own->block, error)
                 : CAROM_OK;
}

static void carry(carom_ticks *clock, int k) {
    if (clock->is_carried[k])
        return;
    clock->is_carried[k] = true;
    clock->carried[clock->carried_count++] = k;
}

// The nodes of all elements on the clock, those that are on it, and those that share a face with one.
static void find_carried(carom_ticks *clock) {
    const carom_model *model = clock->flight->model;
    const carom_surface *surface = &model->surface;
    memset(clock->is_carried, 0, (size_t)model->node_count * sizeof *clock->is_carried);
    clock->carried_count = 0;
    for (int b = 0; b < clock->flight->kicks.block_count; b++) {
        const carom_ticks_batch *own = &clock->batches[b];
        for (int64_t i = 0; i < (int64_t)own->count * own->block.node_count; i++)
            carry(clock, own->nodes[i]);
    }
    for (int k = 0; k < model->node_count; k++) {
        if (!clock->on[k])
            continue;
        carry(clock, k);
        for (int i = surface->face_count ? surface->node_faces_begin[k] : 0;
             surface->face_count && i < surface->node_faces_begin[k + 1]; i++)
            for (int c = 0; c < surface->corners; c++)
                carry(clock, surface->faces[surface->node_faces[i]][c]);
    }
}

carom_status carom_ticks_start(carom_ticks *clock, const carom_ticks_loads *loads, bool *late, double *fit,
                               carom_error *error) {
    const carom_kicks *kicks = &clock->flight->kicks;
    clock->outran = *late = false;
    *fit = 1;
    clock->hits.count = clock->last_kick = clock->contact.impacts.hits.count = 0;
    clock->tick = clock->tick_count = 0;
    clock->used = 0;
    bool any = carom_neighbours_count(&clock->neighbours) > 0, touches = any;
    for (int i = 0; i <= kicks->count && !any; i++)
        any = clock->away[i] > 0;
    if (!any) {
        clock->numbers[STEP] = clock->step = 0;
        clock->carried_count = 0;
        for (int b = 0; b < kicks->block_count; b++)
            clock->batches[b].count = 0;
        memset(clock->gone, 0, (size_t)kicks->group_count * sizeof *clock->gone);
        return CAROM_OK;
    }
    set_step(clock, fmax(choose_elements(clock, loads), clock->least_step));
    int ticks = touches ? (int)fmax(1, floor(clock->tick_count * fmin(1, far_away * length_of(clock) / clock->way)))
                        : clock->tick_count;
    if (ticks < clock->tick_count) {
        *fit = (double)ticks / clock->tick_count;
        return CAROM_OK;
    }
    *late = take_in(clock, loads);
    clock->neighbours.layer.slow *= clock->flight->step / clock->step;
    carom_status status = CAROM_OK;
    for (int b = 0; b < kicks->block_count && !status; b++)
        status = fill_batch(clock, b, error);
    find_carried(clock);
    return status;
}

// ---- ticks ----

double carom_ticks_next(const carom_ticks *clock) {
    if (clock->tick >= clock->tick_count)
        return HUGE_VAL;
    int next = clock->tick + 1;
    return next == clock->tick_count ? clock->flight->step : next * clock->step;
}

// The time up to which element i has kicked.
static double covered(const carom_ticks *clock, int i) {
    return clock->tick * clock->step + carom_ticks_ahead(clock, i);
}

double carom_ticks_weight(carom_ticks *clock, int i, bool first) {
    if (!(clock->away[i] > 0))
        return 0;
    // at the beginning what each is late or ahead, so that all are in the middle of a tick
    double weight = (first ? 0 : clock->step) - clock->lead[i];
    clock->lead[i] = 0;
    return weight;
}

double carom_ticks_let_go(carom_ticks *clock, int i, double h, double t) {
    if (clock->wanted[i])
        return 0;
    double weight = t + 0.5 * h - covered(clock, i);
    if (!(weight > 0) || weight > (1 + same) * h)
        return 0;
    clock->away[i] = clock->lead[i] = 0;
    if (i < clock->flight->kicks.count)
        clock->gone[carom_kicker_of(&clock->flight->kicks, i)->group]--;
    return weight;
}

// The forces of all elements on the clock, nodes where they are.
static void find_forces(carom_ticks *clock) {
    const carom_kicks *kicks = &clock->flight->kicks;
    for (int b = 0; b < kicks->block_count; b++) {
        carom_ticks_batch *own = &clock->batches[b];
        const carom_block *block = &own->block;
#pragma omp parallel for schedule(static) if (own->count > SHARED)
        for (int begin = 0; begin < own->count; begin += CHUNK)
            block->element->force(block, begin, begin + CHUNK < own->count ? begin + CHUNK : own->count,
                                  (carom_const_vectors)kicks->place, (carom_const_vectors)clock->flight->model->X, own->slots);
    }
}

// What a whole kick would give: all forces for one step.
static void find_whole_kick(carom_ticks *clock) {
    const carom_flight *flight = clock->flight;
    const carom_model *model = flight->model;
    for (int j = 0; j < clock->carried_count; j++) {
        int k = clock->carried[j];
        for (int d = 0; d < 3; d++)
            clock->whole[k][d] = model->loaded ? clock->step / model->mass[k] * model->load[k][d] : 0;
    }
    for (int b = 0; b < flight->kicks.block_count; b++) {
        const carom_ticks_batch *own = &clock->batches[b];
        int n = own->block.node_count;
        for (int m = 0; m < own->count; m++)
            for (int a = 0; a < n && clock->away[own->members[m]] > 0; a++) {
                int k = own->nodes[(int64_t)m * n + a];
                for (int d = 0; d < 3; d++)
                    clock->whole[k][d] += clock->step / model->mass[k] * own->slots[carom_lane(m, 3 * a + d, 3 * n)];
            }
    }
    for (int j = 0; j < clock->carried_count; j++) {
        const carom_restraint *restraint = carom_restraint_of(&flight->restraints, clock->carried[j]);
        if (restraint)
            carom_restraint_project(restraint, clock->whole[clock->carried[j]]);
    }
}

int carom_ticks_kick(carom_ticks *clock, double t, bool first, const double (*undriven)[3]) {
    carom_flight *flight = clock->flight;
    carom_kicks *kicks = &flight->kicks;
    int kicked = 0;
    if (!first)
        clock->tick++;
    for (int j = 0; j < clock->carried_count; j++) {
        int k = clock->carried[j];
        carom_flight_place(flight, k, t, kicks->place[k]);
        carom_copy(flight->w[k], clock->w_before[k]);
    }
    for (int r = 0; undriven && r < flight->restraints.count; r++)
        carom_copy(undriven[r], clock->w_before[flight->restraints.items[r].node]);
    find_forces(clock);
    clock->whole_known = first;
    for (int b = 0; b < kicks->block_count; b++) {
        const carom_ticks_batch *own = &clock->batches[b];
        int n = own->block.node_count;
        for (int m = 0; m < own->count; m++) {
            double weight = carom_ticks_weight(clock, own->members[m], first);
            clock->whole_known = clock->whole_known || weight != clock->step;
            if (weight == 0)
                continue;
            for (int a = 0; a < n; a++) {
                carom_copy(kicks->place[own->nodes[(int64_t)m * n + a]], kicks->q[a]);
                for (int d = 0; d < 3; d++)
                    kicks->f[a][d] = own->slots[carom_lane(m, 3 * a + d, 3 * n)];
            }
            carom_flight_kick(flight, &own->nodes[(int64_t)m * n], n, weight, (carom_const_vectors)kicks->f,
                              (carom_const_vectors)kicks->q, t);
            kicked++;
        }
    }
    carom_flight_book(flight);
    if (clock->whole_known)
        find_whole_kick(clock);
    return kicked;
}

// Notes how much of the allowance a node uses that will be `part` of it away from its straight way at most.
static void watch(carom_ticks *clock, int k, double end, double part) {
    const carom_flight *flight = clock->flight;
    double way[3];
    for (int d = 0; d < 3; d++)
        way[d] = flight->x[k][d] - clock->x_line[k][d] + end * (flight->w[k][d] - clock->w_line[k][d]);
    double used = carom_dot(way, way) / (part * part);
    clock->used = fmax(clock->used, used);
    clock->outran = clock->outran || !(used <= clock->allowance * clock->allowance);
}

void carom_ticks_watch(carom_ticks *clock, const int *nodes, int count) {
    for (int i = 0; i < count; i++)
        if (!clock->on[nodes[i]])
            watch(clock, nodes[i], clock->flight->step, 1);
}

// A drift between two ticks and the kick at one of them.
static carom_contact_moment moment_of(const carom_ticks *clock) {
    const carom_flight *flight = clock->flight;
    return (carom_contact_moment){
        .neighbours = clock->neighbours,
        .mobility = flight->mobility,
        .nodes = clock->carried,
        .node_count = clock->carried_count,
        .length = flight->model->contact_length,
        .reach = carom_search_reach(&clock->search),
        .time = flight->begin,
        .step = clock->step,
        .flies = true,
        .allowance = 0.5 * clock->allowance,
        .kick_part = 1,
        .kick_speed = clock->numbers[SPEED],
    };
}

// Contact answers the kick at time t.
static carom_status answer(carom_ticks *clock, double t, bool first, carom_error *error) {
    carom_flight *flight = clock->flight;
    carom_contact_step *contact = &clock->contact;
    double most = 0;
    // velocities after the kick, for now
    for (int j = 0; j < clock->carried_count; j++) {
        int k = clock->carried[j];
        if (!clock->whole_known)
            carom_difference(flight->w[k], clock->w_before[k], clock->whole[k]);
        most = fmax(most, carom_dot(clock->whole[k], clock->whole[k]));
        carom_copy(flight->w[k], clock->answer[k]);
    }
    clock->numbers[SPEED] = first ? fmax(clock->numbers[SPEED], sqrt(most)) : sqrt(most);
    carom_contact_moment moment = moment_of(clock);
    moment.node_count = first ? 0 : clock->carried_count;
    moment.begin = t - clock->step;
    moment.kick_time = flight->begin + t;
    carom_status status = carom_contact_step_answer(contact, &moment, (carom_const_vectors)flight->kicks.place,
                                                    (carom_const_vectors)clock->w_before, flight->w, error);
    for (int j = 0; j < clock->carried_count; j++) {
        int k = clock->carried[j];
        double change[3];
        carom_difference(flight->w[k], clock->answer[k], change);
        carom_copy(change, clock->answer[k]);
        carom_add_scaled(-t, change, flight->x[k]);
        if (first && !clock->fresh[k])
            continue;
        if (contact->impacts.forces && clock->whole_known)
            carom_copy(clock->whole[k], contact->impacts.forces[k]);
        for (int d = 0; d < 3; d++)
            clock->middle[k][d] = flight->w[k][d] - 0.5 * (clock->whole[k][d] + change[d]);
    }
    return status;
}

// What has happened waits to be booked until the span is known to hold.
static void keep_hits(carom_ticks *clock, int kick) {
    carom_hits *hits = &clock->contact.impacts.hits;
    clock->last_kick = clock->hits.count + kick;
    for (int i = 0; i < hits->count; i++)
        carom_hits_add(&clock->hits, &hits->items[i]);
    clock->hits.failed = clock->hits.failed || hits->failed;
    hits->count = 0;
}

carom_status carom_ticks_answer(carom_ticks *clock, double t, bool first, carom_error *error) {
    int begin = clock->contact.impacts.hits.count;
    carom_status status = answer(clock, t, first, error);
    if (status)
        return status;
    keep_hits(clock, begin);
    double next = clock->tick < clock->tick_count ? t + clock->step : t;
    for (int j = 0; j < clock->carried_count; j++) {
        int k = clock->carried[j];
        if (clock->on[k])
            watch(clock, k, next, 0.5);
        else if (clock->touches[k])
            watch(clock, k, clock->flight->step, 1);
    }
    return clock->hits.failed ? no_memory(error) : CAROM_OK;
}

carom_status carom_ticks_fly(carom_ticks *clock, carom_error *error) {
    carom_flight *flight = clock->flight;
    if (clock->tick >= clock->tick_count || clock->outran)
        return CAROM_OK;
    carom_contact_moment moment = moment_of(clock);
    moment.begin = clock->tick * clock->step;
    bool outran = false;
    carom_status status = carom_contact_step_drift(&clock->contact, &moment, (carom_const_vectors)clock->middle, flight->x,
                                                   flight->w, &flight->state->books, &outran, error);
    clock->outran = clock->outran || outran;
    return status;
}

// ---- books ----

double carom_ticks_span(const carom_ticks *clock, double left) {
    double longest = clock->numbers[SPAN], h = clock->numbers[STEP];
    return carom_ticks_cut(left, longest > 0 ? longest : HUGE_VAL, h);
}

double carom_ticks_cut(double left, double longest, double h) {
    if (longest >= (1 - same) * left)
        return left;
    // whole ticks, if what is left is
    double ticks = h > 0 ? rint(left / h) : 0;
    if (ticks >= 1 && fabs(ticks * h - left) <= 1e-6 * h) {
        double most = fmax(1, floor(longest / h + 1e-6)), part = ceil(ticks / ceil(ticks / most));
        return part < ticks ? part * h : left;
    }
    return left / ceil(left / longest - 1e-6);
}

void carom_ticks_book(carom_ticks *clock, bool last) {
    clock->numbers[USED] = sqrt(clock->used) / clock->flight->step;
    bool touches = carom_neighbours_count(&clock->neighbours) > 0;
    clock->numbers[SPAN] = touches ? clock->flight->step * (clock->way < 0.5 * far_away * length_of(clock) ? 2 : 1) : 0;
    int count = last ? clock->last_kick : clock->hits.count;
    carom_ledger_book_hits(clock->flight->state, clock->flight->observer, clock->hits.items, count, 0);
}

void carom_ticks_book_last(carom_ticks *clock) {
    int count = clock->hits.count - clock->last_kick;
    if (count)
        carom_ledger_book_hits(clock->flight->state, clock->flight->observer, clock->hits.items + clock->last_kick, count, 0.5);
}

void carom_ticks_halve(const carom_ticks *clock, double (*v)[3]) {
    for (int j = 0; j < clock->carried_count; j++)
        carom_add_scaled(-0.5, clock->answer[clock->carried[j]], v[clock->carried[j]]);
}
