// SPDX-License-Identifier: MIT
#include "integrator/impacts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/encounter.h"
#include "contact/exposed.h"

typedef const double (*const_vectors)[3];

enum {
    SETTLE_AFTER = 20,
    SETTLE_ELASTIC_AFTER = 1000,
    BOUNCE_AFTER = 20,
    HOLD_AFTER = 200,
    HOLD_DEEP_AFTER = 25,
    REST_SWEEPS = 100,
    RINGS = 4
};

// Rates below this part of speeds are no impact; impacts closer than this part of the step happen at one time; contacts closer than this part of
// the way of their nodes touch; surfaces rest a little above the layer; at rest is what moves by no more than this part of a kick.
static const double noise = 1e-14, one_time = 8 * DBL_EPSILON, touch_threshold = 1e-6, rest_height = 1.25,
                    rest_threshold = 1e-6;

// ---- memory ----

carom_status carom_impacts_create(carom_impacts *impacts, carom_flight *flight, carom_error *error) {
    const carom_model *model = flight->model;
    int n = model->node_count;
    *impacts = (carom_impacts){.flight = flight};
    impacts->role = carom_allocate(n, sizeof *impacts->role);
    impacts->near = carom_allocate(n, sizeof *impacts->near);
    impacts->version = carom_allocate(n, sizeof *impacts->version);
    impacts->hit_count = carom_allocate(n, sizeof *impacts->hit_count);
    impacts->rapid = carom_allocate(n, sizeof *impacts->rapid);
    impacts->last = carom_allocate(n, sizeof *impacts->last);
    impacts->x_line = carom_allocate(n, sizeof *impacts->x_line);
    impacts->w_line = carom_allocate(n, sizeof *impacts->w_line);
    impacts->w_before = carom_allocate(n, sizeof *impacts->w_before);
    impacts->w_after = carom_allocate(n, sizeof *impacts->w_after);
    impacts->place = carom_allocate(n, sizeof *impacts->place);
    impacts->placed = carom_allocate(n, sizeof *impacts->placed);
    impacts->kicked = carom_allocate(n, sizeof *impacts->kicked);
    impacts->joined = carom_allocate(n, sizeof *impacts->joined);
    impacts->kept = carom_allocate(n, sizeof *impacts->kept);
    impacts->joint_nodes = carom_allocate(n, sizeof *impacts->joint_nodes);
    impacts->moved = carom_allocate(n, sizeof *impacts->moved);
    impacts->listed = carom_allocate(model->candidates.count, sizeof *impacts->listed);
    if (!impacts->role || !impacts->near || !impacts->version || !impacts->hit_count || !impacts->rapid || !impacts->last ||
        !impacts->x_line || !impacts->w_line || !impacts->w_before || !impacts->w_after || !impacts->place ||
        !impacts->placed || !impacts->kicked || !impacts->joined || !impacts->kept || !impacts->joint_nodes ||
        !impacts->moved || !impacts->listed)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    for (int i = 0; i < model->surface.vertex_count; i++)
        impacts->role[model->surface.vertices[i]] = 1;
    for (int c = 0; c < model->candidates.count; c++)
        for (int k = 0; k < model->candidates.items[c].count; k++)
            impacts->role[model->candidates.items[c].node[k]] = 1;
    carom_status status = carom_clusters_reserve(&impacts->clusters, n, error);
    return status ? status : carom_search_create(model, flight->step, &impacts->search, error);
}

void carom_impacts_release(carom_impacts *impacts) {
    carom_search_release(&impacts->search);
    carom_events_release(&impacts->events);
    carom_hits_release(&impacts->hits);
    carom_joints_release(&impacts->joints);
    carom_clusters_release(&impacts->clusters);
    free(impacts->role);
    free(impacts->near);
    free(impacts->version);
    free(impacts->hit_count);
    free(impacts->rapid);
    free(impacts->last);
    free(impacts->x_line);
    free(impacts->w_line);
    free(impacts->w_before);
    free(impacts->w_after);
    free(impacts->place);
    free(impacts->placed);
    free(impacts->kicked);
    free(impacts->joined);
    free(impacts->kept);
    free(impacts->joint_nodes);
    free(impacts->moved);
    free(impacts->awake);
    free(impacts->axis);
    free(impacts->seen);
    free(impacts->listed);
    *impacts = (carom_impacts){0};
}

static bool make_room(carom_impacts *impacts, int count) {
    if (count <= impacts->capacity)
        return true;
    free(impacts->awake);
    free(impacts->axis);
    free(impacts->seen);
    impacts->capacity = count + count / 2;
    impacts->awake = carom_allocate(impacts->capacity, sizeof *impacts->awake);
    impacts->axis = carom_allocate(impacts->capacity, sizeof *impacts->axis);
    impacts->seen = carom_allocate(impacts->capacity, sizeof *impacts->seen);
    if (impacts->awake && impacts->axis && impacts->seen)
        return true;
    impacts->capacity = 0;
    return false;
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact events");
}

// ---- when a contact acts ----

// The shortest step of the nodes of a contact: before it is over one of them is kicked.
static double step_of(const carom_impacts *impacts, const int *nodes, int count) {
    double step = HUGE_VAL;
    for (int k = 0; k < count; k++)
        step = fmin(step, impacts->flight->kicks.shortest[nodes[k]]);
    return step;
}

static int version_of(const carom_impacts *impacts, const int *nodes, int count) {
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += impacts->version[nodes[k]];
    return sum;
}

