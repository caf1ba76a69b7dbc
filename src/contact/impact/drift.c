// SPDX-License-Identifier: MIT
// Finds and resolves all impacts during a drift, the straight motion of nodes between two kicks: the event loop
// (docs/theory/drift.md).
//
// During a drift node k is at x_k(t) = b_k + t w_k; the array x holds b. A contact with fixed normal and weights has the gap
// g(t) = g(b) + t g'(w): linear, so its time of impact is exact. Features of surfaces meet at the layer around them (narrow.h).
//
//     1. Compute the times of impact of all contacts as if no other impact occurred; put them on a heap, earliest first.
//     2. Take the earliest. It is void if one of its nodes was hit since it was computed.
//     3. Apply its impulse (encounter.c).
//     4. Retest the contacts of the nodes just hit, for the rest of the drift. Repeat from 2 until the heap is empty.
//
// Restitution e applies to impacts. For e < 1 an impact whose closing speed does not exceed the velocity change of the kick
// belongs to a bounce shorter than two steps: it is stopped (e = 0), and from then on the resting solve (rest.c) handles it.
// Without this rule bounces of height a h^2 would continue forever, and a stack would never come to rest.
//
// Impacts with e < 1 that share nodes may form an infinite sequence (inelastic collapse). Fixed contacts are then settled: all
// contacts that touch are solved simultaneously without bounce. A sequence of impacts at distinct times is never truncated.
// Between surfaces a cascade is first scattered by elastic bounces, and as a last resort held: its nodes move as one rigid
// body.
//
// Deep in the layer an impact leaves faster than it arrived, so that curvature cannot drive the features together in ever
// smaller hops. The energy that this adds is recorded as the cost of contact handling.
#include "contact/impact/drift.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/pieces.h"
#include "contact/impact/drift_check.h"
#include "contact/impact/drift_groups.h"
#include "contact/impact/rigid_impacts.h"

// The limits of cascades are a choice: well above the number of impacts of a real cascade, and well below the number that takes
// too long to compute.
enum {
    // Impacts of one node at one instant before its contacts are settled, for e < 1. Few masses of similar size need less.
    // Settling removes the remaining relative velocity and records its energy as restitution. In a true collapse, which
    // requires a small e, almost none remains; a long finite sequence with e near 1 loses too much (0.99^20 = 0.82).
    SETTLE_AFTER = 20,
    // The same for e = 1. Elastic sequences are finite, but unequal masses make them long, and settling would dissipate energy.
    SETTLE_ELASTIC_AFTER = 1000,
    // Impacts of a pair of surfaces in this drift before it bounces elastically, which scatters the cascade. The count of a
    // side is that of its movable node hit most often; the count of the pair is the smaller of its two sides.
    SCATTER_AFTER = 20,
    // The same count before a pair at the bottom of its layer is held. Scattering has then had HOLD_DEEP_AFTER - SCATTER_AFTER
    // attempts to separate it.
    HOLD_DEEP_AFTER = 25,
    // The same count before any pair of surfaces is held.
    HOLD_AFTER = 200,
    // Limit of the events in one drift: EVENT_CAP + EVENT_CAP_PER_NODE per node. Beyond it the drift fails instead of running
    // for hours. A dense pile that is thrown together has about ten per node.
    EVENT_CAP = 1000000,
    EVENT_CAP_PER_NODE = 1000,
    // The same for impacts of rigid bodies, each of which is solved together with all contacts that touch.
    BODY_CAP = 10000,
    BODY_CAP_PER_BODY = 1000,
    // Impacts before one of these limits was reached that decide whether a body was squeezed.
    LAST_HITS = 1000,
    // Number of nodes above which threads share the start and the final move.
    SHARED_NODES = 4096,
    // Number of contacts above which threads count those that may act: a few nanoseconds each.
    SHARED_CONTACTS = 16384,
    // Blocks of the list of contacts; most contain no contact that may act.
    PORTIONS = 64
};

