// SPDX-License-Identifier: MIT
// Contact of `asynchronous` by polling (overlap_polls.h): decides when a node of a surface gets an impulse. Node A against a
// face, with g the signed distance of A from the face, n its outward normal, N_B the weights of its nodes at the foot point of
// A, and v velocities:
//
//     g <= 0 and n.(v_A - sum N_B v_B) < 0   ->   an impulse along n, and Coulomb friction, at the point (response.h)
//
// A node can be behind several faces of a body: bars of one cross section that meet end to end also overlap laterally, by their
// Poisson strains, and a lateral impulse would be wrong. The face that the node crossed is the one that supports it: all faces
// around the node lie on its outer side. Of several such faces, which a point mass has, it is the one crossed last: with depth
// d and closing rate r, it was crossed at the time d/r before.
//
// For two edges, n is normal to both and points out of one body and into the other, and g is the distance of their nearest
// points along it. The velocities are advanced to the time of the poll by the forces of the last kicks (`centred`), and the
// impulse is added to the velocities between kicks. The next poll is due after min(dt_max, alpha l_A/|v_A|), where l_A =
// (m_A/rho_A)^(1/dimension).
#include "integrator/asynchronous/overlap_polls.h"

#include <math.h>

#include "base/allocate.h"
#include "integrator/step_division.h"
#include "math/functions.h"
#include "math/vec3.h"
#include "model/limits.h"

// The time between two polls is at least this fraction of the longest one, however fast the node.
static const double min_wait_ratio = 1e-6;

// A node deeper than this fraction of the shortest side does not count as overlap: it is at the far side of a thin body.
static const double max_depth = 0.5;

// Deviation from the straight path during a step, in units of the shortest side, for which the list of pairs is made. It is
// more than half of max_depth, so that the list contains all pairs that overlap, however old it is.
static const double path_allowance = 0.4;

// Foot points this far outside a face, in its coordinates, count as inside: rounding must not let a node pass between two
// faces.
static const double foot_tolerance = 1e-6;

// Sine of the angle (45 degrees) by which faces around a node may point below a face that supports it, and (30 degrees) those
// around an edge below the plane of two edges. Surfaces that overlap are warped by less; the sides of a bar, which must be
// distinguished from its end, are at 90 degrees.
static const double support_sine = 0.7;
static const double separation_sine = 0.5;

// Edges with a smaller sine between them count as parallel: the direction of their common normal is not reliable.
static const double parallel_sine = 0.2;

// Overlap with a face that does not support the node counts from this depth on, in units of the shortest side.
static const double min_unsupported_depth = 0.1;

// The path of a node is extrapolated back by this multiple of the time since the last poll: kicks have bent it, and the node
// may have been on the face then.
static const double lookback_ratio = 1.5;

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
    double density = 0;
    // of several materials the densest, so that the size is not too large
    for (int i = kicks->begin[node]; i < kicks->begin[node + 1]; i++)
        density = fmax(density, density_of(carom_kick_block_of(kicks, kicks->ends[i].kicker)->block));
    int dimension = carom_cell_dimension(block->element->cell);
    if (!(density > 0 && dimension > 0))
        return HUGE_VAL;
    // these roots scale exactly with a unit of length that is a power of two, a power with the exponent 1/3 does not
    double content = kicks->model->mass[node] / density;
    return dimension == 1 ? content : dimension == 2 ? sqrt(content) : carom_cbrt(content);
}

// The longest time between two polls: the shortest step of the elements at the node, and at all nodes of its fixed contacts.
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

// A poll is due within the longest wait of its node, of which its number is the multiple.
static carom_limits limits_of(const void *owner, const carom_state *state, int64_t poll) {
    carom_limits limits = carom_limits_recurrence(state->time, ((const carom_overlap_polls *)owner)->longest[poll]);
    limits.whole = false;
    return limits;
}

static carom_limits due_limits(const void *owner, const carom_state *state, int64_t poll) {
    double longest = ((const carom_overlap_polls *)owner)->longest[poll];
    return (carom_limits){state->time - longest, state->time + 2 * longest, false};
}

