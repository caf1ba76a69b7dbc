// SPDX-License-Identifier: MIT
// The error of impacts inside a step, returned (docs/theory/repay.md).
//
// Leapfrog without contact keeps E - (h^2/8) f.M^-1 f (exactly for linear forces). A drift from x_0 to x_1 whose velocity changes from w_0 to w_1 by impacts, between
// kicks k = h M^-1 f, changes it by the sum over the nodes that were hit of
//     m [ (w_1^2 - w_0^2)/2 + (k_1.w_1 + k_0.w_0)/2 - (k_0 + k_1).(x_1 - x_0)/(2 h) ].
// What of this the books do not explain, by losses and the work of prescribed motions, is the debt of the nodes linked by impacts. An impulse J along n at the kick changes the energy by
// J (u + n.A n J/2), u the normal rate in the middle of the kick: each contact gets the J that pays its share, u -> sqrt(u^2 - 2 n.A n D). Where all was stopped nothing
// moves that could pay: the debt is booked.
#include "contact/impact/repay.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"

// Less than this part of what an impact turned round is no debt.
static const double rounding = 1e-12;

// No contact leaves faster than this many times its speed.
static const double most = 2;

carom_status carom_repay_reserve(carom_repay_space *space, int node_count, carom_error *error) {
    space->debt = carom_allocate(node_count, sizeof *space->debt);
    space->share = carom_allocate(node_count, sizeof *space->share);
    space->bearers = carom_allocate(node_count, sizeof *space->bearers);
    return space->debt && space->share && space->bearers ? CAROM_OK
                                                         : carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
}

void carom_repay_release(carom_repay_space *space) {
    free(space->debt);
    free(space->share);
    free(space->bearers);
    *space = (carom_repay_space){0};
}

// The cluster of a contact: that of its nodes that can move. Obstacles belong to nobody, and are shared by all that hit them.
static int root_of(const carom_repay *repay, const carom_drift_space *drift, const carom_contact *contact) {
    int k = 0;
    while (k < contact->count - 1 && !carom_contact_moves(contact, repay->mobility, k))
        k++;
    return carom_clusters_root(&drift->clusters, contact->node[k]);
}

// True if the hit may return something. What was stopped will rest, and has nothing to return.
static bool takes_part(const carom_repay *repay, const carom_drift_space *drift, const carom_hit *hit) {
    return hit->normal > 0 && !hit->stops && !drift->clusters.held[root_of(repay, drift, &hit->contact)] &&
           carom_repay_holds(carom_neighbours_law(&repay->neighbours, &hit->contact));
}

// How much of a debt a hit bears.
static double share_of(const carom_hit *hit) {
    return hit->normal * fabs(hit->rate);
}

// What a node that was hit brought too much.
static double gain_of(const carom_repay *repay, const carom_journal *before, const double (*x)[3], const double (*w_before)[3],
                      const double (*kick)[3], const double (*w)[3]) {
    int k = before->node;
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double w0 = before->w[i], w1 = w_before[k][i], k0 = kick[k][i], k1 = (w[k][i] - w1) / repay->part;
        sum += w1 * w1 - w0 * w0 + k1 * w1 + k0 * w0 - (k0 + k1) * (x[k][i] - (before->b[i] + repay->begin * w0)) / repay->step;
    }
    return 0.5 * repay->mobility.mass[k] * sum;
}

static void find_debts(const carom_repay *repay, carom_repay_space *space, const carom_drift_space *drift, const double (*x)[3],
                       const double (*w_before)[3], const double (*kick)[3], const double (*w)[3], const carom_hits *hits) {
    for (int i = 0; i < drift->journal_count; i++) {
        int root = carom_clusters_root(&drift->clusters, drift->journal[i].node);
        space->debt[root] = space->share[root] = 0;
        space->bearers[root] = 0;
    }
    for (int i = 0; i < drift->journal_count; i++) {
        const carom_journal *before = &drift->journal[i];
        space->debt[carom_clusters_root(&drift->clusters, before->node)] += gain_of(repay, before, x, w_before, kick, w);
    }
    for (int h = 0; h < hits->count; h++) {
        const carom_hit *hit = &hits->items[h];
        int root = root_of(repay, drift, &hit->contact);
        space->debt[root] += hit->restitution + hit->friction + hit->projection - hit->ground.work;
        if (takes_part(repay, drift, hit)) {
            space->share[root] += share_of(hit);
            space->bearers[root]++;
        }
    }
}

// The contact where its nodes are now.
static carom_contact contact_at(const carom_contact *old, const double (*x)[3]) {
    carom_contact contact = *old;
    if (!carom_contact_is_between_surfaces(old))
        return contact;
    double y[4][3];
    for (int k = 0; k < old->count; k++)
        carom_difference(x[old->node[k]], x[old->node[0]], y[k]);
    bool edges = old->kind == CAROM_CONTACT_EDGE_EDGE;
    carom_narrow_kind kind = edges                                  ? CAROM_NARROW_EDGE_EDGE
                             : old->kind == CAROM_CONTACT_NODE_FACE ? CAROM_NARROW_NODE_FACE
                                                                    : CAROM_NARROW_NODE_SEGMENT;
    carom_nearest nearest;
    carom_narrow_nearest(kind, (carom_const_vectors)y, NULL, &nearest);
    double sign = old->weight[0] + (edges ? old->weight[1] : 0) < 0 ? -1 : 1;
    for (int k = 0; k < old->count; k++)
        contact.weight[k] = sign * nearest.weight[k];
    for (int i = 0; i < 3; i++)
        contact.normal[i] = sign * nearest.normal[i];
    return contact;
}

