// SPDX-License-Identifier: MIT
// Solves all contacts of a group for their impulses simultaneously (contact_solve.h; docs/theory/rest.md): chooses the limits
// of the Gauss-Seidel sweeps (sweeps.h), and finishes frictionless groups of fixed contacts (ends on a line, nodes at planes)
// by conjugate gradients on the active set.
#include "contact/impact/contact_solve.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "contact/cone.h"
#include "contact/impact/newton_island.h"
#include "contact/impact/sweeps.h"
#include "math/vec3.h"

enum {
    // Limit of sweeps for fixed contacts with friction: rows of some tens of contacts converge to rounding within it.
    SWEEPS = 1000,
    // Without friction: number of sweeps before the conjugate gradients. They provide a good guess of the active set.
    SWEEPS_BEFORE_FINISH = 20,
    // Limit for surfaces, whose impulses need not be exact: pairs that still close become impacts of the drift.
    SWEEPS_OF_SURFACES = 50,
    // Limit for rigid bodies, which do not deform: a remaining error would cause a cascade of impacts.
    SWEEPS_OF_BODIES = 500,
    // Limit of corrections of the active set. It converges after a few.
    ACTIVE_SET_ROUNDS = 30,
    // Iterations of the conjugate gradients beyond twice the number of contacts. In exact arithmetic the number of contacts
    // suffices; rounding requires more.
    EXTRA_ITERATIONS = 20
};

// Relative error of the size of a tangential impulse: a contact this close to the Coulomb cone slips.
static const double cone_rounding = 1e-12;

void carom_contact_solve_release(carom_contact_solve *solve) {
    free(solve->items);
    carom_arena_release(solve->scratch);
    *solve = (carom_contact_solve){0};
}

bool carom_contact_solve_reserve(carom_contact_solve *solve, int more, carom_mobility mobility) {
    int bodies = mobility.rigid_bodies ? mobility.rigid_bodies->count : 0;
    int64_t count = (int64_t)solve->count + more;
    if (count <= solve->capacity && bodies <= solve->body_capacity)
        return true;
    int64_t capacity = count < solve->capacity ? solve->capacity : count + count / 2 + 1;
    carom_solved_contact *items = realloc(solve->items, (size_t)capacity * sizeof *items);
    solve->items = items ? items : solve->items;
    bool enough = carom_arena_renew(&solve->scratch) && items;
    solve->swept = carom_arena_reserve(solve->scratch, capacity, sizeof *solve->swept, &enough);
    solve->body_change = carom_arena_reserve(solve->scratch, bodies, sizeof *solve->body_change, &enough);
    solve->rigid = carom_arena_reserve(solve->scratch, bodies ? capacity : 0, sizeof *solve->rigid, &enough);
    solve->accelerated = carom_arena_reserve(solve->scratch, bodies ? capacity : 0, sizeof *solve->accelerated, &enough);
    solve->newton = bodies ? carom_newton_space_reserve(solve->scratch, capacity, bodies, &enough) : NULL;
    solve->capacity = enough ? capacity : 0;
    solve->body_capacity = enough ? bodies : 0;
    return enough;
}

// The largest softness of a contact in its tangential plane: the larger eigenvalue of A there; 0 if joints prevent all
// tangential motion.
static double softest_of(const carom_contact *contact, carom_mobility mobility) {
    const double *n = contact->normal;
    double first[3], second[3];
    int axis = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    axis = fabs(n[2]) < fabs(n[axis]) ? 2 : axis;
    const double unit[3] = {axis == 0, axis == 1, axis == 2};
    carom_cross(n, unit, first);
    carom_normalize(first);
    carom_cross(n, first, second);
    double a = carom_contact_softness(contact, mobility, first),
           b = carom_contact_inverse_mass(contact, mobility, first, second),
           c = carom_contact_softness(contact, mobility, second), half = 0.5 * (a - c);
    return a > 0 || c > 0 ? 0.5 * (a + c) + sqrt(half * half + b * b) : 0;
}

void carom_solved_contact_start(carom_solved_contact *one, const carom_contact *contact, carom_mobility mobility,
                                double friction, double target, const double (*v_before)[3]) {
    double softness = carom_contact_softness(contact, mobility, contact->normal);
    // `contact` is set below and the members from `start` on need no values: writing to cache lines of other cores is slow
    const size_t begin = offsetof(carom_solved_contact, number), end = offsetof(carom_solved_contact, start);
    memset((char *)one + begin, 0, end - begin);
    one->contact = *contact;
    one->friction = friction;
    one->target = one->plain = target;
    one->softness = softness;
    if (carom_contact_is_rigid(contact)) {
        one->softest = softest_of(contact, mobility);
        one->guided = true;
        // no sliding is possible, for example of a body on a slider joint normal to a plane
        if (!(one->softest > 0))
            one->friction = 0;
    }
    for (int k = 0; k < contact->count; k++) {
        if (carom_contact_has_rigid_node(contact, k))
            continue;
        if (!carom_contact_is_rigid(contact) && mobility.mass[contact->node[k]] > CAROM_MASSLESS)
            one->softest += contact->weight[k] * contact->weight[k] / mobility.mass[contact->node[k]];
        if (!carom_contact_moves(contact, mobility, k))
            continue;
        one->reaction[k] = contact->weight[k] / mobility.mass[contact->node[k]];
        one->guided = one->guided || carom_restraint_of(mobility.restraints, contact->node[k]);
    }
    carom_contact_velocity(contact, v_before, one->before);
}

