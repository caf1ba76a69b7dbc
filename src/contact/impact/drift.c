// SPDX-License-Identifier: MIT
// The event loop of a drift (docs/theory/drift.md).
//
// During a drift of length h node k flies as x_k(t) = b_k + t w_k; the array x holds b. A contact with fixed normal and weights has
// the gap g(t) = g(b) + t g'(w): linear, so its time of impact is exact. Features of surfaces meet at the layer around them
// (narrow.h). The earliest impact is taken from a heap; an impulse J at time t changes w by J and b by -t J, so that the nodes are
// where they were; then the contacts of these nodes are tested again on what is left of the drift.
//
// Restitution e holds for impacts. For e < 1 an impact that is slower than the kick of its nodes belongs to a bounce shorter than two
// steps: it is stopped (e = 0), and the resting solve (rest.c) carries it from there. Without this rule bounces of height a h^2
// would go on forever, and a stack would never come to rest.
//
// Impacts with e < 1 that share nodes may follow each other without end (inelastic collapse). On a line: when a node has had 20 of them at one
// and the same time, all contacts that touch it, directly or through others, are settled together without bounce and friction (contact_solve.h): in a
// collapse all relative velocities tend to zero. Impacts at different times are never cut short, however many. Between surfaces: a node that was
// hit 20 times in the drift, and whose partner was too, bounces elastically from then on, which scatters a cascade; after 200, and when 25 have not brought it out of
// the bottom of the layer, its cluster is held (cluster.h).
//
// Deep in the layer an impact leaves faster than it came, so that curvature cannot drive the features closer and closer in ever smaller hops.
// The energy that this gives is booked as the cost of contact handling.
#include "contact/impact/drift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/impact/encounter.h"
#include "contact/impact/repay.h"
#include "math/vec3.h"

enum { SETTLE_AFTER = 20, SETTLE_ELASTIC_AFTER = 1000, EVENT_CAP = 10000000 };
enum { BOUNCE_AFTER = 20, HOLD_AFTER = 200, HOLD_DEEP_AFTER = 25 };

// A rate below this part of the speeds it is made of is no impact.
static const double noise = 1e-14;

// A contact that leaves slower than this part of how it came is pressed.
static const double pressed = 1e-9;

// Two impacts closer than this part of the drift happen at one time: not more than rounding.
static const double one_time = 8 * DBL_EPSILON;

// Contacts closer than this part of the way of their nodes in the drift touch.
static const double touch_threshold = 1e-6;

carom_status carom_drift_reserve(carom_drift_space *space, int node_count, int fixed_count, carom_error *error) {
    space->version = carom_allocate(node_count, sizeof *space->version);
    space->rapid = carom_allocate(node_count, sizeof *space->rapid);
    space->last = carom_allocate(node_count, sizeof *space->last);
    space->kick = carom_allocate(node_count, sizeof *space->kick);
    space->entry = carom_allocate(node_count, sizeof *space->entry);
    space->journal = carom_allocate(node_count, sizeof *space->journal);
    space->listed = carom_allocate(fixed_count, sizeof *space->listed);
    if (!space->version || !space->rapid || !space->last || !space->kick || !space->entry || !space->journal || !space->listed)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    return carom_clusters_reserve(&space->clusters, node_count, error);
}

void carom_drift_release(carom_drift_space *space) {
    carom_events_release(&space->events);
    carom_contact_solve_release(&space->cluster);
    free(space->version);
    free(space->rapid);
    free(space->last);
    free(space->kick);
    free(space->listed);
    free(space->entry);
    free(space->journal);
    free(space->times);
    free(space->seen);
    carom_clusters_release(&space->clusters);
    *space = (carom_drift_space){0};
}

// The end of a drift.
static double end_of(const carom_drift *drift) {
    return drift->begin + drift->step;
}

// How much of the drift is over at time t.
static double part_of(const carom_drift *drift, double t) {
    return (t - drift->begin) / drift->step;
}

static int version_of(const int *nodes, int count, const int *version) {
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += version[nodes[k]];
    return sum;
}