// The layer of a pair; slow is what crosses a tenth of it in a step of its nodes.
static carom_narrow_layer layer_of(const carom_impacts *impacts, int i, double step) {
    carom_narrow_layer layer = carom_neighbours_layer(&impacts->neighbours, i);
    layer.slow = 0.1 * layer.height / step;
    return layer;
}

// How far apart the features of a pair are along the axis, vertices at y + t v, at least.
static double apart_along(const double axis[3], carom_narrow_kind kind, const double (*y)[3], const double (*v)[3], double t) {
    double first = HUGE_VAL, second = -HUGE_VAL;
    int split = carom_narrow_split(kind), n = carom_narrow_count(kind);
    for (int k = 0; k < n; k++) {
        double at = carom_dot(axis, y[k]) + t * carom_dot(axis, v[k]);
        if (k < split)
            first = at < first ? at : first;
        else
            second = at > second ? at : second;
    }
    return first - second;
}

// The time in [now, end] at which contact number i acts; `patient`: not before half of its distance is gone.
static bool time_of_impact(const carom_impacts *impacts, int i, double now, bool patient, double *time) {
    const carom_flight *flight = impacts->flight;
    const carom_neighbours *neighbours = &impacts->neighbours;
    const_vectors x = (const_vectors)flight->x, w = (const_vectors)flight->w;
    int node[4], n = carom_neighbours_nodes(neighbours, i, node);
    double step = step_of(impacts, node, n), end = fmin(now + (1 + 1e-9) * step, flight->step);
    if (carom_neighbours_is_fixed(neighbours, i)) {
        const carom_contact *contact = &neighbours->fixed->items[i];
        double gap = carom_contact_gap(contact, x), rate = carom_contact_rate(contact, w);
        if (!(gap + end * rate < -carom_encounter_rounding(contact, x)) || rate >= -noise * carom_encounter_speed(contact, w))
            return false;
        *time = fmin(fmax(-gap / rate, now), end);
        return true;
    }
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
    double y[4][3], v[4][3];
    carom_narrow_hit hit;
    carom_neighbours_place(neighbours, i, x, w, 0, y, v);
    carom_narrow_layer layer = layer_of(impacts, i, step);
    layer.patient = patient;
    // apart along the old axis at both ends is apart all the time: it acts within the layer alone
    double *axis = impacts->axis[i], outside = layer.offset + layer.height;
    if (apart_along(axis, kind, (const_vectors)y, (const_vectors)v, now) > outside &&
        apart_along(axis, kind, (const_vectors)y, (const_vectors)v, end) > outside)
        return false;
    if (!carom_narrow_boxes_meet(kind, (const_vectors)y, (const_vectors)v, now, end, layer.offset + 2 * layer.height))
        return false;
    if (carom_narrow_first(kind, (const_vectors)y, (const_vectors)v, now, end, &layer, &hit)) {
        *time = hit.time;
        return true;
    }
    carom_nearest nearest;
    carom_neighbours_place(neighbours, i, x, w, now, y, v);
    carom_narrow_nearest(kind, (const_vectors)y, NULL, &nearest);
    carom_copy(nearest.normal, axis);
    return false;
}

// Looks for the next impact of one contact.
static bool look(carom_impacts *impacts, int i, double now, bool patient) {
    int node[4], n = carom_neighbours_nodes(&impacts->neighbours, i, node);
    carom_impact next = {.candidate = i, .version = version_of(impacts, node, n)};
    if ((impacts->holding && carom_clusters_holds(&impacts->clusters, node, n)) ||
        !time_of_impact(impacts, i, now, patient, &next.time))
        return true;
    return carom_events_push(&impacts->events, next);
}

// Looks at all contacts of the nodes that have moved, each once.
static bool look_again(carom_impacts *impacts, double now) {
    impacts->round++;
    for (int k = 0; k < impacts->moved_count; k++) {
        if (!impacts->near[impacts->moved[k]])
            continue;
        for (int j = 0, i; (i = carom_neighbours_of_node(&impacts->neighbours, impacts->moved[k], j)) >= 0; j++) {
            if (!impacts->awake[i] || impacts->seen[i] == impacts->round)
                continue;
            impacts->seen[i] = impacts->round;
            if (!look(impacts, i, now, false))
                return false;
        }
    }
    return true;
}

// ---- the list ----

// Which contacts may act in this step: those whose straight ways, widened by the allowance, come near each other.
static void wake(carom_impacts *impacts) {
    const carom_neighbours *neighbours = &impacts->neighbours;
    const carom_model *model = impacts->flight->model;
    double step = impacts->flight->step;
    memset(impacts->near, 0, (size_t)model->node_count * sizeof *impacts->near);
    for (int i = 0, count = carom_neighbours_count(neighbours); i < count; i++) {
        impacts->awake[i] = true;
        if (!carom_neighbours_is_fixed(neighbours, i)) {
            double y[4][3], v[4][3];
            carom_neighbours_place(neighbours, i, (const_vectors)impacts->x_line, (const_vectors)impacts->w_line, 0, y, v);
            impacts->awake[i] = carom_narrow_boxes_meet(carom_neighbours_kind(neighbours, i - neighbours->fixed->count),
                                                        (const_vectors)y, (const_vectors)v, 0, step,
                                                        carom_search_reach(&impacts->search) + model->contact.thickness +
                                                            2 * neighbours->layer.height + 2 * impacts->allowance);
        }
        int node[4], n = carom_neighbours_nodes(neighbours, i, node);
        for (int k = 0; k < n && impacts->awake[i]; k++)
            impacts->near[node[k]] = true;
    }
}

