// SPDX-License-Identifier: MIT
// Computes the impulses at a kick that keep touching bodies from closing in the next drift: the resting solve
// (docs/theory/rest.md).
//
// At a kick, M (w+ - w-) = h f + J: the forces and the contact impulses act together. All contacts that touch are solved
// together (contact_solve.h) such that none closes beyond its resting distance r during the drift,
//     g' >= -max(0, g - r)/h,
// where r is slightly more than the layer eta between surfaces and 0 for fixed contacts. Surfaces that are nearer than r stop
// closing but are not separated, which would add energy; fixed contacts use -g/h without the maximum, as their gaps differ from
// 0 only by rounding. The solve need not converge: a contact that still closes becomes an impact of the drift.
//
// These contacts take part:
//     fixed     those that touch and have no relative velocity before the kick; of rigid bodies, those that may close
//     surfaces  pairs within reach of the kick, g <= max(100 eta, eta + 2 h c), c the rate at which the kick closes the gap, at
//               the nearest points of the two surfaces; other pairs would resist sliding over their edges
// With restitution, a pair that approaches faster than by the kick is an impact and left to the drift; without, it is stopped
// here together with all others. Elastic contacts, e = 1, never rest.
//
// Work: the velocity at the time of the kick is v = (w- + w+)/2, so an impulse J does the work J.(u- + u+)/2 on a contact. On a
// contact at rest this is zero, although h f and J are large. A contact that arrives and is stopped loses its energy to
// restitution.
#include "contact/impact/rest.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "carom/threads.h"
#include "contact/impact/rest_choose.h"
#include "contact/impact/rest_hits.h"
#include "math/vec3.h"
#include "parallel/parallel.h"

// Resting distance of surfaces in units of the layer: slightly above it, so that the remaining error of the solve is no impact.
static const double rest_height = 1.25;

// Rigid bodies nearer to a plane than this fraction of the layer rise to it, by at most a tenth of the layer in a step: far
// more than the error of the solve.
static const double lift_height = 0.5;

// Fixed contacts touch and are at rest if gap and rate are below this fraction of the changes by the kick in a step ...
static const double rest_threshold = 1e-6;
// ... or if the rate is rounding, in units of the speeds whose difference it is ...
static const double rate_rounding = 64 * DBL_EPSILON;
// ... and the gap is rounding, in units of the coordinates ...
static const double gap_rounding = 8 * DBL_EPSILON;
// ... or of the size of the model, for bodies near the origin.
static const double length_rounding = 1e-12;

// Accuracy of the rates between fixed contacts, in units of the largest speed: rounding.
static const double fixed_accuracy = 4 * DBL_EPSILON;

// Accuracy of the rates between surfaces, in units of the speed `slow` that crosses a tenth of the layer in a step: in a step
// the error changes a gap by 1/500 of the layer, far less than the margin of rest_height.
static const double surface_accuracy = 0.02;

// The same for islands of rigid bodies with at most CAROM_ACCELERATED_MAX contacts. The remaining error has the same sign in
// every step, as each solve begins with zero impulses: a stack at rest creeps with this speed.
static const double body_accuracy = 1e-5;

// Islands of rigid bodies at rest are solved by Newton's method, with an error that is smaller by this factor. Where bodies
// move, sweeps are faster.
static const double newton_accuracy = 1e-3;

enum {
    SHARED_FIXED = 4096,   // number of fixed contacts above which threads share their test: about 30 ns each
    SHARED_CONTACTS = 256, // number of contacts above which threads share the islands: about 20 sweeps of 0.2 us each
    LARGE_ISLAND = 1024    // number of contacts above which threads share the colours of an island
};

void carom_rest_release(carom_rest_space *space) {
    carom_contact_solve_release(&space->solve);
    carom_islands_release(&space->islands);
    carom_arena_release(space->of_pairs);
    carom_arena_release(space->of_nodes);
    *space = (carom_rest_space){0};
}