// The time from now to the end of the drift at which a fixed contact closes; false if it does not, or closes no faster than rounding.
static bool time_of_closing(const carom_drift *drift, const carom_contact *contact, const double (*b)[3], const double (*w)[3],
                            double now, double *time) {
    double gap = carom_contact_gap(contact, b), rate = carom_contact_rate(contact, w);
    if (!(gap + end_of(drift) * rate < -carom_encounter_rounding(contact, b)) ||
        rate >= -noise * (carom_encounter_speed(contact, w) + drift->kick))
        return false;
    *time = fmin(fmax(-gap / rate, now), end_of(drift));
    return true;
}

// The time from now to the end of the drift at which a pair of surfaces acts; `patient`: not before half of its distance is gone.
static bool time_of_meeting(const carom_drift *drift, int i, const double (*b)[3], const double (*w)[3], double now,
                            bool patient, double *time) {
    const carom_neighbours *neighbours = &drift->neighbours;
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
    double x[4][3], v[4][3];
    carom_narrow_hit hit;
    // counted from the beginning of the drift
    carom_neighbours_place(neighbours, i, b, w, drift->begin, x, v);
    now -= drift->begin;
    const double(*y)[3] = (carom_const_vectors)x, (*u)[3] = (carom_const_vectors)v;
    carom_narrow_layer layer = carom_neighbours_layer(neighbours, i);
    layer.patient = patient;
    if (!carom_narrow_boxes_meet(kind, y, u, now, drift->step, layer.offset + 2 * layer.height) ||
        !carom_narrow_first(kind, y, u, now, drift->step, &layer, &hit))
        return false;
    *time = drift->begin + hit.time;
    return true;
}

// The time from now to the end of the drift at which contact number i happens.
static bool time_of_impact(const carom_drift *drift, int i, const double (*b)[3], const double (*w)[3], double now,
                           double *time) {
    if (carom_neighbours_is_fixed(&drift->neighbours, i))
        return time_of_closing(drift, &drift->neighbours.fixed->items[i], b, w, now, time);
    return time_of_meeting(drift, i, b, w, now, false, time);
}

// True if the contact closes no faster than the kick drove its nodes.
static bool is_slower_than_kick(const carom_contact *contact, const double (*kick)[3], const double (*w)[3]) {
    double speed = 0;
    for (int k = 0; k < contact->count; k++)
        speed += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, kick[contact->node[k]]));
    return -carom_contact_rate(contact, w) <= (1 + 1e-9) * speed;
}

// The rate that the kick gives, times the part of it that is still to come (negative before the middle of the drift).
static double kick_to_come(const carom_contact *contact, const double (*kick)[3], double part) {
    return part * carom_contact_rate(contact, kick);
}

// What friction does on the sliding that the forces of the kick give, likewise.
static double work_to_come(const carom_contact *contact, const carom_hit *hit, const double (*kick)[3], double part) {
    double u[3];
    carom_contact_velocity(contact, kick, u);
    return part * (carom_dot(hit->impulse, u) - hit->normal * carom_dot(contact->normal, u));
}

// Remembers how nodes flew before their first hit of the drift.
static void remember(carom_drift_space *space, const int *nodes, int count, const double (*b)[3], const double (*w)[3]) {
    for (int k = 0; k < count; k++) {
        int node = nodes[k];
        if (space->entry[node])
            continue;
        carom_journal *entry = &space->journal[space->journal_count++];
        space->entry[node] = space->journal_count;
        entry->node = node;
        carom_copy(b[node], entry->b);
        carom_copy(w[node], entry->w);
    }
}

// Notes whether a node that was hit will be farther from where it went than the list of pairs allows.
static void watch(const carom_drift *drift, carom_drift_space *space, int node, const double (*b)[3], const double (*w)[3]) {
    const carom_journal *first = &space->journal[space->entry[node] - 1];
    double way[3];
    for (int i = 0; i < 3; i++)
        way[i] = b[node][i] - first->b[i] + end_of(drift) * (w[node][i] - first->w[i]);
    space->outran = space->outran || carom_norm(way) > drift->allowance;
}