// Two driven bodies closer than this fraction of the layer are about to cross; no impulse can separate them.
static const double crossing_distance = 1e-6;
// A cascade held at a distance of at most this many rounding errors, the lowest level of the narrow phase, is a failure:
// rounding of the next hold would decide on which side the node is.
static const double inseparable_roundings = 4;
// A pair that closes at a distance of at most this many rounding errors is a failure as well.
static const double touching_roundings = 1.5;
// A held cluster closes a contact if the rate exceeds this fraction of the speeds whose difference it is.
static const double rate_rounding = 1e-12;
// Distance, as a fraction of the layer, below which a cascade is held after HOLD_DEEP_AFTER impacts.
static const double layer_bottom = 1e-3;

carom_status carom_drift_reserve(carom_drift_space *space, int node_count, int fixed_count, carom_error *error) {
    bool enough = carom_arena_renew(&space->nodes);
    space->version = carom_arena_reserve(space->nodes, node_count, sizeof *space->version, &enough);
    space->rapid = carom_arena_reserve(space->nodes, node_count, sizeof *space->rapid, &enough);
    space->last = carom_arena_reserve(space->nodes, node_count, sizeof *space->last, &enough);
    space->kick = carom_arena_reserve(space->nodes, node_count, sizeof *space->kick, &enough);
    space->deviation = carom_arena_reserve(space->nodes, node_count, sizeof *space->deviation, &enough);
    space->listed = carom_arena_reserve(space->nodes, fixed_count, sizeof *space->listed, &enough);
    space->node_count = node_count;
    return enough ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
}

void carom_drift_release(carom_drift_space *space) {
    carom_events_release(&space->events);
    carom_contact_solve_release(&space->collapse);
    carom_arena_release(space->nodes);
    carom_arena_release(space->pairs);
    *space = (carom_drift_space){0};
}

// The largest number of impacts that a node of the contact has had at this instant.
static int rapid_impacts(const carom_drifting *drift, const carom_contact *contact, double t) {
    const carom_drift_space *space = drift->space;
    int most = 0;
    for (int k = 0; k < contact->count; k++) {
        int node = contact->node[k];
        if (space->rapid[node] > most && carom_encounter_is_one_time(drift, space->last[node], t))
            most = space->rapid[node];
    }
    return most;
}

// True if one of the nodes belongs to a cluster that is held.
static bool any_is_held(const carom_clusters *clusters, const int *nodes, int count) {
    bool any = false;
    for (int k = 0; k < count; k++)
        any = any || clusters->held[carom_clusters_root(clusters, nodes[k])];
    return any;
}

// Notes a third side that does not yield.
static void note_squeezer(carom_impacts *impacts, const carom_contact *contact, int side) {
    if (side == contact->body[0] || side == contact->body[1])
        return;
    impacts->squeezes = true;
    impacts->squeezer = side;
}

// Ends the drift: no impulse separates the two sides of a contact. The cluster of `node` says which third body or plane does
// not yield. Returns true.
static bool give_up(const carom_drifting *drift, const carom_contact *contact, int node) {
    carom_impacts *impacts = drift->impacts;
    const carom_clusters *clusters = &impacts->clusters;
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    // the results of a group do not contain this: one loop reports it
    if (drift->group) {
        carom_group_abandon(drift);
        return true;
    }
    int root = carom_clusters_root(clusters, node);
    impacts->spent = true;
    memcpy(impacts->crossing, contact->body, sizeof contact->body);
    for (int i = 0; i < clusters->ground_count[root]; i++)
        note_squeezer(impacts, contact, neighbours->fixed->items[clusters->ground[root][i]].body[1]);
    for (int i = 0; neighbours->pairs && i < clusters->count; i++) {
        int k = clusters->touched[i];
        const carom_restraint *restraint = carom_restraint_of(drift->interval->mobility.restraints, k);
        if (restraint && restraint->count == 3 && carom_clusters_root(clusters, k) == root)
            note_squeezer(impacts, contact, neighbours->surface->node_body[k]);
    }
    return true;
}

// True if one side of a contact cannot be moved by impulses.
static bool is_fixed_side(const carom_drifting *drift, const carom_contact *contact, int side) {
    int split = carom_contact_split(contact);
    bool fixed = !contact->side[side].centre;
    for (int k = side ? split : 0; fixed && k < (side ? contact->count : split); k++)
        fixed = !carom_contact_moves(contact, drift->interval->mobility, k);
    return fixed;
}

