// SPDX-License-Identifier: MIT
// Projected Gauss-Seidel sweeps over the contacts of one group (sweeps.h; docs/theory/rest.md): by a device, by all threads
// colour by colour, or by one thread, plain or accelerated (nesterov_sweeps.h).
#include "contact/impact/sweeps.h"

#include <math.h>
#include <stdatomic.h>

#include "base/thread_group.h"
#include "contact/impact/nesterov_sweeps.h"
#include "contact/impact/newton_island.h"
#include "contact/rigid_motion_field.h"
#include "math/mat3.h"
#include "math/vec3.h"

enum {
    // Number of contacts of a colour above which threads share them. An update takes about 50 ns, a barrier of 16 threads about
    // 1 us.
    SHARED_CONTACTS = 64,
    // Number of accelerated sweeps before Newton's method.
    SWEEPS_BEFORE_NEWTON = 20,
    // Sweeps use three convergence flags in rotation: one is written, one may still be read by slower threads, one is cleared.
    FLAGS = 3
};

// A contact of rigid bodies is skipped unless the accumulated velocity change of its bodies since its last update exceeds this
// fraction of the convergence tolerance.
static const double wake_fraction = 0.25;

// The data that all threads of a group share.
typedef struct job {
    carom_contact_solve *solve;
    const carom_solve_group *group;
    carom_mobility mobility;
    carom_sweep_limits limits;
    double (*v)[3];
    atomic_bool moved[FLAGS];
    bool applied;
} job;

static carom_solved_contact *item(const job *j, int i) {
    return &j->solve->items[j->group->order ? j->group->order[i] : i];
}

static carom_swept_contact *swept(const job *j, int i) {
    return &j->solve->swept[j->group->first + i];
}

// Applies an impulse at a contact, as carom_contact_push.
static inline void push(const carom_swept_contact *one, carom_mobility mobility, const double J[3], double (*v)[3]) {
    if (one->guided) {
        carom_contact_push(&one->guided->contact, mobility, J, v);
        return;
    }
    for (int k = 0; k < 4; k++)
        if (one->plain.reaction[k] != 0)
            carom_add_scaled(one->plain.reaction[k], J, v[one->plain.node[k]]);
}

// The relative velocity. Nodes without weight are replaced by others, with weight zero.
static inline void velocity_of(const carom_swept_contact *one, const double (*v)[3], double u[3]) {
    if (one->guided && carom_contact_is_rigid(&one->guided->contact)) {
        carom_contact_velocity(&one->guided->contact, v, u);
        return;
    }
    u[0] = u[1] = u[2] = 0;
    for (int k = 0; k < 4; k++)
        carom_add_scaled(one->plain.weight[k], v[one->plain.node[k]], u);
}

// One Gauss-Seidel update of the normal impulse; returns the change of the rate.
static inline double relax_normal(carom_swept_contact *one, carom_mobility mobility, double (*v)[3]) {
    double u[3];
    velocity_of(one, (carom_const_vectors)v, u);
    const double *n = one->plain.normal;
    double lambda = carom_sweep_press(carom_dot(n, u), one->plain.target, one->plain.softness, one->impulse);
    double change = lambda - one->impulse;
    // most contacts have no impulse and do not close
    if (change == 0)
        return 0;
    double J[3] = {change * n[0], change * n[1], change * n[2]};
    one->impulse = lambda;
    push(one, mobility, J, v);
    return fabs(change) * one->plain.softness;
}

// The impulse that would stop sliding with the velocity u, and its change.
static void stop_sliding(carom_swept_contact *one, double u[3], double change[3]) {
    const carom_plain_contact *plain = &one->plain;
    carom_sweep_slide(plain->normal, plain->friction * one->impulse, plain->softest, u, one->tangential, change);
}

// One update of the tangential impulse; returns the change of the relative velocity.
static double relax_tangential(carom_swept_contact *one, carom_mobility mobility, double (*v)[3]) {
    double u[3], change[3];
    velocity_of(one, (carom_const_vectors)v, u);
    stop_sliding(one, u, change);
    push(one, mobility, change, v);
    return carom_norm(change) * one->plain.softest;
}

// An operation on the contacts from `begin` to before `end`; it writes the velocities of their movable nodes. True if a change
// exceeds the floor.
typedef bool action(const job *j, int begin, int end);