// Books an impulse given at time t, and keeps the nodes of its contact where they are at that time.
static void record(const carom_drift *drift, carom_drift_space *space, carom_hit *hit, double t, double (*b)[3],
                   const double (*w)[3], carom_hits *hits) {
    const carom_contact *contact = &hit->contact;
    double back[3] = {-t * hit->impulse[0], -t * hit->impulse[1], -t * hit->impulse[2]};
    carom_contact_push(contact, drift->mobility, back, b);
    int movers[4], count = carom_encounter_movers(contact, drift->mobility, 0, contact->count, movers);
    for (int k = 0; k < count; k++) {
        int node = movers[k];
        watch(drift, space, node, (carom_const_vectors)b, w);
        space->rapid[node] = t - space->last[node] <= one_time * end_of(drift) ? space->rapid[node] + 1 : 0;
        space->last[node] = t;
        space->version[node]++;
    }
    hit->time = drift->time + t;
    carom_hits_add(hits, hit);
}

// One impact at time t: the normal rate becomes -restitution times itself, or `least` if that is more. With an offset, the part of the kick
// that is to come, it is the real rate that is turned; `repaid`: what this errs by will be returned (repay.h), the books show the law alone.
static void collide(const carom_drift *drift, carom_drift_space *space, const carom_contact *contact, double t,
                    carom_contact_law law, double least, double offset, bool repaid, double (*b)[3], double (*w)[3],
                    carom_hits *hits) {
    const double(*u)[3] = (carom_const_vectors)w;
    double rate = carom_contact_rate(contact, u), real = rate + offset, target = -law.restitution * rate;
    bool corrected = offset != 0 && real < 0 && -law.restitution * real - offset > 0;
    if (corrected)
        target = -law.restitution * real - offset;
    else if (repaid && offset != 0)
        target = 0;
    remember(space, contact->node, contact->count, (carom_const_vectors)b, u);
    carom_hit hit = carom_response(contact, drift->mobility, fmax(target, least), law.friction, w);
    if (hit.normal == 0)
        return;
    hit.stops = repaid && law.restitution == 0;
    double loss = 0.5 * (1 - law.restitution * law.restitution) * real * real /
                  carom_contact_softness(contact, drift->mobility, contact->normal);
    // what it takes to leave faster than restitution says is the cost of the layer
    if (repaid) {
        hit.restitution = real < 0 ? loss : 0;
        double part = part_of(drift, t) - 0.5;
        double work = hit.friction;
        if (work > 0 && drift->forces)
            work -= work_to_come(contact, &hit, drift->forces, part);
        hit.friction = fmax(0, work);
        // what is pressed has nothing to return it from
        if (work < 0 && fmax(target, least) <= pressed * -rate)
            hit.projection = work;
    } else if (least > target) {
        double plain = hit.restitution * (target * target - rate * rate) / (least * least - rate * rate);
        if (!isfinite(plain))
            plain = 0;
        hit.projection = hit.restitution - plain;
        hit.restitution = plain;
    } else if (corrected) {
        hit.restitution = loss;
    }
    record(drift, space, &hit, t, b, u, hits);
    carom_hit *kept = hits->failed ? &hit : &hits->items[hits->count - 1];
    kept->ground = carom_contact_ground(contact, drift->mobility, hit.impulse, (carom_const_vectors)b, u, t);
    kept->spot = carom_contact_spot(contact, (carom_const_vectors)b, u, t);
}

// Contacts closer than this touch: a small part of the way of their nodes in the drift, or rounding of their positions.
static double touch_distance(const carom_drift *drift, const carom_contact *contact, const double (*b)[3],
                             const double (*w)[3]) {
    return touch_threshold * drift->step * (carom_encounter_speed(contact, w) + drift->kick) +
           carom_encounter_rounding(contact, b);
}