// The rounding error of the gap of a fixed contact.
static double rounding_of_gap(const carom_contact *contact, const double (*x)[3]) {
    double place = fabs(contact->offset);
    for (int k = 0; k < contact->count; k++)
        place += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, x[contact->node[k]]));
    return gap_rounding * place;
}

// True if a fixed contact touches and does not move before the kick.
static bool is_resting(const carom_contact_interval *interval, const carom_contact *contact, double gap, const double (*x)[3],
                       const double (*w_before)[3], const double (*w)[3]) {
    double speed = 0, kick = 0;
    for (int k = 0; k < contact->count; k++) {
        double before = carom_dot(contact->normal, w_before[contact->node[k]]);
        double after = carom_dot(contact->normal, w[contact->node[k]]);
        speed += fabs(contact->weight[k]) * fabs(before);
        kick += fabs(contact->weight[k]) * fabs(after - before);
    }
    double rate = carom_contact_rate(contact, w_before);
    return fabs(rate) <= rest_threshold * kick + rate_rounding * speed &&
           gap <= rest_threshold * kick * interval->step + length_rounding * interval->length + rounding_of_gap(contact, x);
}

// The same for a node of a rigid body: contacts of a body interact, so all that may close in the drift take part. With
// restitution, one that approaches faster than by the kick is an impact.
static bool is_near(const carom_contact_interval *interval, const carom_contact *contact, double restitution,
                    const double (*x)[3], const double (*w_before)[3], const double (*w)[3]) {
    double gap = carom_contact_gap(contact, x), before = carom_contact_rate(contact, w_before),
           after = carom_contact_rate(contact, w), kick = fabs(after - before);
    double reach =
        fmax(CAROM_REST_NEAR_LAYERS * interval->neighbours.layer.height, 2 * interval->step * (kick + fmax(0, -after)));
    return gap <= reach && (restitution == 0 || -before <= CAROM_REST_AS_FAST_AS_KICK * kick);
}

// True if a fixed contact takes part in the solve.
static bool takes_part(const carom_contact_interval *interval, const carom_contact *contact, const double (*x)[3],
                       const double (*w_before)[3], const double (*w)[3]) {
    const carom_rigid_bodies *rigid_bodies = interval->mobility.rigid_bodies;
    double restitution = carom_neighbours_law(&interval->neighbours, contact).restitution;
    if (rigid_bodies && rigid_bodies->of_node[contact->node[0]] >= 0)
        return restitution < 1 && is_near(interval, contact, restitution, x, w_before, w);
    return restitution < 1 && is_resting(interval, contact, carom_contact_gap(contact, x), x, w_before, w);
}

// Target rate of a rigid body above a plane. It rests inside the layer, as surfaces do, so that errors of the solve are no
// impacts: there it stops closing and is not raised, which would add energy. Only in the lowest part of the layer, where it may
// start or where errors of heaps may accumulate, does it rise in small steps, and no faster than the kick presses it down: the
// next kick stops it. A body that is not pressed does not rise.
static double height_target(const carom_contact_interval *interval, double gap, double pressing) {
    double layer = interval->neighbours.layer.height, height = rest_height * layer, low = lift_height * layer;
    if (gap >= height)
        return (height - gap) / interval->step;
    return gap >= low ? 0 : fmin(fmin((low - gap) / interval->step, interval->neighbours.layer.slow), pressing);
}