// The accumulated velocity change of the bodies of a contact.
static double change_of_bodies(const job *j, const carom_rigid_contact *bodies) {
    double sum = 0;
    for (int s = 0; s < 2; s++)
        sum += bodies->body[s] < 0 ? 0 : j->solve->body_change[bodies->body[s]];
    return sum;
}

// As relax_normal, for rigid bodies.
static double relax_rigid_normal(const job *j, carom_swept_contact *one, const carom_rigid_contact *bodies) {
    double rate = 0;
    for (int s = 0; s < 2; s++)
        if (bodies->body[s] >= 0)
            rate += bodies->sign[s] * carom_dot(one->plain.normal, j->v[bodies->centre[s]]) +
                    carom_dot(bodies->lever[s], j->v[bodies->turn[s]]);
    double lambda = carom_sweep_press(rate, one->plain.target, one->plain.softness, one->impulse);
    double change = lambda - one->impulse;
    if (change == 0)
        return 0;
    one->impulse = lambda;
    for (int s = 0; s < 2; s++)
        if (bodies->body[s] >= 0) {
            carom_add_scaled(change * bodies->pull[s], one->plain.normal, j->v[bodies->centre[s]]);
            carom_add_scaled(change, bodies->spin[s], j->v[bodies->turn[s]]);
        }
    return fabs(change) * one->plain.softness;
}

// As push, for rigid bodies.
static void push_rigid(const job *j, const carom_rigid_contact *bodies, const double J[3]) {
    for (int s = 0; s < 2; s++) {
        double moment[3], turn[3];
        if (bodies->body[s] < 0)
            continue;
        carom_cross(bodies->arm[s], J, moment);
        carom_mat3_apply((const double(*)[3])j->mobility.rigid_bodies->soft[bodies->body[s]], moment, turn);
        carom_add_scaled(bodies->pull[s], J, j->v[bodies->centre[s]]);
        carom_add_scaled(1, turn, j->v[bodies->turn[s]]);
    }
}

// As relax_tangential, for rigid bodies.
static double relax_rigid_tangential(const job *j, carom_swept_contact *one, const carom_rigid_contact *bodies) {
    double u[3] = {0}, change[3];
    for (int s = 0; s < 2; s++) {
        double turn[3];
        if (bodies->body[s] < 0)
            continue;
        carom_cross(j->v[bodies->turn[s]], bodies->arm[s], turn);
        carom_add_scaled(1, turn, u);
        carom_add_scaled(bodies->sign[s], j->v[bodies->centre[s]], u);
    }
    stop_sliding(one, u, change);
    push_rigid(j, bodies, change);
    return carom_norm(change) * one->plain.softest;
}

// Updates a contact of rigid bodies, unless its bodies have not changed since its last update: in a heap few contacts change
// after some tens of sweeps.
static bool relax_rigid(const job *j, int i) {
    carom_rigid_contact *bodies = &j->solve->rigid[j->group->first + i];
    if (change_of_bodies(j, bodies) - bodies->change_seen < wake_fraction * j->limits.floor)
        return false;
    carom_swept_contact *one = swept(j, i);
    double normal = relax_rigid_normal(j, one, bodies), tangential = 0;
    // without a normal impulse there is no friction, and none to remove
    if (one->plain.friction > 0 && (one->impulse > 0 || carom_dot(one->tangential, one->tangential) > 0))
        tangential = relax_rigid_tangential(j, one, bodies);
    for (int s = 0; s < 2; s++)
        if (bodies->body[s] >= 0)
            j->solve->body_change[bodies->body[s]] += normal + tangential;
    // friction has changed the normal rate, too
    bodies->change_seen = change_of_bodies(j, bodies) - tangential;
    return normal > j->limits.floor || tangential > j->limits.floor;
}

// The rigid body of a side of a contact and the other bodies of its linkage; returns their number.
static inline int linked_bodies(const job *j, int i, int s, const int **bodies) {
    const carom_rigid_bodies *rigid_bodies = j->mobility.rigid_bodies;
    const carom_contact_side *side = &item(j, i)->contact.side[s];
    return rigid_bodies && side->centre ? carom_linkage_bodies(rigid_bodies, side->turn - rigid_bodies->first_row, bodies) : 0;
}

