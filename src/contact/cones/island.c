// SPDX-License-Identifier: MIT
// The strategy. Sweeps of projected Gauss-Seidel find the approximate set of closed and slipping contacts;
// semismooth Newton iterations then converge to rounding, or show that the set was wrong. If they fail,
// these methods follow in turn (docs/theory/cones.md):
//   proximal point    forces are tied to their last values by springs that become weaker, so that
//                       redundant contacts share their force instead of opening and closing by turns;
//   active set        contacts start excluded and are admitted a few at a time, deepest first;
//   interior point    approaches the solution from inside the cones and needs no guess;
//   fixed friction    normal forces for given friction forces, accepted if Coulomb's law nearly holds.
// If all of them fail, the next round begins with twice as many sweeps.
#include "contact/cones/island.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/cones/newton.h"
#include "math/vec3.h"

// Limits of the iterations. Most are heuristics: they decide how long a solve takes and which method finds
// the solution, not how accurate it is.
enum {
    SWEEPS = 10,           // of the first round, doubled in each further round
    ROUNDS = 5,            // before a solve is given up
    NEWTON_STEPS = 20,     // of one attempt; it converges in a few if the set is right
    HASTY_PATIENCE = 3,    // Newton steps without progress before a mere guess is given up
    TINY_ISLAND = 16,      // contacts up to which sweeps cost less than trying the guess of the caller
    FEW_CONTACTS = 100,    // up to which the active set comes before the interior point method
    PROXIMAL_ROUNDS = 12,  // of weaker and weaker springs: 1e-2 down to 1e-13
    PROXIMAL_FAILURES = 2, // rounds that may fail
    FRICTION_ROUNDS = 20,  // of fixed friction
    ITERATIONS = 100,      // of the active set and of the interior point method
    IDLE_MAX = 20          // interior point iterations without progress
};
// An interior point step shorter than this is stuck at the boundary.
static const double shortest_step = 1e-6;
// Error of the slips that fixed friction may leave, relative to the slips without forces. A heuristic.
static const double accepted_slip = 1e-3;
// The same relative to the largest gap, for sticking contacts. A heuristic.
static const double accepted_stick = 1e-4;
// Compliance of the first springs, in units of the compliance of each contact.
static const double first_proximal = 1e-2;
// Factor of the compliance after a successful round; after a failure it is tripled.
static const double proximal_decay = 0.1;
// Newton's method is tried from inside the cones whenever the residual has fallen by this factor since the last try ...
static const double attempts = 0.01;
// ... or by this one in a rough solve, which ends without it: attempts that fail cost as much as some steps.
static const double rare_attempts = 1e-4;
// A tolerance above this fraction of the largest gap is that of a pass that is not the last.
static const double rough_tolerance = 1e-7;
// Relative accuracy of a solution: residual over the largest gap or slip.
static const double relative_tolerance = 1e-12;
// Accepted accuracy if no method gets farther: contacts that contradict each other by less.
static const double loose_tolerance = 1e-9;

bool carom_cones_scratch_reserve(carom_cones_scratch *scratch, int count) {
    if (count <= scratch->capacity)
        return true;
    int64_t n = scratch->capacity = (int64_t)count + count / 2;
    if (carom_renew(&scratch->best, n, sizeof *scratch->best) && carom_renew(&scratch->start, n, sizeof *scratch->start) &&
        carom_renew(&scratch->saved, n, sizeof *scratch->saved) && carom_renew(&scratch->inside, n, sizeof *scratch->inside) &&
        carom_renew(&scratch->depth, n, sizeof *scratch->depth) &&
        carom_renew(&scratch->deepest, 4 * n, sizeof *scratch->deepest))
        return true;
    scratch->capacity = 0;
    return false;
}

void carom_cones_scratch_release(carom_cones_scratch *scratch) {
    free(scratch->best);
    free(scratch->start);
    free(scratch->saved);
    free(scratch->inside);
    free(scratch->depth);
    free(scratch->deepest);
    carom_cones_linear_release(&scratch->linear);
    *scratch = (carom_cones_scratch){0};
}

// Admissible residuals, as lengths.
typedef struct allowance {
    double normal, tangential;
} allowance;