// Adds the fixed contacts that touch and are at rest. False if memory is short.
static bool add_fixed(const carom_contact_interval *interval, carom_rest_space *space, const double (*x)[3],
                      const double (*w_before)[3], const double (*w)[3]) {
    const carom_candidates *fixed = interval->neighbours.fixed;
    bool shared = fixed->count > SHARED_FIXED && carom_threads() > 1;
    if (shared) {
        if (!carom_rest_reserve(space, fixed->count))
            return false;
#pragma omp parallel for schedule(static)
        for (int c = 0; c < fixed->count; c++)
            space->near[c] = takes_part(interval, &fixed->items[c], x, w_before, w);
    }
    for (int c = 0; c < fixed->count; c++) {
        const carom_contact *contact = &fixed->items[c];
        if (!(shared ? space->near[c] : takes_part(interval, contact, x, w_before, w)))
            continue;
        double gap = carom_contact_gap(contact, x), target = -gap / interval->step;
        carom_contact held = *contact;
        carom_rigid_bodies_set_sides(interval->mobility.rigid_bodies, &held, x, w, 0);
        double friction = carom_neighbours_friction(&interval->neighbours, &held, w_before);
        double pressing = fmax(0, carom_contact_rate(contact, w_before) - carom_contact_rate(contact, w));
        if (carom_contact_is_rigid(&held))
            target = height_target(interval, gap, pressing) -
                     carom_rigid_bodies_bend(interval->mobility.rigid_bodies, &held, x, w, interval->step);
        int count = space->solve.count;
        if (!carom_contact_solve_add(&space->solve, &held, interval->mobility, friction, target, w_before))
            return false;
        // none is added if no node can move
        if (space->solve.count > count)
            space->solve.items[count].rounding = rounding_of_gap(contact, x) / interval->step;
    }
    return true;
}

// Initialises the contact of pair number p of surfaces.
static void start_pair(const carom_contact_interval *interval, const carom_rest_space *space, int p, const double (*x)[3],
                       const double (*w_before)[3], const double (*w)[3], carom_solved_contact *one) {
    const carom_nearest *nearest = &space->nearest[p];
    carom_contact contact = carom_neighbours_record(&interval->neighbours, interval->neighbours.fixed->count + p, nearest);
    double height = rest_height * carom_narrow_act_height(interval->neighbours.layer, nearest);
    double target = -fmax(0, nearest->distance - contact.offset - height) / interval->step;
    carom_rigid_bodies_set_sides(interval->mobility.rigid_bodies, &contact, x, w, 0);
    double friction = carom_neighbours_friction(&interval->neighbours, &contact, w_before);
    // compensates the curvature of paths: contacts at rest must not creep
    target -= carom_rigid_bodies_bend(interval->mobility.rigid_bodies, &contact, x, w, interval->step);
    carom_solved_contact_start(one, &contact, interval->mobility, friction, target, w_before);
}

// Adds the pairs of surfaces. False if memory is short.
static bool add_pairs(const carom_contact_interval *interval, carom_rest_space *space, const double (*x)[3],
                      const double (*w_before)[3], const double (*w)[3]) {
    carom_contact_solve *solve = &space->solve;
    const carom_pair_list *pairs = interval->neighbours.pairs;
    int near = carom_rest_choose(interval, space, x, w_before, w);
    if (near < 0 || !carom_contact_solve_reserve(solve, near, interval->mobility))
        return false;
    int first = solve->count, stiff = 0, batches = near ? carom_pair_batch_count(pairs) : 0;
    solve->count += near;
#pragma omp parallel for schedule(static) reduction(+ : stiff) if (near > SHARED_CONTACTS)
    for (int k = 0; k < batches; k++) {
        carom_pair_batch batch = carom_pair_batch_at(pairs, k);
        carom_solved_contact *one = &solve->items[first + space->places[k]];
        for (int p = batch.begin; p < batch.end; p++)
            if (space->near[p]) {
                start_pair(interval, space, p, x, w_before, w, one);
                stiff += !(one++->softness > 0);
            }
    }
    if (stiff)
        carom_contact_solve_drop_stiff(solve, first);
    return true;
}

// Properties of an island before it is solved: a contact closes, contacts between surfaces, movable nodes of no rigid body.
enum { CLOSES = 1, SURFACES = 2, SOFT = 4 };

// The properties of a contact; *speed becomes the largest speed.
static inline unsigned check_one(const carom_solved_contact *one, const double (*w)[3], double *speed) {
    const carom_contact *contact = &one->contact;
    // a node without weight may belong to another island
    for (int k = 0; k < contact->count; k++)
        if (contact->weight[k] != 0)
            *speed = fmax(*speed, carom_norm(w[contact->node[k]]));
    return (carom_contact_rate(contact, w) < one->target ? CLOSES : 0) |
           (carom_contact_is_between_surfaces(contact) ? SURFACES : 0) | (carom_solved_contact_is_rigid(one) ? 0 : SOFT);
}