// True if the last impacts were those of a body between two sides that do not yield.
static bool ends_squeezed(const carom_drifting *drift) {
    carom_impacts *impacts = drift->impacts;
    const carom_hit *hits = impacts->hits.items;
    int count = impacts->hits.count;
    if (!count)
        return false;
    const carom_contact *last = &hits[count - 1].contact;
    int fixed = is_fixed_side(drift, last, 1);
    if (is_fixed_side(drift, last, 0) == fixed)
        return false;
    memcpy(impacts->crossing, last->body, sizeof impacts->crossing);
    for (int h = count - 1; h >= 0 && h >= count - LAST_HITS && !impacts->squeezes; h--)
        for (int s = 0; s < 2; s++)
            if (hits[h].contact.body[s] == last->body[!fixed] && is_fixed_side(drift, &hits[h].contact, !s))
                note_squeezer(impacts, last, hits[h].contact.body[!s]);
    return impacts->squeezes;
}

// Holds the cluster of contact i, whose record is `contact`: from time t on it moves as one rigid body. False if memory is
// short.
static bool hold(const carom_drifting *drift, int i, const carom_contact *contact, double t) {
    carom_clusters *clusters = &drift->impacts->clusters;
    // rare, and the cluster may contain nodes of other groups
    if (drift->group) {
        carom_group_abandon(drift);
        return true;
    }
    int root = carom_clusters_link(clusters, contact->node, contact->count);
    if (contact->kind == CAROM_CONTACT_NODE_PLANE)
        carom_clusters_add_ground(clusters, root, drift->interval->neighbours.fixed->items, i);
    drift->impacts->held++;
    carom_encounter_hold(drift, contact, root, t);
    for (int k = 0; k < clusters->count; k++)
        if (carom_clusters_root(clusters, clusters->touched[k]) == root &&
            !carom_drift_check_nodes(drift, &clusters->touched[k], 1, t))
            return false;
    return true;
}

// Resolves an impact of a fixed contact. False if memory is short.
static bool meet_fixed(const carom_drifting *drift, int i, double t) {
    const carom_contact *contact = &drift->interval->neighbours.fixed->items[i];
    carom_hits *hits = &drift->impacts->hits;
    carom_clusters *clusters = &drift->impacts->clusters;
    if (any_is_held(clusters, contact->node, contact->count) && !carom_drift_cluster_has_body(drift, contact->node[0])) {
        bool memory = hold(drift, i, contact, t);
        // the prescribed motion of the cluster closes the contact
        if (!drift->group && carom_contact_rate(contact, drift->w) < -rate_rounding * carom_encounter_speed(contact, drift->w))
            give_up(drift, contact, contact->node[0]);
        return memory;
    }
    int begin = hits->count;
    double restitution = carom_neighbours_law(&drift->interval->neighbours, contact).restitution;
    if (rapid_impacts(drift, contact, t) >= (restitution < 1 ? SETTLE_AFTER : SETTLE_ELASTIC_AFTER)) {
        // a collapse may involve nodes of other groups
        if (drift->group) {
            carom_group_abandon(drift);
            return true;
        }
        drift->impacts->settled++;
        if (!carom_encounter_settle(drift, i, t))
            return false;
    } else {
        carom_encounter_collide(drift, contact, t, carom_encounter_bounce(drift, contact, t, false));
    }

    // the nodes that were hit have new paths
    for (int h = begin; h < hits->count; h++) {
        int movers[4], count = carom_encounter_movers(&hits->items[h].contact, drift->interval->mobility, movers);
        if (count)
            carom_clusters_link(clusters, movers, count);
        if (!carom_drift_check_nodes(drift, movers, count, t))
            return false;
    }
    return true;
}