// Residual over its allowance: at most 1 for a solution. NaN is passed on as the worst value.
static double merit(carom_cone_residual residual, allowance allowed) {
    double normal = residual.normal / allowed.normal, tangential = residual.tangential / allowed.tangential;
    return isnan(normal) || normal > tangential ? normal : tangential;
}

// The allowance: the tolerance of the caller, rounding, or a relative accuracy, whichever is largest.
// 1e-300 avoids a division by zero. Normal errors are compared with gaps only, since slips can be much
// larger.
static allowance allow(carom_cone_residual residual, double tolerance) {
    double floor = fmax(fmax(tolerance, 2 * residual.rounding), 1e-300);
    return (allowance){fmax(floor, 0.5 * relative_tolerance * residual.gap),
                       fmax(floor, 0.5 * relative_tolerance * fmax(residual.gap, residual.slip))};
}

// Saves the forces x of all contacts.
static void store(const carom_cone_system *system, double (*to)[3]) {
    for (int i = 0; i < system->count; i++)
        carom_copy(system->rows[i].x, to[i]);
}

// Puts saved forces back; p or u follow.
static void restore(carom_cone_system *system, const double (*from)[3]) {
    for (int i = 0; i < system->count; i++)
        carom_copy(from[i], system->rows[i].x);
    carom_cone_system_refresh(system);
}

// A certificate of infeasibility (Farkas): if forces can grow along a direction d >= 0 that moves nothing,
// W d = 0, while w.d < 0, then no position satisfies all contacts. The growth since `start` is taken as d
// and tested to 1e-6. `who` receives the contact that has grown most.
static bool grows_in_vain(carom_cone_system *system, const double (*start)[3], double (*now)[3], int *who) {
    double work = 0, size = 0, most = 0, least = 0, effect = 0;
    store(system, now);
    for (int i = 0; i < system->count; i++) {
        carom_cone_row *row = &system->rows[i];
        for (int a = 0; a < 3; a++)
            row->x[a] -= start[i][a];
        work += row->w[0] * row->x[0];
        size += fabs(row->w[0] * row->x[0]);
        least = fmin(least, row->block[0][0] * row->x[0]);
        if (row->block[0][0] * row->x[0] > most) {
            most = row->block[0][0] * row->x[0];
            *who = i;
        }
    }
    carom_cone_system_refresh(system);
    for (int i = 0; i < system->count; i++) {
        double u[3];
        carom_cone_system_value(system, i, u);
        effect = fmax(effect, fabs(u[0] - system->rows[i].w[0]));
    }
    restore(system, (carom_const_vectors)now);
    return most > 0 && least > -1e-6 * most && effect < 1e-6 * most && work < -1e-6 * size;
}

// The same test without friction: with friction, growing forces prove nothing, since W x then contains the
// friction that grows with them. x is left unchanged.
static bool grows_without_friction(carom_cones_scratch *scratch, carom_cone_system *system, int sweeps, int *who) {
    store(system, scratch->saved);
    for (int i = 0; i < system->count; i++) {
        scratch->depth[i] = system->rows[i].friction;
        system->rows[i].friction = 0;
    }
    carom_cone_system_project(system);
    for (int s = 0; s < sweeps; s++) {
        if (s == sweeps / 2)
            store(system, scratch->start);
        carom_cone_system_sweep(system);
    }
    bool grows = grows_in_vain(system, (carom_const_vectors)scratch->start, scratch->best, who);
    for (int i = 0; i < system->count; i++)
        system->rows[i].friction = scratch->depth[i];
    restore(system, (carom_const_vectors)scratch->saved);
    return grows;
}

static carom_status infeasible(const carom_cone_system *system, int i, carom_error *error) {
    return carom_fail(error, CAROM_NUMERICAL, "no position of the nodes satisfies all contacts: node %d cannot give way",
                      system->rows[i].node_id);
}

// Newton steps without progress before an attempt is given up; they are expensive for many contacts.
static int patience_of(const carom_cone_system *system) {
    return system->count > FEW_CONTACTS ? 4 : 8;
}

