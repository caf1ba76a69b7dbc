// SPDX-License-Identifier: MIT
// Decides which contacts can collide before the end of a drift (the straight motion of all nodes between two kicks) and finds
// the times of these impacts, for the event loop of drift.c (docs/theory/drift.md).
//
// The test of a pair of surface features is expensive (narrow.h), and after every impact hundreds of pairs have new paths.
// Three bounds avoid nearly all tests without changing the result: a test gives the same time whenever it is made, and a test
// that is skipped would have found no impact. A pair acts when its features reach the contact layer, a small distance at which
// contact is resolved (narrow.h).
//
//     clearance   A pair whose distance exceeds its layer by more than a clearance g during all of the drift (clearance.h) can
//                 act only after impacts have displaced its nodes from their straight paths by g, summed over both sides. The
//                 `deviation` of a node is the sum over its impacts of |dw| (end - t), where dw is the change of its velocity
//                 at time t. So the pair is safe while the deviations of its nodes add up to less than their sum at the time
//                 of the check plus g.
//     bound       A pair that is not clear cannot act before a time that is cheap to compute. It is put on the heap of pending
//                 impacts (events.h) with this time, and is tested only when it is the earliest: by then most such entries are
//                 void, because a node was hit again.
//     boxes       Before the test itself, the boxes around the paths must overlap.
#include "contact/impact/drift_check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "contact/impact/drift_groups.h"
#include "contact/narrow/clearance.h"

enum {
    // Number of pairs whose clearance is computed together.
    BATCH = CAROM_PAIR_BATCH,
    // Number of contacts above which threads share the first check. One check takes 26 ns (76 solid cubes,
    // docs/performance.md), and 4096 checks a tenth of a millisecond. With a limit of 512, sixteen threads took twice as long
    // as one (76 shells).
    SHARED_CONTACTS = 4096,
    // The same for processes: merging their results takes about 50 us.
    SHARED_AMONG_PROCESSES = 4096
};

// A rate below this fraction of the speeds whose difference it is is rounding, not approach.
static const double rate_noise = 1e-14;

// The narrow phase may report a pair earlier than it reaches the layer by this fraction of the drift.
static const double early_report = 1e-9;

// Distance above which a pair is clear, in units of the height of the layer.
static const double clear_height = 1.01;

static int version_of(const int *nodes, int count, const int *version) {
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += version[nodes[k]];
    return sum;
}

int carom_drift_version(const carom_drifting *drift, int i) {
    int node[4], n = carom_neighbours_nodes(&drift->interval->neighbours, i, node);
    return version_of(node, n, drift->space->version);
}

// The time between now and the end of the drift at which a fixed contact closes. HUGE_VAL if it does not close, or closes only
// by rounding.
static double time_of_closing(const carom_drifting *drift, const carom_contact *contact, double now) {
    double gap = carom_contact_gap(contact, drift->b), rate = carom_contact_rate(contact, drift->w);
    double end = carom_contact_interval_end(drift->interval);
    if (!(gap + end * rate < -carom_encounter_rounding(contact, drift->b)) ||
        rate >= -rate_noise * (carom_encounter_speed(contact, drift->w) + drift->interval->kick_speed))
        return HUGE_VAL;
    return fmin(fmax(-gap / rate, now), end);
}

// Pairs whose distance remains above this do not act. The narrow phase reports pairs that reach the layer; clear_height > 1
// covers its rounding and early reports.
static double reach_of(const carom_narrow_layer *layer) {
    return layer->offset + clear_height * layer->height;
}