carom_status carom_overlap_polls_create(carom_overlap_polls *polls, carom_flight *flight,
                                        const carom_asynchronous_params *params, const bool *touch, carom_arena *arena,
                                        carom_error *error) {
    const carom_model *model = flight->model;
    *polls = (carom_overlap_polls){.flight = flight, .params = params};
    for (int k = 0; k < model->node_count; k++)
        polls->count += touch[k];
    polls->due = carom_state_add_array(flight->state, "poll times", polls->count);
    polls->number = carom_state_add_array(flight->state, "polls", polls->count);
    polls->last = carom_state_add_array(flight->state, "last looks", polls->count);
    carom_state_limit(flight->state, polls->due, due_limits, polls);
    carom_state_limit(flight->state, polls->number, limits_of, polls);
    bool enough = polls->due && polls->number && polls->last;
    polls->node = carom_arena_reserve(arena, polls->count, sizeof *polls->node, &enough);
    polls->longest = carom_arena_reserve(arena, polls->count, sizeof *polls->longest, &enough);
    polls->size = carom_arena_reserve(arena, polls->count, sizeof *polls->size, &enough);
    polls->v = carom_arena_reserve(arena, model->node_count, sizeof *polls->v, &enough);
    if (!enough)
        return carom_no_memory(error, "contact");
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
    carom_violations_def def = {.soft = true};
    carom_status status = carom_isolated_create(model, &polls->isolated, error);
    carom_isolated_define(&polls->isolated, model, &def);
    if (!status)
        status = carom_violations_create(&def, &polls->overlaps, error);
    return status ? status : carom_search_create(model, flight->step, &polls->search, error);
}

void carom_overlap_polls_release(carom_overlap_polls *polls) {
    carom_search_release(&polls->search);
    carom_violations_release(&polls->overlaps);
    carom_isolated_release(&polls->isolated);
    carom_hits_release(&polls->hits);
    *polls = (carom_overlap_polls){0};
}

carom_status carom_overlap_polls_begin(carom_overlap_polls *polls, carom_error *error) {
    const carom_flight *flight = polls->flight;
    carom_status status = carom_search_list(&polls->search, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w,
                                            path_allowance * flight->model->surface_length, error);
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

// Orients a normal of two edges out of the body of the second and into that of the first, by the sums of the normals of their
// faces. False if these do not point to opposite sides.
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

// True if the faces lie on the side of a plane through a node to which the normal points, up to an angle given by its sine.
static bool lie_above(const carom_flight *flight, const int *faces, int count, int node, double t, const double normal[3],
                      double sine) {
    const carom_surface *surface = &flight->model->surface;
    double from[3], to[3], direction[3];
    carom_flight_place(flight, node, t, from);
    for (int i = 0; i < count; i++)
        for (int c = 0; c < surface->corners; c++) {
            carom_flight_place(flight, surface->faces[faces[i]][c], t, to);
            carom_difference(to, from, direction);
            if (carom_dot(normal, direction) < -sine * carom_norm(direction))
                return false;
        }
    return true;
}

// True if a face with this outward normal supports a node: the faces around the node lie on its outer side.
static bool supports(const carom_flight *flight, int node, double t, const double normal[3]) {
    const carom_surface *s = &flight->model->surface;
    int begin = s->node_faces_begin[node];
    // a line body has no lateral faces to be excluded, and any of its nodes may touch first
    return s->thin[s->node_body[node]] ||
           lie_above(flight, s->node_faces + begin, s->node_faces_begin[node + 1] - begin, node, t, normal, support_sine);
}

// True if the plane parallel to two edges separates the faces of the first from those of the second. Both nodes of an edge lie
// in that plane.
static bool separates(const carom_flight *flight, const int edges[2], double t, const double normal[3]) {
    const carom_surface *s = &flight->model->surface;
    for (int e = 0; e < 2; e++) {
        int begin = s->edge_faces_begin[edges[e]], count = s->edge_faces_begin[edges[e] + 1] - begin;
        const double side[3] = {e ? -normal[0] : normal[0], e ? -normal[1] : normal[1], e ? -normal[2] : normal[2]};
        if (!lie_above(flight, s->edge_faces + begin, count, s->edges[edges[e]][0], t, side, separation_sine))
            return false;
    }
    return true;
}

// The contact of a pair that overlaps at time t; false if it does not. *age is the time since its node crossed the face, at the
// present rate; *supported, for faces: the face supports the node.
static bool overlaps(const carom_overlap_polls *polls, int i, double t, carom_contact *contact, double *age, bool *supported) {
    const carom_flight *flight = polls->flight;
    const carom_neighbours *neighbours = &polls->neighbours;
    int p = i - neighbours->fixed->count;
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, p);
    double y[4][3], v[4][3], separation[3] = {0};
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
        if (!(carom_normalize(nearest.normal) > parallel_sine * carom_norm(a) * carom_norm(b)) ||
            !turn_out(flight, features, t, nearest.normal))
            return false;
    } else {
        // the faces after the first full_count are lines in the plane without an outside
        if (features[1] >= flight->model->surface.full_count)
            return false;
        for (int k = 1; k < carom_narrow_count(kind); k++)
            if (-nearest.weight[k] < -foot_tolerance)
                return false;
        outward(flight, features[1], t, nearest.normal);
        carom_normalize(nearest.normal);
    }
    for (int k = 0; k < carom_narrow_count(kind); k++)
        carom_add_scaled(nearest.weight[k], y[k], separation);
    double gap = carom_dot(nearest.normal, separation);
    // the nearest points must be separated along the normal, not laterally
    if (carom_norm(separation) > fabs(gap) * (1 + foot_tolerance) + distance_rounding * neighbours->length)
        return false;
    // neighbouring faces of one body are always near each other: only pairs of different bodies count
    *contact = carom_neighbours_record(neighbours, i, &nearest);
    if (contact->body[0] == contact->body[1] || gap > contact->offset || gap <= -max_depth * neighbours->length)
        return false;
    double rate = carom_contact_rate(contact, (carom_const_vectors)flight->w), depth = contact->offset - gap;
    *age = rate < 0 ? depth / -rate : HUGE_VAL;
    if (kind == CAROM_NARROW_EDGE_EDGE)
        return separates(flight, features, t, nearest.normal);
    // a face that does not support the node counts only if deeper than overlap by Poisson strains
    *supported = supports(flight, features[0], t, nearest.normal);
    return *supported || depth > min_unsupported_depth * neighbours->length;
}