void carom_contact_solve_drop_stiff(carom_contact_solve *solve, int begin) {
    int kept = begin;
    for (int i = begin; i < solve->count; i++)
        if (solve->items[i].softness > 0) {
            if (kept < i)
                solve->items[kept] = solve->items[i];
            kept++;
        }
    solve->count = kept;
}

bool carom_contact_solve_add(carom_contact_solve *solve, const carom_contact *contact, carom_mobility mobility, double friction,
                             double target, const double (*v_before)[3]) {
    if (!carom_contact_solve_reserve(solve, 1, mobility))
        return false;
    carom_solved_contact_start(&solve->items[solve->count++], contact, mobility, friction, target, v_before);
    carom_contact_solve_drop_stiff(solve, solve->count - 1);
    return true;
}

// The i-th contact of a group.
static inline carom_solved_contact *item(const carom_contact_solve *solve, const carom_solve_group *group, int i) {
    return &solve->items[group->order ? group->order[i] : i];
}

void carom_solved_contact_push(const carom_solved_contact *one, carom_mobility mobility, const double J[3], double (*v)[3]) {
    if (one->guided) {
        carom_contact_push(&one->contact, mobility, J, v);
        return;
    }
    for (int k = 0; k < one->contact.count; k++)
        if (carom_solved_contact_moves(one, k))
            carom_add_scaled(one->reaction[k], J, v[one->contact.node[k]]);
}

// Applies a normal impulse.
static void push_normal(const carom_solved_contact *one, carom_mobility mobility, double size, double (*v)[3]) {
    double J[3];
    for (int k = 0; k < 3; k++)
        J[k] = size * one->contact.normal[k];
    carom_solved_contact_push(one, mobility, J, v);
}

// Gauss-Seidel is slow if masses differ a lot or contacts form long rows. On the active set (contacts with lambda > 0) the
// frictionless problem is linear with the symmetric matrix G_ij = n_i.(velocity at i by a unit impulse at j). It is solved by
// conjugate gradients, then the active set is corrected; both are repeated until the active set no longer changes.

// Target rate minus rate of a contact.
static double shortfall(const carom_solved_contact *one, const double (*v)[3]) {
    return one->target - carom_contact_rate(&one->contact, v);
}

// True if a rate misses its target by more than `floor` and the rounding of the target. Targets of redundant contacts (two
// nodes that touch each other at one plane) contradict each other by rounding: G is singular, and to ask for more would
// increase their impulses without end.
static bool misses(const carom_solved_contact *one, double shortfall, double floor) {
    return shortfall > fmax(floor, one->rounding);
}

// Conjugate gradients on the active set, preconditioned by the softness of each contact. G is not assembled: a product with it
// applies the impulses of all contacts and evaluates their rates. True if no contact misses its target.
static bool conjugate_gradients(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                                double floor, double (*v)[3]) {
    const double(*u)[3] = (carom_const_vectors)v;
    double old = 0;
    for (int i = 0; i < group->count; i++)
        item(solve, group, i)->search = 0;
    for (int iteration = 0; iteration < 2 * group->count + EXTRA_ITERATIONS; iteration++) {
        double rho = 0;
        bool any = false;
        for (int i = 0; i < group->count; i++) {
            carom_solved_contact *one = item(solve, group, i);
            if (!one->presses)
                continue;
            one->residual = shortfall(one, u);
            any = any || misses(one, fabs(one->residual), floor);
            rho += one->residual * one->residual / one->softness;
        }
        if (!any)
            return true;

        // the next direction, and the curvature along it
        double curvature = 0;
        for (int i = 0; i < group->count; i++) {
            carom_solved_contact *one = item(solve, group, i);
            if (one->presses)
                one->search = one->residual / one->softness + (iteration ? rho / old * one->search : 0);
        }
        for (int i = 0; i < group->count; i++)
            if (item(solve, group, i)->presses)
                push_normal(item(solve, group, i), mobility, item(solve, group, i)->search, v);
        for (int i = 0; i < group->count; i++) {
            const carom_solved_contact *one = item(solve, group, i);
            if (one->presses)
                curvature += one->search * (one->residual - shortfall(one, u));
        }
        // v already contains the full search direction: scale it to alpha
        double alpha = curvature > 0 ? rho / curvature : 0;
        for (int i = 0; i < group->count; i++) {
            carom_solved_contact *one = item(solve, group, i);
            if (!one->presses)
                continue;
            one->normal += alpha * one->search;
            push_normal(one, mobility, (alpha - 1) * one->search, v);
        }
        if (!(alpha > 0))
            return false;
        old = rho;
    }
    return false;
}