// The time between now and the end of the drift at which a pair of surfaces acts, or HUGE_VAL. `patient`: not before the
// distance has halved.
static double time_of_meeting(const carom_drifting *drift, int i, double now, bool patient) {
    const carom_contact_interval *interval = drift->interval;
    const carom_neighbours *neighbours = &interval->neighbours;
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
    double x[4][3], v[4][3];
    carom_narrow_hit hit;
    // the narrow phase counts time from the beginning of the drift, where coordinates lose least to rounding
    carom_neighbours_place(neighbours, i, drift->b, drift->w, interval->begin, x, v);
    now -= interval->begin;
    carom_const_vectors y = (carom_const_vectors)x, u = (carom_const_vectors)v;
    carom_narrow_layer layer = carom_neighbours_layer(neighbours, i);
    layer.patient = patient;
    if (!carom_narrow_boxes_meet(kind, y, u, now, interval->step, layer.offset + 2 * layer.height) ||
        !carom_narrow_first(kind, y, u, now, interval->step, &layer, &hit))
        return HUGE_VAL;
    return interval->begin + hit.time;
}

// Puts an impact on the heap if it has a time. False if memory is short.
static bool push_timed(const carom_drifting *drift, carom_impact impact) {
    return !(impact.time < HUGE_VAL) || carom_events_push(&drift->space->events, impact);
}

bool carom_drift_postpone(const carom_drifting *drift, int i, double now) {
    return push_timed(drift, (carom_impact){time_of_meeting(drift, i, now, true), HUGE_VAL, i, carom_drift_version(drift, i)});
}

bool carom_drift_test(const carom_drifting *drift, carom_impact bound) {
    double time = time_of_meeting(drift, bound.candidate, bound.since, false);
    return push_timed(drift, (carom_impact){time, HUGE_VAL, bound.candidate, bound.version});
}

// Lower bound of the time at which a pair acts that is clear during the first `part` of the rest of the drift.
static double time_of_part(const carom_drifting *drift, double now, double part) {
    double end = carom_contact_interval_end(drift->interval);
    return now + (part - early_report) * (end - now) - 4 * DBL_EPSILON * (fabs(now) + fabs(end));
}

// Pairs of one kind whose clearance is to be computed.
typedef struct batch {
    carom_narrow_kind kind;
    int count;
    int pair[BATCH];
    int nodes[BATCH][4];
    double deviation[BATCH]; // sum over the nodes
    double reach[BATCH];
} batch;

// Computes the clearances of a batch, updates limits or adds events, and empties the batch. False if memory is short.
static bool check_batch(const carom_drifting *drift, batch *waiting, double now) {
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    carom_drift_space *space = drift->space;
    double gap[BATCH], part[BATCH];
    bool memory = true;
    carom_clearance_find(waiting->kind, waiting->count, (const int(*)[4])waiting->nodes, waiting->reach,
                         &(carom_straight_motion){drift->b, drift->w, now, carom_contact_interval_end(drift->interval)}, gap,
                         part);
    for (int j = 0; j < waiting->count && memory; j++) {
        int n = carom_narrow_count(waiting->kind);
        carom_impact next = {.time = time_of_part(drift, now, part[j]),
                             .since = now,
                             .candidate = neighbours->fixed->count + waiting->pair[j],
                             .version = version_of(waiting->nodes[j], n, space->version)};
        // deviations only grow: the limit of a pair that is not clear remains exceeded
        if (gap[j] > 0)
            space->limits[waiting->pair[j]] = waiting->deviation[j] + gap[j];
        else
            memory = carom_events_push(&space->events, next);
    }
    waiting->count = 0;
    return memory;
}

// True if a contact cannot close because its nodes belong to one held cluster, and so keep their distances. The distance from a
// plane is constant only if the cluster was held at this plane.
static bool cannot_close(const carom_drifting *drift, const carom_contact *contact) {
    const carom_clusters *clusters = &drift->impacts->clusters;
    if (!carom_clusters_holds(clusters, contact->node, contact->count))
        return false;
    return contact->kind != CAROM_CONTACT_NODE_PLANE ||
           carom_clusters_keeps_distance(clusters, carom_clusters_root(clusters, contact->node[0]),
                                         drift->interval->neighbours.fixed->items, contact);
}

