// SPDX-License-Identifier: MIT
// Return of the energy error of impacts inside a step (docs/theory/repay.md).
//
// Without contact leapfrog conserves E - (h^2/8) f.M^-1 f, exactly for linear forces. A drift from x_0 to x_1 whose velocity
// changes from w_0 to w_1 by impacts, between kicks k = h M^-1 f, changes it by the sum over the nodes that were hit of
//     m [ (w_1^2 - w_0^2)/2 + (k_1.w_1 + k_0.w_0)/2 - (k_0 + k_1).(x_1 - x_0)/(2 h) ].
// This change plus the recorded losses minus the work of prescribed motions is the debt of the cluster of nodes that the
// impacts link. An impulse J along n at the kick changes the energy by J (u + n.A n J/2), where u is the normal rate in the
// middle of the kick, so the impulse that removes the energy D changes
//     u  to  sqrt(u^2 - 2 n.A n D).
// The debt of a cluster is distributed among its contacts in proportion to impulse times approach speed. If every contact of a
// cluster was stopped, none can return energy, and the debt is recorded as a loss of stopping. A remainder that no contact
// could return is kept in the account (energy_accounts.h) of the pair of bodies of the last one, and added to the debt of the
// next cluster in which this pair bounces.
//
// The loss of plastic impacts is unknown in advance, so no energy is returned: the debt of a cluster without a bounce corrects
// the loss that was recorded at the impact from velocities alone.
#include "contact/impact/repay.h"

#include <math.h>
#include <string.h>

#include "contact/cone.h"
#include "math/vec3.h"

// Debts below this fraction of impulse times approach speed are rounding.
static const double debt_rounding = 1e-12;

// Largest ratio of the normal speeds after and before a return. Debts are large compared with the speeds if forces change a lot
// within a step; the rest of the debt is assigned to the next contact of the cluster.
static const double max_speed_ratio = 2;

enum {
    // Number of nodes above which threads share the loop over them: 2 ns each, or 10 ns with restraints.
    SHARED_NODES = 4096,
    // Number of blocks of this loop, larger than the number of threads.
    BLOCKS = 64
};

carom_status carom_repay_reserve(carom_repay_space *space, int node_count, carom_error *error) {
    bool enough = carom_arena_renew(&space->arena);
    space->debt = carom_arena_reserve(space->arena, node_count, sizeof *space->debt, &enough);
    space->share = carom_arena_reserve(space->arena, node_count, sizeof *space->share, &enough);
    space->returning_hits = carom_arena_reserve(space->arena, node_count, sizeof *space->returning_hits, &enough);
    space->pending_hits = carom_arena_reserve(space->arena, node_count, sizeof *space->pending_hits, &enough);
    space->lost = carom_arena_reserve(space->arena, node_count, sizeof *space->lost, &enough);
    space->kick = carom_arena_reserve(space->arena, node_count, sizeof *space->kick, &enough);
    space->base = carom_arena_reserve(space->arena, node_count, sizeof *space->base, &enough);
    return enough ? CAROM_OK : carom_fail(error, CAROM_NO_MEMORY, "no memory for contact");
}

void carom_repay_release(carom_repay_space *space) {
    carom_arena_release(space->arena);
    *space = (carom_repay_space){0};
}

// The cluster of a contact is that of its movable nodes. Obstacles belong to no cluster: they would link all bodies that hit
// them.
static int root_of(const carom_contact_interval *interval, const carom_impacts *impacts, const carom_contact *contact) {
    for (int s = 0; s < 2; s++)
        if (contact->side[s].centre)
            return carom_clusters_root(&impacts->clusters, contact->side[s].centre);
    int k = 0;
    while (k < contact->count - 1 && !carom_contact_moves(contact, interval->mobility, k))
        k++;
    return carom_clusters_root(&impacts->clusters, contact->node[k]);
}

// True if the hit can return energy. A contact that was stopped rests, and cannot.
static bool can_return(const carom_contact_interval *interval, const carom_impacts *impacts, const carom_hit *hit) {
    return hit->normal > 0 && !hit->stops && !impacts->clusters.held[root_of(interval, impacts, &hit->contact)] &&
           carom_impacts_are_repaid(carom_neighbours_law(&interval->neighbours, &hit->contact));
}