// What presses has friction against the sliding after the kick. Its work is that on the sliding in the middle of the kick: no more than would make it give energy, none on
// a contact that rests.
static void rub(const carom_repay *repay, const double (*kick)[3], double (*w)[3], carom_hit *hit) {
    const carom_contact *contact = &hit->contact;
    double friction = carom_neighbours_law(&repay->neighbours, contact).friction, t[3], change[3];
    if (!(friction > 0) || !(hit->normal > 0) || !(hit->rate < 0))
        return;
    carom_contact_velocity(contact, (carom_const_vectors)w, t);
    carom_contact_velocity(contact, kick, change);
    carom_add_scaled(-carom_dot(contact->normal, t), contact->normal, t);
    double speed = carom_normalize(t), softness = carom_contact_softness(contact, repay->mobility, t);
    double middle = speed - 0.5 * repay->part * carom_dot(change, t);
    if (!(speed > 0) || !(softness > 0) || !(middle > 0))
        return;
    double stick = fmin(speed, 2 * middle) / softness, limit = friction * hit->normal, size = fmin(stick, limit);
    double impulse[3] = {-size * t[0], -size * t[1], -size * t[2]};
    hit->slips = stick > limit;
    hit->friction = fmax(0, size * (middle - 0.5 * softness * size));
    carom_contact_push(contact, repay->mobility, impulse, w);
    carom_add_scaled(1, impulse, hit->impulse);
}

// Pays what it can of an energy by an impulse at the contact; returns how much. `kick` is the velocity that the forces of this kick gave.
static double pay(const carom_repay *repay, const carom_contact *contact, double time, double energy, const double (*x)[3],
                  const double (*kick)[3], double (*w)[3], carom_hits *hits) {
    double softness = carom_contact_softness(contact, repay->mobility, contact->normal);
    double u = carom_contact_rate(contact, (carom_const_vectors)w) - 0.5 * repay->part * carom_contact_rate(contact, kick);
    if (!(softness > 0) || u == 0)
        return 0;
    double speed = fmin(sqrt(fmax(0, u * u - 2 * softness * energy)), most * fabs(u)), change = copysign(speed, u) - u;
    carom_hit hit = {.contact = *contact, .time = time, .rate = u, .normal = change / softness, .amends = true};
    for (int i = 0; i < 3; i++)
        hit.impulse[i] = hit.normal * contact->normal[i];
    carom_contact_push(contact, repay->mobility, hit.impulse, w);
    rub(repay, kick, w, &hit);
    hit.ground = carom_contact_ground(contact, repay->mobility, hit.impulse, x, (carom_const_vectors)w, 0);
    hit.spot = carom_contact_spot(contact, x, (carom_const_vectors)w, 0);
    carom_hits_add(hits, &hit);
    return 0.5 * (u * u - speed * speed) / softness;
}

// Books the debt of a cluster in which everything was stopped: that is the energy that stopping took.
static void book(const carom_hit *stop, double debt, carom_hits *hits) {
    carom_hit hit = {.contact = stop->contact, .time = stop->time, .spot = stop->spot, .slips = stop->slips, .amends = true};
    // restitution never gives
    if (debt <= stop->restitution)
        hit.restitution = -debt;
    else
        hit.projection = -debt;
    carom_hits_add(hits, &hit);
}

carom_status carom_repay_run(const carom_repay *repay, carom_repay_space *space, const carom_drift_space *drift,
                             const double (*x)[3], const double (*w_before)[3], double (*kick)[3], double (*w)[3],
                             carom_hits *hits, carom_error *error) {
    const double(*old)[3] = (carom_const_vectors)kick;
    int count = hits->count;
    if (count)
        find_debts(repay, space, drift, x, w_before, old, (carom_const_vectors)w, hits);
#pragma omp parallel for schedule(static) if (repay->node_count > 4096)
    for (int j = 0; j < repay->node_count; j++)
        for (int i = 0, k = repay->nodes ? repay->nodes[j] : j; i < 3; i++)
            kick[k][i] = (w[k][i] - w_before[k][i]) / repay->part;

    // each bears its part, and what those before it could not pay
    for (int h = 0; h < count; h++) {
        const carom_hit hit = hits->items[h];
        int root = root_of(repay, drift, &hit.contact);
        if (hit.stops && space->bearers[root] == 0 && !drift->clusters.held[root] &&
            fabs(space->debt[root]) > rounding * share_of(&hit)) {
            book(&hit, space->debt[root], hits);
            space->debt[root] = 0;
        }
        if (!takes_part(repay, drift, &hit))
            continue;
        double share = share_of(&hit), left = space->share[root];
        double energy = left > share ? space->debt[root] * share / left : space->debt[root];
        space->share[root] = left - share;
        if (fabs(energy) <= rounding * share)
            continue;
        carom_contact contact = contact_at(&hit.contact, x);
        space->debt[root] -= pay(repay, &contact, hit.time, energy, x, old, w, hits);
    }
    return hits->failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts") : CAROM_OK;
}
