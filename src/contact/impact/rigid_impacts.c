// SPDX-License-Identifier: MIT
// Resolves the impacts of a drift in which rigid bodies take part (docs/theory/rigid.md). Nodes of a rotating body move on the
// chords of their arcs. The time t of an impact is found by the path of the node, and the impulse is computed with the velocity
// of the body:
//
//     1. The bodies of both sides are moved to t, which changes pose and angular velocity but not momentum and energy.
//     2. If the contact closes with these velocities, its law reflects them.
//     3. The nodes get new paths from their present positions. Late in a drift a chord may close although the body does not:
//        then the new path, whose chord begins at t, suffices.
//     4. If the path still closes, as on the inside of a ring, the smallest impulse that stops it is applied, and recorded as a
//        cost of contact handling.
//
// All contacts that touch at time t are solved together, since bodies that lie on each other have many simultaneous impacts.
// After many impacts of a body they are solved without bounce.
#include "contact/impact/rigid_impacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/impact/drift_check.h"
#include "contact/impact/sweeps.h"
#include "math/mat3.h"

enum {
    // Impacts of a body at one time, and in one drift, after which its contacts are solved without bounce.
    SETTLE_AFTER = 8,
    SETTLE_IN_DRIFT = 64,
    // The same for e = 1: such sequences are finite but long, and must conserve energy.
    SETTLE_ELASTIC_AFTER = 1000,
    // Sweeps of a preliminary solve, which finds the bodies that an impact moves.
    ROUND_SWEEPS = 8,
    // Limit of sweeps of the solve itself: a remaining error causes the next impact.
    PILE_SWEEPS = 100,
    // Attempts to stop a path.
    STOP_ATTEMPTS = 4
};

// Pairs nearer than this many activation distances touch when contacts are solved together.
static const double touching_layers = 2;

// Contacts nearer than `near_layers` heights of the layer may close when impulses at other contacts change their bodies; such
// contacts come to rest at `rest_height` heights (rest.c).
static const double near_layers = 4;
static const double rest_height = 1.25;

// A path closes if its rate exceeds this fraction of the speeds whose difference it is.
static const double path_noise = 0.5e-14;

// Minimum separation speed of a contact, in units of the speed that crosses a tenth of the layer in a step: twice the error of
// the solve (body_accuracy of encounter.c).
static const double leaving_speed = 0.04;

// Surfaces that no impulse can separate cross if they come closer than this fraction of the layer, as in drift.c.
static const double crossing_distance = 1e-6;

bool carom_drift_is_rigid(const carom_drifting *drift, int i) {
    const carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    int node[4], n = rigid_bodies ? carom_neighbours_nodes(&drift->interval->neighbours, i, node) : 0;
    for (int k = 0; k < n; k++)
        if (rigid_bodies->of_node[node[k]] >= 0)
            return true;
    return false;
}

bool carom_drift_cluster_has_body(const carom_drifting *drift, int node) {
    const carom_clusters *clusters = &drift->impacts->clusters;
    const carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    int root = carom_clusters_root(clusters, node);
    for (int i = 0; rigid_bodies && i < clusters->count; i++)
        if (carom_rigid_bodies_at(rigid_bodies, clusters->touched[i]) >= 0 &&
            carom_clusters_root(clusters, clusters->touched[i]) == root)
            return true;
    return false;
}

// A contact at time t, and its distance.
typedef struct meeting {
    carom_contact contact;
    double distance; // of a pair of surfaces
    double level;    // distance at which it acts; 0 for fixed contacts
    bool inside;     // the nearest points are inside their features
} meeting;

static meeting meeting_of(const carom_drifting *drift, int i, double t) {
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    meeting m = {.inside = true};
    if (carom_neighbours_is_fixed(neighbours, i)) {
        m.contact = neighbours->fixed->items[i];
        m.distance = carom_contact_gap(&m.contact, drift->b) + t * carom_contact_rate(&m.contact, drift->w);
    } else {
        double x[4][3], v[4][3];
        carom_nearest nearest;
        carom_neighbours_place(neighbours, i, drift->b, drift->w, t, x, v);
        carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
        carom_narrow_nearest(kind, (carom_const_vectors)x, (carom_const_vectors)v, &nearest);
        m.contact = carom_neighbours_record(neighbours, i, &nearest);
        m.distance = nearest.distance - m.contact.offset;
        m.level = carom_narrow_act_height(neighbours->layer, &nearest);
        m.inside = nearest.inside;
    }
    return m;
}