// A new list at time t of the step, and the impacts to come by it.
static carom_status list(carom_impacts *impacts, double t, carom_error *error) {
    carom_flight *flight = impacts->flight;
    const carom_surface *surface = &flight->model->surface;
    impacts->search.step = fmax(flight->step - t, 1e-3 * flight->step);
    impacts->round++;
    for (int i = 0; i < surface->vertex_count; i++)
        carom_flight_place(flight, surface->vertices[i], t, impacts->place[surface->vertices[i]]);
    carom_status status =
        carom_search_list(&impacts->search, (const_vectors)impacts->place, (const_vectors)flight->w, impacts->allowance, error);
    if (status)
        return status;
    impacts->neighbours = carom_search_neighbours(&impacts->search);
    int count = carom_neighbours_count(&impacts->neighbours);
    if (!make_room(impacts, count))
        return no_memory(error);
    memcpy(impacts->x_line, flight->x, (size_t)flight->model->node_count * sizeof *flight->x);
    memcpy(impacts->w_line, flight->w, (size_t)flight->model->node_count * sizeof *flight->w);
    wake(impacts);
    if (count)
        memset(impacts->axis, 0, (size_t)count * sizeof *impacts->axis);
    impacts->events.count = 0;
    for (int i = 0; i < count; i++)
        if (impacts->awake[i] && !look(impacts, i, t, false))
            return no_memory(error);
    return CAROM_OK;
}

carom_status carom_impacts_begin(carom_impacts *impacts, carom_error *error) {
    const carom_flight *flight = impacts->flight;
    int n = flight->model->node_count;
    // a list made anew within the step looks again at all that may act, so that the allowance must not depend on the steps before
    impacts->search.allowance = 0;
    impacts->allowance = carom_search_allowance(&impacts->search, (const_vectors)flight->w);
    memset(impacts->version, 0, (size_t)n * sizeof *impacts->version);
    memset(impacts->hit_count, 0, (size_t)n * sizeof *impacts->hit_count);
    memset(impacts->rapid, 0, (size_t)n * sizeof *impacts->rapid);
    for (int k = 0; k < n; k++)
        impacts->last[k] = -flight->step;
    carom_clusters_clear(&impacts->clusters);
    impacts->holding = false;
    return list(impacts, 0, error);
}

// The nodes that have moved fly differently from now on. A new list if one of them leaves what the list was made for before its next kick.
static carom_status go_on(carom_impacts *impacts, double t, carom_error *error) {
    const carom_flight *flight = impacts->flight;
    bool outran = false;
    for (int i = 0; i < impacts->moved_count; i++) {
        int k = impacts->moved[i];
        impacts->version[k]++;
        double ends[2] = {t, fmin(t + flight->kicks.shortest[k], flight->step)};
        for (int e = 0; e < 2; e++) {
            double way[3];
            for (int d = 0; d < 3; d++)
                way[d] = flight->x[k][d] - impacts->x_line[k][d] + ends[e] * (flight->w[k][d] - impacts->w_line[k][d]);
            outran = outran || carom_norm(way) > impacts->allowance;
        }
    }
    if (outran) {
        impacts->allowance *= 2;
        return list(impacts, t, error);
    }
    return look_again(impacts, t) ? CAROM_OK : no_memory(error);
}

static void note_moved(carom_impacts *impacts, int node) {
    if (impacts->joined[node] == impacts->round || !impacts->role[node])
        return;
    impacts->joined[node] = impacts->round;
    impacts->moved[impacts->moved_count++] = node;
}

static carom_status book(carom_impacts *impacts, carom_error *error) {
    if (impacts->hits.failed)
        return no_memory(error);
    carom_ledger_book_hits(impacts->flight->state, impacts->hits.items, impacts->hits.count, 0);
    impacts->hits.count = 0;
    return CAROM_OK;
}

// ---- kicks that press ----

void carom_impacts_before(carom_impacts *impacts, const int *nodes, int count) {
    impacts->round++;
    for (int a = 0; a < count; a++) {
        carom_copy(impacts->flight->w[nodes[a]], impacts->w_before[nodes[a]]);
        impacts->kicked[nodes[a]] = impacts->round;
    }
}

// Places the corners of all faces of a node.
static void see(carom_impacts *impacts, int node, double t) {
    const carom_surface *surface = &impacts->flight->model->surface;
    for (int i = surface->node_faces_begin[node]; i < surface->node_faces_begin[node + 1]; i++)
        for (int c = 0; c < surface->corners; c++) {
            int k = surface->faces[surface->node_faces[i]][c];
            if (impacts->placed[k] == impacts->round)
                continue;
            impacts->placed[k] = impacts->round;
            carom_flight_place(impacts->flight, k, t, impacts->place[k]);
        }
}

// Pairs act on each other where the surfaces are nearest (rest.h).
static bool acts(carom_impacts *impacts, int p, const int *node, int n, double t, const carom_nearest *nearest) {
    const carom_neighbours *neighbours = &impacts->neighbours;
    const carom_pair_list *pairs = neighbours->pairs;
    bool is_node = p < pairs->node_pair_count;
    if (is_node && nearest->inside)
        return true;
    if (!is_node && !nearest->inside)
        return false;
    for (int k = 0; k < n; k++)
        see(impacts, node[k], t);
    const_vectors place = (const_vectors)impacts->place;
    return is_node ? carom_surface_is_exposed(neighbours->surface, place, pairs->features[p][0], pairs->features[p][1], nearest)
                   : carom_surface_edges_are_exposed(neighbours->surface, place, pairs->features[p], nearest);
}