// Resolves an impact of two features of surfaces. False if memory is short.
static bool meet_surfaces(const carom_drifting *drift, int i, double t) {
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    carom_impacts *impacts = drift->impacts;
    double x[4][3], v[4][3], eta = neighbours->layer.height;
    carom_neighbours_place(neighbours, i, drift->b, drift->w, t, x, v);
    carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
    carom_nearest nearest;
    carom_narrow_nearest(kind, (carom_const_vectors)x, (carom_const_vectors)v, &nearest);
    carom_contact contact = carom_neighbours_record(neighbours, i, &nearest);
    double rate = carom_contact_rate(&contact, drift->w), distance = nearest.distance - contact.offset;
    int movers[4], mover_count = carom_encounter_movers(&contact, drift->interval->mobility, movers);

    // two driven bodies: no impulse can separate them
    if (mover_count == 0) {
        impacts->crossed = impacts->crossed || (rate < 0 && distance < crossing_distance * eta);
        memcpy(impacts->crossing, contact.body, sizeof contact.body);
        return impacts->crossed || carom_drift_postpone(drift, i, t);
    }

    // the narrow phase cannot resolve distances below its lowest level
    double rounding = carom_narrow_rounding(kind, (carom_const_vectors)x, (carom_const_vectors)v, drift->interval->step);
    if (rate < 0 && distance <= touching_roundings * rounding)
        return give_up(drift, &contact, movers[0]);

    // an endless cascade, or an impact on a cluster that is already held
    int hit_count = carom_encounter_hits(drift, &contact);
    bool was_held = any_is_held(&impacts->clusters, movers, mover_count);
    carom_clusters_link(&impacts->clusters, movers, mover_count);
    // a rigid body cannot be held with its nodes
    if ((was_held || hit_count > HOLD_AFTER || (hit_count > HOLD_DEEP_AFTER && distance < layer_bottom * eta)) &&
        !carom_drift_cluster_has_body(drift, movers[0])) {
        if (distance <= inseparable_roundings * rounding)
            return give_up(drift, &contact, movers[0]);
        // prescribed motions squeeze a node: the motion of the cluster cannot separate it from all of them
        bool squeezed = carom_clusters_fails_to_hold(&impacts->clusters, contact.node, contact.count);
        return squeezed ? carom_drift_postpone(drift, i, t) : hold(drift, i, &contact, t);
    }

    carom_bounce bounce = carom_encounter_bounce(drift, &contact, t, hit_count > SCATTER_AFTER);
    double level = carom_narrow_act_height(neighbours->layer, &nearest);
    bounce.least = carom_encounter_escape(drift, &contact, level, distance, rate);
    int begin = impacts->hits.count;
    if (rate < 0)
        carom_encounter_collide(drift, &contact, t, bounce);
    return impacts->hits.count == begin ? carom_drift_postpone(drift, i, t)
                                        : carom_drift_check_nodes(drift, movers, mover_count, t);
}

static int64_t event_cap(const carom_contact_interval *interval) {
    return EVENT_CAP + EVENT_CAP_PER_NODE * (int64_t)(interval->whole_count ? interval->whole_count : interval->node_count);
}

static int64_t body_cap(const carom_contact_interval *interval) {
    return BODY_CAP +
           BODY_CAP_PER_BODY * (int64_t)(interval->mobility.rigid_bodies ? interval->mobility.rigid_bodies->count : 0);
}

