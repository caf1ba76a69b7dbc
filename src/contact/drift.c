// SPDX-License-Identifier: MIT
// The event loop of a drift (docs/theory/drift.md).
//
// During a drift of length h node k flies as x_k(t) = b_k + t w_k; the array x holds b. A contact with fixed normal and weights has
// the gap g(t) = g(b) + t g'(w): linear, so its time of impact is exact. The earliest impact is taken from a heap; an impulse J at
// time t changes w by J and b by -t J, so that the nodes are where they were; then the contacts of these nodes are tested again on
// what is left of the drift.
//
// Restitution e holds for impacts. For e < 1 an impact that is slower than the kick of its nodes belongs to a bounce shorter than two
// steps: it is stopped (e = 0), and the resting solve (rest.c) carries it from there. Without this rule bounces of height a h^2
// would go on forever, and a stack would never come to rest.
//
// Impacts with e < 1 that share nodes may follow each other without end (inelastic collapse). When a node has had 20 of them at one and the
// same time, all contacts that touch it, directly or through others, are settled together without bounce and friction (joint.h): in a collapse all
// relative velocities tend to zero. Impacts at different times are never cut short, however many.
#include "contact/drift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum { SETTLE_AFTER = 20, SETTLE_ELASTIC_AFTER = 1000, EVENT_CAP = 10000000 };

// A rate below this part of the speeds it is made of is no impact.
static const double noise = 1e-14;

// Two impacts closer than this part of the drift happen at one time: not more than rounding.
static const double one_time = 8 * DBL_EPSILON;

// Contacts closer than this part of the way of their nodes in the drift touch.
static const double touch_threshold = 1e-6;

carom_status carom_drift_reserve(carom_drift_space *space, int node_count, int candidate_count, carom_error *error) {
    space->version = carom_allocate(node_count, sizeof *space->version);
    space->rapid = carom_allocate(node_count, sizeof *space->rapid);
    space->last = carom_allocate(node_count, sizeof *space->last);
    space->kick = carom_allocate(node_count, sizeof *space->kick);
    space->listed = carom_allocate(candidate_count, sizeof *space->listed);
    if (!space->version || !space->rapid || !space->last || !space->kick || !space->listed)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    return CAROM_OK;
}

void carom_drift_release(carom_drift_space *space) {
    carom_events_release(&space->events);
    carom_joints_release(&space->cluster);
    free(space->version);
    free(space->rapid);
    free(space->last);
    free(space->kick);
    free(space->listed);
    *space = (carom_drift_space){0};
}

static int version_of(const carom_contact *contact, const int *version) {
    int sum = 0;
    for (int k = 0; k < contact->count; k++)
        sum += version[contact->node[k]];
    return sum;
}

// How fast the nodes move, without regard to direction.
static double speed_of(const carom_contact *contact, const double (*w)[3]) {
    double speed = 0;
    for (int k = 0; k < contact->count; k++)
        speed += fabs(contact->weight[k]) * carom_norm(w[contact->node[k]]);
    return speed;
}

// Rounding of a gap: positions are known no better.
static double rounding_of(const carom_contact *contact, const double (*b)[3]) {
    double place = fabs(contact->offset);
    for (int k = 0; k < contact->count; k++)
        place += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, b[contact->node[k]]));
    return 16 * DBL_EPSILON * place;
}

// The time in [now, step] at which a contact closes; false if it does not, or closes no faster than rounding.
static bool time_of_impact(const carom_drift *drift, const carom_contact *contact, const double (*b)[3], const double (*w)[3],
                           double now, double *time) {
    double gap = carom_contact_gap(contact, b), rate = carom_contact_rate(contact, w);
    if (!(gap + drift->step * rate < -rounding_of(contact, b)) || rate >= -noise * (speed_of(contact, w) + drift->kick))
        return false;
    *time = fmin(fmax(-gap / rate, now), drift->step);
    return true;
}

// True if the contact closes no faster than the kick drove its nodes.
static bool is_slower_than_kick(const carom_contact *contact, const double (*kick)[3], const double (*w)[3]) {
    double speed = 0;
    for (int k = 0; k < contact->count; k++)
        speed += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, kick[contact->node[k]]));
    return -carom_contact_rate(contact, w) <= (1 + 1e-9) * speed;
}