// True if one of the first `count` nodes belongs to a contact, which has therefore been checked already.
static bool was_checked(const int *nodes, int count, const int *of_contact, int contact_count) {
    for (int k = 0; k < count; k++)
        for (int j = 0; j < contact_count; j++)
            if (nodes[k] == of_contact[j])
                return true;
    return false;
}

// Checks the fixed contacts of node number k of those that were hit. False if memory is short.
static bool check_fixed(const carom_drifting *drift, const int *nodes, int k, double now) {
    const carom_candidates *fixed = drift->interval->neighbours.fixed;
    int node = nodes[k];
    for (int j = fixed->begin ? fixed->begin[node] : 0; fixed->begin && j < fixed->begin[node + 1]; j++) {
        const carom_contact *contact = &fixed->items[fixed->of_node[j]];
        if (was_checked(nodes, k, contact->node, contact->count) || cannot_close(drift, contact))
            continue;
        carom_impact next = {.time = time_of_closing(drift, contact, now),
                             .since = HUGE_VAL,
                             .candidate = fixed->of_node[j],
                             .version = version_of(contact->node, contact->count, drift->space->version)};
        if (!push_timed(drift, next))
            return false;
    }
    return true;
}

// The sum of the deviations of the nodes of a pair. Those of other groups are unknown while these run.
static inline double path_of_pair(const carom_drifting *drift, const int *nodes, int n) {
    const double *deviation = drift->space->deviation;
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += !drift->group || carom_group_owns(drift, nodes[k]) ? deviation[nodes[k]] : 0;
    return sum;
}

// Adds to the batches the pairs of node number k of those that were hit, if its deviation may exceed their clearance. False if
// memory is short.
static bool check_pairs(const carom_drifting *drift, const int *hit, int k, batch waiting[2], bool of_body, double now) {
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    const carom_pair_list *pairs = neighbours->pairs;
    const int n = neighbours->surface->corners == 2 ? 3 : 4;
    for (int j = pairs->rows[hit[k]].begin; j < pairs->rows[hit[k]].end; j++) {
        int p = pairs->of_node[j];
        // most are safe by the largest deviation alone
        if (n * drift->space->largest_deviation < drift->space->limits[p])
            continue;
        const int *nodes = pairs->nodes[p];
        double deviation = path_of_pair(drift, nodes, n);
        // rigid bodies have too many nodes to compare all of them
        bool again = of_body ? drift->space->checked[p] == drift->space->check_number : was_checked(hit, k, nodes, n);
        if (of_body)
            drift->space->checked[p] = drift->space->check_number;
        // nodes of one held cluster keep their distances
        if (deviation < drift->space->limits[p] || again ||
            (drift->impacts->held && carom_clusters_holds(&drift->impacts->clusters, nodes, n)))
            continue;
        if (drift->group && !carom_group_mark_read(drift, neighbours->fixed->count + p))
            return true;
        batch *of_kind = &waiting[p >= pairs->node_pair_count];
        of_kind->pair[of_kind->count] = p;
        memcpy(of_kind->nodes[of_kind->count], nodes, sizeof of_kind->nodes[0]);
        carom_narrow_layer layer = carom_neighbours_layer(neighbours, neighbours->fixed->count + p);
        of_kind->reach[of_kind->count] = reach_of(&layer);
        of_kind->deviation[of_kind->count++] = deviation;
        if (of_kind->count == BATCH && !check_batch(drift, of_kind, now))
            return false;
    }
    return true;
}

// Empty batches of node pairs and of edge pairs.
static void begin_batches(const carom_neighbours *neighbours, batch waiting[2]) {
    bool plane = neighbours->pairs && neighbours->surface->corners == 2;
    waiting[0].kind = plane ? CAROM_NARROW_NODE_SEGMENT : CAROM_NARROW_NODE_FACE;
    waiting[1].kind = CAROM_NARROW_EDGE_EDGE;
    waiting[0].count = waiting[1].count = 0;
}