// The properties of an island and its largest speed. In parallel if threads share the island: both reductions are exact.
static unsigned check_ahead(const carom_contact_solve *solve, const carom_solve_group *group, const double (*w)[3],
                            double *largest) {
    unsigned seen = 0;
    double speed = *largest;
    if (group->shared) {
#pragma omp parallel for schedule(static) reduction(| : seen) reduction(max : speed)
        for (int c = 0; c < group->count; c++)
            seen |= check_one(&solve->items[group->order[c]], w, &speed);
    } else {
        for (int c = 0; c < group->count; c++)
            seen |= check_one(&solve->items[group->order[c]], w, &speed);
    }
    *largest = speed;
    // islands of rigid bodies are never shared by threads
    return seen | (group->shared ? SOFT : 0);
}

// True if before the kick no contact of an island had a relative velocity above the largest change by the kick.
static bool is_at_rest(const carom_contact_solve *solve, const carom_solve_group *group, const double (*w)[3]) {
    double before = 0, kick = 0;
    for (int c = 0; c < group->count; c++) {
        const carom_solved_contact *one = &solve->items[group->order[c]];
        double u[3], change[3];
        carom_contact_velocity(&one->contact, w, u);
        carom_difference(u, one->before, change);
        before = fmax(before, carom_norm(one->before));
        kick = fmax(kick, carom_norm(change));
    }
    return before <= kick;
}

// Solves an island, with its own accuracy and number of sweeps.
static void solve_island(const carom_contact_interval *interval, carom_rest_space *space, int i, bool shared, double (*w)[3]) {
    carom_contact_solve *solve = &space->solve;
    carom_solve_group group = carom_islands_group(&space->islands, i, shared);
    double speed = interval->kick_speed;
    unsigned seen = check_ahead(solve, &group, (carom_const_vectors)w, &speed);
    double floor = fixed_accuracy * speed;
    if (seen & SURFACES)
        floor = fmax(floor, (seen & SOFT || group.count > CAROM_ACCELERATED_MAX ? surface_accuracy : body_accuracy) *
                                interval->neighbours.layer.slow);
    if (!(seen & SOFT) && is_at_rest(solve, &group, (carom_const_vectors)w))
        group.newton_floor = newton_accuracy * floor;
    // most kicks close no contact
    if (seen & CLOSES)
        carom_contact_solve_group(solve, &group, interval->mobility, floor, w);
}

// True if threads, if there are several, share the contacts of an island. Sweeps over rigid bodies skip most of their contacts,
// which takes less time than a barrier.
static bool is_large(const carom_rest_space *space, int i) {
    const carom_islands *islands = &space->islands;
    const carom_contact *first = &space->solve.items[islands->order[islands->begin[i]]].contact;
    return islands->begin[i + 1] - islands->begin[i] > LARGE_ISLAND && !carom_contact_is_rigid(first);
}

// Solves the islands of this process: large ones by all threads, one after the other, then the others by one thread each.
static void solve_own(const carom_contact_interval *interval, carom_rest_space *space, const int *owner, double (*w)[3]) {
    carom_islands *islands = &space->islands;
    int small_count = 0, rank = carom_parallel_rank();
    bool many = carom_threads() > 1, others = many || interval->sweeper;
    for (int i = 0; i < islands->count; i++)
        if (!(others && is_large(space, i)))
            small_count += islands->begin[i + 1] - islands->begin[i];
        else if (!owner || owner[i] == rank)
            solve_island(interval, space, i, true, w);
    // a parallel region of one thread costs a system call
    bool alone = islands->count == 1 || small_count <= SHARED_CONTACTS || !many;
#pragma omp parallel for schedule(dynamic) if (!alone)
    for (int i = 0; i < islands->count; i++)
        if (!(others && is_large(space, i)) && (!owner || owner[i] == rank))
            solve_island(interval, space, i, false, w);
}

