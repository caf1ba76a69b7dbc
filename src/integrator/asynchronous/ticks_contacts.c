// SPDX-License-Identifier: MIT
// Finds the contacts that are possible in a span (time between two choices), and with them the nodes that get ticks (ticks.h).
// A pair of features may act if its distance falls to the range of contact while its nodes stay within the allowance A of their
// straight paths. With d the distance on these paths and r the largest relative speed of the nodes, this requires
//
//     min(d(0), d(h)) <= range + 2 A + r h/2,
//
// since within the span d falls by at most r h/2 below the smaller of d(0) and d(h). The test depends on positions and
// velocities only, not on how the pairs were found, so a restart chooses the same nodes.
#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "integrator/asynchronous/ticks_inside.h"
#include "math/vec3.h"
#include "model/build/builders.h"

// The first allowance, in displacements of the fastest node during the span: an impact that reverses its velocity takes it two
// of these from its path ...
static const double first_allowance = 2;
// ... but not less than this fraction of the shortest side of the surfaces, so that slow nodes need no second run ...
static const double least_allowance = 0.002;
// ... and not more than this, so that fast nodes do not choose half of the model.
static const double most_allowance = 0.05;

// The allowance of a span is this many times the largest deviation in the previous one, scaled to its length.
static const double allowance_growth = 2;

// The margin of the list of pairs is this many times the present need, so that it can be used for several spans ...
static const double path_buffer = 2;
// ... and a larger margin of the past is reduced by this factor per span.
static const double decay_buffer = 0.99;

enum {
    // Pairs up to which one thread tests all: about 50 microseconds.
    SHARED_PAIRS = 512,
    // Number of portions in which threads copy pairs.
    PORTIONS = 64,
    // Verdicts on a pair: not tested, may act, cannot act.
    UNKNOWN = 0,
    MEETS,
    PASSES
};

double carom_ticks_length(const carom_ticks *ticks) {
    const carom_model *model = ticks->flight->model;
    return model->surface.face_count ? model->surface_length : model->contact_length;
}

// The largest speed of a node that can touch something, relative to the mean of all of them, since a common motion changes no
// distance. Without a length scale there are only points and planes, and the planes are at rest: then relative to these.
static double largest_speed(const carom_ticks *ticks) {
    const carom_flight *flight = ticks->flight;
    double mean[3] = {0}, square = 0;
    int count = 0;
    for (int k = 0; k < flight->model->node_count; k++)
        if (ticks->members.touches[k]) {
            carom_add_scaled(1, flight->w[k], mean);
            count++;
        }
    for (int d = 0; d < 3 && count; d++)
        mean[d] = carom_ticks_length(ticks) > 0 ? mean[d] / count : 0;
    for (int k = 0; k < flight->model->node_count; k++)
        if (ticks->members.touches[k]) {
            double u[3];
            carom_difference(flight->w[k], mean, u);
            square = fmax(square, carom_dot(u, u));
        }
    return sqrt(square);
}

void carom_ticks_allow(carom_ticks *ticks) {
    double length = carom_ticks_length(ticks);
    double path = first_allowance * ticks->flight->step * largest_speed(ticks);
    double first = length > 0 ? fmax(fmin(path, most_allowance * length), least_allowance * length) : path;
    ticks->paths.allowance = fmax(first, allowance_growth * ticks->memory->used * ticks->flight->step);
}

void carom_ticks_allow_more(carom_ticks *ticks) {
    ticks->paths.allowance = 2 * fmax(ticks->paths.allowance, sqrt(ticks->paths.noted.used));
}

// The right side of the inequality above for pair number i of the list, -HUGE_VAL if its boxes do not meet.
static double far_of(const carom_ticks *ticks, const carom_neighbours *neighbours, int i, double range) {
    const carom_flight *flight = ticks->flight;
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
    double far = range + carom_neighbours_layer(neighbours, i).offset + 2 * ticks->paths.allowance + 0.5 * h * sqrt(square);
    return carom_narrow_boxes_meet(kind, (carom_const_vectors)y, (carom_const_vectors)v, 0, h, far) ? far : -HUGE_VAL;
}