// True if body r is the first of its linkage: the bodies of a linkage are moved once, together.
static bool is_first_in_linkage(const carom_drifting *drift, int r) {
    const int *linked;
    carom_linkage_bodies(drift->interval->mobility.rigid_bodies, r, &linked);
    return linked[0] == r;
}

// The rigid bodies of a contact; returns their number.
static int bodies_of(const carom_drifting *drift, const carom_contact *contact, int bodies[2]) {
    int count = 0;
    for (int s = 0; s < 2; s++)
        if (contact->side[s].centre)
            bodies[count++] = contact->side[s].turn - drift->interval->mobility.rigid_bodies->first_row;
    return count;
}

static void hold_sides(const carom_drifting *drift, carom_contact *contact, double t) {
    carom_rigid_bodies_set_sides(drift->interval->mobility.rigid_bodies, contact, drift->b, drift->w, t);
}

// The rate by the velocities of the straight paths of the nodes.
static double path_rate(const carom_drifting *drift, const carom_contact *contact) {
    carom_contact plain = *contact;
    plain.side[0].centre = plain.side[1].centre = 0;
    return carom_contact_rate(&plain, drift->w);
}

// Minimum separation speed. It exceeds the error of the solve: otherwise the contact would act again immediately.
static double min_separation_speed(const carom_drifting *drift) {
    return leaving_speed * drift->interval->neighbours.layer.slow;
}

// True if a body of the contact belongs to a linkage.
static bool is_linked(const carom_drifting *drift, const carom_contact *contact) {
    int bodies[2], n = bodies_of(drift, contact, bodies);
    bool linked = false;
    for (int b = 0; b < n; b++)
        linked = linked || drift->interval->mobility.rigid_bodies->items[bodies[b]].linkage;
    return linked;
}

// Stops paths that still close. Deep in the layer they must open with the rate `escape` (else 0), whatever the velocities do:
// the distance of two features is curved along straight paths, which would close again and again, each time at half the
// distance.
static void stop_paths(const carom_drifting *drift, const carom_contact *contact, double escape, double t) {
    carom_hits *hits = &drift->impacts->hits;
    double noise = path_noise * (carom_encounter_speed(contact, drift->w) + drift->interval->kick_speed), slow = noise;
    // paths of linkages are computed by iteration: the separation speed must exceed its error
    if (is_linked(drift, contact))
        slow = fmax(noise, min_separation_speed(drift)), noise = -0.5 * slow;
    for (int push = 0; push < STOP_ATTEMPTS; push++) {
        double path = path_rate(drift, contact), rate = carom_contact_rate(contact, drift->w);
        int begin = hits->count;
        if (!(path < (escape > 0 ? 0.5 * escape : -noise)))
            return;
        // an impulse without friction that opens the path
        carom_bounce bounce = {.least = rate - path + fmax(slow, escape)};
        carom_encounter_collide(drift, contact, t, bounce);
        for (int h = begin; h < hits->count; h++) {
            hits->items[h].projection += hits->items[h].restitution;
            hits->items[h].restitution = 0;
        }
        if (hits->count == begin)
            return;
    }
}

// Rate of the new paths of a contact less that of the velocities: nodes of a rotating body move on chords, which differ from
// the tangents of the arcs.
static double path_rate_excess(const carom_drifting *drift, const carom_contact *contact, double t) {
    return carom_rigid_bodies_bend(drift->interval->mobility.rigid_bodies, contact, NULL, drift->w,
                                   carom_contact_interval_end(drift->interval) - t);
}