// The contact in question and all that touch its nodes at time t, directly or through others.
static bool collect_cluster(const carom_drift *drift, carom_drift_space *space, int first, double t, const double (*b)[3],
                            const double (*w)[3]) {
    const carom_candidates *candidates = drift->neighbours.fixed;
    carom_contact_solve *cluster = &space->cluster;
    cluster->count = 0;
    bool memory = carom_contact_solve_add(cluster, &candidates->items[first], drift->mobility, 0, 0, w);
    if (memory && cluster->count)
        cluster->items[0].number = first;
    space->listed[first] = true;
    for (int next = 0; next < cluster->count && memory; next++) {
        carom_contact member = cluster->items[next].contact;
        for (int k = 0; k < member.count; k++) {
            for (int i = candidates->begin[member.node[k]]; i < candidates->begin[member.node[k] + 1]; i++) {
                int c = candidates->of_node[i];
                const carom_contact *contact = &candidates->items[c];
                double gap = carom_contact_gap(contact, b) + t * carom_contact_rate(contact, w);
                if (space->listed[c] || gap > touch_distance(drift, contact, b, w))
                    continue;
                int before = cluster->count;
                memory = memory && carom_contact_solve_add(cluster, contact, drift->mobility, 0, 0, w);
                space->listed[c] = cluster->count > before;
                if (space->listed[c])
                    cluster->items[before].number = c;
            }
        }
    }
    space->listed[first] = false;
    for (int i = 0; i < cluster->count; i++)
        space->listed[cluster->items[i].number] = false;
    return memory;
}

// All contacts of the cluster at once, without bounce.
static bool settle(const carom_drift *drift, carom_drift_space *space, int first, double t, double (*b)[3], double (*w)[3],
                   carom_hits *hits) {
    const double(*base)[3] = (carom_const_vectors)b, (*u)[3] = (carom_const_vectors)w;
    if (!collect_cluster(drift, space, first, t, base, u))
        return false;
    carom_contact_solve *cluster = &space->cluster;
    double floor = 0;
    for (int i = 0; i < cluster->count; i++)
        floor = fmax(floor, carom_encounter_speed(&cluster->items[i].contact, u));
    for (int i = 0; i < cluster->count; i++)
        remember(space, cluster->items[i].contact.node, cluster->items[i].contact.count, base, u);
    carom_contact_solve_run(cluster, drift->mobility, 4 * DBL_EPSILON * (floor + drift->kick), w);
    int begin = hits->count;
    double loss = 0, impulse = 0;
    for (int i = 0; i < cluster->count; i++) {
        if (!(cluster->items[i].normal > 0))
            continue;
        carom_hit hit = carom_contact_solve_hit(&cluster->items[i], drift->mobility, base, u, 0);
        loss += hit.restitution;
        impulse += hit.normal;
        record(drift, space, &hit, t, b, u, hits);
    }

    // the loss belongs to the cluster as a whole, and is never negative but for rounding: shared out by impulse. Moments are taken where the nodes are at time t, known now
    // that every base has moved
    for (int h = begin; h < hits->count; h++) {
        carom_hit *hit = &hits->items[h];
        hit->restitution = fmax(0, loss) * hit->normal / impulse;
        hit->ground = carom_contact_ground(&hit->contact, drift->mobility, hit->impulse, base, u, t);
        hit->spot = carom_contact_spot(&hit->contact, base, u, t);
    }
    return true;
}

// Looks for impacts on the rest of the drift at some nodes; each contact once.
static bool look_again(const carom_drift *drift, carom_drift_space *space, const int *nodes, int count, double now,
                       const double (*b)[3], const double (*w)[3]) {
    const carom_neighbours *neighbours = &drift->neighbours;
    space->round++;
    for (int k = 0; k < count; k++) {
        for (int j = 0, i; (i = carom_neighbours_of_node(neighbours, nodes[k], j)) >= 0; j++) {
            if (space->seen[i] == space->round)
                continue;
            space->seen[i] = space->round;
            int node[4], n = carom_neighbours_nodes(neighbours, i, node);
            carom_impact next = {.candidate = i, .version = version_of(node, n, space->version)};
            if (carom_clusters_holds(&space->clusters, node, n) || !time_of_impact(drift, i, b, w, now, &next.time))
                continue;
            if (!carom_events_push(&space->events, next))
                return false;
        }
    }
    return true;
}