// True if pair number i of the list, whose boxes meet, may act in the span by its distance at either end of it.
static bool may_meet(const carom_ticks *ticks, const carom_neighbours *neighbours, int i, double far) {
    const carom_flight *flight = ticks->flight;
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
    for (int end = 0; end < 2; end++) {
        double y[4][3], v[4][3];
        carom_nearest nearest;
        carom_neighbours_place(neighbours, i, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w,
                               end ? flight->step : 0, y, v);
        carom_narrow_nearest(kind, (carom_const_vectors)y, NULL, &nearest);
        if (nearest.distance <= far)
            return true;
    }
    return false;
}

// Index of the first pair of a portion of `count` pairs.
static int portion_begin(int count, int portion) {
    return (int)((int64_t)count * portion / PORTIONS);
}

// Allocates memory for at least `count` pairs.
static bool ensure_capacity(carom_ticks_contacts *contacts, int count) {
    carom_pair_list *pairs = &contacts->pairs;
    if (count <= pairs->capacity)
        return true;
    carom_arena_release(contacts->arena);
    contacts->arena = carom_arena_create();
    bool enough = contacts->arena;
    pairs->capacity = count + count / 2;
    contacts->far = carom_arena_reserve(contacts->arena, pairs->capacity, sizeof *contacts->far, &enough);
    contacts->verdict = carom_arena_reserve(contacts->arena, pairs->capacity, sizeof *contacts->verdict, &enough);
    contacts->asked = carom_arena_reserve(contacts->arena, pairs->capacity, sizeof *contacts->asked, &enough);
    pairs->features = carom_arena_reserve(contacts->arena, pairs->capacity, sizeof *pairs->features, &enough);
    pairs->nodes = carom_arena_reserve(contacts->arena, pairs->capacity, sizeof *pairs->nodes, &enough);
    pairs->of_node = carom_arena_reserve(contacts->arena, 4 * pairs->capacity, sizeof *pairs->of_node, &enough);
    if (!enough)
        pairs->capacity = 0;
    return enough;
}

// Marks nodes as chosen.
static void choose_nodes(carom_ticks *ticks, const int *nodes, int count) {
    for (int k = 0; k < count; k++)
        ticks->members.chosen[nodes[k]] = true;
}

// Copies the pairs that may act, by portions: counts the pairs of each portion first, which gives their places.
static void copy_pairs(const carom_pair_list *all, const char *verdict, carom_pair_list *pairs) {
    int places[PORTIONS + 1] = {0};
#pragma omp parallel if (all->count > SHARED_PAIRS)
    {
#pragma omp for schedule(static)
        for (int k = 0; k < PORTIONS; k++)
            for (int p = portion_begin(all->count, k); p < portion_begin(all->count, k + 1); p++)
                places[k + 1] += verdict[p] == MEETS;
#pragma omp single
        for (int k = 0; k < PORTIONS; k++)
            places[k + 1] += places[k];
#pragma omp for schedule(static)
        for (int k = 0; k < PORTIONS; k++)
            for (int p = portion_begin(all->count, k), place = places[k]; p < portion_begin(all->count, k + 1); p++)
                if (verdict[p] == MEETS) {
                    memcpy(pairs->features[place], all->features[p], sizeof *pairs->features);
                    memcpy(pairs->nodes[place++], all->nodes[p], sizeof *pairs->nodes);
                }
    }
    pairs->count = places[PORTIONS];
}

// Finds the pairs of the list that may act in the span, among those whose boxes meet. If all nodes of a pair are chosen
// already, the test of boxes is sufficient. So whether its distance is needed depends on the pairs before it: threads compute
// in advance the distances that were needed in the last span, which are mostly the same.
static carom_status choose_pairs(carom_ticks *ticks, carom_error *error) {
    const carom_neighbours all = carom_search_neighbours(&ticks->search);
    carom_pair_list *pairs = &ticks->contacts.pairs;
    int begin = all.fixed->count, count = all.pairs->count, corners = all.surface->corners == 2 ? 3 : 4;
    double range = carom_search_range(&ticks->search);
    pairs->count = pairs->node_pair_count = 0;
    if (!ensure_capacity(&ticks->contacts, count))
        return carom_no_memory(error, "contact");
    double *far = ticks->contacts.far;
    char *verdict = ticks->contacts.verdict;
    bool *asked = ticks->contacts.asked, *chosen = ticks->members.chosen;
#pragma omp parallel for schedule(dynamic, SHARED_PAIRS) if (count > SHARED_PAIRS)
    for (int p = 0; p < count; p++) {
        far[p] = far_of(ticks, &all, begin + p, range);
        verdict[p] = far[p] == -HUGE_VAL ? PASSES : UNKNOWN;
        if (verdict[p] == UNKNOWN && asked[p])
            verdict[p] = may_meet(ticks, &all, begin + p, far[p]) ? MEETS : PASSES;
    }
    for (int p = 0; p < count; p++) {
        const int *node = all.pairs->nodes[p];
        bool known = true;
        for (int k = 0; k < corners; k++)
            known = known && chosen[node[k]];
        asked[p] = !known && far[p] != -HUGE_VAL;
        if (known && far[p] != -HUGE_VAL)
            verdict[p] = MEETS;
        else if (verdict[p] == UNKNOWN)
            verdict[p] = may_meet(ticks, &all, begin + p, far[p]) ? MEETS : PASSES;
        if (!known && verdict[p] == MEETS)
            choose_nodes(ticks, node, corners);
        pairs->node_pair_count += verdict[p] == MEETS && p < all.pairs->node_pair_count;
    }
    copy_pairs(all.pairs, verdict, pairs);
    return CAROM_OK;
}