// The rate after an impact when contacts are solved together (Moreau's law): -e times the rate before, which conserves energy
// for e = 1 and any number of contacts.
static double target_of(const carom_drifting *drift, const meeting *m, bool plastic, double t, double *plain, bool *stops) {
    const carom_contact *contact = &m->contact;
    double rate = carom_contact_rate(contact, drift->w), bend = path_rate_excess(drift, contact, t);
    carom_bounce bounce = carom_encounter_bounce(drift, contact, t, false);
    double e = plastic ? 0 : bounce.law.restitution, least = -HUGE_VAL;
    *stops = bounce.repaid && e == 0;
    if (rate < 0)
        least = fmax(carom_encounter_escape(drift, contact, m->level, m->distance, rate),
                     min_separation_speed(drift) + fmax(0, -bend));
    *plain = fmax(fmin(0, -e * rate), least);
    return fmax(-e * rate, least);
}

// True if a contact that does not touch may close within the rest of the drift by impulses at other contacts.
static bool may_close(const carom_drifting *drift, const meeting *m, double t) {
    double left = carom_contact_interval_end(drift->interval) - t, height = drift->interval->neighbours.layer.height;
    double closing = fmax(0, -carom_contact_rate(&m->contact, drift->w));
    return m->distance <= near_layers * height + 2 * left * closing;
}

// The rate at which such a contact reaches its resting distance at the end of the drift, as at a kick (rest.c).
static double rate_to_rest(const carom_drifting *drift, const meeting *m, double t) {
    double left = carom_contact_interval_end(drift->interval) - t,
           height = rest_height * drift->interval->neighbours.layer.height;
    return fmin(0, (height - m->distance) / left) - path_rate_excess(drift, &m->contact, t);
}

// A rigid body of a simultaneous solve, with its state before.
typedef struct piled_body {
    int number;
    bool expanded; // its contacts are in the list
    bool pushed;   // the solve moves it
    double V[3], W[3];
    double R[3][3], since;
} piled_body;

// A simultaneous solve: rigid bodies, and contacts in the list of the collapse.
typedef struct pile {
    const carom_drifting *drift;
    double t;
    int first;    // the contact that acts
    bool plastic; // without bounce
    piled_body *bodies;
    int *place; // per rigid body of the model: 1 + its index in `bodies`; 0: not included
    int count;
    int first_count; // bodies of the contact that acts come first
} pile;

// Adds body r and all bodies of its linkage, and moves them to the time of the impact.
static void add_member(pile *all, int r) {
    const carom_drifting *drift = all->drift;
    carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    if (all->place[r])
        return;
    const int *linked;
    int n = carom_linkage_bodies(rigid_bodies, r, &linked), begin = all->count;
    for (int b = 0; b < n; b++) {
        piled_body *body = &all->bodies[all->count++];
        all->place[linked[b]] = all->count;
        *body = (piled_body){.number = linked[b], .since = rigid_bodies->since[linked[b]]};
        carom_mat3_copy((const double(*)[3])rigid_bodies->R[linked[b]], body->R);
    }
    carom_encounter_cut(drift, r, all->t);
    for (int q = begin; q < all->count; q++) {
        piled_body *body = &all->bodies[q];
        carom_copy(drift->w[rigid_bodies->items[body->number].centre], body->V);
        carom_copy(drift->w[rigid_bodies->first_row + body->number], body->W);
    }
}

// Adds contact i with its bodies if it touches at time t. To end a cascade (`plastic`), contacts that would close later in the
// drift are added as well: each of them would be the next impact. False if memory is short.
static bool add_touching(pile *all, int i) {
    const carom_drifting *drift = all->drift;
    const carom_contact_interval *interval = drift->interval;
    meeting m = meeting_of(drift, i, all->t);
    double reach = touching_layers * m.level;
    if (carom_neighbours_is_fixed(&interval->neighbours, i))
        reach = carom_encounter_touch(drift, &m.contact);
    hold_sides(drift, &m.contact, all->t);
    bool touches = m.distance <= reach || i == all->first;
    if ((i != all->first && !m.inside) || (!touches && !(all->plastic && may_close(drift, &m, all->t))))
        return true;
    int bodies[2], n = bodies_of(drift, &m.contact, bodies);
    for (int s = 0; s < n; s++)
        add_member(all, bodies[s]);
    hold_sides(drift, &m.contact, all->t);
    // no friction before they touch
    double friction = touches ? carom_neighbours_friction(&interval->neighbours, &m.contact, drift->w) : 0;
    carom_contact_solve *solve = &drift->space->collapse;
    bool stops = true;
    double plain,
        target = touches ? target_of(drift, &m, all->plastic, all->t, &plain, &stops) : rate_to_rest(drift, &m, all->t);
    int before = solve->count;
    bool memory = carom_contact_solve_add(solve, &m.contact, interval->mobility, friction, target, drift->w);
    if (solve->count > before) {
        solve->items[before].stops = stops;
        solve->items[before].plain = touches ? plain : target;
    }
    return memory;
}

