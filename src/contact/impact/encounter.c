// SPDX-License-Identifier: MIT
// Computes and applies the impulse of one impact inside a drift, and ends endless cascades of impacts (docs/theory/drift.md).
//
// Node k is at x_k(t) = b_k + t w_k. An impulse at time t changes w by dw and b by -t dw, so that x(t) is continuous.
//
// The drift velocity w is the velocity v_n at the start of the drift plus half of the kick there; the half at the end has not
// been added, so w equals the true velocity only in the middle of the drift. With the velocity change a_k of node k by the kick
// and the weights c_k of the contact, the true normal rate at time t is
//     g' + d,   d = (t/h - 1/2) n.sum c_k a_k,
// and the impact reverses this rate: the rate after it is -e (g' + d) - d. For a constant force the energy is then exact. If
// the true rate is not negative, or the rate after the impact not positive, the pair would bounce again before the middle of
// the step: it is stopped.
//
// Two rules end infinite cascades:
//     settle   the relative velocities of an inelastic collapse tend to zero: its contacts are solved together without bounce
//     hold     the nodes of a cascade between surfaces move as one rigid body until the end of the drift (cluster.h)
#include "contact/impact/encounter.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#include "contact/impact/bounce_energy_cap.h"

// Rounding of the gap: about 16 additions and products, each relative to the coordinates.
static const double gap_rounding = 16 * DBL_EPSILON;

// Times of impact are quotients with a relative error of a few units in the last place: times that differ by less than this
// fraction of the end time are equal.
static const double one_time_accuracy = 8 * DBL_EPSILON;

// A contact is stopped if its closing speed is at most this multiple of that by the kick; the excess covers rounding.
static const double kick_speed_factor = 1 + 1e-9;

// A contact that leaves at less than this fraction of its approach speed is at rest: it cannot return an energy error.
static const double stopped_ratio = 1e-9;

// Fixed contacts touch if they are closer than this fraction of the displacement of their nodes in the drift. Gaps in a
// collapse are far smaller, and those of separate impacts in one drift are rarely so small.
static const double touch_threshold = 1e-6;

// Factor that exceeds the rounding of a few products.
static const double rounding_factor = 1 + 1e-12;

// Accuracy of the rates of a settled collapse, relative to the speeds: rounding.
static const double settle_accuracy = 4 * DBL_EPSILON;

// The same with rigid bodies, in units of the speed that crosses a tenth of the layer in a step.
static const double body_accuracy = 0.02;

// Escape from the layer. The smallest separation rate of a pair at a distance below escape_below times its activation distance
// (`level`) is
//     max((escape_level level - distance)/h, min(escape_speed_ratio |g'|, most)),
//     most = max(escape_layers_per_step level/h, escape_curvature_ratio |u| sqrt(level/side)).
// Within a step the pair returns to half of its level, and it leaves at twice its approach speed, so that hops of features that
// slide around each other grow instead of shrinking. `most` limits this speed; its second term is proportional to the speed at
// which features approach that slide with u along a curved surface with sides of this length. At larger distances slow pairs
// may still reverse in the layer (narrow.h).
static const double escape_below = 0.25;
static const double escape_speed_ratio = 2;
static const double escape_level = 0.5;
static const double escape_layers_per_step = 16;
static const double escape_curvature_ratio = 4;

double carom_encounter_speed(const carom_contact *contact, const double (*w)[3]) {
    double speed = 0;
    for (int k = 0; k < contact->count; k++)
        speed += fabs(contact->weight[k]) * carom_norm(w[contact->node[k]]);
    return speed;
}

double carom_encounter_rounding(const carom_contact *contact, const double (*x)[3]) {
    double place = fabs(contact->offset);
    for (int k = 0; k < contact->count; k++)
        place += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, x[contact->node[k]]));
    return gap_rounding * place;
}

// The movable nodes among those from `begin` to before `end` of the contact.
static int movers_between(const carom_contact *contact, carom_mobility mobility, int begin, int end, int nodes[4]) {
    int count = 0;
    for (int k = begin; k < end; k++)
        if (carom_contact_moves(contact, mobility, k))
            nodes[count++] = contact->node[k];
    return count;
}