// Books an impulse given at time t, and keeps the nodes of its contact where they are at that time.
static void record(const carom_drift *drift, carom_drift_space *space, carom_hit *hit, double t, double (*b)[3],
                   carom_hits *hits) {
    const carom_contact *contact = &drift->candidates->items[hit->candidate];
    double back[3] = {-t * hit->impulse[0], -t * hit->impulse[1], -t * hit->impulse[2]};
    carom_contact_push(contact, drift->mobility, back, b);
    for (int k = 0; k < contact->count; k++) {
        int node = contact->node[k];
        space->rapid[node] = t - space->last[node] <= one_time * drift->step ? space->rapid[node] + 1 : 0;
        space->last[node] = t;
        space->version[node]++;
    }
    hit->time = drift->time + t;
    carom_hits_add(hits, hit);
}

// One impact at time t.
static void collide(const carom_drift *drift, carom_drift_space *space, int candidate, double t, double restitution,
                    double (*b)[3], double (*w)[3], carom_hits *hits) {
    const carom_contact *contact = &drift->candidates->items[candidate];
    const double(*u)[3] = (const double(*)[3])w;
    double rate = carom_contact_rate(contact, u);
    carom_hit hit = carom_response(contact, drift->mobility, -restitution * rate, drift->law.friction, w);
    hit.candidate = candidate;
    if (hit.normal == 0)
        return;
    record(drift, space, &hit, t, b, hits);
    carom_hit *kept = hits->failed ? &hit : &hits->items[hits->count - 1];
    kept->ground = carom_contact_ground(contact, drift->mobility, hit.impulse, (const double(*)[3])b, u, t);
}

// Contacts closer than this touch: a small part of the way of their nodes in the drift, or rounding of their positions.
static double touch_distance(const carom_drift *drift, const carom_contact *contact, const double (*b)[3],
                             const double (*w)[3]) {
    return touch_threshold * drift->step * (speed_of(contact, w) + drift->kick) + rounding_of(contact, b);
}

// The contact in question and all that touch its nodes at time t, directly or through others.
static bool collect_cluster(const carom_drift *drift, carom_drift_space *space, int first, double t, const double (*b)[3],
                            const double (*w)[3]) {
    const carom_candidates *candidates = drift->candidates;
    carom_joints *cluster = &space->cluster;
    cluster->count = 0;
    bool memory = carom_joints_add(cluster, candidates, drift->mobility, first, 0, w);
    space->listed[first] = true;
    for (int next = 0; next < cluster->count && memory; next++) {
        const carom_contact *member = &candidates->items[cluster->items[next].candidate];
        for (int k = 0; k < member->count; k++) {
            for (int i = candidates->begin[member->node[k]]; i < candidates->begin[member->node[k] + 1]; i++) {
                int c = candidates->of_node[i];
                const carom_contact *contact = &candidates->items[c];
                double gap = carom_contact_gap(contact, b) + t * carom_contact_rate(contact, w);
                if (space->listed[c] || gap > touch_distance(drift, contact, b, w))
                    continue;
                int before = cluster->count;
                memory = memory && carom_joints_add(cluster, candidates, drift->mobility, c, 0, w);
                space->listed[c] = cluster->count > before;
            }
        }
    }
    space->listed[first] = false;
    for (int i = 0; i < cluster->count; i++)
        space->listed[cluster->items[i].candidate] = false;
    return memory;
}

// All contacts of the cluster at once, without bounce.
static bool settle(const carom_drift *drift, carom_drift_space *space, int first, double t, double (*b)[3], double (*w)[3],
                   carom_hits *hits) {
    const double(*base)[3] = (const double(*)[3])b, (*u)[3] = (const double(*)[3])w;
    if (!collect_cluster(drift, space, first, t, base, u))
        return false;
    carom_joints *cluster = &space->cluster;
    double floor = 0;
    for (int i = 0; i < cluster->count; i++)
        floor = fmax(floor, speed_of(&drift->candidates->items[cluster->items[i].candidate], u));
    carom_joints_solve(cluster, drift->candidates, drift->mobility, 0, 4 * DBL_EPSILON * (floor + drift->kick), w);
    int begin = hits->count;
    double loss = 0, impulse = 0;
    for (int i = 0; i < cluster->count; i++) {
        if (!(cluster->items[i].normal > 0))
            continue;
        carom_hit hit = carom_joint_hit(&cluster->items[i], drift->candidates, drift->mobility, 0, base, u, 0);
        loss += hit.restitution;
        impulse += hit.normal;
        record(drift, space, &hit, t, b, hits);
    }

    // the loss belongs to the cluster as a whole, and is never negative but for rounding: shared out by impulse. Moments are taken where the nodes are at time t, known now
    // that every base has moved
    for (int h = begin; h < hits->count; h++) {
        carom_hit *hit = &hits->items[h];
        hit->restitution = fmax(0, loss) * hit->normal / impulse;
        const carom_contact *contact = &drift->candidates->items[hit->candidate];
        hit->ground = carom_contact_ground(contact, drift->mobility, hit->impulse, base, u, t);
    }
    return true;
}