// True if the distance of pair p of surfaces exceeds the layer by more than near_layers heights during the whole drift
// (drift_check.c), so that it cannot take part.
static bool is_far(const pile *all, int p) {
    const carom_drifting *drift = all->drift;
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    const int *nodes = neighbours->pairs->nodes[p], n = carom_narrow_count(carom_neighbours_kind(neighbours, p));
    double deviation = 0;
    for (int k = 0; k < n; k++)
        deviation += drift->space->deviation[nodes[k]];
    return drift->space->limits[p] - deviation > near_layers * neighbours->layer.height;
}

// Adds all contacts of the nodes of body r, each once. False if memory is short.
static bool add_body(pile *all, int r) {
    const carom_drifting *drift = all->drift;
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    const carom_rigid_body *one = &drift->interval->mobility.rigid_bodies->items[r];
    bool memory = true;
    for (int n = 0; n < carom_rigid_body_size(one); n++)
        for (int j = 0, i, k = carom_rigid_body_node(one, n); memory && (i = carom_neighbours_of_node(neighbours, k, j)) >= 0;
             j++) {
            int p = i - neighbours->fixed->count;
            if (p >= 0 && drift->space->checked[p] == drift->space->check_number)
                continue;
            if (p >= 0)
                drift->space->checked[p] = drift->space->check_number;
            if (p < 0 || i == all->first || !is_far(all, p))
                memory = add_touching(all, i);
        }
    return memory;
}

// True if the solve changes the speed of a body by more than its accuracy.
static bool is_pushed(const pile *all, const piled_body *body, double floor) {
    const carom_drifting *drift = all->drift;
    const carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    const carom_rigid_body *one = &rigid_bodies->items[body->number];
    double V[3], W[3], size = 0;
    carom_difference(drift->w[one->centre], body->V, V);
    carom_difference(drift->w[rigid_bodies->first_row + body->number], body->W, W);
    for (int k = one->node_begin; k < one->node_begin + one->node_count; k++)
        size = fmax(size, carom_dot(rigid_bodies->shape[k], rigid_bodies->shape[k]));
    return carom_norm(V) + carom_norm(W) * sqrt(size) > floor;
}

// Finds the contacts that touch the bodies of the first one, directly or through other bodies that the impact moves. A body
// that it does not move transmits no impulse. So the contacts of the first bodies are solved, then those of the bodies that
// this moves are added, and so on. False if memory is short.
static bool collect_contacts(pile *all, const int *bodies, int body_count) {
    const carom_drifting *drift = all->drift;
    carom_contact_solve *solve = &drift->space->collapse;
    solve->count = all->count = 0;
    drift->space->check_number++;
    for (int b = 0; b < body_count; b++)
        add_member(all, bodies[b]);
    all->first_count = all->count;
    for (bool grows = true; grows;) {
        int expanded = 0;
        for (int q = 0, end = all->count; q < end; q++) {
            piled_body *body = &all->bodies[q];
            if (body->expanded || !(q < all->first_count || body->pushed))
                continue;
            body->expanded = true;
            expanded++;
            if (!add_body(all, body->number))
                return false;
        }
        grows = expanded && solve->count > 1;
        if (!grows)
            break;
        const carom_solve_group group = {.count = solve->count};
        double floor = carom_encounter_settle_floor(drift);
        solve->most = ROUND_SWEEPS;
        carom_contact_solve_run(solve, drift->interval->mobility, floor, drift->set_w);
        solve->most = 0;
        for (int q = 0; q < all->count; q++)
            all->bodies[q].pushed = is_pushed(all, &all->bodies[q], floor);
        carom_sweeps_undo(solve, &group, drift->interval->mobility, drift->set_w);
    }
    return true;
}