int carom_encounter_movers(const carom_contact *contact, carom_mobility mobility, int nodes[4]) {
    int count = 0, split = carom_contact_split(contact);
    if (!carom_contact_is_rigid(contact))
        return movers_between(contact, mobility, 0, contact->count, nodes);
    for (int s = 0; s < 2; s++) {
        if (contact->side[s].centre)
            nodes[count++] = contact->side[s].centre;
        count += movers_between(contact, mobility, s ? split : 0, s ? contact->count : split, nodes + count);
    }
    return count;
}

int carom_encounter_hits(const carom_drifting *drift, const carom_contact *contact) {
    const int *hits = drift->space->version;
    int split = contact->kind == CAROM_CONTACT_EDGE_EDGE ? 2 : 1, least = INT_MAX;
    for (int side = 0; side < 2; side++) {
        int movers[4], most = 0, begin = side ? split : 0, end = side ? contact->count : split;
        int count = movers_between(contact, drift->interval->mobility, begin, end, movers);
        for (int k = 0; k < count; k++)
            most = hits[movers[k]] > most ? hits[movers[k]] : most;
        least = count && most < least ? most : least;
    }
    return least == INT_MAX ? 0 : least;
}

bool carom_encounter_is_one_time(const carom_drifting *drift, double last, double t) {
    return t - last <= one_time_accuracy * carom_contact_interval_end(drift->interval);
}

// True if the contact closes no faster than by the kick.
static bool is_slower_than_kick(const carom_contact *contact, const double (*kick)[3], const double (*w)[3]) {
    double speed = 0;
    for (int s = 0; s < 2; s++) {
        const carom_contact_side *side = &contact->side[s];
        double turn[3];
        if (!side->centre)
            continue;
        carom_cross(kick[side->turn], side->arm, turn);
        speed += fabs(side->sign * carom_dot(contact->normal, kick[side->centre]) + carom_dot(contact->normal, turn));
    }
    for (int k = 0; k < contact->count; k++)
        speed += carom_contact_has_rigid_node(contact, k)
                     ? 0
                     : fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, kick[contact->node[k]]));
    return -carom_contact_rate(contact, w) <= kick_speed_factor * speed;
}

// The fraction of a kick by which the true velocity at time t differs from that of the drift: t/h - 1/2.
static double part_of_kick(const carom_drifting *drift, double t) {
    return (t - drift->interval->begin) / drift->interval->step - 0.5;
}

// The true normal rate at time t less that of the drift velocities. Half of the kick before the drift acts after its start,
// and half of the kick after it before its end, so the velocity at the time t = s h exceeds that of the drift by
//     (s k_1 - (1 - s) k_0)/2.
// With it a reflection conserves the energy that leapfrog conserves. While k_1 is unknown, k_0 replaces it: (s - 1/2) k_0.
static double offset_of(const carom_drifting *drift, const carom_contact *contact, double t) {
    const carom_contact_interval *interval = drift->interval;
    if (!interval->end_kick)
        return part_of_kick(drift, t) * carom_contact_rate(contact, (carom_const_vectors)drift->space->kick);
    double s = (t - interval->begin) / interval->step;
    return 0.5 * s * carom_contact_rate(contact, interval->end_kick) -
           0.5 * (1 - s) * carom_contact_rate(contact, (carom_const_vectors)drift->impacts->forces);
}

carom_bounce carom_encounter_bounce(const carom_drifting *drift, const carom_contact *contact, double t, bool scatters) {
    carom_const_vectors kick = (carom_const_vectors)drift->space->kick;
    carom_contact_law law = carom_neighbours_law(&drift->interval->neighbours, contact);
    carom_bounce bounce = {.law = law, .repaid = carom_impacts_are_repaid(law)};
    if (law.restitution < 1 && is_slower_than_kick(contact, kick, drift->w))
        bounce.law.restitution = 0;
    if (scatters)
        bounce.law.restitution = 1;
    if (bounce.law.restitution > 0)
        bounce.offset = offset_of(drift, contact, t);
    return bounce;
}

