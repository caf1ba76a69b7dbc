// SPDX-License-Identifier: MIT
// The event loop of a drift (docs/theory/drift.md).
//
// During a drift of length h node k flies as x_k(t) = b_k + t w_k; the array x holds b. A contact with fixed normal and weights has
// the gap g(t) = g(b) + t g'(w): linear, so its time of impact is exact. The earliest impact is taken from a heap; an impulse J at
// time t changes w by J and b by -t J, so that the nodes are where they were; then the contacts of these nodes are tested again on
// what is left of the drift.
//
// Restitution e holds for impacts. For e < 1 a contact that was not closing before the kick and yet closes inside the drift that
// follows is no impact but the end of a bounce too short for the step: it is stopped (e = 0), and the resting solve (rest.c) carries
// it from there. Without this rule bounces of height a h^2 would go on forever.
//
// Sequences of impacts with e < 1 that share nodes may not end (inelastic collapse). After 20 impacts of a node in one drift, all
// contacts that touch it, directly or through others, are settled together without bounce (joint.h), which is where the sequence
// leads. Should that not be enough (after 40), impacts of the node are elastic: elastic sequences end.
#include "contact/drift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum { SETTLE_AFTER = 20, ELASTIC_AFTER = 40, SETTLE_SWEEPS = 10000, EVENT_CAP = 10000000 };

// A contact is pressed, not arriving, if its speed before the kick is below this part of its speed after.
static const double arrival_threshold = 1e-6;

// Contacts closer than this part of the way of their nodes in the drift touch.
static const double touch_threshold = 1e-6;

carom_status carom_drift_reserve(carom_drift_space *space, int node_count, int candidate_count, carom_error *error) {
    space->version = carom_allocate(node_count, sizeof *space->version);
    space->turned = carom_allocate(candidate_count, sizeof *space->turned);
    space->listed = carom_allocate(candidate_count, sizeof *space->listed);
    if (!space->version || !space->turned || !space->listed)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    return CAROM_OK;
}

void carom_drift_release(carom_drift_space *space) {
    carom_events_release(&space->events);
    carom_joints_release(&space->cluster);
    free(space->version);
    free(space->turned);
    free(space->listed);
    *space = (carom_drift_space){0};
}

static int version_of(const carom_contact *contact, const int *version) {
    int sum = 0;
    for (int k = 0; k < contact->count; k++)
        sum += version[contact->node[k]];
    return sum;
}

// How fast the nodes move along the normal, without regard to sign: the scale of the rate.
static double speed_of(const carom_contact *contact, const double (*w)[3]) {
    double speed = 0;
    for (int k = 0; k < contact->count; k++)
        speed += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, w[contact->node[k]]));
    return speed;
}

// The time in [now, step] at which a contact closes; false if it does not, or closes no faster than rounding.
static bool time_of_impact(const carom_contact *contact, const double (*b)[3], const double (*w)[3], double now, double step,
                           double *time) {
    double gap = carom_contact_gap(contact, b), rate = carom_contact_rate(contact, w);
    if (!(gap + step * rate < 0) || rate >= -8 * DBL_EPSILON * speed_of(contact, w))
        return false;
    *time = fmin(fmax(-gap / rate, now), step);
    return true;
}

static bool turned_by_kick(const carom_contact *contact, const double (*v)[3], const double (*w)[3]) {
    // the velocity before the kick is 2 v - w, since v is the mean of before and after
    double after = carom_contact_rate(contact, w), before = 2 * carom_contact_rate(contact, v) - after;
    return before >= -arrival_threshold * fabs(after);
}