// Bodies without an impulse return to their state before; the others get new paths.
static void fly_on(pile *all, int hit_begin) {
    const carom_drifting *drift = all->drift;
    const carom_hits *hits = &drift->impacts->hits;
    carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    // bodies whose rotation is added up (linkages, tied parts) cannot be restored: they get new paths, too
    for (int q = 0; q < all->count; q++)
        all->bodies[q].pushed =
            q < all->first_count || carom_rigid_body_sums_turns(&rigid_bodies->items[all->bodies[q].number]);
    for (int h = hit_begin; h < hits->count; h++) {
        int bodies[2], n = bodies_of(drift, &hits->items[h].contact, bodies);
        for (int s = 0; s < n; s++)
            all->bodies[all->place[bodies[s]] - 1].pushed = true;
    }
    int kept = 0;
    for (int q = 0; q < all->count; q++) {
        const piled_body *body = &all->bodies[q];
        if (body->pushed) {
            if (is_first_in_linkage(drift, body->number))
                carom_encounter_fly_on(drift, body->number, all->t);
            all->bodies[kept++] = *body;
            continue;
        }
        carom_mat3_copy((const double(*)[3])body->R, rigid_bodies->R[body->number]);
        rigid_bodies->since[body->number] = body->since;
        carom_rigid_bodies_refresh(rigid_bodies, body->number, drift->set_w);
    }
    all->count = kept;
}

// Solves all contacts, gives all bodies new paths and checks their contacts. False if memory is short.
static bool settle(pile *all) {
    const carom_drifting *drift = all->drift;
    carom_hits *hits = &drift->impacts->hits;
    int begin = hits->count;
    bool memory = true;
    drift->impacts->settled += all->plastic;
    drift->space->collapse.most = PILE_SWEEPS;
    carom_encounter_settle_all(drift, all->t);
    drift->space->collapse.most = 0;
    fly_on(all, begin);
    int end = hits->count;
    for (int h = begin; h < end; h++) {
        carom_contact contact = hits->items[h].contact;
        stop_paths(drift, &contact, 0, all->t);
    }
    for (int h = begin; memory && h < end; h++) {
        int movers[4], n = carom_encounter_movers(&hits->items[h].contact, drift->interval->mobility, movers);
        carom_clusters_link(&drift->impacts->clusters, movers, n);
        memory = carom_drift_check_nodes(drift, movers, n, all->t);
    }
    // `place` is no longer needed: it becomes the list of bodies
    for (int q = 0; q < all->count; q++)
        all->place[q] = all->bodies[q].number;
    return memory && carom_drift_check_bodies(drift, all->place, all->count, all->t);
}

// True if a body of the contact has had so many impacts that its contacts must be solved without bounce.
static bool is_cascade(const carom_drifting *drift, const carom_contact *contact, double restitution, double t) {
    const carom_drift_space *space = drift->space;
    int rapid = restitution < 1 ? SETTLE_AFTER : SETTLE_ELASTIC_AFTER, all = restitution < 1 ? SETTLE_IN_DRIFT : rapid;
    for (int s = 0; s < 2; s++) {
        int centre = contact->side[s].centre;
        if (centre && (space->version[centre] >= all ||
                       (space->rapid[centre] >= rapid && carom_encounter_is_one_time(drift, space->last[centre], t))))
            return true;
    }
    return false;
}