double carom_encounter_escape(const carom_drifting *drift, const carom_contact *contact, double level, double distance,
                              double rate) {
    double u[3], step = drift->interval->step, side = drift->interval->neighbours.length;
    if (!(distance < escape_below * level))
        return 0;
    carom_contact_velocity(contact, drift->w, u);
    double most = fmax(escape_layers_per_step * level / step, escape_curvature_ratio * carom_norm(u) * sqrt(level / side));
    return fmax((escape_level * level - distance) / step, fmin(escape_speed_ratio * fabs(rate), most));
}

// Sets `outran` if a node that was hit ends farther from its first path than the allowance of the list of neighbours.
static void note_path(const carom_drifting *drift, int node) {
    carom_impacts *impacts = drift->impacts;
    const carom_first_flight *first = &impacts->flights[impacts->flight_of[node] - 1];
    double deviation[3];
    for (int i = 0; i < 3; i++)
        deviation[i] =
            drift->b[node][i] - first->b[i] + carom_contact_interval_end(drift->interval) * (drift->w[node][i] - first->w[i]);
    impacts->outran = impacts->outran || carom_norm(deviation) > drift->interval->allowance;
}

// Upper bound of the displacement of a node from its path by an impulse at time t until the end of the drift. A restraint can
// only reduce it. The second term covers the rounding of b and w.
static double path_of(const carom_drifting *drift, int node, double impulse, double t) {
    double end = carom_contact_interval_end(drift->interval), size = 0;
    for (int i = 0; i < 3; i++)
        size += fabs(drift->b[node][i]) + fabs(end * drift->w[node][i]);
    const carom_restraint *restraint = carom_restraint_of(drift->interval->mobility.restraints, node);
    double speed = restraint && restraint->count == 3 ? 0 : impulse / drift->interval->mobility.mass[node];
    return speed * (end - t) * rounding_factor + 4 * DBL_EPSILON * size;
}

// Sets the angular momenta and centres of all bodies that joints connect with body r, after an impulse at time t.
static void turn_linkage(const carom_drifting *drift, int r, double t) {
    carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    const int *linked;
    int n = carom_linkage_bodies(rigid_bodies, r, &linked);
    rigid_bodies->links[rigid_bodies->items[r].linkage - 1].planned = 0;
    for (int b = 0; b < n; b++) {
        int centre = rigid_bodies->items[linked[b]].centre;
        carom_rigid_bodies_momentum(rigid_bodies, linked[b], drift->w[rigid_bodies->first_row + linked[b]],
                                    rigid_bodies->l[linked[b]]);
        carom_copy(rigid_bodies->place[linked[b]], drift->set_b[centre]);
        carom_add_scaled(-t, drift->w[centre], drift->set_b[centre]);
    }
}

// Updates the rigid body of a side after an impulse that was applied to w at time t: its angular momentum changes, and its
// centre keeps its position at that time. carom_encounter_fly_on gives its nodes new paths.
static void turn(const carom_drifting *drift, const carom_contact_side *side, const double impulse[3], double t) {
    carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    carom_drift_space *space = drift->space;
    int r = side->turn - rigid_bodies->first_row, centre = side->centre;
    double moment[3];
    if (rigid_bodies->items[r].linkage) {
        turn_linkage(drift, r, t);
    } else {
        carom_cross(side->arm, impulse, moment);
        carom_add_scaled(1, moment, rigid_bodies->l[r]);
        carom_add_scaled(-t * side->sign / rigid_bodies->items[r].mass, impulse, drift->set_b[centre]);
    }
    note_path(drift, centre);
    space->rapid[centre] = carom_encounter_is_one_time(drift, space->last[centre], t) ? space->rapid[centre] + 1 : 0;
    space->last[centre] = t;
    space->version[centre]++;
}