// Adds the velocity change by contact i to the sums of its rigid bodies.
static void add_body_change(const job *j, int i, double change) {
    const int *bodies;
    for (int s = 0; j->mobility.rigid_bodies && s < 2; s++)
        for (int b = 0, n = linked_bodies(j, i, s, &bodies); b < n; b++)
            j->solve->body_change[bodies[b]] += change;
}

static bool relax(const job *j, int begin, int end) {
    bool moved = false;
    for (int i = begin; i < end; i++) {
        carom_swept_contact *one = swept(j, i);
        if (one->is_rigid) {
            moved = relax_rigid(j, i) || moved;
            continue;
        }
        double normal = relax_normal(one, j->mobility, j->v), tangential = 0;
        if (one->plain.friction > 0)
            tangential = relax_tangential(one, j->mobility, j->v);
        add_body_change(j, i, normal + tangential);
        moved = normal > j->limits.floor || tangential > j->limits.floor || moved;
    }
    return moved;
}

void carom_sweeps_take_plain(const carom_solved_contact *from, carom_plain_contact *to) {
    const carom_contact *contact = &from->contact;
    int weighted = 0;
    *to = (carom_plain_contact){
        .target = from->target, .softness = from->softness, .friction = from->friction, .softest = from->softest};
    carom_copy(contact->normal, to->normal);
    for (int k = 0; k < contact->count; k++) {
        if (contact->weight[k] != 0)
            weighted = k;
        to->reaction[k] = from->reaction[k];
    }
    for (int k = 0; k < 4; k++) {
        bool counts = k < contact->count && contact->weight[k] != 0;
        to->weight[k] = counts ? contact->weight[k] : 0;
        to->node[k] = contact->node[counts ? k : weighted];
    }
}

// Copies the data that sweeps need.
static void load(const carom_solved_contact *from, carom_swept_contact *to) {
    *to = (carom_swept_contact){.guided = from->guided ? from : NULL, .impulse = from->normal};
    carom_copy(from->tangential, to->tangential);
    carom_sweeps_take_plain(from, &to->plain);
}

// The record of a contact of rigid bodies. False if other nodes move, or a body has a joint.
static bool load_rigid(const carom_solved_contact *from, carom_mobility mobility, carom_rigid_contact *to) {
    const carom_contact *contact = &from->contact;
    const carom_rigid_bodies *rigid_bodies = mobility.rigid_bodies;
    if (!rigid_bodies || !carom_contact_is_rigid(contact))
        return false;
    for (int k = 0; k < contact->count; k++)
        if (carom_solved_contact_moves(from, k) || (!carom_contact_has_rigid_node(contact, k) && contact->weight[k] != 0))
            return false;
    *to = (carom_rigid_contact){.body = {-1, -1}, .change_seen = -HUGE_VAL};
    for (int s = 0; s < 2; s++) {
        const carom_contact_side *side = &contact->side[s];
        int r = side->turn - rigid_bodies->first_row;
        if (!side->centre)
            continue;
        if (rigid_bodies->items[r].linkage)
            return false;
        to->body[s] = r;
        to->centre[s] = side->centre;
        to->turn[s] = side->turn;
        to->sign[s] = side->sign;
        to->pull[s] = side->sign / rigid_bodies->items[r].mass;
        carom_copy(side->arm, to->arm[s]);
        carom_cross(side->arm, contact->normal, to->lever[s]);
        carom_mat3_apply((const double(*)[3])rigid_bodies->soft[r], to->lever[s], to->spin[s]);
    }
    return true;
}

// Copies all contacts and stores the velocities of their nodes.
static bool start(const job *j, int begin, int end) {
    for (int i = begin; i < end; i++) {
        carom_solved_contact *one = item(j, i);
        load(one, swept(j, i));
        swept(j, i)->is_rigid = j->mobility.rigid_bodies && load_rigid(one, j->mobility, &j->solve->rigid[j->group->first + i]);
        for (int s = 0; s < 2; s++)
            if (one->contact.side[s].centre) {
                carom_copy(j->v[one->contact.side[s].centre], one->start_of[s][0]);
                carom_copy(j->v[one->contact.side[s].turn], one->start_of[s][1]);
            }
        for (int k = 0; k < one->contact.count; k++)
            if (carom_solved_contact_moves(one, k))
                carom_copy(j->v[one->contact.node[k]], one->start[k]);
    }
    return false;
}