// Fixed contacts: those that touch and do not move against each other before the kick.
static bool is_resting(const carom_impacts *impacts, const carom_contact *contact, double gap, double step) {
    const carom_flight *flight = impacts->flight;
    double speed = 0, kick = 0, place = fabs(contact->offset);
    for (int k = 0; k < contact->count; k++) {
        int node = contact->node[k];
        double before = carom_dot(contact->normal, impacts->w_before[node]);
        speed += fabs(contact->weight[k]) * fabs(before);
        kick += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, flight->w[node]) - before);
        place += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, flight->x[node]));
    }
    double rate = carom_contact_rate(contact, (const_vectors)impacts->w_before);
    return fabs(rate) <= rest_threshold * kick + 64 * DBL_EPSILON * speed &&
           gap <= rest_threshold * kick * step + 1e-12 * flight->model->contact_length + 8 * DBL_EPSILON * place;
}

// Nodes that are not kicked move on as they did.
static void remember(carom_impacts *impacts, const int *node, int n) {
    for (int k = 0; k < n; k++)
        if (impacts->kicked[node[k]] != impacts->round) {
            impacts->kicked[node[k]] = impacts->round;
            carom_copy(impacts->flight->w[node[k]], impacts->w_before[node[k]]);
        }
}

// How fast the kick drives the nodes of a contact along its normal, without regard to direction; and the closing by it.
static double kick_of(const carom_impacts *impacts, const carom_contact *contact, double *closing) {
    double kick = 0;
    *closing = 0;
    for (int k = 0; k < contact->count; k++) {
        double change[3];
        carom_difference(impacts->flight->w[contact->node[k]], impacts->w_before[contact->node[k]], change);
        double along = contact->weight[k] * carom_dot(contact->normal, change);
        kick += fabs(along);
        *closing -= along;
    }
    return kick;
}

// Adds a contact to those that are solved together. False if memory is short.
static bool add_joint(carom_impacts *impacts, const carom_contact *contact, double friction, double target) {
    for (int k = 0; k < contact->count; k++)
        if (impacts->kept[contact->node[k]] != impacts->round) {
            impacts->kept[contact->node[k]] = impacts->round;
            impacts->joint_nodes[impacts->joint_node_count++] = contact->node[k];
            carom_copy(impacts->flight->w[contact->node[k]], impacts->w_after[contact->node[k]]);
        }
    return carom_joints_add(&impacts->joints, contact, impacts->flight->mobility, friction, target,
                            (const_vectors)impacts->w_before);
}

// Adds contact number i to those that are solved together, if it belongs there; `lack`: only if its rate lacks more than that. False
// if memory is short.
static bool join(carom_impacts *impacts, int i, double t, double lack) {
    const carom_flight *flight = impacts->flight;
    const carom_neighbours *neighbours = &impacts->neighbours;
    const_vectors x = (const_vectors)flight->x, w = (const_vectors)flight->w, before = (const_vectors)impacts->w_before;
    int node[4], n = carom_neighbours_nodes(neighbours, i, node);
    double step = step_of(impacts, node, n);
    remember(impacts, node, n);
    if (carom_neighbours_is_fixed(neighbours, i)) {
        const carom_contact *contact = &neighbours->fixed->items[i];
        double gap = carom_contact_gap(contact, x) + t * carom_contact_rate(contact, w);
        carom_contact_law law = carom_neighbours_law(neighbours, contact);
        return law.restitution >= 1 || !is_resting(impacts, contact, gap, step) ||
               add_joint(impacts, contact, law.friction, -fmax(gap, 0) / step);
    }

    // pairs of surfaces within reach of the kick; where restitution is asked for, one that comes faster is an impact
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
    double y[4][3], v[4][3];
    carom_narrow_layer layer = layer_of(impacts, i, step);
    double far = carom_search_reach(&impacts->search) + layer.offset;
    carom_neighbours_place(neighbours, i, x, w, t, y, v);
    double most = 0;
    for (int k = 0; k < n; k++) {
        double change[3];
        carom_difference(w[node[k]], before[node[k]], change);
        most = fmax(most, carom_dot(change, change));
    }
    far = fmin(far, layer.offset + fmax(100 * layer.height, layer.height + 4 * step * sqrt(most)));
    if (apart_along(impacts->axis[i], kind, (const_vectors)y, (const_vectors)v, 0) > far ||
        !carom_narrow_boxes_meet(kind, (const_vectors)y, (const_vectors)v, 0, 0, far))
        return true;
    carom_nearest nearest;
    carom_narrow_nearest(kind, (const_vectors)y, NULL, &nearest);
    carom_copy(nearest.normal, impacts->axis[i]);
    if (nearest.distance > far)
        return true;
    carom_contact contact = carom_neighbours_record(neighbours, i, &nearest);
    double eta = carom_narrow_act_height(neighbours->layer, &nearest), closing, kick = kick_of(impacts, &contact, &closing);
    double gap = nearest.distance - contact.offset, target = -fmax(0, gap - rest_height * eta) / step;
    carom_contact_law law = carom_neighbours_law(neighbours, &contact);
    if (gap > fmax(100 * eta, eta + 2 * step * closing) || carom_contact_rate(&contact, w) > target - lack ||
        (law.restitution > 0 && -carom_contact_rate(&contact, before) > (1 + 1e-9) * kick) ||
        !acts(impacts, i - neighbours->fixed->count, node, n, t, &nearest))
        return true;
    return add_joint(impacts, &contact, law.friction, target);
}

