// SPDX-License-Identifier: MIT
// The event loop of a drift (docs/theory/drift.md).
//
// During a drift of length h node k flies as x_k(t) = b_k + t w_k; the array x holds b. A contact with fixed normal and weights has
// the gap g(t) = g(b) + t g'(w): linear, so its time of impact is exact. The earliest impact is taken from a heap, the nodes receive
// the impulse at that time, b_k = x_k(t) - t w_k is set anew, and the contacts of these nodes are tested again on what is left.
//
// Restitution e holds for impacts. For e < 1 a contact that was not closing before the kick and yet closes inside the drift that follows is
// no impact but the end of a bounce too short for the step: it is stopped (e = 0), and the resting solve (rest.c) carries it from
// there. Without this rule bounces of height a h^2 would go on forever.
//
// Sequences of impacts with e < 1 that share nodes may not end (inelastic collapse): from the 20th impact of a node in one drift on
// its impacts are elastic, which ends them.
#include "contact/drift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum { CASCADE_CAP = 20, EVENT_CAP = 10000000 };

// A contact is resting, not arriving, if its speed before the kick is below this part of what the kick added.
static const double arrival_threshold = 1e-6;

typedef struct carom_drift_event {
    double time;
    int candidate;
    int version; // sum of the versions of its nodes when it was found
} carom_drift_event;

carom_status carom_drift_reserve(carom_drift_space *space, int node_count, int candidate_count, carom_error *error)
{
    space->version = carom_allocate(node_count, sizeof *space->version);
    space->turned = carom_allocate(candidate_count, sizeof *space->turned);
    if (!space->version || !space->turned) return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    return CAROM_OK;
}

void carom_drift_release(carom_drift_space *space)
{
    free(space->heap);
    free(space->version);
    free(space->turned);
    *space = (carom_drift_space){0};
}

// The order of events: time, then index, so that ties do not depend on the history of the heap.
static bool is_before(const carom_drift_event *a, const carom_drift_event *b)
{
    return a->time < b->time || (a->time == b->time && a->candidate < b->candidate);
}

static bool push_event(carom_drift_space *space, carom_drift_event event)
{
    carom_drift_event *heap = carom_grow(space->heap, space->heap_count, &space->heap_capacity, sizeof *heap);
    if (!heap) return false;
    space->heap = heap;
    int64_t i = space->heap_count++;
    for (; i > 0 && is_before(&event, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = event;
    return true;
}

static carom_drift_event pop_event(carom_drift_space *space)
{
    carom_drift_event *heap = space->heap, first = heap[0], last = heap[--space->heap_count];
    int64_t i = 0, n = space->heap_count;
    for (int64_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && is_before(&heap[child + 1], &heap[child])) child++;
        if (!is_before(&heap[child], &last)) break;
        heap[i] = heap[child];
    }
    if (n) heap[i] = last;
    return first;
}

static int version_of(const carom_contact *contact, const int *version)
{
    int sum = 0;
    for (int k = 0; k < contact->count; k++) sum += version[contact->node[k]];
    return sum;
}

// A rate this small is rounding of the velocities it is made of.
static double round_off(const carom_contact *contact, const double (*w)[3])
{
    double speed = 0;
    for (int k = 0; k < contact->count; k++)
        speed += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, w[contact->node[k]]));
    return 8 * DBL_EPSILON * speed;
}

// The time in [now, step] at which a contact closes; false if it does not.
static bool time_of_impact(const carom_contact *contact, const double (*b)[3], const double (*w)[3], double now, double step,
                           double *time)
{
    double gap = carom_contact_gap(contact, b), rate = carom_contact_rate(contact, w);
    if (!(gap + step * rate < 0) || rate >= -round_off(contact, w)) return false;
    *time = fmin(fmax(-gap / rate, now), step);
    return true;
}