// Newton's method from x; x ends as the best iterate that was found. `done`: it is good enough.
static carom_status newton(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, int patience, bool *done,
                           carom_cones_counts *counts, carom_error *error) {
    carom_cone_residual residual = carom_cone_system_residual(system);
    double best = merit(residual, allow(residual, tolerance)), before = best;
    *done = residual.normal <= residual.rounding && residual.tangential <= residual.rounding;
    store(system, scratch->best);
    for (int step = 0, worse = 0; step < NEWTON_STEPS && worse < patience && !*done; step++) {
        carom_status status = carom_cones_newton_step(&scratch->linear, system, error);
        counts->factorisations++;
        if (status == CAROM_NO_MEMORY)
            return status;
        if (status)
            break;
        residual = carom_cone_system_residual(system);
        double now = merit(residual, allow(residual, tolerance));
        // the merit need not decrease monotonically while the set of contacts changes
        worse = now < best ? 0 : worse + 1;
        if (now < best) {
            best = now;
            store(system, scratch->best);
        }
        *done = (residual.normal <= residual.rounding && residual.tangential <= residual.rounding) ||
                (best <= 1 && !(now < 0.25 * before));
        // stops at rounding, or when a good solution no longer improves fourfold
        before = now;
    }
    *done = *done || best <= 1;
    for (int i = 0; i < system->count; i++)
        carom_copy(scratch->best[i], system->rows[i].x);
    carom_cone_system_project(system);
    return CAROM_OK;
}

// The larger of the relative residuals of gaps and slips.
static double relative_residual(carom_cone_residual residual) {
    return fmax(residual.normal / residual.gap, residual.tangential / fmax(residual.gap, residual.slip));
}

// True for many contacts without friction of which the caller does not want an accurate solution. With friction the interior
// point method gains nothing by being the first.
static bool is_rough(const carom_cone_system *system, double tolerance) {
    for (int i = 0; i < system->count; i++)
        if (system->rows[i].size > 1)
            return false;
    return system->count > FEW_CONTACTS && tolerance > rough_tolerance * carom_cone_system_residual(system).gap;
}

// Iterates inside the cones. Newton's method is tried whenever the residual has fallen by some factor since
// the last try.
static carom_status interior_point(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                                   carom_cones_counts *counts, carom_error *error) {
    bool rough = is_rough(system, tolerance);
    carom_cones_interior_start(system, scratch->inside);
    carom_cone_system_refresh(system);
    // no attempt before the residual is below 1e-3
    double tried = 0.1, least = INFINITY, step = 1, now = INFINITY;
    carom_status status = CAROM_OK;
    for (int i = 0, idle = 0; i < ITERATIONS && !*done && !status && idle < IDLE_MAX && step > shortest_step; i++) {
        status = carom_cones_interior_step(&scratch->linear, system, scratch->inside, &step, error);
        counts->factorisations++;
        if (status)
            break;
        carom_cone_residual residual = carom_cone_system_residual(system);
        now = relative_residual(residual);
        // a pass that is not the last needs no more than this
        if (rough && merit(residual, allow(residual, tolerance)) <= 1) {
            carom_cone_system_project(system);
            residual = carom_cone_system_residual(system);
            *done = merit(residual, allow(residual, tolerance)) <= 1;
        }
        // progress means a fifth less than ever before
        idle = now < 0.8 * least ? 0 : idle + 1;
        least = fmin(least, now);
        if (!*done && now < (rough ? rare_attempts : attempts) * tried) {
            tried = now;
            store(system, scratch->start);
            status = newton(scratch, system, tolerance, patience_of(system), done, counts, error);
            if (!*done)
                restore(system, (carom_const_vectors)scratch->start);
        }
    }
    // contacts that contradict each other a little have no exact solution: accept
    if (!*done && status != CAROM_NO_MEMORY && now <= loose_tolerance) {
        carom_cone_system_project(system);
        *done = true;
        counts->loose++;
        return CAROM_OK;
    }
    return status;
}

// The proximal point method: in each round u + rho (x - anchor) replaces u, which makes the problem
// strictly monotone, and Newton's method solves it.
static carom_status proximal_point(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                                   carom_cones_counts *counts, carom_error *error) {
    carom_status status = CAROM_OK;
    double proximal = first_proximal;
    for (int i = 0, failures = 0; i < PROXIMAL_ROUNDS && failures < PROXIMAL_FAILURES && !*done && !status; i++) {
        bool good = false;
        for (int k = 0; k < system->count; k++)
            carom_copy(system->rows[k].x, system->rows[k].anchor);
        system->proximal = proximal;
        status = newton(scratch, system, tolerance, patience_of(system), &good, counts, error);
        system->proximal = 0;
        carom_cone_residual residual = carom_cone_system_residual(system);
        *done = !status && merit(residual, allow(residual, tolerance)) <= 1;
        failures += !good;
        proximal *= good ? proximal_decay : 3;
    }
    return status;
}