// Bodies connected by joints form one cluster, as an impact on one changes the energy of all.
void carom_encounter_cut(const carom_drifting *drift, int r, double t) {
    carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    const int *linked;
    int n = carom_linkage_bodies(rigid_bodies, r, &linked);
    for (int b = 0; b < n; b++) {
        const carom_rigid_body *one = &rigid_bodies->items[linked[b]];
        for (int k = one->node_begin; k <= one->centre; k++)
            carom_impacts_record_flights(drift->impacts, &k, 1, drift->b, drift->w);
        carom_impacts_record_flights(drift->impacts, one->tied, one->tied_count, drift->b, drift->w);
        int both[2] = {rigid_bodies->items[linked[0]].centre, one->centre};
        if (b)
            carom_clusters_link(&drift->impacts->clusters, both, 2);
    }
    carom_rigid_bodies_cut(rigid_bodies, r, t, drift->set_w);
    for (int b = 0; b < n && rigid_bodies->items[r].linkage; b++) {
        int centre = rigid_bodies->items[linked[b]].centre;
        carom_copy(rigid_bodies->place[linked[b]], drift->set_b[centre]);
        carom_add_scaled(-t, drift->w[centre], drift->set_b[centre]);
    }
}

// New paths of the nodes of one body, whose flight is planned.
static void lead_body(const carom_drifting *drift, int r, double t) {
    const carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    const carom_rigid_body *one = &rigid_bodies->items[r];
    carom_drift_space *space = drift->space;
    carom_rigid_bodies_fly_on(rigid_bodies, r, t, carom_contact_interval_end(drift->interval), drift->set_b, drift->set_w,
                              space->deviation);
    for (int i = 0; i < carom_rigid_body_size(one); i++) {
        int k = carom_rigid_body_node(one, i);
        note_path(drift, k);
        space->largest_deviation = fmax(space->largest_deviation, space->deviation[k]);
        space->version[k]++;
    }
}

void carom_encounter_fly_on(const carom_drifting *drift, int r, double t) {
    carom_rigid_bodies *rigid_bodies = drift->interval->mobility.rigid_bodies;
    const int *linked;
    int n = carom_linkage_bodies(rigid_bodies, r, &linked);
    // impulses have changed the rows of bodies as well; recompute them from the momenta
    for (int b = 0; b < n; b++)
        carom_rigid_bodies_refresh(rigid_bodies, linked[b], drift->set_w);
    carom_rigid_bodies_plan(rigid_bodies, r, carom_contact_interval_end(drift->interval) - t, drift->w);
    for (int b = 0; b < n; b++)
        lead_body(drift, linked[b], t);
}

// Records an impulse that was applied to w at time t, and corrects b so that positions at that time are unchanged.
static void record(const carom_drifting *drift, carom_hit *hit, double t) {
    const carom_contact *contact = &hit->contact;
    carom_drift_space *space = drift->space;
    double back[3] = {-t * hit->impulse[0], -t * hit->impulse[1], -t * hit->impulse[2]};
    carom_contact_push_nodes(contact, drift->interval->mobility, back, drift->set_b);
    for (int s = 0; s < 2; s++)
        if (contact->side[s].centre)
            turn(drift, &contact->side[s], hit->impulse, t);
    for (int k = 0; k < contact->count; k++) {
        int node = contact->node[k];
        if (!carom_contact_moves(contact, drift->interval->mobility, k))
            continue;
        note_path(drift, node);
        space->deviation[node] += path_of(drift, node, fabs(contact->weight[k]) * carom_norm(hit->impulse), t);
        space->largest_deviation = fmax(space->largest_deviation, space->deviation[node]);
        space->rapid[node] = carom_encounter_is_one_time(drift, space->last[node], t) ? space->rapid[node] + 1 : 0;
        space->last[node] = t;
        space->version[node]++;
    }
    hit->time = drift->interval->time + t;
    carom_hits_add(&drift->impacts->hits, hit);
}

// The work of the friction impulse on the difference between the true velocity at time t and that of the drift.
static double friction_work_of_forces(const carom_drifting *drift, const carom_contact *contact, const carom_hit *hit,
                                      double t) {
    double u[3];
    carom_contact_velocity(contact, (carom_const_vectors)drift->impacts->forces, u);
    return part_of_kick(drift, t) * (carom_dot(hit->impulse, u) - hit->normal * carom_dot(contact->normal, u));
}

