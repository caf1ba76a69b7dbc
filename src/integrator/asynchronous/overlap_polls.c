// SPDX-License-Identifier: MIT
// Node A of a surface against a face, with g the height of A over the face, n its outward normal and N_B the coordinates of the
// foot of A on it:
//
//     g <= 0 and n.(v_A - sum N_B v_B) < 0   ->   an impulse along n, and Coulomb friction, at the point (response.h)
//
// For two edges, n is normal to both and points out of one body and into the other, and g is the distance of their nearest
// points along it. The velocities are advanced to the time of the look by the forces of the last kicks (`centred`), and the
// impulse is added to the velocities between kicks. The next look is due after min(dt_max, alpha l_A/|v_A|), where l_A =
// (m_A/rho_A)^(1/dimension).
#include "integrator/asynchronous/overlap_polls.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"

// The time between two looks is at least this fraction of the longest one, however fast the node.
static const double least_part = 1e-6;

// Overlap deeper than this fraction of the shortest side is none: the node is at the far side of a thin body.
static const double deepest = 0.5;

// Deviation from the straight path during a step, in shortest sides, for which the list of pairs is made. Two allowances exceed
// the deepest overlap, so the list holds all pairs that overlap, however old it is.
static const double allowance = 0.4;

// Feet this far outside of a face, in its coordinates, are inside: rounding must not let a node slip between two faces.
static const double inside = 1e-6;

// Rounding of a distance, in units of the shortest side.
static const double distance_rounding = 1e-12;

carom_status carom_overlap_polls_accept(const carom_model *model, carom_error *error) {
    for (int b = 0; b < model->surface.body_count && model->surface.face_count; b++)
        if (model->surface.open[b] && carom_cell_dimension(model->blocks[model->bodies[b].block_begin].element->cell) >= 2)
            return carom_fail(error, CAROM_BAD_INPUT, "the surface of '%s' is open: asynchronous contact must be `exact`",
                              model->bodies[b].name);
    return CAROM_OK;
}

// Mass per unit of length, area or volume, whichever the elements of the block have; 0 without material.
static double density_of(const carom_block *block) {
    if (!block->material)
        return 0;
    double density = block->material->density(block->material_params);
    return density * carom_block_section(block);
}

// The size l_A of a node.
static double size_of(const carom_kicks *kicks, int node) {
    const carom_block *block = carom_kick_block_of(kicks, kicks->ends[kicks->begin[node]].kicker)->block;
    double density = density_of(block);
    int dimension = carom_cell_dimension(block->element->cell);
    return density > 0 && dimension > 0 ? pow(kicks->model->mass[node] / density, 1.0 / dimension) : HUGE_VAL;
}

// The longest time between two looks: the shortest step of the elements at the node, and at all nodes of its fixed contacts.
static double longest_of(const carom_kicks *kicks, int node) {
    const carom_candidates *fixed = &kicks->model->candidates;
    double step = kicks->shortest[node];
    for (int i = fixed->begin ? fixed->begin[node] : 0; fixed->begin && i < fixed->begin[node + 1]; i++) {
        const carom_contact *contact = &fixed->items[fixed->of_node[i]];
        for (int k = 0; k < contact->count; k++)
            step = fmin(step, kicks->shortest[contact->node[k]]);
    }
    return step;
}

carom_status carom_overlap_polls_create(carom_overlap_polls *polls, carom_flight *flight,
                                        const carom_asynchronous_params *params, const bool *touch, carom_error *error) {
    const carom_model *model = flight->model;
    *polls = (carom_overlap_polls){.flight = flight, .params = params};
    for (int k = 0; k < model->node_count; k++)
        polls->count += touch[k];
    polls->node = carom_allocate(polls->count, sizeof *polls->node);
    polls->longest = carom_allocate(polls->count, sizeof *polls->longest);
    polls->size = carom_allocate(polls->count, sizeof *polls->size);
    polls->due = carom_state_add_array(flight->state, "poll times", polls->count);
    polls->number = carom_state_add_array(flight->state, "polls", polls->count);
    polls->v = carom_allocate(model->node_count, sizeof *polls->v);
    if (!polls->node || !polls->longest || !polls->size || !polls->due || !polls->number || !polls->v)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    double shortest = HUGE_VAL;
    for (int k = 0, p = 0; k < model->node_count; k++) {
        if (!touch[k])
            continue;
        polls->node[p] = k;
        polls->longest[p] = longest_of(&flight->kicks, k);
        polls->size[p] = size_of(&flight->kicks, k);
        shortest = fmin(shortest, polls->longest[p++]);
    }
    for (int p = 0; p < polls->count && params->contact == CAROM_ASYNCHRONOUS_SEQUENTIAL; p++)
        polls->longest[p] = shortest;
    carom_violations_def def = {.node_count = model->node_count,
                                .surface = &model->surface,
                                .exclusions = &model->exclusions,
                                .immovable = model->immovable,
                                .soft = true,
                                .X = (carom_const_vectors)model->X};
    carom_status status = carom_violations_create(&def, &polls->overlaps, error);
    return status ? status : carom_search_create(model, flight->step, &polls->search, error);
}