// Resolves an impact of one contact alone. False if memory is short.
static bool meet_alone(const carom_drifting *drift, const meeting *m, const int *bodies, int body_count, double t) {
    const carom_contact *contact = &m->contact;
    double rate = carom_contact_rate(contact, drift->w);
    double escape = carom_encounter_escape(drift, contact, m->level, m->distance, path_rate(drift, contact));
    if (rate < 0) {
        carom_bounce bounce = carom_encounter_bounce(drift, contact, t, false);
        double bend = path_rate_excess(drift, contact, t);
        bounce.least = fmax(carom_encounter_escape(drift, contact, m->level, m->distance, rate),
                            min_separation_speed(drift) + fmax(0, -bend));
        carom_encounter_collide(drift, contact, t, bounce);
    } else {
        for (int b = 0; b < body_count; b++)
            if (is_first_in_linkage(drift, bodies[b]))
                carom_encounter_fly_on(drift, bodies[b], t);
    }
    stop_paths(drift, contact, escape, t);
    int movers[4], mover_count = carom_encounter_movers(contact, drift->interval->mobility, movers);
    carom_clusters_link(&drift->impacts->clusters, movers, mover_count);
    return carom_drift_check_nodes(drift, movers, mover_count, t) && carom_drift_check_bodies(drift, bodies, body_count, t);
}

// Resolves an impact of one contact alone, or of all that touch together with it. False if memory is short.
static bool meet(const carom_drifting *drift, meeting *m, pile *all, const int *bodies, int body_count) {
    double t = all->t;
    for (int b = 0; b < body_count; b++)
        if (is_first_in_linkage(drift, bodies[b]))
            carom_encounter_cut(drift, bodies[b], t);
    // the motion of a linkage differs from the straight paths of its nodes
    hold_sides(drift, &m->contact, t);
    if (!(carom_contact_rate(&m->contact, drift->w) < 0))
        return meet_alone(drift, m, bodies, body_count, t);
    double restitution = carom_neighbours_law(&drift->interval->neighbours, &m->contact).restitution;
    all->plastic = is_cascade(drift, &m->contact, restitution, t);
    if (!collect_contacts(all, bodies, body_count))
        return false;
    return drift->space->collapse.count > 1 || all->plastic ? settle(all) : meet_alone(drift, m, bodies, body_count, t);
}

// The bodies of a contact and all bodies of their linkages, each once; returns their number.
static int linked_bodies_of(const carom_drifting *drift, const carom_contact *contact, int *list) {
    int bodies[2], count = 0, sides = bodies_of(drift, contact, bodies);
    for (int s = 0; s < sides; s++) {
        const int *linked;
        int n = carom_linkage_bodies(drift->interval->mobility.rigid_bodies, bodies[s], &linked);
        for (int b = 0; b < n; b++) {
            bool known = false;
            for (int q = 0; q < count; q++)
                known = known || list[q] == linked[b];
            if (!known)
                list[count++] = linked[b];
        }
    }
    return count;
}

// A contact that joints prevent from opening and closing, as between two arms side by side on one axle: no impulse or new path
// changes its gap. Its surfaces slide past each other; if they cross, the step fails.
static bool pass_by(const carom_drifting *drift, int i, const meeting *m, double t) {
    carom_impacts *impacts = drift->impacts;
    if (carom_neighbours_is_fixed(&drift->interval->neighbours, i))
        return true;
    if (path_rate(drift, &m->contact) < 0 && m->distance < crossing_distance * drift->interval->neighbours.layer.height) {
        impacts->crossed = true;
        memcpy(impacts->crossing, m->contact.body, sizeof m->contact.body);
    }
    return impacts->crossed || carom_drift_postpone(drift, i, t);
}

bool carom_drift_meet_rigid(const carom_drifting *drift, int i, double t) {
    const carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    meeting m = meeting_of(drift, i, t);
    hold_sides(drift, &m.contact, t);
    if (!(carom_contact_softness(&m.contact, drift->interval->mobility, m.contact.normal) > 0))
        return pass_by(drift, i, &m, t);
    pile all = {.drift = drift,
                .t = t,
                .first = i,
                .bodies = carom_allocate(rigid_bodies->count, sizeof *all.bodies),
                .place = carom_allocate(rigid_bodies->count, sizeof *all.place)};
    int *bodies = carom_allocate(rigid_bodies->count, sizeof *bodies);
    bool memory = all.bodies && all.place && bodies;
    if (memory)
        memory = meet(drift, &m, &all, bodies, linked_bodies_of(drift, &m.contact, bodies));
    free(all.bodies);
    free(all.place);
    free(bodies);
    return memory;
}