// Books an impulse given at time t, and keeps the nodes of its contact where they are at that time.
static void record(const carom_drift *drift, carom_drift_space *space, carom_hit *hit, double t, double (*b)[3],
                   carom_hits *hits) {
    const carom_contact *contact = &drift->candidates->items[hit->candidate];
    double back[3] = {-t * hit->impulse[0], -t * hit->impulse[1], -t * hit->impulse[2]};
    carom_contact_push(contact, drift->mobility, back, b);
    for (int k = 0; k < contact->count; k++)
        space->version[contact->node[k]]++;
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
                if (space->listed[c] || gap > touch_threshold * drift->step * speed_of(contact, w))
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
    carom_joints_solve(cluster, drift->candidates, drift->mobility, drift->law.friction, SETTLE_SWEEPS, w);
    int begin = hits->count;
    double loss = 0, impulse = 0;
    for (int i = 0; i < cluster->count; i++) {
        if (!(cluster->items[i].normal > 0))
            continue;
        carom_hit hit =
            carom_joint_hit(&cluster->items[i], drift->candidates, drift->mobility, drift->law.friction, base, u, 0, 0.5);
        loss += hit.restitution;
        impulse += hit.normal;
        record(drift, space, &hit, t, b, hits);
    }

    // the loss belongs to the cluster as a whole: shared out by impulse. Moments are taken where the nodes are at time t, known now
    // that every base has moved
    for (int h = begin; h < hits->count; h++) {
        carom_hit *hit = &hits->items[h];
        hit->restitution = loss * hit->normal / impulse;
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
            if (!time_of_impact(other, b, w, now, drift->step, &next.time))
                continue;
            if (!carom_events_push(&space->events, next))
                return false;
        }
    }
    return true;
}

// The most impacts that a node of the contact has had.
static int cascade(const carom_contact *contact, const int *version) {
    int most = 0;
    for (int k = 0; k < contact->count; k++)
        if (version[contact->node[k]] > most)
            most = version[contact->node[k]];
    return most;
}

// All impacts of the drift in order of time. False if memory is short.
static bool resolve(const carom_drift *drift, carom_drift_space *space, double (*b)[3], double (*w)[3], carom_hits *hits,
                    int64_t *caps) {
    const double(*base)[3] = (const double(*)[3])b, (*u)[3] = (const double(*)[3])w;
    memset(space->version, 0, (size_t)drift->node_count * sizeof *space->version);
    for (int64_t count = 0; space->events.count && count < EVENT_CAP; count++) {
        carom_impact impact = carom_events_pop(&space->events);
        const carom_contact *contact = &drift->candidates->items[impact.candidate];
        if (impact.version != version_of(contact, space->version))
            continue;

        // as given for an impact, none for a contact turned back by the kick; cascades are brought to their end
        double restitution = drift->law.restitution;
        int impacts = restitution < 1 ? cascade(contact, space->version) : 0, begin = hits->count;
        if (restitution < 1 && impact.version == 0 && space->turned[impact.candidate])
            restitution = 0;
        if (impacts >= ELASTIC_AFTER)
            restitution = 1;
        if (impacts == SETTLE_AFTER) {
            if (!settle(drift, space, impact.candidate, impact.time, b, w, hits))
                return false;
            ++*caps;
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

carom_status carom_drift_run(const carom_drift *drift, carom_drift_space *space, const double (*v)[3], double (*x)[3],
                             double (*w)[3], carom_hits *hits, int64_t *caps, carom_error *error) {
    const double(*b)[3] = (const double(*)[3])x, (*u)[3] = (const double(*)[3])w;
    bool memory = true;

    // all impacts that would happen if nothing else did
    space->events.count = 0;
    for (int c = 0; c < drift->candidates->count; c++) {
        const carom_contact *contact = &drift->candidates->items[c];
        carom_impact impact = {.candidate = c};
        if (!time_of_impact(contact, b, u, 0, drift->step, &impact.time))
            continue;
        space->turned[c] = turned_by_kick(contact, v, u);
        memory = memory && carom_events_push(&space->events, impact);
    }

    if (space->events.count)
        memory = memory && resolve(drift, space, x, w, hits, caps);
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