// The last kicks of its nodes: how fast they drive the contact without regard to direction; and what leads to the velocities at time t.
static double last_kicks(const carom_impacts *impacts, const carom_contact *contact, double t, double *offset) {
    const carom_flight *flight = impacts->flight;
    double speed = 0;
    *offset = 0;
    for (int k = 0; k < contact->count; k++) {
        double last[3] = {0}, change[3] = {0};
        const carom_restraint *restraint = carom_restraint_of(&flight->restraints, contact->node[k]);
        carom_kicks_last(&flight->kicks, contact->node[k], last);
        carom_kicks_centre(&flight->kicks, contact->node[k], flight->begin + t, change);
        if (restraint) {
            carom_restraint_project(restraint, last);
            carom_restraint_project(restraint, change);
        }
        speed += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, last));
        *offset += contact->weight[k] * carom_dot(contact->normal, change);
    }
    return speed;
}

// True if a contact of this rate comes no faster than kicks drive it. What such a contact takes, kicks gave it between its two sides, which are kicked one after
// the other: neither is booked.
static bool is_driven(const carom_impacts *impacts, const carom_contact *contact, double rate, double t) {
    double offset;
    return -rate <= (1 + 1e-9) * last_kicks(impacts, contact, t, &offset);
}

// Sorts the work of a contact that was pressed into its columns.
static void sort_work(const carom_impacts *impacts, double t, carom_hit *hit) {
    if (!carom_contact_is_between_surfaces(&hit->contact) || !(hit->restitution > 0) ||
        is_driven(impacts, &hit->contact, hit->rate, t))
        hit->restitution = 0;
    if (hit->friction < 0) {
        hit->projection = hit->friction;
        hit->friction = 0;
    }
}

// All contacts of a node that were not looked at yet join. False if memory is short.
static bool join_node(carom_impacts *impacts, int node, double t, double lack) {
    if (!impacts->near[node])
        return true;
    for (int j = 0, i; (i = carom_neighbours_of_node(&impacts->neighbours, node, j)) >= 0; j++) {
        if (!impacts->awake[i] || impacts->seen[i] == impacts->round)
            continue;
        impacts->seen[i] = impacts->round;
        if (!join(impacts, i, t, lack))
            return false;
    }
    return true;
}

// Solves the contacts that were joined, from the velocities after the kick; nodes stay where they are at time t. Returns how exactly, 0
// if none closes.
static double solve(carom_impacts *impacts, double t) {
    carom_flight *flight = impacts->flight;
    carom_joints *joints = &impacts->joints;
    bool closes = false, surfaces = false;
    double speed = 0, step = HUGE_VAL;
    for (int i = 0; i < impacts->joint_node_count; i++) {
        int k = impacts->joint_nodes[i];
        for (int d = 0; d < 3; d++)
            flight->x[k][d] += t * (flight->w[k][d] - impacts->w_after[k][d]);
        carom_copy(impacts->w_after[k], flight->w[k]);
    }
    for (int i = 0; i < joints->count; i++) {
        carom_joint *joint = &joints->items[i];
        joint->normal = joint->tangential[0] = joint->tangential[1] = joint->tangential[2] = 0;
    }
    for (int i = 0; i < joints->count; i++) {
        const carom_contact *contact = &joints->items[i].contact;
        closes = closes || carom_contact_rate(contact, (const_vectors)flight->w) < joints->items[i].target;
        surfaces = surfaces || carom_contact_is_between_surfaces(contact);
        speed = fmax(speed, carom_encounter_speed(contact, (const_vectors)flight->w));
        step = fmin(step, step_of(impacts, contact->node, contact->count));
    }
    if (!closes)
        return 0;
    double floor = 4 * DBL_EPSILON * speed;
    if (surfaces)
        floor = fmax(floor, 0.002 * impacts->neighbours.layer.height / step);
    carom_joints_solve(joints, flight->mobility, floor, flight->w);
    for (int i = 0; i < impacts->joint_node_count; i++) {
        int k = impacts->joint_nodes[i];
        for (int d = 0; d < 3; d++)
            flight->x[k][d] -= t * (flight->w[k][d] - impacts->w_after[k][d]);
    }
    return floor;
}

// Answers a kick at time t: contacts that it presses, and those that the answer presses, as far as that goes. Nodes stay where they are.
static carom_status press(carom_impacts *impacts, const int *nodes, int count, double t, carom_error *error) {
    carom_flight *flight = impacts->flight;
    carom_joints *joints = &impacts->joints;
    joints->count = impacts->joint_node_count = 0;
    for (int a = 0; a < count; a++)
        if (!join_node(impacts, nodes[a], t, -HUGE_VAL))
            return no_memory(error);
    double floor = joints->count ? solve(impacts, t) : 0;
    if (floor == 0)
        return CAROM_OK;
    for (int ring = 0, begin = 0; ring < RINGS && begin < joints->count; ring++) {
        int end = joints->count;
        for (int i = begin; i < end; i++)
            for (int k = 0; k < joints->items[i].contact.count; k++)
                if (!join_node(impacts, joints->items[i].contact.node[k], t, 4 * floor))
                    return no_memory(error);
        begin = end;
        if (joints->count > end)
            floor = solve(impacts, t);
    }

    for (int i = 0; i < impacts->joint_node_count; i++) {
        int k = impacts->joint_nodes[i];
        if (memcmp(flight->w[k], impacts->w_after[k], sizeof *flight->w) != 0)
            note_moved(impacts, k);
    }
    for (int i = 0; i < joints->count; i++) {
        if (!(joints->items[i].normal > 0))
            continue;
        carom_hit hit =
            carom_joint_hit(&joints->items[i], flight->mobility, (const_vectors)flight->x, (const_vectors)flight->w, t);
        hit.time = flight->begin + t;
        sort_work(impacts, t, &hit);
        carom_hits_add(&impacts->hits, &hit);
    }
    return book(impacts, error);
}