// Admits the excluded contacts that are the deepest at each of their nodes, so that no two nearly equal
// ones are admitted together. If W is dense, nodes are unknown and only the deepest contact of all is
// admitted.
static void admit_deepest(carom_cones_scratch *scratch, carom_cone_system *system, double limit) {
    int *deepest = scratch->deepest;
    double *depth = scratch->depth, worst = limit;
    int who = -1;
    for (int i = 0; i < system->count; i++) {
        carom_cone_row *row = &system->rows[i];
        double u[3];
        carom_cone_system_value(system, i, u);
        depth[i] = row->excluded && !row->immobile ? -u[0] : 0;
        if (depth[i] > worst) {
            worst = depth[i];
            who = i;
        }
        for (int k = 0; k < row->count && !system->W; k++)
            deepest[row->node[k]] = -1;
    }
    for (int i = 0; i < system->count && !system->W; i++)
        for (int k = 0; k < system->rows[i].count && depth[i] > limit; k++) {
            // the deepest violated contact of each node
            int *at = &deepest[system->rows[i].node[k]];
            if (*at < 0 || depth[i] > depth[*at])
                *at = i;
        }
    for (int i = 0; i < system->count; i++) {
        bool first = depth[i] > limit && (i == who || !system->W);
        for (int k = 0; k < system->rows[i].count && first && !system->W; k++)
            first = deepest[system->rows[i].node[k]] == i;
        if (first)
            system->rows[i].excluded = false;
    }
}

// Starts without any contact; violated ones are admitted little by little, and open ones excluded again.
static carom_status active_set(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                               carom_cones_counts *counts, carom_error *error) {
    for (int i = 0; i < system->count; i++) {
        system->rows[i].excluded = true;
        memset(system->rows[i].x, 0, sizeof system->rows[i].x);
    }
    carom_cone_system_refresh(system);
    carom_status status = CAROM_OK;
    bool good = true, is_near = false;
    for (int i = 0; i < ITERATIONS && !*done && good && !status; i++) {
        carom_cone_residual residual = carom_cone_system_residual(system);
        allowance allowed = allow(residual, tolerance);
        *done = residual.depth <= allowed.normal;
        if (*done)
            break;
        // what is left may be contradictory contacts: remember this as an acceptable solution
        is_near = residual.depth <= loose_tolerance * residual.gap;
        if (is_near)
            store(system, scratch->saved);
        for (int k = 0; k < system->count; k++)
            system->rows[k].excluded = system->rows[k].excluded || !(system->rows[k].x[0] > 0);
        admit_deepest(scratch, system, allowed.normal);
        status = newton(scratch, system, tolerance, patience_of(system), &good, counts, error);
    }
    for (int i = 0; i < system->count; i++)
        system->rows[i].excluded = false;
    if (!*done && status != CAROM_NO_MEMORY && is_near) {
        restore(system, (carom_const_vectors)scratch->saved);
        *done = true;
        counts->loose++;
    }
    return status;
}

// Work of the friction forces, r.s, and the part of it that rounding may cause. It must not be negative.
static double friction_work(const carom_cone_system *system, double rounding, double *noise) {
    double work = 0;
    *noise = 0;
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        double u[3];
        carom_cone_system_value(system, i, u);
        for (int a = 1; a < row->size; a++) {
            work -= row->x[a] * u[a];
            *noise += rounding * fabs(row->x[a]);
        }
    }
    return work;
}

// Alternates between normal forces for fixed friction forces and the projection of these onto the cones.
// Forces of coincident contacts need not be unique, nor can all their slips vanish at once; a solution is
// accepted if gaps are exact, slips satisfy Coulomb's law nearly, and friction does no negative work.
static carom_status fixed_friction(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                                   carom_cones_counts *counts, carom_error *error) {
    carom_status status = CAROM_OK;
    bool good = true;
    for (int i = 0; i < FRICTION_ROUNDS && good && !*done && !status; i++) {
        system->frozen = true;
        status = newton(scratch, system, tolerance, HASTY_PATIENCE, &good, counts, error);
        system->frozen = false;
        carom_cone_residual residual = carom_cone_system_residual(system);
        double noise, work = friction_work(system, residual.rounding, &noise);
        *done = !status && residual.normal <= allow(residual, tolerance).normal &&
                residual.tangential <= fmax(accepted_slip * residual.slip, accepted_stick * residual.gap) && work >= -noise;
    }
    counts->loose += *done;
    return status;
}