// Resolves all impacts of the drift in order of time. False if memory is short. Events remain on the heap if there are too many
// or if an interrupt was requested.
bool carom_drift_resolve(const carom_drifting *drift) {
    const carom_neighbours *neighbours = &drift->interval->neighbours;
    carom_impacts *impacts = drift->impacts;
    carom_events *events = &drift->space->events;
    // each event is one impact at most, and the heap must not grow without end either
    const int64_t cap = event_cap(drift->interval), most = 16 * cap, most_of_bodies = body_cap(drift->interval);
    int64_t of_bodies = 0;
    for (int64_t count = 0; events->count && count < cap && events->count < most && of_bodies < most_of_bodies &&
                            !impacts->outran && !impacts->crossed && !impacts->spent;
         count++) {
        if (count % CAROM_INTERRUPT_EVERY == CAROM_INTERRUPT_EVERY - 1 && carom_interrupt_is_wanted())
            return true;
        carom_impact impact = carom_events_pop(events);
        if (drift->group && !carom_group_mark_read(drift, impact.candidate))
            return true;
        if (impact.version != carom_drift_version(drift, impact.candidate))
            continue;
        if (impact.since < HUGE_VAL) {
            if (!carom_drift_test(drift, impact))
                return false;
            count--;
            continue;
        }
        // flights of the last drift are kept until the first impact
        if (!drift->space->began && !drift->group)
            carom_impacts_clear(impacts);
        drift->space->began = true;
        if (drift->group && !carom_group_mark_owned(drift, impact))
            return true;
        bool rigid = carom_drift_is_rigid(drift, impact.candidate);
        of_bodies += rigid;
        bool memory = rigid ? carom_drift_meet_rigid(drift, impact.candidate, impact.time)
                      : carom_neighbours_is_fixed(neighbours, impact.candidate)
                          ? meet_fixed(drift, impact.candidate, impact.time)
                          : meet_surfaces(drift, impact.candidate, impact.time);
        if (!memory || impacts->hits.failed || impacts->clusters.failed)
            return false;
        if (drift->group && carom_group_has_stopped(drift))
            return true;
    }
    impacts->limit = of_bodies < most_of_bodies ? cap : most_of_bodies;
    return true;
}

// A drift of nodes with the velocities v in the middle of the kick before it.
typedef struct clearing {
    const carom_drifting *drift;
    carom_const_vectors v;
} clearing;

// Marks nodes as not hit, and computes the kick: w - v is half of it.
static double clear_nodes(const void *context, int begin, int end) {
    const carom_drifting *drift = ((const clearing *)context)->drift;
    const carom_contact_interval *interval = drift->interval;
    carom_drift_space *space = drift->space;
    for (int j = begin; j < end; j++) {
        int k = interval->nodes ? interval->nodes[j] : j;
        space->version[k] = space->rapid[k] = 0;
        space->last[k] = interval->begin - interval->step;
        space->deviation[k] = 0;
        for (int i = 0; i < 3; i++)
            space->kick[k][i] = 2 * (drift->w[k][i] - ((const clearing *)context)->v[k][i]);
    }
    return 0;
}

static void clear(const carom_drifting *drift, const double (*v)[3]) {
    const carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    drift->space->largest_deviation = 0;
    for (int r = 0; rigid_bodies && r < rigid_bodies->count; r++)
        for (int i = 0; i < 3; i++) {
            int row = rigid_bodies->first_row + r;
            drift->space->kick[row][i] = 2 * (drift->w[row][i] - rigid_bodies->spin[r][i]);
        }
    carom_pieces(drift->interval->node_count, SHARED_NODES, clear_nodes, &(clearing){drift, v});
}

// Number of contacts of a portion that may act in the drift.
static int starts_of(const carom_drift_space *space, int contacts, int portion, double end) {
    int starts = 0;
    for (int i = carom_portion_begin(contacts, portion, PORTIONS); i < carom_portion_begin(contacts, portion + 1, PORTIONS);
         i++)
        starts += space->firsts[i].time <= end;
    return starts;
}

// The same for all portions. Returns the sum. A parallel region takes half a microsecond even if it is empty.
static int count_starts(const carom_drift_space *space, int contacts, double end, int counts[PORTIONS]) {
    int sum = 0;
    if (contacts > SHARED_CONTACTS) {
#pragma omp parallel for schedule(static)
        for (int p = 0; p < PORTIONS; p++)
            counts[p] = starts_of(space, contacts, p, end);
    }
    for (int p = 0; p < PORTIONS; p++) {
        if (contacts <= SHARED_CONTACTS)
            counts[p] = starts_of(space, contacts, p, end);
        sum += counts[p];
    }
    return sum;
}