// Checks the remaining pairs of both batches. False if memory is short.
static bool end_batches(const carom_drifting *drift, batch waiting[2], double now) {
    for (int b = 0; b < 2; b++)
        if (waiting[b].count && !check_batch(drift, &waiting[b], now))
            return false;
    return true;
}

bool carom_drift_check_nodes(const carom_drifting *drift, const int *nodes, int count, double now) {
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    batch waiting[2];
    begin_batches(neighbours, waiting);
    for (int k = 0; k < count; k++)
        if (!check_fixed(drift, nodes, k, now))
            return false;
    for (int k = 0; k < count && neighbours->pairs; k++)
        if (!check_pairs(drift, nodes, k, waiting, false, now))
            return false;
    return end_batches(drift, waiting, now);
}

bool carom_drift_check_bodies(const carom_drifting *drift, const int *bodies, int count, double now) {
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    const carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    batch waiting[2];
    begin_batches(neighbours, waiting);
    drift->space->check_number++;
    for (int b = 0; b < count; b++) {
        const carom_rigid_body *one = &rigid_bodies->items[bodies[b]];
        for (int i = 0; i < carom_rigid_body_size(one); i++) {
            int k = carom_rigid_body_node(one, i);
            if (!check_fixed(drift, &k, 0, now) || (neighbours->pairs && !check_pairs(drift, &k, 0, waiting, true, now)))
                return false;
        }
    }
    return end_batches(drift, waiting, now);
}

// The first check of some pairs of one kind.
static void check_first(const carom_drifting *drift, carom_pair_batch pairs) {
    const carom_contact_interval *interval = drift->interval;
    const carom_neighbours *neighbours = &interval->neighbours;
    double gap[BATCH], part[BATCH], reach[BATCH] = {0};
    int begin = pairs.begin, count = pairs.end - begin;
    for (int j = 0; j < count; j++) {
        carom_narrow_layer layer = carom_neighbours_layer(neighbours, neighbours->fixed->count + begin + j);
        reach[j] = reach_of(&layer);
    }
    carom_clearance_find(
        carom_neighbours_kind(neighbours, begin), count, (const int(*)[4])neighbours->pairs->nodes + begin, reach,
        &(carom_straight_motion){drift->b, drift->w, interval->begin, carom_contact_interval_end(interval)}, gap, part);
    for (int j = 0; j < count; j++) {
        int i = neighbours->fixed->count + begin + j;
        carom_first_time *first = &drift->space->firsts[i];
        drift->space->limits[begin + j] = gap[j] > 0 ? gap[j] : -HUGE_VAL;
        *first = (carom_first_time){HUGE_VAL, HUGE_VAL, gap[j]};
        // a pair in the layer would come to the top of the heap at once: test it here, where threads share the work
        if (!(gap[j] > 0) && part[j] > 0)
            *first = (carom_first_time){time_of_part(drift, interval->begin, part[j]), interval->begin, gap[j]};
        else if (!(gap[j] > 0))
            first->time = time_of_meeting(drift, i, interval->begin, false);
    }
}

// Reserves arrays for `count` contacts. False if memory is short.
static bool ensure_capacity(carom_drift_space *space, int count) {
    if (count <= space->capacity)
        return true;
    int64_t capacity = count + (int64_t)count / 2;
    bool enough = carom_arena_renew(&space->pairs);
    space->firsts = carom_arena_reserve(space->pairs, capacity, sizeof *space->firsts, &enough);
    space->limits = carom_arena_reserve(space->pairs, capacity, sizeof *space->limits, &enough);
    space->checked = carom_arena_reserve(space->pairs, capacity, sizeof *space->checked, &enough);
    space->check_number = 0;
    space->capacity = enough ? capacity : 0;
    return enough;
}