static bool turned_by_kick(const carom_contact *contact, const double (*v)[3], const double (*w)[3])
{
    // the velocity before the kick is 2 v - w, since v is the mean of before and after
    double after = carom_contact_rate(contact, w), before = 2 * carom_contact_rate(contact, v) - after;
    return before >= -arrival_threshold * fabs(after);
}

static bool exhausted(const carom_contact *contact, const int *version)
{
    for (int k = 0; k < contact->count; k++)
        if (version[contact->node[k]] >= CASCADE_CAP) return true;
    return false;
}

// Resolves one impact at time t of the drift.
static carom_hit collide(const carom_drift *drift, const carom_contact *contact, double t, double restitution, double (*b)[3],
                         double (*w)[3])
{
    for (int k = 0; k < contact->count; k++) carom_add_scaled(t, w[contact->node[k]], b[contact->node[k]]);
    double rate = carom_contact_rate(contact, w);
    carom_hit hit = carom_response(contact, drift->mobility, -restitution * rate, drift->law.friction, w);
    carom_contact_ground(contact, drift->mobility, hit.impulse, b, hit.ground, hit.ground_moment);
    for (int k = 0; k < contact->count; k++) carom_add_scaled(-t, w[contact->node[k]], b[contact->node[k]]);
    return hit;
}

carom_status carom_drift_run(const carom_drift *drift, carom_drift_space *space, const double (*v)[3], double (*x)[3],
                             double (*w)[3], carom_hits *hits, int64_t *caps, carom_error *error)
{
    const carom_candidates *candidates = drift->candidates;
    const double(*b)[3] = x, (*u)[3] = w;
    bool memory = true;

    // all impacts that would happen if nothing else did
    space->heap_count = 0;
    for (int c = 0; c < candidates->count; c++) {
        carom_drift_event event = {.candidate = c};
        if (!time_of_impact(&candidates->items[c], b, u, 0, drift->step, &event.time)) continue;
        space->turned[c] = turned_by_kick(&candidates->items[c], v, u);
        memory = memory && push_event(space, event);
    }

    // in order of time
    if (space->heap_count) memset(space->version, 0, (size_t)drift->node_count * sizeof *space->version);
    int64_t events = 0;
    while (space->heap_count && memory) {
        carom_drift_event event = pop_event(space);
        const carom_contact *contact = &candidates->items[event.candidate];
        if (event.version != version_of(contact, space->version)) continue;
        if (++events > EVENT_CAP)
            return carom_fail(error, CAROM_NUMERICAL, "more than %d impacts in the step at time %g", EVENT_CAP, drift->time);

        // restitution: as given for an impact, none for a contact turned back by the kick, full to end a cascade
        double restitution = drift->law.restitution;
        if (restitution < 1 && event.version == 0 && space->turned[event.candidate]) restitution = 0;
        if (restitution < 1 && exhausted(contact, space->version)) restitution = 1, ++*caps;

        carom_hit hit = collide(drift, contact, event.time, restitution, x, w);
        hit.candidate = event.candidate;
        hit.time = drift->time + event.time;
        if (hit.normal == 0) continue;
        carom_hits_add(hits, &hit);

        // its nodes fly differently now: test their contacts again on the rest of the drift
        for (int k = 0; k < contact->count; k++) space->version[contact->node[k]]++;
        for (int k = 0; k < contact->count; k++) {
            for (int i = candidates->begin[contact->node[k]]; i < candidates->begin[contact->node[k] + 1]; i++) {
                int c = candidates->of_node[i];
                const carom_contact *other = &candidates->items[c];
                carom_drift_event next = {.candidate = c, .version = version_of(other, space->version)};
                if (time_of_impact(other, b, u, event.time, drift->step, &next.time)) memory = memory && push_event(space, next);
            }
        }
    }
    if (!memory || hits->failed) return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact events");

    // arrive
    int n = drift->node_count;
    double h = drift->step;
#pragma omp parallel for schedule(static) if (n > 4096)
    for (int k = 0; k < n; k++) carom_add_scaled(h, w[k], x[k]);
    return CAROM_OK;
}