// Copies the impulses back.
static bool store(const job *j, int begin, int end) {
    for (int i = begin; i < end; i++) {
        item(j, i)->normal = swept(j, i)->impulse;
        carom_copy(swept(j, i)->tangential, item(j, i)->tangential);
    }
    return false;
}

// The linkage of a side, by one of its bodies; -1 if it has none.
static int linked(const carom_solved_contact *one, carom_mobility mobility, int s) {
    const carom_contact_side *side = &one->contact.side[s];
    if (!side->centre || !mobility.rigid_bodies->linkage_count)
        return -1;
    int r = side->turn - mobility.rigid_bodies->first_row;
    return mobility.rigid_bodies->items[r].linkage ? r : -1;
}

// Stores the velocities of all bodies of linkages: an impulse on one body moves all bodies of its linkage.
static void store_linkages(const job *j) {
    for (int i = 0; j->mobility.rigid_bodies && j->mobility.rigid_bodies->linkage_count && i < j->group->count; i++)
        for (int s = 0; s < 2; s++)
            if (linked(item(j, i), j->mobility, s) >= 0)
                carom_linkage_store(j->mobility.rigid_bodies, linked(item(j, i), j->mobility, s), (carom_const_vectors)j->v);
}

// Restores the velocities of the start.
static bool restore_velocities(const job *j, int begin, int end) {
    for (int i = begin; i < end; i++) {
        const carom_solved_contact *one = item(j, i);
        for (int s = 0; s < 2; s++)
            if (one->contact.side[s].centre) {
                carom_copy(one->start_of[s][0], j->v[one->contact.side[s].centre]);
                carom_copy(one->start_of[s][1], j->v[one->contact.side[s].turn]);
                if (linked(one, j->mobility, s) >= 0)
                    carom_linkage_restore(j->mobility.rigid_bodies, linked(one, j->mobility, s), j->v);
            }
        for (int k = 0; k < one->contact.count; k++)
            if (carom_solved_contact_moves(one, k))
                carom_copy(one->start[k], j->v[one->contact.node[k]]);
    }
    return false;
}

// Applies the accumulated impulses.
static bool push_all(const job *j, int begin, int end) {
    for (int i = begin; i < end; i++) {
        const carom_solved_contact *one = item(j, i);
        double J[3];
        for (int k = 0; k < 3; k++)
            J[k] = one->normal * one->contact.normal[k] + one->tangential[k];
        carom_solved_contact_push(one, j->mobility, J, j->v);
    }
    return false;
}

static void note(atomic_bool *moved, bool did) {
    if (did && !atomic_load_explicit(moved, memory_order_relaxed))
        atomic_store_explicit(moved, true, memory_order_relaxed);
}

// The work of one thread in an operation on all contacts, in any order.
static void do_part(const carom_thread_group_member *member, const job *j, action *act) {
    act(j, carom_thread_group_first(member, j->group->count), carom_thread_group_last(member, j->group->count));
    carom_thread_group_barrier(member);
}

// The work of one thread in an operation colour by colour. The first thread does small colours alone, without a barrier between
// consecutive ones.
static void do_colours(const carom_thread_group_member *member, const job *j, action *act, atomic_bool *moved) {
    const carom_solve_group *group = j->group;
    bool alone = false;
    int done = 0;
    for (int c = 0; c < group->colour_count; c++) {
        int begin = group->colours[c], count = group->colours[c + 1] - begin;
        done = begin + count;
        if (count <= SHARED_CONTACTS) {
            note(moved, member->rank == 0 && act(j, begin, done));
            alone = true;
            continue;
        }
        if (alone)
            carom_thread_group_barrier(member);
        alone = false;
        note(moved, act(j, begin + carom_thread_group_first(member, count), begin + carom_thread_group_last(member, count)));
        carom_thread_group_barrier(member);
    }
    // contacts without a colour
    if (!alone && done == group->count)
        return;
    note(moved, member->rank == 0 && act(j, done, group->count));
    carom_thread_group_barrier(member);
}