// Solves the frictionless problem by an active-set iteration.
static void finish_frictionless(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                                double floor, double (*v)[3]) {
    const double(*u)[3] = (carom_const_vectors)v;
    for (int i = 0; i < group->count; i++) {
        carom_solved_contact *one = item(solve, group, i);
        one->presses = one->normal > 0 || misses(one, shortfall(one, u), floor);
    }
    for (int round = 0; round < ACTIVE_SET_ROUNDS; round++) {
        bool solved = conjugate_gradients(solve, group, mobility, floor, v), changed = false;
        for (int i = 0; i < group->count; i++) {
            carom_solved_contact *one = item(solve, group, i);
            // contacts with negative impulses leave the active set, contacts that close enter it
            if (one->normal < 0) {
                push_normal(one, mobility, -one->normal, v);
                one->normal = 0;
                one->presses = false;
                changed = true;
            } else if (!one->presses && misses(one, shortfall(one, u), floor)) {
                one->presses = changed = true;
            }
        }
        if (!changed && solved)
            return;
    }
}

// Properties of the contacts of a group: friction, between surfaces, with rigid bodies, with initial impulses, with `guided`
// set, with movable nodes that belong to no rigid body.
enum { FRICTION = 1, SURFACES = 2, RIGID = 4, WARM = 8, GUIDED = 16, SOFT = 32 };

static inline unsigned features_of(const carom_solved_contact *one) {
    return (one->friction > 0 ? FRICTION : 0) | (carom_contact_is_between_surfaces(&one->contact) ? SURFACES : 0) |
           (carom_contact_is_rigid(&one->contact) ? RIGID : 0) | (one->normal > 0 ? WARM : 0) | (one->guided ? GUIDED : 0) |
           (carom_solved_contact_is_rigid(one) ? 0 : SOFT);
}

static unsigned features_of_group(const carom_contact_solve *solve, const carom_solve_group *group) {
    unsigned has = 0;
    if (!group->shared) {
        for (int i = 0; i < group->count; i++)
            has |= features_of(item(solve, group, i));
        return has;
    }
#pragma omp parallel for schedule(static) reduction(| : has)
    for (int i = 0; i < group->count; i++)
        has |= features_of(item(solve, group, i));
    return has;
}

void carom_contact_solve_group(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                               double floor, double (*v)[3]) {
    unsigned has = features_of_group(solve, group);
    int sweeps = has & RIGID      ? SWEEPS_OF_BODIES
                 : has & SURFACES ? SWEEPS_OF_SURFACES
                 : has & FRICTION ? SWEEPS
                                  : SWEEPS_BEFORE_FINISH;
    // groups of rigid bodies are never shared by threads
    bool rigid = !(has & SOFT) && !group->shared;
    // the active set is not used for rigid bodies: with more contacts than degrees of freedom its equations are inconsistent
    const carom_sweep_limits limits = {.most = solve->most ? solve->most : sweeps,
                                       .floor = floor,
                                       .finished = !(has & (FRICTION | SURFACES | RIGID)),
                                       .warm = has & WARM,
                                       .accelerated = rigid && !solve->most && group->count <= CAROM_ACCELERATED_MAX,
                                       .newton = rigid && !solve->most && group->newton_floor > 0,
                                       .plain = (has & (SURFACES | RIGID | WARM | GUIDED)) == SURFACES};
    if (carom_sweeps_run(solve, group, mobility, limits, v))
        return;
    finish_frictionless(solve, group, mobility, floor, v);
    carom_sweeps_apply(solve, group, mobility, v);
}

void carom_contact_solve_run(carom_contact_solve *solve, carom_mobility mobility, double floor, double (*v)[3]) {
    const carom_solve_group all = {.count = solve->count};
    carom_contact_solve_group(solve, &all, mobility, floor, v);
}

carom_hit carom_contact_solve_hit(const carom_solved_contact *one, carom_mobility mobility, const double (*x)[3],
                                  const double (*v)[3], double t, double late) {
    const carom_contact *contact = &one->contact;
    double after[3], mean[3], now[3];
    carom_contact_velocity(contact, v, after);
    for (int i = 0; i < 3; i++)
        mean[i] = 0.5 * (one->before[i] + after[i]);
    for (int i = 0; i < 3; i++)
        now[i] = late == 0.5 ? mean[i] : after[i] - late * (after[i] - one->before[i]);

    carom_hit hit = {.contact = *contact, .normal = one->normal};
    hit.rate = carom_dot(contact->normal, one->before);
    hit.restitution = -one->normal * carom_dot(contact->normal, mean);
    // the part of the impulse after the time of the kick, during which the velocity changes from `now` to `after`
    hit.late = -0.5 * late * one->normal * (carom_dot(contact->normal, now) + carom_dot(contact->normal, after));
    hit.friction = -carom_dot(one->tangential, mean);
    hit.slips = one->friction > 0 && carom_cone_slips(carom_norm(one->tangential), one->friction * one->normal, cone_rounding);
    for (int i = 0; i < 3; i++)
        hit.impulse[i] = one->normal * contact->normal[i] + one->tangential[i];
    hit.ground = carom_contact_ground(contact, mobility, hit.impulse, x, v, t);
    hit.spot = carom_contact_spot(contact, x, v, t);
    return hit;
}