carom_status carom_impacts_after(carom_impacts *impacts, const int *nodes, int count, double t, carom_error *error) {
    impacts->moved_count = 0;
    for (int a = 0; a < count; a++) {
        int k = nodes[a];
        note_moved(impacts, k);
        impacts->hit_count[k] = 0;
        if (impacts->holding && impacts->clusters.held[carom_clusters_root(&impacts->clusters, k)]) {
            carom_clusters_clear(&impacts->clusters);
            impacts->holding = false;
        }
    }
    carom_status status = press(impacts, nodes, count, t, error);
    return status ? status : go_on(impacts, t, error);
}

// ---- impacts ----

double carom_impacts_next(carom_impacts *impacts) {
    while (impacts->events.count) {
        carom_impact impact = impacts->events.heap[0];
        int node[4], n = carom_neighbours_nodes(&impacts->neighbours, impact.candidate, node);
        if (impact.version == version_of(impacts, node, n))
            return impact.time;
        carom_events_pop(&impacts->events);
    }
    return HUGE_VAL;
}

// Books an impulse given at time t, and keeps the nodes of its contact where they are.
static void record(carom_impacts *impacts, carom_hit *hit, double t) {
    carom_flight *flight = impacts->flight;
    const carom_contact *contact = &hit->contact;
    double back[3] = {-t * hit->impulse[0], -t * hit->impulse[1], -t * hit->impulse[2]};
    carom_contact_push(contact, flight->mobility, back, flight->x);
    int movers[4], count = carom_encounter_movers(contact, impacts->flight->mobility, 0, contact->count, movers);
    for (int k = 0; k < count; k++) {
        int node = movers[k];
        impacts->rapid[node] = t - impacts->last[node] <= one_time * flight->step ? impacts->rapid[node] + 1 : 0;
        impacts->last[node] = t;
        impacts->hit_count[node]++;
        note_moved(impacts, node);
    }
    hit->time = flight->begin + t;
    hit->ground =
        carom_contact_ground(contact, flight->mobility, hit->impulse, (const_vectors)flight->x, (const_vectors)flight->w, t);
    hit->spot = carom_contact_spot(contact, (const_vectors)flight->x, (const_vectors)flight->w, t);
    carom_hits_add(&impacts->hits, hit);
}

// One impact at time t: the normal rate becomes -restitution times itself, or `least` if that is more. `offset` leads from the velocities
// between kicks to those at time t. The loss of a contact that kicks drive is not booked.
static void collide(carom_impacts *impacts, const carom_contact *contact, double t, carom_contact_law law, double least,
                    double offset, bool driven) {
    carom_flight *flight = impacts->flight;
    double rate = carom_contact_rate(contact, (const_vectors)flight->w), real = rate + offset;
    double target = -law.restitution * rate;
    bool corrected = offset != 0 && real < 0 && -law.restitution * real - offset > 0;
    if (corrected)
        target = -law.restitution * real - offset;
    carom_hit hit = carom_response(contact, flight->mobility, fmax(target, least), law.friction, flight->w);
    if (hit.normal == 0)
        return;
    // what it takes to leave faster than restitution says is the cost of the layer
    if (least > target) {
        double plain = hit.restitution * (target * target - rate * rate) / (least * least - rate * rate);
        if (!isfinite(plain))
            plain = 0;
        hit.projection = hit.restitution - plain;
        hit.restitution = plain;
    } else if (corrected) {
        hit.restitution = 0.5 * (1 - law.restitution * law.restitution) * real * real /
                          carom_contact_softness(contact, flight->mobility, contact->normal);
    }
    if (driven)
        hit.restitution = 0;
    record(impacts, &hit, t);
}

// The contact in question and all that touch its nodes at time t, directly or through others. False if memory is short.
static bool collect_cluster(carom_impacts *impacts, int first, double t) {
    const carom_flight *flight = impacts->flight;
    const carom_candidates *candidates = impacts->neighbours.fixed;
    const_vectors x = (const_vectors)flight->x, w = (const_vectors)flight->w;
    carom_joints *cluster = &impacts->joints;
    cluster->count = 0;
    bool memory = carom_joints_add(cluster, &candidates->items[first], flight->mobility, 0, 0, w);
    if (memory && cluster->count)
        cluster->items[0].number = first;
    impacts->listed[first] = true;
    for (int next = 0; next < cluster->count && memory; next++) {
        carom_contact member = cluster->items[next].contact;
        for (int k = 0; k < member.count; k++) {
            for (int i = candidates->begin[member.node[k]]; i < candidates->begin[member.node[k] + 1]; i++) {
                int c = candidates->of_node[i];
                const carom_contact *contact = &candidates->items[c];
                double gap = carom_contact_gap(contact, x) + t * carom_contact_rate(contact, w);
                double touch =
                    touch_threshold * step_of(impacts, contact->node, contact->count) * carom_encounter_speed(contact, w) +
                    carom_encounter_rounding(contact, x);
                if (impacts->listed[c] || gap > touch)
                    continue;
                int before = cluster->count;
                memory = memory && carom_joints_add(cluster, contact, flight->mobility, 0, 0, w);
                impacts->listed[c] = cluster->count > before;
                if (impacts->listed[c])
                    cluster->items[before].number = c;
            }
        }
    }
    impacts->listed[first] = false;
    for (int i = 0; i < cluster->count; i++)
        impacts->listed[cluster->items[i].number] = false;
    return memory;
}