// Divides the energy loss of an impact into restitution, friction and the cost of contact handling. `real` is the true rate
// before the impact, `target` the rate after it by the law.
static void sort_loss(const carom_drifting *drift, const carom_contact *contact, double t, carom_bounce bounce, double real,
                      double target, bool corrected, carom_hit *hit) {
    double e = bounce.law.restitution, rate = hit->rate, least = bounce.least;
    double softness = carom_contact_softness(contact, drift->interval->mobility, contact->normal);
    double loss = 0.5 * (1 - e * e) * real * real / softness;
    if (bounce.repaid) {
        // the loss by the law only: the next kick returns the difference
        hit->restitution = real < 0 ? loss : 0;
        double work = hit->friction;
        if (work > 0 && drift->impacts->forces)
            work -= friction_work_of_forces(drift, contact, hit, t);
        hit->friction = fmax(0, work);
        // a stopped contact cannot return this energy
        if (work < 0 && fmax(target, least) <= stopped_ratio * -rate)
            hit->projection = work;
    } else if (least > target) {
        // energy is added if the contact leaves faster than by restitution: a cost of contact handling
        double plain = hit->restitution * (target * target - rate * rate) / (least * least - rate * rate);
        if (!isfinite(plain))
            plain = 0;
        hit->projection = hit->restitution - plain;
        hit->restitution = plain;
    } else if (corrected) {
        hit->restitution = loss;
    }
}

// As offset_of, for the whole velocity.
void carom_encounter_offset(const carom_drifting *drift, const carom_contact *contact, double t, double u[3]) {
    const carom_contact_interval *interval = drift->interval;
    double s = (t - interval->begin) / interval->step, end[3];
    if (!interval->end_kick) {
        carom_contact_velocity(contact, (carom_const_vectors)drift->space->kick, u);
        for (int i = 0; i < 3; i++)
            u[i] *= s - 0.5;
        return;
    }
    carom_contact_velocity(contact, interval->end_kick, end);
    carom_contact_velocity(contact, (carom_const_vectors)drift->impacts->forces, u);
    for (int i = 0; i < 3; i++)
        u[i] = 0.5 * s * end[i] - 0.5 * (1 - s) * u[i];
}

// Replaces the losses of a hit of a rigid body by the work of the impulse on the true velocities: its contacts interact, so the
// law of one contact does not give its loss.
static void add_offset(const carom_drifting *drift, double t, carom_hit *hit) {
    double u[3];
    carom_encounter_offset(drift, &hit->contact, t, u);
    double normal = hit->normal * carom_dot(hit->contact.normal, u);
    hit->restitution -= normal;
    hit->friction -= carom_dot(hit->impulse, u) - normal;
}

// A gain (negative loss) of restitution or friction is first balanced by the loss of the other; the rest is a cost of contact
// handling.
static void sort_gain(double *restitution, double *friction, double *projection) {
    double gain = fmin(0, *restitution) + fmin(0, *friction);
    *restitution = fmax(0, *restitution);
    *friction = fmax(0, *friction);
    double paid = fmin(-gain, *restitution), rubbed = fmin(-gain - paid, *friction);
    *restitution -= paid;
    *friction -= rubbed;
    *projection += gain + paid + rubbed;
}

// Distributes the total losses of the hits from `begin` on in proportion to their impulses: rigid bodies have redundant
// contacts, whose individual work is not determined.
static void share_losses(const carom_drifting *drift, int begin, double t) {
    carom_hits *hits = &drift->impacts->hits;
    double restitution = 0, friction = 0, projection = 0, impulse = 0, rubbing = 0;
    for (int h = begin; h < hits->count; h++) {
        carom_hit *hit = &hits->items[h];
        add_offset(drift, t, hit);
        restitution += hit->restitution;
        friction += hit->friction;
        impulse += hit->normal;
        rubbing += carom_norm(hit->impulse);
    }
    sort_gain(&restitution, &friction, &projection);
    for (int h = begin; h < hits->count; h++) {
        carom_hit *hit = &hits->items[h];
        hit->restitution = restitution * hit->normal / impulse;
        hit->projection = projection * hit->normal / impulse;
        hit->friction = friction * carom_norm(hit->impulse) / rubbing;
    }
}