// Faults that no iteration can mend: data that are not finite, or a violated contact that nothing can open.
static carom_status examine(const carom_cone_system *system, double tolerance, carom_error *error) {
    allowance allowed = allow(carom_cone_system_residual(system), tolerance);
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        double sum = 0;
        for (int a = 0; a < row->size; a++)
            sum += row->w[a] + row->x[a] + row->block[a][a];
        if (!isfinite(sum))
            return carom_fail(error, CAROM_NUMERICAL, "a contact of node %d is not finite", row->node_id);
        if (row->immobile && row->w[0] < -allowed.normal)
            return infeasible(system, i, error);
    }
    return CAROM_OK;
}

// A way to solve an island. *done: it has.
typedef carom_status method(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                            carom_cones_counts *counts, carom_error *error);

// Goes it; x is as it was where it does not lead to a solution, of which lack of memory is the only error.
static carom_status attempt(method *way, carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                            carom_cones_counts *counts, carom_error *error) {
    *done = false;
    store(system, scratch->saved);
    carom_status status = way(scratch, system, tolerance, done, counts, error);
    if (*done || status == CAROM_NO_MEMORY)
        return status;
    restore(system, (carom_const_vectors)scratch->saved);
    return CAROM_OK;
}

carom_status carom_cones_island_solve(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance,
                                      carom_cones_counts *counts, carom_error *error) {
    carom_cones_linear_begin(&scratch->linear);
    carom_cone_system_project(system);
    carom_status fault = examine(system, tolerance, error);
    if (fault)
        return fault;
    // Try the guess of the caller first: sweeps would lead away from it if forces are not unique.
    bool warm = false, guessed = false;
    for (int i = 0; i < system->count; i++)
        warm = warm || system->rows[i].x[0] > 0;
    if (warm && system->count > TINY_ISLAND)
        fault = newton(scratch, system, tolerance, HASTY_PATIENCE, &guessed, counts, error);
    if (fault || guessed)
        return fault;
    for (int round = 0; round < ROUNDS; round++) {
        int sweeps = SWEEPS << round;
        bool still = false, done = false;
        double rounding = 0;
        for (int s = 0; s < sweeps && !still; s++) {
            // `still`: the sweeps have converged to rounding
            still = carom_cone_system_sweep(system) <= rounding;
            counts->sweeps++;
            if (s == 0 || s == sweeps / 2)
                rounding = carom_cone_system_residual(system).rounding;
            if (s == sweeps / 2)
                store(system, scratch->start);
        }
        int who = 0;
        // forces that still grow may never stop
        if (!still && grows_in_vain(system, (carom_const_vectors)scratch->start, scratch->best, &who) &&
            grows_without_friction(scratch, system, sweeps, &who))
            return infeasible(system, who, error);
        carom_cone_system_refresh(system);
        carom_status status =
            newton(scratch, system, tolerance, round ? patience_of(system) : HASTY_PATIENCE, &done, counts, error);
        bool few = system->count <= FEW_CONTACTS;
        // the active set suits few contacts, the interior point method many; it is the fastest way to a rough solution
        method *const ways[3][3] = {{proximal_point, active_set, interior_point},
                                    {proximal_point, interior_point, active_set},
                                    {interior_point, proximal_point, active_set}};
        method *const *order = ways[few ? 0 : is_rough(system, tolerance) ? 2 : 1];
        for (int way = 0; way < 3 && round == 0 && !status && !done; way++)
            status = attempt(order[way], scratch, system, tolerance, &done, counts, error);
        if (!status && !done)
            status = attempt(fixed_friction, scratch, system, tolerance, &done, counts, error);
        if (status || done)
            return status;
    }
    return carom_fail(error, CAROM_NUMERICAL, "the forces of %d contacts did not converge", system->count);
}