// Fails if a node has crossed a face since its last poll and is deeper behind it than max_depth.
static carom_status check_passage(const carom_overlap_polls *polls, int i, double t, double wait, carom_error *error) {
    const carom_flight *flight = polls->flight;
    const carom_neighbours *neighbours = &polls->neighbours;
    int p = i - neighbours->fixed->count, body[2];
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, p);
    carom_neighbours_bodies(neighbours, p, body);
    const int *features = neighbours->pairs->features[p];
    if (body[0] == body[1] || features[1] >= flight->model->surface.full_count)
        return CAROM_OK;
    double normal[3], y[4][3], v[4][3], before[4][3], offset[3] = {0}, time;
    outward(flight, features[1], t, normal);
    carom_normalize(normal);
    carom_neighbours_place(neighbours, i, (carom_const_vectors)flight->x, (carom_const_vectors)flight->w, t, y, v);
    carom_difference(y[0], y[1], offset);
    // in front of the face, or not deeper than max_depth: most pairs end here
    if (carom_dot(normal, offset) > -max_depth * neighbours->length)
        return CAROM_OK;
    for (int k = 0; k < carom_narrow_count(kind); k++) {
        carom_copy(y[k], before[k]);
        carom_add_scaled(-lookback_ratio * wait, v[k], before[k]);
    }
    const double(*a)[3] = (carom_const_vectors)before, (*b)[3] = (carom_const_vectors)y;
    bool meet = kind == CAROM_NARROW_NODE_FACE ? carom_ccd_node_face(a, b, 0, &time) : carom_ccd_node_segment(a, b, 0, &time);
    carom_difference(before[0], before[1], offset);
    if (!meet || !(carom_dot(normal, offset) > 0))
        return CAROM_OK;
    const carom_model *model = flight->model;
    flight->state->books.events[CAROM_EVENT_CONTACT_MISSED]++;
    return carom_fail(error, CAROM_NUMERICAL,
                      "a node of body '%s' passed through body '%s' between two polls for overlap (interval %.3g) at time %g: "
                      "set integrator.asynchronous.contact: exact",
                      model->bodies[body[0]].name, model->bodies[body[1]].name, wait, flight->begin + t);
}

