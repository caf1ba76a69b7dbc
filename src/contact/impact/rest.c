// SPDX-License-Identifier: MIT
// The resting solve (docs/theory/rest.md).
//
// At a kick, M (w+ - w-) = h f + J: the forces and the contact impulses act together. Contacts that touch are solved jointly (contact_solve.h) so that
// none closes further than to where it may, g' >= -(g - r)/h, with r a little more than the layer eta of surfaces, 0 for fixed contacts. Convergence is not
// needed: what still closes is caught as an impact inside the drift.
//
// Which contacts take part. Fixed ones: those that touch and do not move against each other before the kick. Pairs of surfaces: those that
// are within reach of the kick, g < max(100 eta, eta + 2 h |kick|), and nearest to each other of all that is around them (others would be
// braked by the edges that they slide over). Where restitution is asked for, a pair that comes faster than the kick drives it is an impact and left
// to the drift; without restitution it is stopped here, together with all others. Elastic contacts, restitution 1, never rest.
//
// Work: the velocity at the time of the kick is v = (w- + w+)/2, so an impulse J does the work J.(u- + u+)/2 on a contact; on a contact
// at rest this is zero, although h f and J are large. What arrives and is stopped loses its energy to restitution.
#include "contact/impact/rest.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "contact/impact/nearest_feature.h"
#include "math/vec3.h"

// Surfaces rest a little above the layer, so that what the solve leaves undone is no impact.
static const double rest_height = 1.25;

// Touching and at rest, measured by what the kick would do.
static const double rest_threshold = 1e-6;

void carom_rest_release(carom_rest_space *space) {
    carom_contact_solve_release(&space->joints);
    free(space->nearest);
    free(space->near);
    *space = (carom_rest_space){0};
}

static bool is_resting(const carom_rest *rest, const carom_contact *contact, double gap, const double (*x)[3],
                       const double (*w_before)[3], const double (*w)[3]) {
    double speed = 0, kick = 0, place = fabs(contact->offset);
    for (int k = 0; k < contact->count; k++) {
        double before = carom_dot(contact->normal, w_before[contact->node[k]]);
        double after = carom_dot(contact->normal, w[contact->node[k]]);
        speed += fabs(contact->weight[k]) * fabs(before);
        kick += fabs(contact->weight[k]) * fabs(after - before);
        place += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, x[contact->node[k]]));
    }
    double rate = carom_contact_rate(contact, w_before);
    return fabs(rate) <= rest_threshold * kick + 64 * DBL_EPSILON * speed &&
           gap <= rest_threshold * kick * rest->step + 1e-12 * rest->length + 8 * DBL_EPSILON * place;
}

// Adds the fixed contacts that touch and are at rest. False if memory is short.
static bool add_fixed(const carom_rest *rest, carom_contact_solve *joints, const double (*x)[3], const double (*w_before)[3],
                      const double (*w)[3]) {
    for (int c = 0; c < rest->neighbours.fixed->count; c++) {
        const carom_contact *contact = &rest->neighbours.fixed->items[c];
        double gap = carom_contact_gap(contact, x);
        carom_contact_law law = carom_neighbours_law(&rest->neighbours, contact);
        if (law.restitution < 1 && is_resting(rest, contact, gap, x, w_before, w) &&
            !carom_contact_solve_add(joints, contact, rest->mobility, law.friction, -gap / rest->step, w_before))
            return false;
    }
    return true;
}

// How fast the kick drives the nodes of a contact along its normal, without regard to direction; and the same for the closing by it.
static double kick_of(const carom_contact *contact, const double (*w_before)[3], const double (*w)[3], double *closing) {
    double kick = 0;
    *closing = 0;
    for (int k = 0; k < contact->count; k++) {
        double change[3];
        carom_difference(w[contact->node[k]], w_before[contact->node[k]], change);
        double along = contact->weight[k] * carom_dot(contact->normal, change);
        kick += fabs(along);
        *closing -= along;
    }
    return kick;
}

// Pairs act on each other where the surfaces are nearest: a node above a face towards which nothing around it runs on, or at the sharp edges and corners of a surface, and
// edges that cross. What two edges do at their ends, their end nodes do.
static bool acts(const carom_neighbours *neighbours, int p, const double (*x)[3], const carom_nearest *nearest) {
    const carom_pair_list *pairs = neighbours->pairs;
    const int *features = pairs->features[p];
    if (p < pairs->node_pair_count)
        return nearest->inside ? !carom_surface_runs_on(neighbours->surface, x, features[0], features[1], nearest)
                               : carom_surface_is_exposed(neighbours->surface, x, features[0], features[1], nearest);
    return nearest->inside && carom_surface_edges_are_exposed(neighbours->surface, x, features, nearest);
}