// The record of a contact with an impulse, as processes exchange it: the impulse, and the velocities of its nodes after the
// solve.
typedef struct pressing {
    int contact;
    double normal, tangential[3], w[4][3];
} pressing;

// Merges the solutions of all processes. Nodes of no contact with an impulse keep their velocities. False if memory is short.
static bool join_solutions(carom_together *together, carom_rest_space *space, const int *owner, double (*w)[3]) {
    const carom_islands *islands = &space->islands;
    pressing *own = owner ? carom_allocate(space->solve.count, sizeof *own) : NULL;
    int64_t count = 0, total;
    for (int i = 0; own && i < islands->count; i++)
        for (int c = islands->begin[i]; c < islands->begin[i + 1] && owner[i] == carom_parallel_rank(); c++) {
            const carom_solved_contact *one = &space->solve.items[islands->order[c]];
            if (one->normal == 0 && carom_norm(one->tangential) == 0)
                continue;
            pressing *record = &own[count++];
            *record = (pressing){.contact = islands->order[c], .normal = one->normal};
            carom_copy(one->tangential, record->tangential);
            for (int k = 0; k < one->contact.count; k++)
                carom_copy(w[one->contact.node[k]], record->w[k]);
        }
    const void *all;
    bool joined = carom_together_join(together, own, own ? count : -1, sizeof *own, &all, &total);
    free(own);
    for (int64_t i = 0; joined && i < total; i++) {
        const pressing *record = &((const pressing *)all)[i];
        carom_solved_contact *one = &space->solve.items[record->contact];
        one->normal = record->normal;
        carom_copy(record->tangential, one->tangential);
        // a node that the impulse does not move may belong to another island
        for (int k = 0; k < one->contact.count; k++)
            if (carom_solved_contact_moves(one, k))
                carom_copy(record->w[k], w[one->contact.node[k]]);
    }
    return joined;
}

// Distributes islands among processes, each to the one with the smallest load so far; identical in all processes.
static void distribute_islands(carom_islands *islands) {
    int size = carom_parallel_size();
    memset(islands->load, 0, (size_t)size * sizeof *islands->load);
    for (int i = 0; i < islands->count; i++) {
        int least = 0;
        for (int r = 1; r < size; r++)
            least = islands->load[r] < islands->load[least] ? r : least;
        islands->owner[i] = least;
        islands->load[least] += islands->begin[i + 1] - islands->begin[i];
    }
}

static bool solve_islands(const carom_contact_interval *interval, carom_rest_space *space, double (*w)[3]) {
    carom_islands *islands = &space->islands;
    if (space->solve.count == 0)
        return true;
    bool found = carom_islands_find(islands, &space->solve, interval->mobility.rigid_bodies);
    bool shared = carom_together_shares(interval->together, space->solve.count, SHARED_CONTACTS);
    if (found && shared)
        distribute_islands(islands);
    if (found)
        solve_own(interval, space, shared ? islands->owner : NULL, w);
    return shared ? join_solutions(interval->together, space, found ? islands->owner : NULL, w) : found;
}

carom_status carom_rest_run(const carom_contact_interval *interval, carom_rest_space *space, const double (*x)[3],
                            const double (*w_before)[3], const double (*base)[3], double (*w)[3], carom_hits *hits,
                            carom_error *error) {
    const double(*u)[3] = (carom_const_vectors)w;
    carom_contact_solve *solve = &space->solve;
    solve->count = 0;
    solve->sweeper = interval->sweeper;
    bool memory = add_fixed(interval, space, x, w_before, u);
    if (memory && interval->neighbours.pairs)
        memory = add_pairs(interval, space, x, w_before, u);
    if (!memory || !solve_islands(interval, space, w))
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for resting contacts");
    carom_rest_add_hits(interval, solve, &space->islands, x, base, u, hits);
    return hits->failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory for resting contacts") : CAROM_OK;
}