// The record of a pair that may act, as processes exchange it.
typedef struct acting {
    int pair;
    carom_first_time first;
} acting;

// Merges the results of all processes, each for its own pairs: clearances of all, and times of those that may act. The results
// do not depend on the distribution. False if memory is short.
static bool join_firsts(const carom_drifting *drift, carom_pair_batch mine, bool good) {
    carom_drift_space *space = drift->space;
    carom_first_time *firsts = space->firsts + drift->interval->neighbours.fixed->count;
    int64_t total = 0, count = 0;
    int begin = mine.begin, end = mine.end;
    const void *all = NULL;
    double *gaps = carom_allocate(end - begin, sizeof *gaps);
    acting *own = carom_allocate(end - begin, sizeof *own);
    for (int p = begin; good && gaps && own && p < end; p++) {
        gaps[p - begin] = firsts[p].gap;
        if (!(firsts[p].gap > 0))
            own[count++] = (acting){p, firsts[p]};
    }
    good = good && gaps && own;
    bool joined = carom_together_join(drift->interval->together, gaps, good ? end - begin : -1, sizeof *gaps, &all, &total);
    for (int64_t p = 0; joined && p < total; p++) {
        double gap = ((const double *)all)[p];
        firsts[p] = (carom_first_time){HUGE_VAL, HUGE_VAL, gap};
        space->limits[p] = gap > 0 ? gap : -HUGE_VAL;
    }
    joined = joined && carom_together_join(drift->interval->together, own, count, sizeof *own, &all, &total);
    for (int64_t i = 0; joined && i < total; i++)
        firsts[((const acting *)all)[i].pair] = ((const acting *)all)[i].first;
    free(gaps);
    free(own);
    return joined;
}

bool carom_drift_check_first(const carom_drifting *drift) {
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    carom_drift_space *space = drift->space;
    int fixed = neighbours->fixed->count, contacts = carom_neighbours_count(neighbours);
    space->events.count = 0;
    space->began = false;
    const carom_pair_list *pairs = neighbours->pairs;
    int batches = pairs ? carom_pair_batch_count(pairs) : 0;
    bool shared = batches && carom_together_shares(drift->interval->together, contacts, SHARED_AMONG_PROCESSES);
    if (!ensure_capacity(space, contacts))
        return shared && join_firsts(drift, (carom_pair_batch){0}, false);
    for (int i = 0; i < fixed; i++)
        space->firsts[i] =
            (carom_first_time){time_of_closing(drift, &neighbours->fixed->items[i], drift->interval->begin), HUGE_VAL, 0};
    // no parallel region without pairs
    if (!batches)
        return true;
    int64_t from = 0, to = batches;
    if (shared)
        carom_together_slice(batches, &from, &to);
#pragma omp parallel for schedule(dynamic, 4) if (contacts > SHARED_CONTACTS)
    for (int k = (int)from; k < to; k++)
        check_first(drift, carom_pair_batch_at(pairs, k));
    return !shared || join_firsts(drift, carom_pair_batches_between(pairs, from, to), true);
}

void carom_drift_check_closer(const carom_drifting *drift) {
    carom_drift_space *space = drift->space;
    int contacts = carom_neighbours_count(&drift->interval->neighbours);
#pragma omp parallel for schedule(dynamic, BATCH) if (contacts > SHARED_CONTACTS)
    for (int i = 0; i < contacts; i++) {
        carom_first_time *first = &space->firsts[i];
        if (first->time < HUGE_VAL && first->since < HUGE_VAL) {
            first->time = time_of_meeting(drift, i, first->since, false);
            first->since = HUGE_VAL;
        }
    }
}

bool carom_drift_push_first(const carom_drifting *drift, int i) {
    const carom_first_time *first = &drift->space->firsts[i];
    return carom_events_push(&drift->space->events, (carom_impact){.time = first->time, .since = first->since, .candidate = i});
}