// The weight of a hit in the distribution of a debt.
static double share_of(const carom_hit *hit) {
    return hit->normal * fabs(hit->rate);
}

// The part of the kick after its time, in units of the next drift: 1/2 for any length of the last drift.
static double late_part(const carom_contact_interval *interval) {
    return interval->kick_after * interval->kick_part;
}

// The velocity change of a node in the time h by forces without a potential. The formula above excludes them, as the ledger
// records their work.
static double other_kick(const carom_contact_interval *interval, int node, int i, double h) {
    // the force on a node of a rigid body acts on the body
    double mass = interval->mobility.mass[node];
    return interval->other && mass > 0 ? h * interval->other[node][i] / mass : 0;
}

// The energy that impacts added at one node, by the formula above.
static double gain_of(const carom_contact_interval *interval, const carom_first_flight *before, const double (*x)[3],
                      const double (*w_before)[3], const double (*kick)[3], const double (*w)[3]) {
    const carom_rigid_bodies *rigid_bodies = interval->mobility.rigid_bodies;
    int k = before->node, r = carom_rigid_bodies_at(rigid_bodies, k);
    double sum = 0, turning = 0, ends[2][2][3];
    // nodes of a body, including its mass centre if a joint holds it, move with the body, whose gain is added once
    if (rigid_bodies && rigid_bodies->of_node[k] >= 0)
        return 0;
    for (int i = 0; i < 3; i++) {
        double w0 = before->w[i], w1 = w_before[k][i], k0 = kick[k][i];
        double k1 = (w[k][i] - w1) / interval->last_part - other_kick(interval, k, i, interval->last_step);
        ends[0][0][i] = k0;
        ends[1][0][i] = k1;
        sum += w1 * w1 - w0 * w0 + k1 * w1 + k0 * w0 -
               (k0 + k1) * (x[k][i] - (before->b[i] + interval->begin * w0)) / interval->last_step;
    }
    if (r >= 0) {
        int row = rigid_bodies->first_row + r;
        carom_copy(kick[row], ends[0][1]);
        for (int i = 0; i < 3; i++)
            ends[1][1][i] = (w[row][i] - w_before[row][i]) / interval->last_part;
        turning = carom_rigid_bodies_gain(rigid_bodies, r, (carom_const_vectors)ends[0], (carom_const_vectors)ends[1],
                                          interval->last_step);
    }
    return 0.5 * (r < 0 ? interval->mobility.mass[k] : rigid_bodies->items[r].mass) * sum + turning;
}

// Computes the debts of all clusters, and counts the hits that can return them. `kick`: the kick before the drift.
static void find_debts(const carom_contact_interval *interval, carom_repay_space *space, const carom_impacts *impacts,
                       const double (*kick)[3], const double (*x)[3], const double (*w_before)[3], const double (*w)[3]) {
    const carom_clusters *clusters = &impacts->clusters;
    for (int i = 0; i < impacts->flight_count; i++) {
        int root = carom_clusters_root(clusters, impacts->flights[i].node);
        space->debt[root] = space->share[root] = space->lost[root] = 0;
        space->returning_hits[root] = space->pending_hits[root] = 0;
    }
    for (int i = 0; i < impacts->flight_count; i++) {
        const carom_first_flight *before = &impacts->flights[i];
        space->debt[carom_clusters_root(clusters, before->node)] += gain_of(interval, before, x, w_before, kick, w);
    }
    for (int h = 0; h < impacts->hits.count; h++) {
        const carom_hit *hit = &impacts->hits.items[h];
        int root = root_of(interval, impacts, &hit->contact);
        space->debt[root] += hit->restitution + hit->friction + hit->projection - hit->ground.work;
        space->lost[root] += hit->restitution;
        if (can_return(interval, impacts, hit)) {
            space->share[root] += share_of(hit);
            space->returning_hits[root]++;
            space->pending_hits[root]++;
        }
    }
}