// All contacts of a collapse on a line at once, without bounce.
static bool settle(carom_impacts *impacts, int first, double t) {
    carom_flight *flight = impacts->flight;
    if (!collect_cluster(impacts, first, t))
        return false;
    carom_joints *cluster = &impacts->joints;
    double floor = 0, loss = 0, impulse = 0;
    for (int i = 0; i < cluster->count; i++)
        floor = fmax(floor, carom_encounter_speed(&cluster->items[i].contact, (const_vectors)flight->w));
    carom_joints_solve(cluster, flight->mobility, 4 * DBL_EPSILON * floor, flight->w);
    int begin = impacts->hits.count;
    for (int i = 0; i < cluster->count; i++) {
        if (!(cluster->items[i].normal > 0))
            continue;
        carom_hit hit =
            carom_joint_hit(&cluster->items[i], flight->mobility, (const_vectors)flight->x, (const_vectors)flight->w, 0);
        loss += hit.restitution;
        impulse += hit.normal;
        record(impacts, &hit, t);
    }
    // the loss belongs to the cluster as a whole: shared out by impulse
    for (int h = begin; h < impacts->hits.count; h++)
        impacts->hits.items[h].restitution = fmax(0, loss) * impacts->hits.items[h].normal / impulse;
    impacts->flight->state->books.events[CAROM_EVENT_CONTACT_SETTLED]++;
    return true;
}

// The cluster of a contact moves on as one, until one of its nodes is kicked.
static void hold(carom_impacts *impacts, const carom_contact *contact, double t) {
    carom_flight *flight = impacts->flight;
    carom_clusters *clusters = &impacts->clusters;
    int root = carom_clusters_link(clusters, contact->node, contact->count);
    if (!carom_contact_is_between_surfaces(contact))
        clusters->grounded[root] = true;
    carom_held held = carom_clusters_hold(clusters, root, flight->mobility, t, flight->x, flight->w);
    carom_hit hit = {.contact = *contact, .time = flight->begin + t, .projection = held.energy, .ground = held.ground};
    carom_hits_add(&impacts->hits, &hit);
    impacts->holding = true;
    flight->state->books.events[CAROM_EVENT_CONTACT_HELD]++;
    for (int i = 0; i < clusters->count; i++)
        if (carom_clusters_root(clusters, clusters->touched[i]) == root)
            note_moved(impacts, clusters->touched[i]);
}

// True if a node of the contact is held.
static bool was_held(const carom_impacts *impacts, const int *nodes, int count) {
    bool held = false;
    for (int k = 0; k < count && impacts->holding; k++)
        held = held || impacts->clusters.held[carom_clusters_root(&impacts->clusters, nodes[k])];
    return held;
}

// An impact of a fixed contact.
static bool meet_on_line(carom_impacts *impacts, int i, double t) {
    const carom_contact *contact = &impacts->neighbours.fixed->items[i];
    carom_contact_law law = carom_neighbours_law(&impacts->neighbours, contact);
    if (was_held(impacts, contact->node, contact->count)) {
        hold(impacts, contact, t);
        return true;
    }
    int most = 0;
    for (int k = 0; k < contact->count; k++) {
        int node = contact->node[k];
        if (impacts->rapid[node] > most && t - impacts->last[node] <= one_time * impacts->flight->step)
            most = impacts->rapid[node];
    }
    if (most >= (law.restitution < 1 ? SETTLE_AFTER : SETTLE_ELASTIC_AFTER))
        return settle(impacts, i, t);
    bool driven =
        law.restitution < 1 && is_driven(impacts, contact, carom_contact_rate(contact, (const_vectors)impacts->flight->w), t);
    if (driven)
        law.restitution = 0;
    collide(impacts, contact, t, law, 0, 0, driven);
    return true;
}

// An impact of two features of surfaces.
static carom_status meet_surfaces(carom_impacts *impacts, int i, double t, carom_error *error) {
    const carom_flight *flight = impacts->flight;
    const carom_neighbours *neighbours = &impacts->neighbours;
    const_vectors x = (const_vectors)flight->x, w = (const_vectors)flight->w;
    double y[4][3], v[4][3], eta = neighbours->layer.height;
    carom_neighbours_place(neighbours, i, x, w, t, y, v);
    carom_nearest nearest;
    carom_narrow_nearest(carom_neighbours_kind(neighbours, i - neighbours->fixed->count), (const_vectors)y, (const_vectors)v,
                         &nearest);
    carom_contact contact = carom_neighbours_record(neighbours, i, &nearest);
    double rate = carom_contact_rate(&contact, w), d = nearest.distance - contact.offset;
    double step = step_of(impacts, contact.node, contact.count);
    int movers[4], mover_count = carom_encounter_movers(&contact, impacts->flight->mobility, 0, contact.count, movers);

    // nothing can keep apart what is driven into each other
    if (mover_count == 0) {
        if (rate < 0 && d < 1e-6 * eta)
            return carom_fail(error, CAROM_NUMERICAL, "the prescribed motions of '%s' and '%s' lead into each other at time %g",
                              flight->model->bodies[contact.body[0]].name, flight->model->bodies[contact.body[1]].name,
                              flight->begin + t);
        return look(impacts, i, t, true) ? CAROM_OK : no_memory(error);
    }

    // a cascade without end, or a cluster that was hit after it was held
    int hit_count = carom_encounter_hits(&contact, impacts->flight->mobility, impacts->hit_count);
    bool held = was_held(impacts, movers, mover_count);
    carom_clusters_link(&impacts->clusters, movers, mover_count);
    if (held || hit_count > HOLD_AFTER || (hit_count > HOLD_DEEP_AFTER && d < 1e-3 * eta)) {
        hold(impacts, &contact, t);
        return CAROM_OK;
    }

    // restitution holds for impacts; one that kicks make is stopped; a cascade is scattered
    carom_contact_law law = carom_neighbours_law(neighbours, &contact);
    double offset, kick = last_kicks(impacts, &contact, t, &offset);
    bool driven = -rate <= (1 + 1e-9) * kick;
    if (driven)
        law.restitution = 0;
    if (hit_count > BOUNCE_AFTER)
        law.restitution = 1;
    double level = carom_narrow_act_height(neighbours->layer, &nearest), least = 0;
    if (d < 0.25 * level)
        least = carom_encounter_escape(&contact, impacts->neighbours.length, level, d, rate, step,
                                       (const_vectors)impacts->flight->w);
    int begin = impacts->hits.count;
    if (rate < 0)
        collide(impacts, &contact, t, law, least, law.restitution > 0 ? offset : 0, driven && law.restitution == 0);
    // one that closes by no more than rounding is looked at again when half of its distance is gone
    if (impacts->hits.count == begin && !look(impacts, i, t, true))
        return no_memory(error);
    return CAROM_OK;
}