// The whole solve of a group, as one thread of all executes it.
static void work(const carom_thread_group_member *member, void *data) {
    job *j = data;
    bool converged = false;
    do_part(member, j, start);
    for (int s = 0; s < j->limits.most && !converged; s++) {
        // all threads have read this flag before the last sweep ended, and none writes to it before the next one
        if (member->rank == 0)
            atomic_store_explicit(&j->moved[(s + 1) % FLAGS], false, memory_order_relaxed);
        do_colours(member, j, relax, &j->moved[s % FLAGS]);
        converged = !atomic_load_explicit(&j->moved[s % FLAGS], memory_order_relaxed);
    }
    do_part(member, j, store);
    bool applied = converged || !j->limits.finished;
    if (member->rank == 0)
        j->applied = applied;
    if (!applied)
        return;
    // these flags are not read
    do_colours(member, j, restore_velocities, &j->moved[0]);
    do_colours(member, j, push_all, &j->moved[0]);
}

// Clears the accumulated changes of the bodies: sums of earlier solves would add rounding errors.
static void clear_body_changes(const job *j) {
    const int *bodies;
    for (int i = 0; j->mobility.rigid_bodies && i < j->group->count; i++)
        for (int s = 0; s < 2; s++)
            for (int b = 0, n = linked_bodies(j, i, s, &bodies); b < n; b++)
                j->solve->body_change[bodies[b]] = 0;
}

// Nesterov-accelerated sweeps. True if they have converged.
static bool run_accelerated(const job *j, int most) {
    int count = j->group->count;
    carom_nesterov_contact *accelerated = &j->solve->accelerated[j->group->first];
    carom_nesterov_state nesterov = {.theta = 1};
    for (int i = 0; i < count; i++)
        carom_nesterov_start(swept(j, i), &accelerated[i]);
    for (int s = 1; relax(j, 0, count); s++) {
        if (s >= most)
            return false;
        carom_nesterov_update(swept(j, 0), accelerated, count, &nesterov);
        for (int i = 0; i < count; i++) {
            carom_swept_contact *one = swept(j, i);
            double more[3];
            if (!carom_nesterov_extrapolate(one, &accelerated[i], nesterov.beta, more))
                continue;
            if (one->is_rigid)
                push_rigid(j, &j->solve->rigid[j->group->first + i], more);
            else
                push(one, j->mobility, more, j->v);
            add_body_change(j, i, carom_norm(more) * fmax(one->plain.softness, one->plain.softest));
        }
    }
    return true;
}

bool carom_sweeps_run(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                      carom_sweep_limits limits, double (*v)[3]) {
    const carom_sweeper *sweeper = solve->sweeper;
    if (sweeper && group->shared && limits.plain && sweeper->run(sweeper, solve, group, limits, v))
        return true;
    job j = {.solve = solve, .group = group, .mobility = mobility, .limits = limits, .v = v};
    store_linkages(&j);
    clear_body_changes(&j);
    if (group->shared) {
        carom_thread_group_run(work, &j);
        return j.applied;
    }
    bool converged = false;
    start(&j, 0, group->count);
    if (limits.warm)
        push_all(&j, 0, group->count);
    if (limits.newton) {
        // some sweeps find most of the contacts that press
        j.limits.floor = group->newton_floor;
        converged = run_accelerated(&j, SWEEPS_BEFORE_NEWTON) || carom_newton_island_run(solve, group, mobility, limits.floor);
        j.limits.floor = limits.floor;
    }
    if (limits.accelerated && !converged)
        converged = run_accelerated(&j, limits.most);
    for (int s = 0; !limits.accelerated && s < limits.most && !converged; s++)
        converged = !relax(&j, 0, group->count);
    store(&j, 0, group->count);
    if (!converged && limits.finished)
        return false;
    carom_sweeps_apply(solve, group, mobility, v);
    return true;
}

void carom_sweeps_apply(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility, double (*v)[3]) {
    const job j = {.solve = solve, .group = group, .mobility = mobility, .v = v};
    restore_velocities(&j, 0, group->count);
    push_all(&j, 0, group->count);
}

void carom_sweeps_undo(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility, double (*v)[3]) {
    const job j = {.solve = solve, .group = group, .mobility = mobility, .v = v};
    restore_velocities(&j, 0, group->count);
}