// A pair that closes by no more than rounding, or that nothing can move: to be looked at again when half of its distance is gone.
static bool ask_later(const carom_drift *drift, carom_drift_space *space, int i, double now, const double (*b)[3],
                      const double (*w)[3]) {
    int node[4], n = carom_neighbours_nodes(&drift->neighbours, i, node);
    carom_impact next = {.candidate = i, .version = version_of(node, n, space->version)};
    return !time_of_meeting(drift, i, b, w, now, true, &next.time) || carom_events_push(&space->events, next);
}

// The most impacts that a node of the contact has had at this time.
static int rapid_impacts(const carom_drift *drift, const carom_drift_space *space, const carom_contact *contact, double t) {
    int most = 0;
    for (int k = 0; k < contact->count; k++) {
        int node = contact->node[k];
        if (space->rapid[node] > most && t - space->last[node] <= one_time * end_of(drift))
            most = space->rapid[node];
    }
    return most;
}

// The cluster of a node moves on as one.
static bool hold(const carom_drift *drift, carom_drift_space *space, const carom_contact *contact, int root, double t,
                 double (*b)[3], double (*w)[3], carom_hits *hits) {
    carom_clusters *clusters = &space->clusters;
    remember(space, contact->node, contact->count, (carom_const_vectors)b, (carom_const_vectors)w);
    for (int i = 0; i < clusters->count; i++)
        if (carom_clusters_root(clusters, clusters->touched[i]) == root)
            remember(space, &clusters->touched[i], 1, (carom_const_vectors)b, (carom_const_vectors)w);
    carom_held held = carom_clusters_hold(clusters, root, drift->mobility, t, b, w);
    carom_hit hit = {.contact = *contact, .time = drift->time + t, .projection = held.energy, .ground = held.ground};
    carom_hits_add(hits, &hit);
    for (int i = 0; i < clusters->count; i++)
        if (carom_clusters_root(clusters, clusters->touched[i]) == root) {
            space->version[clusters->touched[i]]++;
            watch(drift, space, clusters->touched[i], (carom_const_vectors)b, (carom_const_vectors)w);
        }
    for (int i = 0; i < clusters->count; i++)
        if (carom_clusters_root(clusters, clusters->touched[i]) == root &&
            !look_again(drift, space, &clusters->touched[i], 1, t, (carom_const_vectors)b, (carom_const_vectors)w))
            return false;
    return true;
}

// An impact of a fixed contact: as given for an impact, none for one that the kick makes; a collapse is brought to its end. A cluster that is
// held comes to rest on it.
static bool meet_on_line(const carom_drift *drift, carom_drift_space *space, int i, double t, double (*b)[3], double (*w)[3],
                         carom_hits *hits, carom_drift_counts *counts) {
    const carom_contact *contact = &drift->neighbours.fixed->items[i];
    carom_contact_law law = carom_neighbours_law(&drift->neighbours, contact);
    for (int k = 0; k < contact->count; k++)
        if (space->clusters.held[carom_clusters_root(&space->clusters, contact->node[k])]) {
            int root = carom_clusters_link(&space->clusters, contact->node, contact->count);
            space->clusters.grounded[root] = true;
            counts->held++;
            return hold(drift, space, contact, root, t, b, w, hits);
        }
    int cap = law.restitution < 1 ? SETTLE_AFTER : SETTLE_ELASTIC_AFTER, begin = hits->count;
    if (rapid_impacts(drift, space, contact, t) >= cap) {
        counts->settled++;
        if (!settle(drift, space, i, t, b, w, hits))
            return false;
    } else {
        const double(*kick)[3] = (carom_const_vectors)space->kick;
        bool repaid = carom_repay_holds(law);
        if (law.restitution < 1 && is_slower_than_kick(contact, kick, (carom_const_vectors)w))
            law.restitution = 0;
        double offset = repaid && law.restitution > 0 ? kick_to_come(contact, kick, part_of(drift, t) - 0.5) : 0;
        collide(drift, space, contact, t, law, 0, offset, repaid, b, w, hits);
    }

    // the nodes that were hit fly differently now
    for (int h = begin; h < hits->count; h++) {
        int movers[4],
            count = carom_encounter_movers(&hits->items[h].contact, drift->mobility, 0, hits->items[h].contact.count, movers);
        if (count)
            carom_clusters_link(&space->clusters, movers, count);
        if (!look_again(drift, space, movers, count, t, (carom_const_vectors)b, (carom_const_vectors)w))
            return false;
    }
    return true;
}