// Applies the impulse of an overlapping contact at time t, if its rate is negative.
static void respond(carom_overlap_polls *polls, const carom_contact *contact, double t) {
    carom_flight *flight = polls->flight;
    for (int k = 0; k < contact->count; k++) {
        int node = contact->node[k];
        double change[3] = {0};
        if (polls->params->centred)
            carom_kicks_centre(&flight->kicks, node, flight->begin + t, change);
        carom_restraints_project(&flight->restraints, node, change);
        carom_copy(flight->w[node], polls->v[node]);
        carom_add_scaled(1, change, polls->v[node]);
    }
    double rate = carom_contact_rate(contact, (carom_const_vectors)polls->v);
    if (!(rate < 0))
        return;
    carom_contact_law law = carom_neighbours_law(&polls->neighbours, contact);
    // For a pair that stays together the centred rate is zero, but w still closes it by half a kick, so that the overlap would
    // grow by a t^2/2 between polls: without restitution the rate of w must not be negative either.
    double kick = rate - carom_contact_rate(contact, (carom_const_vectors)flight->w);
    double target = fmax(-law.restitution * rate, (1 - law.restitution) * kick);
    double friction = carom_contact_friction(&law, contact, (carom_const_vectors)polls->v);
    carom_hit hit = carom_response(contact, flight->mobility, target, friction, polls->v);
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

// Finds the face of each other body that a node has crossed at time t, `wait` after its last poll, and applies its impulse.
// Pairs of a node are in the order of their faces, and these in the order of bodies.
static carom_status check_faces(carom_overlap_polls *polls, int node, double t, double wait, carom_error *error) {
    const carom_neighbours *neighbours = &polls->neighbours;
    carom_contact best = {0};
    double best_age = HUGE_VAL, best_gap = -HUGE_VAL;
    bool best_supported = false;
    int other = -1;
    for (int j = 0, i; (i = carom_neighbours_of_node(neighbours, node, j)) >= 0; j++) {
        int nodes[4], p = i - neighbours->fixed->count, body[2];
        carom_neighbours_nodes(neighbours, i, nodes);
        if (carom_neighbours_is_fixed(neighbours, i) || nodes[0] != node ||
            carom_neighbours_kind(neighbours, p) == CAROM_NARROW_EDGE_EDGE)
            continue;
        carom_neighbours_bodies(neighbours, p, body);
        if (body[1] != other && other >= 0 && best.count)
            respond(polls, &best, t);
        if (body[1] != other)
            best = (carom_contact){0};
        other = body[1];
        carom_contact contact;
        double age;
        bool supported = false;
        carom_status status = check_passage(polls, i, t, wait, error);
        if (status)
            return status;
        if (!overlaps(polls, i, t, &contact, &age, &supported))
            continue;
        double gap = carom_contact_gap(&contact, (carom_const_vectors)polls->flight->x) +
                     t * carom_contact_rate(&contact, (carom_const_vectors)polls->flight->w);
        // of faces crossed since the last poll the last one; otherwise the nearest one
        bool better = age < wait || best_age < wait ? age < best_age : gap > best_gap;
        if (best.count && (supported == best_supported ? !better : best_supported))
            continue;
        best_supported = supported;
        best = contact;
        best_age = age;
        best_gap = gap;
    }
    if (best.count)
        respond(polls, &best, t);
    return CAROM_OK;
}

// Applies impulses of contacts with fixed normals, and of edges.
static void check_others(carom_overlap_polls *polls, int node, double t) {
    const carom_flight *flight = polls->flight;
    const carom_neighbours *neighbours = &polls->neighbours;
    for (int j = 0, i; (i = carom_neighbours_of_node(neighbours, node, j)) >= 0; j++) {
        int nodes[4];
        carom_neighbours_nodes(neighbours, i, nodes);
        carom_contact contact;
        double age;
        bool supported;
        if (carom_neighbours_is_fixed(neighbours, i)) {
            contact = neighbours->fixed->items[i];
            double gap = carom_contact_gap(&contact, (carom_const_vectors)flight->x) +
                         t * carom_contact_rate(&contact, (carom_const_vectors)flight->w);
            if (nodes[0] == node && gap <= 0)
                respond(polls, &contact, t);
            continue;
        }
        // pairs of edges are checked at the polls of the first node of each
        bool is_edge = carom_neighbours_kind(neighbours, i - neighbours->fixed->count) == CAROM_NARROW_EDGE_EDGE;
        if (is_edge && (nodes[0] == node || nodes[2] == node) && overlaps(polls, i, t, &contact, &age, &supported))
            respond(polls, &contact, t);
    }
}

// True if an impulse of this poll moves a node farther from its path within the step than the list of pairs allows.
static bool has_left_list(const carom_overlap_polls *polls, double t) {
    const carom_flight *flight = polls->flight;
    for (int h = 0; h < polls->hits.count; h++) {
        const carom_hit *hit = &polls->hits.items[h];
        for (int k = 0; k < hit->contact.count; k++)
            if (flight->model->mass[hit->contact.node[k]] > CAROM_MASSLESS &&
                fabs(hit->contact.weight[k]) * carom_norm(hit->impulse) / flight->model->mass[hit->contact.node[k]] *
                        (flight->step - t) >
                    0.5 * path_allowance * flight->model->surface_length)
                return true;
    }
    return false;
}

// The level of the next poll: its interval is 2^-level of the longest one, no longer than the divided steps of the elements at
// the node. A kick after the last poll would press the node into the surface until the next.
static int level_of(const carom_overlap_polls *polls, int poll) {
    const carom_kicks *kicks = &polls->flight->kicks;
    double step = polls->longest[poll];
    for (int k = polls->node[poll], j = kicks->begin[k]; kicks->levels && j < kicks->begin[k + 1]; j++)
        step = fmin(step, carom_kick_step(kicks, kicks->ends[j].kicker));
    return carom_pace_level_of(polls->longest[poll], step);
}

// Sets the time of the next poll. Times are multiples of the longest interval, not sums: they equal those of the kicks of
// elements with that step.
static void plan(carom_overlap_polls *polls, int poll, double t) {
    const carom_flight *flight = polls->flight;
    bool adapts = polls->params->contact == CAROM_ASYNCHRONOUS_ADAPTIVE;
    double longest = polls->longest[poll], parts = ldexp(1, level_of(polls, poll)), *number = &polls->number[poll];
    double speed = carom_norm(flight->w[polls->node[poll]]), path = polls->params->alpha * polls->size[poll];
    *number = adapts ? *number + 1 / parts : floor(*number * parts + 1) / parts;
    polls->due[poll] = *number * longest;
    if (adapts && path < longest / parts * speed) {
        polls->due[poll] = flight->begin + t + fmax(path / speed, min_wait_ratio * longest);
        *number = polls->due[poll] / longest;
    }
}

carom_status carom_overlap_polls_check(carom_overlap_polls *polls, int poll, double t, carom_error *error) {
    carom_flight *flight = polls->flight;
    int node = polls->node[poll];
    polls->hits.count = 0;
    double since = flight->begin + t - polls->last[poll];
    polls->last[poll] = flight->begin + t;
    carom_status status = check_faces(polls, node, t, since, error);
    if (status)
        return status;
    check_others(polls, node, t);
    if (polls->hits.failed)
        return carom_no_memory(error, "contact");
    carom_ledger_record_hits(flight->state, flight->observer, polls->hits.items, polls->hits.count, 0, flight->state->step + 1);

    if (flight->model->surface.face_count && has_left_list(polls, t))
        status = carom_overlap_polls_begin(polls, error);
    plan(polls, poll, t);
    return status;
}

carom_status carom_overlap_polls_measure(carom_overlap_polls *polls, double *depth, carom_error *error) {
    carom_violation_worst worst = {0};
    carom_status status = carom_violations_worst(&polls->overlaps, (carom_const_vectors)polls->flight->x, &worst, error);
    *depth = worst.depth;
    return status;
}