// The contacts of fixed geometry that may act in the span.
static void choose_fixed(carom_ticks *ticks) {
    const carom_flight *flight = ticks->flight;
    const carom_candidates *all = &flight->model->candidates;
    ticks->contacts.fixed.count = 0;
    for (int c = 0; c < all->count; c++) {
        const carom_contact *contact = &all->items[c];
        double gap = carom_contact_gap(contact, (carom_const_vectors)flight->x), sides = 0;
        double end = gap + flight->step * carom_contact_rate(contact, (carom_const_vectors)flight->w);
        for (int k = 0; k < contact->count; k++)
            sides += fabs(contact->weight[k]);
        // rigid bodies rest within a contact layer above planes
        double near = carom_ticks_is_rigid(ticks, contact->node[0]) ? carom_search_range(&ticks->search) : 0;
        if (fmin(gap, end) <= sides * ticks->paths.allowance + near) {
            ticks->contacts.fixed.items[ticks->contacts.fixed.count++] = *contact;
            choose_nodes(ticks, contact->node, contact->count);
        }
    }
}

carom_status carom_ticks_choose(carom_ticks *ticks, carom_error *error) {
    carom_flight *flight = ticks->flight;
    int n = flight->model->node_count;
    size_t size = (size_t)n * sizeof *flight->x;
    ticks->search.step = flight->step;
    carom_ticks_rigid_set_chords(ticks);
    // the list, however old, must contain every pair that passes the test of may_meet()
    double allowance = ticks->paths.allowance + 0.5 * flight->step * largest_speed(ticks);
    ticks->paths.longest = allowance;
    ticks->search.extra_margin = fmax(decay_buffer * ticks->search.extra_margin, path_buffer * allowance);
    carom_status status =
        carom_search_list(&ticks->search, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, allowance, error);
    ticks->contacts.neighbours = carom_search_neighbours(&ticks->search);
    memset(ticks->members.chosen, 0, (size_t)n * sizeof *ticks->members.chosen);
    if (!status && ticks->contacts.neighbours.pairs)
        status = choose_pairs(ticks, error);
    if (status)
        return status;
    choose_fixed(ticks);
    ticks->contacts.neighbours.fixed = &ticks->contacts.fixed;
    if (ticks->contacts.neighbours.pairs)
        ticks->contacts.neighbours.pairs = &ticks->contacts.pairs;
    carom_candidates_link(&ticks->contacts.fixed, n);
    if (ticks->contacts.neighbours.pairs)
        carom_pair_list_link(&flight->model->surface, &ticks->contacts.pairs);
    memcpy(ticks->paths.x, flight->x, size);
    memcpy(ticks->paths.w, flight->w, size);
    return CAROM_OK;
}

bool carom_ticks_meet_new(const carom_ticks *ticks) {
    const carom_state *state = ticks->flight->state;
    int last[2] = {-2, -2};
    for (int i = 0, count = carom_neighbours_count(&ticks->contacts.neighbours); i < count; i++) {
        int body[2];
        if (carom_neighbours_is_fixed(&ticks->contacts.neighbours, i))
            memcpy(body, ticks->contacts.fixed.items[i].body, sizeof body);
        else
            carom_neighbours_bodies(&ticks->contacts.neighbours, i - ticks->contacts.fixed.count, body);
        if (memcmp(body, last, sizeof body) == 0)
            continue;
        memcpy(last, body, sizeof body);
        // self-contact has no record of pairs
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