// Resolves all impacts: group by group in threads, or in one loop. False if memory is short.
static bool resolve_all(const carom_drifting *drift, const double (*v)[3]) {
    carom_drift_space *space = drift->space;
    int contacts = carom_neighbours_count(&drift->interval->neighbours), counts[PORTIONS];
    space->groups = space->group_runs = 0;
    double end = carom_contact_interval_end(drift->interval);
    int starts = count_starts(space, contacts, end, counts);
    if (starts == 0)
        return true;
    clear(drift, v);
    bool memory = true;
    // an impact on a rigid body changes all of its nodes, which groups do not support
    if (!drift->interval->mobility.rigid_bodies && carom_groups_pay(space, starts, contacts, drift->interval->together)) {
        bool done;
        memory = carom_groups_run(drift, &done);
        if (done || !memory)
            return memory;
    }
    for (int p = 0; p < PORTIONS; p++)
        for (int i = carom_portion_begin(contacts, p, PORTIONS);
             counts[p] && i < carom_portion_begin(contacts, p + 1, PORTIONS) && memory; i++)
            if (space->firsts[i].time <= end)
                memory = carom_drift_push_first(drift, i);
    return memory && carom_drift_resolve(drift);
}

// After too many impacts: whether a contact that was solved last jams. With the inverse mass A at the contact, an impulse of
// size 1 along n with friction mu against the sliding direction t opens it by n.A(n - mu t), which for some t is negative above
// mu = n.A n/|the tangential part of A n|. Then sweeps may find no impulses.
static void find_jam(const carom_drifting *drift) {
    carom_impacts *impacts = drift->impacts;
    for (int c = 0; c < drift->space->collapse.count; c++) {
        const carom_contact *contact = &drift->space->collapse.items[c].contact;
        double friction = carom_neighbours_law(&drift->interval->neighbours, contact).friction, pull[3];
        for (int i = 0; i < 3; i++) {
            const double axis[3] = {i == 0, i == 1, i == 2};
            pull[i] = carom_contact_inverse_mass(contact, drift->interval->mobility, axis, contact->normal);
        }
        double soft = carom_dot(contact->normal, pull);
        carom_cone_flatten(contact->normal, pull);
        double limit = soft / carom_norm(pull);
        if (friction > limit && !(impacts->jam > 0 && impacts->jam <= limit)) {
            impacts->jam = limit;
            memcpy(impacts->crossing, contact->body, sizeof contact->body);
        }
    }
}

// Moves the nodes to the end of the drift.
static double move_nodes(const void *context, int begin, int end) {
    const carom_drifting *drift = context;
    const carom_contact_interval *interval = drift->interval;
    for (int j = begin; j < end; j++) {
        int k = interval->nodes ? interval->nodes[j] : j;
        carom_add_scaled(interval->step, drift->w[k], drift->set_b[k]);
    }
    return 0;
}

carom_status carom_drift_run(const carom_contact_interval *interval, carom_drift_space *space, const double (*v)[3],
                             double (*x)[3], double (*w)[3], carom_impacts *impacts, carom_error *error) {
    carom_drifting drift = {.interval = interval,
                            .space = space,
                            .impacts = impacts,
                            .b = (carom_const_vectors)x,
                            .w = (carom_const_vectors)w,
                            .set_b = x,
                            .set_w = w};
    int hit_count = impacts->hits.count;
    impacts->outran = impacts->crossed = impacts->spent = impacts->squeezes = false;
    impacts->settled = impacts->held = 0;
    impacts->jam = 0;
    if (!carom_drift_check_first(&drift) || !resolve_all(&drift, v))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for contact events");
    if (impacts->outran) {
        carom_impacts_undo(impacts, hit_count, x, w);
        return CAROM_OK;
    }
    if (impacts->crossed)
        return carom_fail(error, CAROM_NUMERICAL, "prescribed motions cross at time %g", interval->time);
    bool crowded = space->events.count && !carom_interrupt_is_wanted();
    impacts->spent = impacts->spent || (crowded && ends_squeezed(&drift));
    if (impacts->spent)
        return carom_fail(error, CAROM_NUMERICAL, "the distance of two bodies falls below rounding at time %g", interval->time);
    if (space->events.count && !crowded)
        return carom_interrupt_check(error);
    if (space->events.count)
        find_jam(&drift);
    if (space->events.count)
        return carom_fail(error, CAROM_NUMERICAL, "more than %lld impacts in the step at time %g", (long long)impacts->limit,
                          interval->time);
    if (!interval->flies)
        carom_pieces(interval->node_count, SHARED_NODES, move_nodes, &drift);
    return CAROM_OK;
}