// An impact of two features of surfaces.
static bool meet_surfaces(const carom_drift *drift, carom_drift_space *space, int i, double t, double (*b)[3], double (*w)[3],
                          carom_hits *hits, carom_drift_counts *counts) {
    const carom_neighbours *neighbours = &drift->neighbours;
    const double(*base)[3] = (carom_const_vectors)b, (*u)[3] = (carom_const_vectors)w;
    double x[4][3], v[4][3], eta = neighbours->layer.height;
    carom_neighbours_place(neighbours, i, base, u, t, x, v);
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
    carom_nearest nearest;
    carom_narrow_nearest(kind, (carom_const_vectors)x, (carom_const_vectors)v, &nearest);
    carom_contact contact = carom_neighbours_record(neighbours, i, &nearest);
    double rate = carom_contact_rate(&contact, u), d = nearest.distance - contact.offset;
    int hit_count = carom_encounter_hits(&contact, drift->mobility, space->version), movers[4],
        mover_count = carom_encounter_movers(&contact, drift->mobility, 0, contact.count, movers);

    // nothing can keep apart what is driven into each other
    if (mover_count == 0) {
        space->crossed = space->crossed || (rate < 0 && d < 1e-6 * eta);
        memcpy(space->crossing, contact.body, sizeof contact.body);
        return space->crossed || ask_later(drift, space, i, t, base, u);
    }

    // a cascade without end, or a cluster that was hit after it was held
    bool was_held = false;
    for (int k = 0; k < mover_count; k++)
        was_held = was_held || space->clusters.held[carom_clusters_root(&space->clusters, movers[k])];
    int root = carom_clusters_link(&space->clusters, movers, mover_count);
    if (was_held || hit_count > HOLD_AFTER || (hit_count > HOLD_DEEP_AFTER && d < 1e-3 * eta)) {
        counts->held++;
        root = carom_clusters_link(&space->clusters, contact.node, contact.count);
        return hold(drift, space, &contact, root, t, b, w, hits);
    }

    // restitution holds for impacts; one that the kick makes is stopped, unless it is elastic; a cascade is scattered
    carom_contact_law law = carom_neighbours_law(neighbours, &contact);
    bool repaid = carom_repay_holds(law);
    if (law.restitution < 1 && is_slower_than_kick(&contact, (carom_const_vectors)space->kick, u))
        law.restitution = 0;
    if (hit_count > BOUNCE_AFTER)
        law.restitution = 1;
    double offset = 0;
    if (law.restitution > 0)
        offset = kick_to_come(&contact, (carom_const_vectors)space->kick, part_of(drift, t) - 0.5);
    double level = carom_narrow_act_height(neighbours->layer, &nearest), least = 0;
    if (d < 0.25 * level)
        least = carom_encounter_escape(&contact, neighbours->length, level, d, rate, drift->step, u);
    int begin = hits->count;
    if (rate < 0)
        collide(drift, space, &contact, t, law, least, offset, repaid, b, w, hits);
    if (hits->count == begin)
        return ask_later(drift, space, i, t, base, u);
    return look_again(drift, space, movers, mover_count, t, base, u);
}

// All impacts of the drift in order of time. False if memory is short.
static bool resolve(const carom_drift *drift, carom_drift_space *space, double (*b)[3], double (*w)[3], carom_hits *hits,
                    carom_drift_counts *counts) {
    for (int64_t count = 0; space->events.count && count < EVENT_CAP && !space->outran && !space->crossed; count++) {
        carom_impact impact = carom_events_pop(&space->events);
        int node[4], n = carom_neighbours_nodes(&drift->neighbours, impact.candidate, node);
        if (impact.version != version_of(node, n, space->version))
            continue;
        bool memory = carom_neighbours_is_fixed(&drift->neighbours, impact.candidate)
                          ? meet_on_line(drift, space, impact.candidate, impact.time, b, w, hits, counts)
                          : meet_surfaces(drift, space, impact.candidate, impact.time, b, w, hits, counts);
        if (!memory || hits->failed)
            return false;
    }
    return true;
}