carom_contact carom_repay_contact(const carom_contact *old, const double (*x)[3]) {
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

// Coulomb's law for a returning impulse J > 0: the tangential impulse opposes the sliding after the kick.
static void add_friction(const carom_contact_interval *interval, const double (*kick)[3], double (*w)[3], carom_hit *hit) {
    const carom_contact *contact = &hit->contact;
    carom_contact_law law = carom_neighbours_law(&interval->neighbours, contact);
    double u[3], t[3], change[3];
    if (!(law.friction > 0) || !(hit->normal > 0) || !(hit->rate < 0))
        return;
    carom_contact_velocity(contact, (carom_const_vectors)w, u);
    carom_contact_velocity(contact, kick, change);
    double speed = carom_cone_slide(contact->normal, u, t), softness = carom_contact_softness(contact, interval->mobility, t);
    double middle = speed - late_part(interval) * carom_dot(change, t), size;
    if (!carom_hit_rub(hit, &law, speed, middle, softness, &size))
        return;
    double impulse[3] = {-size * t[0], -size * t[1], -size * t[2]};
    carom_contact_push(contact, interval->mobility, impulse, w);
    carom_add_scaled(1, impulse, hit->impulse);
}

// Returns as much of an energy as possible by an impulse at the contact; the result is the energy returned.
static double return_energy(const carom_contact_interval *interval, const carom_contact *contact, double time, double energy,
                            const double (*x)[3], const double (*kick)[3], double (*w)[3], carom_impacts *impacts) {
    double softness = carom_contact_softness(contact, interval->mobility, contact->normal);
    double u = carom_contact_rate(contact, (carom_const_vectors)w) - late_part(interval) * carom_contact_rate(contact, kick);
    if (!(softness > 0) || u == 0)
        return 0;
    double speed = fmin(sqrt(fmax(0, u * u - 2 * softness * energy)), max_speed_ratio * fabs(u)),
           change = copysign(speed, u) - u;
    carom_hit hit = {.contact = *contact, .time = time, .rate = u, .normal = change / softness, .amends = true};
    for (int i = 0; i < 3; i++)
        hit.impulse[i] = hit.normal * contact->normal[i];
    carom_contact_push(contact, interval->mobility, hit.impulse, w);
    add_friction(interval, kick, w, &hit);
    hit.ground = carom_contact_ground(contact, interval->mobility, hit.impulse, x, (carom_const_vectors)w, 0);
    hit.spot = carom_contact_spot(contact, x, (carom_const_vectors)w, 0);
    carom_hits_add(&impacts->hits, &hit);
    return 0.5 * (u * u - speed * speed) / softness;
}

// Records the debt of a cluster in which every contact was stopped as a loss.
static void record_stop(const carom_hit *stop, double debt, carom_hits *hits) {
    carom_hit hit = {.contact = stop->contact, .time = stop->time, .spot = stop->spot, .slips = stop->slips, .amends = true};
    // restitution never adds energy: a debt larger than its loss is a cost of contact handling
    if (debt <= stop->restitution)
        hit.restitution = -debt;
    else
        hit.projection = -debt;
    carom_hits_add(hits, &hit);
}

// Moves the open accounts of pairs with hits that can return energy to the debts of their clusters, in the order of the hits.
static void collect_accounts(const carom_contact_interval *interval, carom_repay_space *space, const carom_debts *debts,
                             const carom_impacts *impacts) {
    for (int h = 0; h < impacts->hits.count; h++) {
        const carom_hit *hit = &impacts->hits.items[h];
        if (!can_return(interval, impacts, hit))
            continue;
        carom_debts_note_hit(debts, hit->contact.body, share_of(hit));
        double *account = carom_debts_account(debts, hit->contact.body);
        if (!account)
            continue;
        space->debt[root_of(interval, impacts, &hit->contact)] += *account;
        *account = 0;
    }
}

// After the last hit that can return energy: moves the remaining debt to the account of its pair.
static void store_remainder(carom_repay_space *space, const carom_debts *debts, const carom_hit *hit, int root) {
    double *account = carom_debts_account(debts, hit->contact.body);
    if (account) {
        *account += space->debt[root];
        carom_debts_note_size(debts, *account);
    } else {
        carom_debts_drop(debts, space->debt[root]);
    }
    space->debt[root] = 0;
}

// If no contact of a cluster can return its debt and no stop was recorded, the debt corrects the recorded losses of its
// impacts. Restitution never adds energy: a debt larger than its loss is a negative cost of contact handling. A guard checks
// that the sum of both does not decrease. Held clusters are excluded: their debts are dropped, and the audit accounts for them.
static void correct_losses(carom_repay_space *space, const carom_debts *debts, const carom_impacts *impacts,
                           double *loss_corrections) {
    for (int i = 0; i < impacts->flight_count; i++) {
        int root = carom_clusters_root(&impacts->clusters, impacts->flights[i].node);
        double debt = space->debt[root];
        space->debt[root] = 0;
        if (debt == 0)
            continue;
        if (loss_corrections && !impacts->clusters.held[root] && space->returning_hits[root] == 0)
            loss_corrections[debt <= space->lost[root] ? CAROM_LOSS_CORRECTION_RESTITUTION
                                                       : CAROM_LOSS_CORRECTION_PROJECTION] -= debt;
        else if (debts->numbers)
            carom_debts_drop(debts, debt);
    }
}

// Each hit returns its share, and the remainder of the hits before it.
static void return_debts(const carom_contact_interval *interval, carom_repay_space *space, const carom_debts *debts,
                         const double (*x)[3], double (*w)[3], carom_impacts *impacts) {
    int count = impacts->hits.count;
    for (int h = 0; h < count; h++) {
        // a copy: return_energy() appends to the hits
        const carom_hit hit = impacts->hits.items[h];
        int root = root_of(interval, impacts, &hit.contact);
        if (hit.stops && space->returning_hits[root] == 0 && !impacts->clusters.held[root] &&
            fabs(space->debt[root]) > debt_rounding * share_of(&hit)) {
            record_stop(&hit, space->debt[root], &impacts->hits);
            space->debt[root] = 0;
        }
        if (!can_return(interval, impacts, &hit))
            continue;
        double share = share_of(&hit), left = space->share[root];
        double energy = left > share ? space->debt[root] * share / left : space->debt[root];
        space->share[root] = left - share;
        if (fabs(energy) > debt_rounding * share) {
            carom_contact contact = carom_repay_contact(&hit.contact, x);
            carom_rigid_bodies_set_sides(interval->mobility.rigid_bodies, &contact, x, (carom_const_vectors)w, 0);
            space->debt[root] -=
                return_energy(interval, &contact, hit.time, energy, x, (carom_const_vectors)space->kick, w, impacts);
        }
        if (--space->pending_hits[root] == 0 && debts->numbers)
            store_remainder(space, debts, &hit, root);
    }
}

// keep_kick for the nodes from `begin` to before `end`.
static void keep_range(const carom_contact_interval *interval, const double (*w_before)[3], const double (*w)[3],
                       double (*whole)[3], double (*forces)[3], int begin, int end) {
    const carom_restraints *restraints = interval->mobility.restraints;
    if (begin < end && !interval->nodes && !interval->other && !(restraints && restraints->of_node)) {
        // without restraints the loop over all components is vectorised
        const double *after = w[begin], *before = w_before[begin];
        double *kick = forces[begin], part = interval->kick_part;
        int count = 3 * (end - begin);
        for (int i = 0; i < count; i++)
            kick[i] = (after[i] - before[i]) / part;
        if (whole)
            memcpy(whole[begin], kick, (size_t)count * sizeof *kick);
        return;
    }
    for (int j = begin; j < end; j++) {
        int k = interval->nodes ? interval->nodes[j] : j;
        const carom_restraint *restraint = carom_restraint_of(restraints, k);
        double kick[3];
        for (int i = 0; i < 3; i++) {
            kick[i] = (w[k][i] - w_before[k][i]) / interval->kick_part;
            forces[k][i] = kick[i] - other_kick(interval, k, i, interval->step);
        }
        if (restraint) {
            carom_restraint_project(restraint, kick);
            carom_restraint_project(restraint, forces[k]);
        }
        if (whole)
            carom_copy(kick, whole[k]);
    }
}

// Stores the kick in units of the next drift: all of it for the returns (`whole`, may be NULL), and its part by forces with a
// potential for the debts of the next drift. Prescribed components are excluded: the work of obstacles is computed with their
// velocity after the kick, and returns must use the same.
static void keep_kick(const carom_contact_interval *interval, const double (*w_before)[3], const double (*w)[3],
                      double (*whole)[3], double (*forces)[3]) {
    int64_t n = interval->node_count;
    const carom_rigid_bodies *rigid_bodies = interval->mobility.rigid_bodies;
    for (int r = 0; rigid_bodies && r < rigid_bodies->count; r++)
        for (int i = 0; i < 3; i++) {
            int row = rigid_bodies->first_row + r;
            forces[row][i] = (w[row][i] - w_before[row][i]) / interval->kick_part;
            if (whole)
                whole[row][i] = forces[row][i];
        }
    if (n <= SHARED_NODES) {
        keep_range(interval, w_before, w, whole, forces, 0, (int)n);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int p = 0; p < BLOCKS; p++)
        keep_range(interval, w_before, w, whole, forces, (int)(n * p / BLOCKS), (int)(n * (p + 1) / BLOCKS));
}

void carom_repay_keep(const carom_contact_interval *interval, const double (*w_before)[3], const double (*w)[3],
                      double (*forces)[3]) {
    keep_kick(interval, w_before, w, NULL, forces);
}

carom_status carom_repay_run(const carom_contact_interval *interval, carom_repay_space *space, const carom_debts *debts,
                             double *loss_corrections, const double (*x)[3], const double (*w_before)[3], double (*w)[3],
                             carom_impacts *impacts, carom_error *error) {
    bool any = impacts->hits.count > 0;
    carom_const_vectors after = (carom_const_vectors)w;
    if (any)
        find_debts(interval, space, impacts, (carom_const_vectors)impacts->forces, x, w_before, after);
    keep_kick(interval, w_before, after, space->kick, impacts->forces);
    if (any && debts->numbers)
        collect_accounts(interval, space, debts, impacts);
    if (any) {
        return_debts(interval, space, debts, x, w, impacts);
        correct_losses(space, debts, impacts, loss_corrections);
    }
    return impacts->hits.failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts") : CAROM_OK;
}

carom_const_vectors carom_repay_base(const carom_contact_interval *interval, carom_repay_space *space,
                                     const carom_impacts *impacts, const double (*w_before)[3]) {
    bool any = false;
    for (int h = 0; h < impacts->hits.count; h++) {
        const carom_hit *hit = &impacts->hits.items[h];
        if (!hit->amends || hit->normal == 0)
            continue;
        // contacts use only the nodes of the interval
        for (int j = 0; !any && j < interval->node_count; j++) {
            int k = interval->nodes ? interval->nodes[j] : j;
            carom_copy(w_before[k], space->base[k]);
        }
        const carom_rigid_bodies *rigid_bodies = interval->mobility.rigid_bodies;
        for (int r = 0; !any && rigid_bodies && r < rigid_bodies->count; r++)
            carom_copy(w_before[rigid_bodies->first_row + r], space->base[rigid_bodies->first_row + r]);
        any = true;
        carom_contact_push(&hit->contact, interval->mobility, hit->impulse, space->base);
    }
    return any ? (carom_const_vectors)space->base : w_before;
}

void carom_repay_measure(const carom_contact_interval *interval, carom_repay_space *space, double *loss_corrections,
                         const double (*x)[3], const double (*w_before)[3], const double (*w)[3], const carom_impacts *impacts,
                         double (*kick)[3]) {
    if (impacts->hits.count > 0) {
        find_debts(interval, space, impacts, (carom_const_vectors)kick, x, w_before, w);
        correct_losses(space, &(carom_debts){0}, impacts, loss_corrections);
    }
    keep_kick(interval, w_before, w, NULL, kick);
}