carom_status carom_impacts_happen(carom_impacts *impacts, carom_error *error) {
    carom_impact impact = carom_events_pop(&impacts->events);
    impacts->round++;
    impacts->moved_count = 0;
    carom_status status = CAROM_OK;
    if (!carom_neighbours_is_fixed(&impacts->neighbours, impact.candidate))
        status = meet_surfaces(impacts, impact.candidate, impact.time, error);
    else if (!meet_on_line(impacts, impact.candidate, impact.time))
        status = no_memory(error);
    if (!status)
        status = book(impacts, error);
    if (status || impacts->moved_count == 0)
        return status;
    return go_on(impacts, impact.time, error);
}

// ---- output ----

// The contact of pair or fixed contact number i if it touches and rests; false if not. `slow` is the rate of rest.
static bool rests(const carom_impacts *impacts, int i, carom_contact *contact, double *slow) {
    const carom_flight *flight = impacts->flight;
    const carom_neighbours *neighbours = &impacts->neighbours;
    const_vectors x = (const_vectors)flight->x, w = (const_vectors)flight->w;
    int node[4], n = carom_neighbours_nodes(neighbours, i, node);
    double step = step_of(impacts, node, n), gap, reach;
    if (carom_neighbours_is_fixed(neighbours, i)) {
        *contact = neighbours->fixed->items[i];
        gap = carom_contact_gap(contact, x);
        reach = 1e-9 * flight->model->contact_length + carom_encounter_rounding(contact, x);
        *slow = reach / step;
    } else {
        carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
        double y[4][3], v[4][3], height = neighbours->layer.height;
        carom_neighbours_place(neighbours, i, x, w, 0, y, v);
        if (!carom_narrow_boxes_meet(kind, (const_vectors)y, (const_vectors)v, 0, 0,
                                     carom_neighbours_layer(neighbours, i).offset + 2 * height))
            return false;
        carom_nearest nearest;
        carom_narrow_nearest(kind, (const_vectors)y, NULL, &nearest);
        *contact = carom_neighbours_record(neighbours, i, &nearest);
        gap = nearest.distance - contact->offset;
        reach = 2 * carom_narrow_act_height(neighbours->layer, &nearest);
        *slow = 0.1 * reach / step;
    }
    return gap <= reach && fabs(carom_contact_rate(contact, w)) <= *slow;
}

void carom_impacts_rest(carom_impacts *impacts, double (*v)[3], carom_accounts *sum) {
    const carom_flight *flight = impacts->flight;
    carom_joints *joints = &impacts->joints;
    joints->count = 0;
    double most = 0;
    for (int i = 0, count = carom_neighbours_count(&impacts->neighbours); i < count; i++) {
        carom_contact contact;
        double slow;
        if (!impacts->awake[i] || !rests(impacts, i, &contact, &slow) ||
            !carom_joints_add(joints, &contact, flight->mobility, 0, 0, (const_vectors)flight->w))
            continue;
        most = fmax(most, fabs(carom_contact_rate(&contact, (const_vectors)v)));
    }

    // impulses of either sign, one contact after another, until the rates are those between kicks
    double left = most;
    for (int sweep = 0; sweep < REST_SWEEPS && left > 1e-3 * most; sweep++) {
        left = 0;
        for (int j = 0; j < joints->count; j++) {
            const carom_contact *contact = &joints->items[j].contact;
            double rate = carom_contact_rate(contact, (const_vectors)v) - carom_contact_rate(contact, (const_vectors)flight->w);
            double impulse = -rate / joints->items[j].softness, J[3];
            for (int d = 0; d < 3; d++)
                J[d] = impulse * contact->normal[d];
            carom_contact_push(contact, flight->mobility, J, v);
            carom_ground ground =
                carom_contact_ground(contact, flight->mobility, J, (const_vectors)flight->x, (const_vectors)v, 0);
            carom_add_scaled(1, ground.impulse, sum->impulse);
            carom_add_scaled(1, ground.moment, sum->angular_impulse);
            sum->drive_work += ground.work;
            left = fmax(left, fabs(rate));
        }
    }
}