void carom_encounter_collide(const carom_drifting *drift, const carom_contact *contact, double t, carom_bounce bounce) {
    carom_hits *hits = &drift->impacts->hits;
    carom_mobility mobility = drift->interval->mobility;
    double e = bounce.law.restitution, offset = bounce.offset;
    double rate = carom_contact_rate(contact, drift->w), real = rate + offset, target = -e * rate;
    bool corrected = offset != 0 && real < 0 && -e * real - offset > 0;
    if (corrected)
        target = -e * real - offset;
    else if (bounce.repaid && offset != 0)
        target = 0;
    carom_impacts_record_flights(drift->impacts, contact->node, contact->count, drift->b, drift->w);
    double friction = carom_contact_friction(&bounce.law, contact, drift->w);
    carom_hit hit = carom_response(contact, mobility, fmax(target, bounce.least), friction, drift->set_w);
    if (hit.normal == 0)
        return;
    hit.stops = bounce.repaid && e == 0;
    if (carom_contact_is_rigid(contact)) {
        add_offset(drift, t, &hit);
        sort_gain(&hit.restitution, &hit.friction, &hit.projection);
    } else
        sort_loss(drift, contact, t, bounce, real, target, corrected, &hit);
    record(drift, &hit, t);
    for (int s = 0; s < 2; s++)
        if (contact->side[s].centre)
            carom_encounter_fly_on(drift, contact->side[s].turn - mobility.rigid_bodies->first_row, t);

    // ground and spot need the corrected b, which record() has just set
    carom_hit *kept = hits->failed ? &hit : &hits->items[hits->count - 1];
    kept->ground = carom_contact_ground(contact, mobility, hit.impulse, drift->b, drift->w, t);
    kept->spot = carom_contact_spot(contact, drift->b, drift->w, t);
}

double carom_encounter_touch(const carom_drifting *drift, const carom_contact *contact) {
    return touch_threshold * drift->interval->step * (carom_encounter_speed(contact, drift->w) + drift->interval->kick_speed) +
           carom_encounter_rounding(contact, drift->b);
}

// Collects fixed contact number `first` and all contacts that touch its nodes at time t, directly or through others: a
// breadth-first search whose queue is the list itself. False if memory is short.
static bool collect(const carom_drifting *drift, int first, double t) {
    const carom_candidates *candidates = drift->interval->neighbours.fixed;
    carom_mobility mobility = drift->interval->mobility;
    carom_contact_solve *collapse = &drift->space->collapse;
    bool *listed = drift->space->listed;
    collapse->count = 0;
    bool memory = carom_contact_solve_add(collapse, &candidates->items[first], mobility, 0, 0, drift->w);
    if (memory && collapse->count)
        collapse->items[0].number = first;
    listed[first] = true;
    for (int next = 0; next < collapse->count && memory; next++) {
        carom_contact member = collapse->items[next].contact;
        for (int k = 0; k < member.count; k++) {
            for (int i = candidates->begin[member.node[k]]; i < candidates->begin[member.node[k] + 1]; i++) {
                int c = candidates->of_node[i];
                const carom_contact *contact = &candidates->items[c];
                double gap = carom_contact_gap(contact, drift->b) + t * carom_contact_rate(contact, drift->w);
                if (listed[c] || gap > carom_encounter_touch(drift, contact))
                    continue;
                int before = collapse->count;
                memory = memory && carom_contact_solve_add(collapse, contact, mobility, 0, 0, drift->w);
                // a contact that cannot move is not added
                listed[c] = collapse->count > before;
                if (listed[c])
                    collapse->items[before].number = c;
            }
        }
    }
    listed[first] = false;
    for (int i = 0; i < collapse->count; i++)
        listed[collapse->items[i].number] = false;
    return memory;
}