// Nobody has been hit yet, and w - v is half of what the kick did.
static void clear(const carom_drift *drift, carom_drift_space *space, const double (*v)[3], const double (*w)[3]) {
    for (int j = 0; j < drift->node_count; j++) {
        int k = drift->nodes ? drift->nodes[j] : j;
        space->version[k] = space->rapid[k] = 0;
        space->last[k] = drift->begin - drift->step;
        for (int i = 0; i < 3; i++)
            space->kick[k][i] = 2 * (w[k][i] - v[k][i]);
    }
    carom_clusters_clear(&space->clusters);
    for (int i = 0; i < space->journal_count; i++)
        space->entry[space->journal[i].node] = 0;
    space->journal_count = 0;
}

// As if nothing had been hit.
static void undo(carom_drift_space *space, int hit_count, double (*b)[3], double (*w)[3], carom_hits *hits) {
    for (int i = 0; i < space->journal_count; i++) {
        const carom_journal *entry = &space->journal[i];
        carom_copy(entry->b, b[entry->node]);
        carom_copy(entry->w, w[entry->node]);
    }
    hits->count = hit_count;
    space->events.count = 0;
}

// Room for all that may touch.
static bool make_room(carom_drift_space *space, int count) {
    if (count <= space->capacity)
        return true;
    free(space->times);
    free(space->seen);
    space->capacity = count + count / 2;
    space->times = carom_allocate(space->capacity, sizeof *space->times);
    space->seen = carom_allocate(space->capacity, sizeof *space->seen);
    space->round = 0;
    if (space->times && space->seen)
        return true;
    space->capacity = 0;
    return false;
}

carom_status carom_drift_run(const carom_drift *drift, carom_drift_space *space, const double (*v)[3], double (*x)[3],
                             double (*w)[3], carom_hits *hits, carom_drift_counts *counts, bool *outran, carom_error *error) {
    const double(*b)[3] = (carom_const_vectors)x, (*u)[3] = (carom_const_vectors)w;
    int n = drift->node_count, contacts = carom_neighbours_count(&drift->neighbours);
    double h = drift->step, end = end_of(drift);
    bool memory = make_room(space, contacts);
    int hit_count = hits->count;
    carom_drift_counts counted = *counts;
    space->outran = space->crossed = false;

    // all impacts that would happen if nothing else did
    space->events.count = 0;
#pragma omp parallel for schedule(static) if (contacts > 512)
    for (int i = 0; i < (memory ? contacts : 0); i++)
        if (!time_of_impact(drift, i, b, u, drift->begin, &space->times[i]))
            space->times[i] = HUGE_VAL;
    for (int i = 0; i < contacts && memory; i++)
        if (space->times[i] <= end)
            memory = carom_events_push(&space->events, (carom_impact){.time = space->times[i], .candidate = i});
    if (memory && space->events.count) {
        clear(drift, space, v, u);
        memory = resolve(drift, space, x, w, hits, counts);
    }
    if (!memory)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact events");
    *outran = space->outran;
    if (space->outran) {
        undo(space, hit_count, x, w, hits);
        *counts = counted;
        return CAROM_OK;
    }
    if (space->crossed)
        return carom_fail(error, CAROM_NUMERICAL, "prescribed motions cross at time %g", drift->time);
    if (space->events.count)
        return carom_fail(error, CAROM_NUMERICAL, "more than %d impacts in the step at time %g", EVENT_CAP, drift->time);

    if (drift->flies)
        return CAROM_OK;

        // arrive
#pragma omp parallel for schedule(static) if (n > 4096)
    for (int k = 0; k < n; k++)
        carom_add_scaled(h, w[k], x[k]);
    return CAROM_OK;
}