// Looks for impacts on the rest of the drift at the nodes of a contact.
static bool look_again(const carom_drift *drift, carom_drift_space *space, const carom_contact *contact, double now,
                       const double (*b)[3], const double (*w)[3]) {
    const carom_candidates *candidates = drift->candidates;
    for (int k = 0; k < contact->count; k++) {
        for (int i = candidates->begin[contact->node[k]]; i < candidates->begin[contact->node[k] + 1]; i++) {
            const carom_contact *other = &candidates->items[candidates->of_node[i]];
            carom_impact next = {.candidate = candidates->of_node[i], .version = version_of(other, space->version)};
            if (!time_of_impact(drift, other, b, w, now, &next.time))
                continue;
            if (!carom_events_push(&space->events, next))
                return false;
        }
    }
    return true;
}

// The most impacts that a node of the contact has had at this time.
static int rapid_impacts(const carom_drift *drift, const carom_drift_space *space, const carom_contact *contact, double t) {
    int most = 0;
    for (int k = 0; k < contact->count; k++) {
        int node = contact->node[k];
        if (space->rapid[node] > most && t - space->last[node] <= one_time * drift->step)
            most = space->rapid[node];
    }
    return most;
}

// All impacts of the drift in order of time. False if memory is short.
static bool resolve(const carom_drift *drift, carom_drift_space *space, double (*b)[3], double (*w)[3], carom_hits *hits,
                    int64_t *settled) {
    const double(*base)[3] = (const double(*)[3])b, (*u)[3] = (const double(*)[3])w,
          (*kick)[3] = (const double(*)[3])space->kick;
    int cap = drift->law.restitution < 1 ? SETTLE_AFTER : SETTLE_ELASTIC_AFTER;
    for (int64_t count = 0; space->events.count && count < EVENT_CAP; count++) {
        carom_impact impact = carom_events_pop(&space->events);
        const carom_contact *contact = &drift->candidates->items[impact.candidate];
        if (impact.version != version_of(contact, space->version))
            continue;

        // as given for an impact, none for one that the kick makes; a collapse is brought to its end
        double restitution = drift->law.restitution;
        int begin = hits->count;
        if (restitution < 1 && is_slower_than_kick(contact, kick, u))
            restitution = 0;
        if (rapid_impacts(drift, space, contact, impact.time) >= cap) {
            if (!settle(drift, space, impact.candidate, impact.time, b, w, hits))
                return false;
            ++*settled;
        } else {
            collide(drift, space, impact.candidate, impact.time, restitution, b, w, hits);
        }
        if (hits->failed)
            return false;

        // the nodes that were hit fly differently now
        for (int h = begin; h < hits->count; h++)
            if (!look_again(drift, space, &drift->candidates->items[hits->items[h].candidate], impact.time, base, u))
                return false;
    }
    return true;
}

// Nobody has been hit yet, and w - v is half of what the kick did.
static void clear(const carom_drift *drift, carom_drift_space *space, const double (*v)[3], const double (*w)[3]) {
    for (int k = 0; k < drift->node_count; k++) {
        space->version[k] = space->rapid[k] = 0;
        space->last[k] = -drift->step;
        for (int i = 0; i < 3; i++)
            space->kick[k][i] = 2 * (w[k][i] - v[k][i]);
    }
}

carom_status carom_drift_run(const carom_drift *drift, carom_drift_space *space, const double (*v)[3], double (*x)[3],
                             double (*w)[3], carom_hits *hits, int64_t *settled, carom_error *error) {
    const double(*b)[3] = (const double(*)[3])x, (*u)[3] = (const double(*)[3])w;
    bool memory = true;

    // all impacts that would happen if nothing else did
    space->events.count = 0;
    for (int c = 0; c < drift->candidates->count; c++) {
        carom_impact impact = {.candidate = c};
        if (time_of_impact(drift, &drift->candidates->items[c], b, u, 0, &impact.time))
            memory = memory && carom_events_push(&space->events, impact);
    }
    if (space->events.count && memory) {
        clear(drift, space, v, u);
        memory = resolve(drift, space, x, w, hits, settled);
    }
    if (!memory)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact events");
    if (space->events.count)
        return carom_fail(error, CAROM_NUMERICAL, "more than %d impacts in the step at time %g", EVENT_CAP, drift->time);

    // arrive
    int n = drift->node_count;
    double h = drift->step;
#pragma omp parallel for schedule(static) if (n > 4096)
    for (int k = 0; k < n; k++)
        carom_add_scaled(h, w[k], x[k]);
    return CAROM_OK;
}