void carom_overlap_polls_release(carom_overlap_polls *polls) {
    carom_search_release(&polls->search);
    carom_violations_release(&polls->overlaps);
    carom_hits_release(&polls->hits);
    free(polls->node);
    free(polls->longest);
    free(polls->size);
    free(polls->v);
    *polls = (carom_overlap_polls){0};
}

carom_status carom_overlap_polls_begin(carom_overlap_polls *polls, carom_error *error) {
    const carom_flight *flight = polls->flight;
    carom_status status = carom_search_list(&polls->search, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w,
                                            allowance * flight->model->surface_length, error);
    polls->neighbours = carom_search_neighbours(&polls->search);
    return status;
}

// The outward normal of a face with nodes at time t, not of unit length.
static void outward(const carom_flight *flight, int face, double t, double normal[3]) {
    const carom_surface *surface = &flight->model->surface;
    double p[3][3], a[3], b[3];
    for (int c = 0; c < 3; c++)
        carom_flight_place(flight, surface->faces[face][c], t, p[c]);
    if (surface->corners == 2) {
        normal[0] = p[1][1] - p[0][1];
        normal[1] = p[0][0] - p[1][0];
        normal[2] = 0;
        return;
    }
    carom_difference(p[1], p[0], a);
    carom_difference(p[2], p[0], b);
    carom_cross(a, b, normal);
}

// Turns a normal of two edges such that it points out of the body of the second and into that of the first, judged by the sums
// of the normals of their faces. False if these do not agree.
static bool turn_out(const carom_flight *flight, const int edges[2], double t, double normal[3]) {
    const carom_surface *surface = &flight->model->surface;
    double sum[2][3] = {{0}};
    for (int e = 0; e < 2; e++)
        for (int i = surface->edge_faces_begin[edges[e]]; i < surface->edge_faces_begin[edges[e] + 1]; i++) {
            double n[3];
            outward(flight, surface->edge_faces[i], t, n);
            carom_normalize(n);
            carom_add_scaled(1, n, sum[e]);
        }
    double first = carom_dot(normal, sum[0]), second = carom_dot(normal, sum[1]);
    if (second < 0)
        for (int d = 0; d < 3; d++)
            normal[d] = -normal[d];
    return first * second < 0;
}

// The contact of a pair that overlaps at time t; false if it does not.
static bool overlaps(const carom_overlap_polls *polls, int i, double t, carom_contact *contact) {
    const carom_flight *flight = polls->flight;
    const carom_neighbours *neighbours = &polls->neighbours;
    int p = i - neighbours->fixed->count;
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, p);
    double y[4][3], v[4][3], apart[3] = {0};
    carom_neighbours_place(neighbours, i, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, t, y, v);
    carom_nearest nearest;
    carom_narrow_nearest(kind, (carom_const_vectors)y, NULL, &nearest);
    const int *features = neighbours->pairs->features[p];
    if (!nearest.inside && kind == CAROM_NARROW_EDGE_EDGE)
        return false;
    if (kind == CAROM_NARROW_EDGE_EDGE) {
        double a[3], b[3];
        carom_difference(y[1], y[0], a);
        carom_difference(y[3], y[2], b);
        carom_cross(a, b, nearest.normal);
        if (!(carom_normalize(nearest.normal) > 0) || !turn_out(flight, features, t, nearest.normal))
            return false;
    } else {
        for (int k = 1; k < carom_narrow_count(kind); k++)
            if (-nearest.weight[k] < -inside)
                return false;
        outward(flight, features[1], t, nearest.normal);
        carom_normalize(nearest.normal);
    }
    for (int k = 0; k < carom_narrow_count(kind); k++)
        carom_add_scaled(nearest.weight[k], y[k], apart);
    double gap = carom_dot(nearest.normal, apart);
    // the nearest points must lie on top of each other along the normal, not side by side
    if (carom_norm(apart) > fabs(gap) * (1 + inside) + distance_rounding * neighbours->length)
        return false;
    // neighbouring faces of one body are always near each other: only different bodies overlap
    *contact = carom_neighbours_record(neighbours, i, &nearest);
    return contact->body[0] != contact->body[1] && gap <= contact->offset && gap > -deepest * neighbours->length;
}