// True if pair number i (of all contacts) belongs to the solve; its nearest points are left in *nearest.
static bool is_within_reach(const carom_rest *rest, int i, const double (*x)[3], const double (*w_before)[3],
                            const double (*w)[3], carom_nearest *nearest) {
    const carom_neighbours *neighbours = &rest->neighbours;
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
    int body[2];
    carom_neighbours_bodies(neighbours, i - neighbours->fixed->count, body);
    double restitution = carom_contact_law_of(neighbours->laws, body).restitution;
    if (!(restitution < 1))
        return false;
    double y[4][3], v[4][3], offset = carom_neighbours_layer(neighbours, i).offset, far = rest->reach + offset;

    // a quick look: boxes farther apart than the longest reach
    carom_neighbours_place(neighbours, i, x, w, 0, y, v);
    if (!carom_narrow_boxes_meet(kind, (carom_const_vectors)y, (carom_const_vectors)v, 0, 0, far))
        return false;

    carom_narrow_nearest(kind, (carom_const_vectors)y, NULL, nearest);
    if (nearest->distance > far || !acts(neighbours, i - neighbours->fixed->count, x, nearest))
        return false;
    double eta = carom_narrow_act_height(neighbours->layer, nearest);
    carom_contact contact = carom_neighbours_record(neighbours, i, nearest);
    double closing, kick = kick_of(&contact, w_before, w, &closing);
    if (nearest->distance - offset > fmax(100 * eta, eta + 2 * rest->step * closing))
        return false;
    return restitution == 0 || -carom_contact_rate(&contact, w_before) <= (1 + 1e-9) * kick;
}

static bool make_room(carom_rest_space *space, int count) {
    if (count <= space->capacity)
        return true;
    free(space->nearest);
    free(space->near);
    space->capacity = count + count / 2;
    space->nearest = carom_allocate(space->capacity, sizeof *space->nearest);
    space->near = carom_allocate(space->capacity, sizeof *space->near);
    if (space->nearest && space->near)
        return true;
    space->capacity = 0;
    return false;
}

// Adds the pairs of surfaces. False if memory is short.
static bool add_pairs(const carom_rest *rest, carom_rest_space *space, const double (*x)[3], const double (*w_before)[3],
                      const double (*w)[3]) {
    int begin = rest->neighbours.fixed->count, count = carom_neighbours_count(&rest->neighbours) - begin;
    if (!make_room(space, count))
        return false;
#pragma omp parallel for schedule(static) if (count > 512)
    for (int p = 0; p < count; p++)
        space->near[p] = is_within_reach(rest, begin + p, x, w_before, w, &space->nearest[p]);
    for (int p = 0; p < count; p++) {
        if (!space->near[p])
            continue;
        carom_contact contact = carom_neighbours_record(&rest->neighbours, begin + p, &space->nearest[p]);
        double height = rest_height * carom_narrow_act_height(rest->neighbours.layer, &space->nearest[p]);
        double target = -fmax(0, space->nearest[p].distance - contact.offset - height) / rest->step;
        double friction = carom_neighbours_law(&rest->neighbours, &contact).friction;
        if (!carom_contact_solve_add(&space->joints, &contact, rest->mobility, friction, target, w_before))
            return false;
    }
    return true;
}

// Sorts the work of a contact into its columns. Nothing is lost to restitution where nothing arrived: that work, zero up to the
// thresholds, is the cost of the handling; so is what friction gives where sliding turns round within the kick.
static void sort_work(const carom_rest *rest, carom_hit *hit) {
    bool arrived =
        carom_contact_is_between_surfaces(&hit->contact) && hit->rate < -rest->neighbours.layer.slow && hit->restitution > 0;
    if (!arrived) {
        hit->projection = hit->restitution;
        hit->restitution = 0;
    }
    // other contacts may turn it round within the kick: what was lost stays lost
    hit->late = fmax(0, fmin(hit->late, hit->restitution));
    if (hit->friction < 0) {
        hit->projection += hit->friction;
        hit->friction = 0;
    }
}

carom_status carom_rest_run(const carom_rest *rest, carom_rest_space *space, const double (*x)[3], const double (*w_before)[3],
                            double (*w)[3], carom_hits *hits, carom_error *error) {
    const double(*u)[3] = (carom_const_vectors)w;
    carom_contact_solve *joints = &space->joints;
    joints->count = 0;
    bool memory = add_fixed(rest, joints, x, w_before, u);
    int fixed = joints->count;
    if (memory && rest->neighbours.pairs)
        memory = add_pairs(rest, space, x, w_before, u);
    if (!memory)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for resting contacts");

    // nothing to do if nothing closes; velocities are exact to rounding on lines, to a part of what is slow between surfaces
    bool any_closes = false;
    double speed = rest->kick;
    for (int i = 0; i < joints->count; i++) {
        const carom_contact *contact = &joints->items[i].contact;
        any_closes = any_closes || carom_contact_rate(contact, u) < joints->items[i].target;
        for (int k = 0; k < contact->count; k++)
            speed = fmax(speed, carom_norm(w[contact->node[k]]));
    }
    if (!any_closes)
        return CAROM_OK;
    double floor = 4 * DBL_EPSILON * speed;
    if (joints->count > fixed)
        floor = fmax(floor, 0.02 * rest->neighbours.layer.slow);
    carom_contact_solve_run(joints, rest->mobility, floor, w);

    for (int i = 0; i < joints->count; i++) {
        if (!(joints->items[i].normal > 0))
            continue;
        carom_hit hit = carom_contact_solve_hit(&joints->items[i], rest->mobility, x, u, 0);
        hit.time = rest->time;
        sort_work(rest, &hit);
        carom_hits_add(hits, &hit);
    }
    return hits->failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory for resting contacts") : CAROM_OK;
}