bool carom_encounter_settle(const carom_drifting *drift, int first, double t) {
    if (!collect(drift, first, t))
        return false;
    carom_encounter_settle_all(drift, t);
    return true;
}

double carom_encounter_settle_floor(const carom_drifting *drift) {
    const carom_contact_interval *interval = drift->interval;
    const carom_contact_solve *collapse = &drift->space->collapse;
    double speed = 0;
    for (int i = 0; i < collapse->count; i++)
        speed = fmax(speed, carom_encounter_speed(&collapse->items[i].contact, drift->w));
    // rates between surfaces that cross a small fraction of the layer in a step are negligible
    double floor = settle_accuracy * (speed + interval->kick_speed);
    if (interval->mobility.rigid_bodies && interval->neighbours.pairs)
        floor = fmax(floor, body_accuracy * interval->neighbours.layer.slow);
    return floor;
}

void carom_encounter_settle_all(const carom_drifting *drift, double t) {
    const carom_contact_interval *interval = drift->interval;
    carom_hits *hits = &drift->impacts->hits;
    carom_contact_solve *collapse = &drift->space->collapse;
    double floor = carom_encounter_settle_floor(drift);
    for (int i = 0; i < collapse->count; i++) {
        const carom_contact *contact = &collapse->items[i].contact;
        carom_impacts_record_flights(drift->impacts, contact->node, contact->count, drift->b, drift->w);
    }
    carom_contact_solve_run(collapse, interval->mobility, floor, drift->set_w);
    carom_cap_bounce_energy(drift, floor, t);
    int begin = hits->count;
    double loss = 0, impulse = 0;
    for (int i = 0; i < collapse->count; i++) {
        if (!(collapse->items[i].normal > 0))
            continue;
        carom_hit hit = carom_contact_solve_hit(&collapse->items[i], interval->mobility, drift->b, drift->w, 0, 0.5);
        hit.stops = collapse->items[i].stops;
        loss += hit.restitution;
        impulse += hit.normal;
        record(drift, &hit, t);
    }

    bool rigid = hits->count > begin && carom_contact_is_rigid(&hits->items[begin].contact);
    if (rigid)
        share_losses(drift, begin, t);
    // The loss of the whole collapse is never negative except for rounding: distribute it in proportion to the impulses.
    // Ground and spot need the positions at time t, which are known only after every b has been corrected.
    for (int h = begin; h < hits->count; h++) {
        carom_hit *hit = &hits->items[h];
        if (!rigid)
            hit->restitution = fmax(0, loss) * hit->normal / impulse;
        hit->ground = carom_contact_ground(&hit->contact, interval->mobility, hit->impulse, drift->b, drift->w, t);
        hit->spot = carom_contact_spot(&hit->contact, drift->b, drift->w, t);
    }
}

void carom_encounter_hold(const carom_drifting *drift, const carom_contact *contact, int root, double t) {
    const carom_contact_interval *interval = drift->interval;
    carom_impacts *impacts = drift->impacts;
    carom_clusters *clusters = &impacts->clusters;
    carom_impacts_record_flights(impacts, contact->node, contact->count, drift->b, drift->w);
    for (int i = 0; i < clusters->count; i++)
        if (carom_clusters_root(clusters, clusters->touched[i]) == root)
            carom_impacts_record_flights(impacts, &clusters->touched[i], 1, drift->b, drift->w);
    carom_held held = carom_clusters_hold(clusters, root, interval->neighbours.fixed->items, interval->mobility,
                                          &interval->carry, interval->time + t, t, drift->set_b, drift->set_w);
    carom_hit hit = {.contact = *contact, .time = interval->time + t, .projection = held.energy, .ground = held.ground};
    carom_hits_add(&impacts->hits, &hit);
    for (int i = 0; i < clusters->count; i++)
        if (carom_clusters_root(clusters, clusters->touched[i]) == root) {
            drift->space->version[clusters->touched[i]]++;
            // the new path is unrelated to the old one: check all contacts of the node
            drift->space->deviation[clusters->touched[i]] = drift->space->largest_deviation = HUGE_VAL;
            note_path(drift, clusters->touched[i]);
        }
}