// Gives a contact that overlaps its impulse at time t, if it closes.
static void respond(carom_overlap_polls *polls, const carom_contact *contact, double t) {
    carom_flight *flight = polls->flight;
    for (int k = 0; k < contact->count; k++) {
        int node = contact->node[k];
        double change[3] = {0};
        const carom_restraint *restraint = carom_restraint_of(&flight->restraints, node);
        if (polls->params->centred)
            carom_kicks_centre(&flight->kicks, node, flight->begin + t, change);
        if (restraint)
            carom_restraint_project(restraint, change);
        carom_copy(flight->w[node], polls->v[node]);
        carom_add_scaled(1, change, polls->v[node]);
    }
    double rate = carom_contact_rate(contact, (carom_const_vectors)polls->v);
    if (!(rate < 0))
        return;
    carom_contact_law law = carom_neighbours_law(&polls->neighbours, contact);
    carom_hit hit = carom_response(contact, flight->mobility, -law.restitution * rate, law.friction, polls->v);
    if (!(hit.normal > 0))
        return;
    double back[3] = {-t * hit.impulse[0], -t * hit.impulse[1], -t * hit.impulse[2]};
    carom_contact_push(contact, flight->mobility, hit.impulse, flight->w);
    carom_contact_push(contact, flight->mobility, back, flight->x);
    hit.time = flight->begin + t;
    hit.ground = carom_contact_ground(contact, flight->mobility, hit.impulse, (carom_const_vectors)flight->x,
                                      (carom_const_vectors)flight->w, t);
    hit.spot = carom_contact_spot(contact, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, t);
    carom_hits_add(&polls->hits, &hit);
}

carom_status carom_overlap_polls_look(carom_overlap_polls *polls, int poll, double t, carom_error *error) {
    carom_flight *flight = polls->flight;
    const carom_neighbours *neighbours = &polls->neighbours;
    int node = polls->node[poll];
    polls->hits.count = 0;
    for (int j = 0, i; (i = carom_neighbours_of_node(neighbours, node, j)) >= 0; j++) {
        int nodes[4];
        carom_neighbours_nodes(neighbours, i, nodes);
        carom_contact contact;
        if (carom_neighbours_is_fixed(neighbours, i)) {
            contact = neighbours->fixed->items[i];
            double gap = carom_contact_gap(&contact, (carom_const_vectors)flight->x) +
                         t * carom_contact_rate(&contact, (carom_const_vectors)flight->w);
            if (nodes[0] == node && gap <= 0)
                respond(polls, &contact, t);
            continue;
        }
        // nodes look at faces; for an edge its first node does
        bool is_edge = carom_neighbours_kind(neighbours, i - neighbours->fixed->count) == CAROM_NARROW_EDGE_EDGE;
        if ((nodes[0] == node || (is_edge && nodes[2] == node)) && overlaps(polls, i, t, &contact))
            respond(polls, &contact, t);
    }
    if (polls->hits.failed)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
    carom_ledger_book_hits(flight->state, flight->observer, polls->hits.items, polls->hits.count, 0, flight->state->step + 1);

    // times are multiples of the longest wait, not sums: equal waits make equal times, those of the kicks of its elements
    double wait = polls->longest[poll], speed = carom_norm(flight->w[node]);
    polls->due[poll] = ++polls->number[poll] * wait;
    if (polls->params->contact == CAROM_ASYNCHRONOUS_ADAPTIVE && polls->params->alpha * polls->size[poll] < wait * speed) {
        polls->due[poll] = flight->begin + t + fmax(polls->params->alpha * polls->size[poll] / speed, least_part * wait);
        polls->number[poll] = polls->due[poll] / wait;
    }
    return CAROM_OK;
}

carom_status carom_overlap_polls_measure(carom_overlap_polls *polls, double *depth, carom_error *error) {
    carom_violation_worst worst = {0};
    carom_status status = carom_violations_worst(&polls->overlaps, (carom_const_vectors)polls->flight->x, &worst, error);
    *depth = worst.depth;
    return status;
}
