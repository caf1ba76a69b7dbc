// SPDX-License-Identifier: MIT
// Solves the contacts of one island, which are coupled by common movable nodes. Sweeps of projected Gauss-Seidel find the
// approximate set of closed and slipping contacts; semismooth Newton iterations then converge to rounding, or fail if the set
// was wrong. After a failure these methods are tried in turn (docs/theory/cones.md):
//   proximal point    springs of decreasing stiffness keep forces near their last values, so that redundant
//                       contacts share their force instead of opening and closing alternately;
//   active set        starts without contacts and adds a few at a time, deepest first;
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
    SWEEPS = 10,           // sweeps of the first round, doubled in each further round
    ROUNDS = 5,            // rounds before the solve fails
    NEWTON_STEPS = 20,     // steps of one attempt; it converges in a few if the set is right
    STAGNANT_FIRST = 3,    // Newton steps without progress before a first guess is given up
    TINY_ISLAND = 16,      // number of contacts up to which sweeps cost less than trying the guess of the caller
    FEW_CONTACTS = 100,    // number of contacts up to which the active set is tried before the interior point method
    PROXIMAL_ROUNDS = 12,  // rounds with decreasing spring stiffness: compliance 1e-2 down to 1e-13
    PROXIMAL_FAILURES = 2, // number of these rounds that may fail
    FRICTION_ROUNDS = 20,  // rounds of fixed friction
    ITERATIONS = 100,      // iterations of the active set and of the interior point method
    IDLE_MAX = 20          // interior point iterations without progress
};
// The interior point method stops if its step is shorter: it is stuck at the boundary.
static const double shortest_step = 1e-6;
// Admissible error of slips with fixed friction, relative to the slips without forces. A heuristic.
static const double accepted_slip = 1e-3;
// The same relative to the largest gap, for sticking contacts. A heuristic.
static const double accepted_stick = 1e-4;
// Compliance of the first springs, in units of the compliance of each contact.
static const double first_proximal = 1e-2;
// Factor of the compliance after a successful round; after a failure it is tripled.
static const double proximal_decay = 0.1;
// During interior point iterations, Newton's method is tried whenever the residual has fallen by this factor since the last
// attempt; in a rough solve, which can end without it, by the second one: failed attempts cost as much as several iterations.
static const double newton_retry = 0.01;
static const double rough_newton_retry = 1e-4;
// Above this fraction of the largest gap, the tolerance requests a rough solve: the caller will solve again.
static const double rough_tolerance = 1e-7;
// Relative accuracy of a solution: residual over the largest gap or slip.
static const double relative_tolerance = 1e-12;
// Relative accuracy that is accepted if no method is more accurate: for slightly contradictory contacts.
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

// Restores saved forces and updates p or u.
static void restore(carom_cone_system *system, const double (*from)[3]) {
    for (int i = 0; i < system->count; i++)
        carom_copy(from[i], system->rows[i].x);
    carom_cone_system_refresh(system);
}

// A certificate of infeasibility (Farkas): if forces grow along a direction d >= 0 without any displacement,
// W d = 0, while w.d < 0, then no position satisfies all contacts. The growth since `start` is taken as d
// and tested to 1e-6. `largest` receives the contact whose force has grown most.
static bool grows_without_effect(carom_cone_system *system, const double (*start)[3], double (*now)[3], int *largest) {
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
            *largest = i;
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

// The same test without friction: with friction, growing forces are no proof, since W x then contains the
// friction forces that grow with them. x is unchanged.
static bool grows_without_friction(carom_cones_scratch *scratch, carom_cone_system *system, int sweeps, int *largest) {
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
    bool grows = grows_without_effect(system, (carom_const_vectors)scratch->start, scratch->best, largest);
    for (int i = 0; i < system->count; i++)
        system->rows[i].friction = scratch->depth[i];
    restore(system, (carom_const_vectors)scratch->saved);
    return grows;
}

static carom_status infeasible(const carom_cone_system *system, int i, carom_cones_counts *counts, carom_error *error) {
    counts->stuck = 1 + system->rows[i].item;
    return carom_fail(error, CAROM_NUMERICAL, "no position of the nodes satisfies all contacts: node %d cannot be displaced",
                      system->rows[i].node_id);
}

// Newton steps without progress before an attempt is given up; fewer for many contacts, for which steps are expensive.
static int max_stagnant(const carom_cone_system *system) {
    return system->count > FEW_CONTACTS ? 4 : 8;
}

// Newton's method from x; x becomes the best iterate found. `done`: its residual is admissible.
static carom_status newton(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, int stagnant, bool *done,
                           carom_cones_counts *counts, carom_error *error) {
    carom_cone_residual residual = carom_cone_system_residual(system);
    double best = merit(residual, allow(residual, tolerance)), before = best;
    *done = residual.normal <= residual.rounding && residual.tangential <= residual.rounding;
    store(system, scratch->best);
    for (int step = 0, worse = 0; step < NEWTON_STEPS && worse < stagnant && !*done; step++) {
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
        // stops at rounding, or when an admissible solution no longer improves by a factor of four
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

// True for many contacts without friction for which the caller requests a rough solution. With friction it is no advantage to
// try the interior point method first.
static bool is_rough(const carom_cone_system *system, double tolerance) {
    for (int i = 0; i < system->count; i++)
        if (system->rows[i].size > 1)
            return false;
    return system->count > FEW_CONTACTS && tolerance > rough_tolerance * carom_cone_system_residual(system).gap;
}

// Iterates inside the cones. Newton's method is tried whenever the residual has fallen by newton_retry since the last
// attempt.
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
        // a rough solve ends here
        if (rough && merit(residual, allow(residual, tolerance)) <= 1) {
            carom_cone_system_project(system);
            residual = carom_cone_system_residual(system);
            *done = merit(residual, allow(residual, tolerance)) <= 1;
        }
        // progress: a residual at least a fifth below the smallest so far
        idle = now < 0.8 * least ? 0 : idle + 1;
        least = fmin(least, now);
        if (!*done && now < (rough ? rough_newton_retry : newton_retry) * tried) {
            tried = now;
            store(system, scratch->start);
            status = newton(scratch, system, tolerance, max_stagnant(system), done, counts, error);
            if (!*done)
                restore(system, (carom_const_vectors)scratch->start);
        }
    }
    // slightly contradictory contacts have no exact solution: accept this one
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
        status = newton(scratch, system, tolerance, max_stagnant(system), &good, counts, error);
        system->proximal = 0;
        carom_cone_residual residual = carom_cone_system_residual(system);
        *done = !status && merit(residual, allow(residual, tolerance)) <= 1;
        failures += !good;
        proximal *= good ? proximal_decay : 3;
    }
    return status;
}

// Adds to the active set the excluded contacts that are the deepest at each of their nodes, so that no two nearly equal
// contacts are added together. If W is dense, nodes are unknown and only the deepest of all contacts is added.
static void admit_deepest(carom_cones_scratch *scratch, carom_cone_system *system, double limit) {
    int *deepest = scratch->deepest;
    double *depth = scratch->depth, worst = limit;
    int largest = -1;
    for (int i = 0; i < system->count; i++) {
        carom_cone_row *row = &system->rows[i];
        double u[3];
        carom_cone_system_value(system, i, u);
        depth[i] = row->excluded && !row->immobile ? -u[0] : 0;
        if (depth[i] > worst) {
            worst = depth[i];
            largest = i;
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
        bool first = depth[i] > limit && (i == largest || !system->W);
        for (int k = 0; k < system->rows[i].count && first && !system->W; k++)
            first = deepest[system->rows[i].node[k]] == i;
        if (first)
            system->rows[i].excluded = false;
    }
}

// Starts without contacts; in each iteration adds violated ones, deepest first, and excludes open ones again.
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
        // the remaining contacts may be contradictory: save this as an acceptable solution
        is_near = residual.depth <= loose_tolerance * residual.gap;
        if (is_near)
            store(system, scratch->saved);
        for (int k = 0; k < system->count; k++)
            system->rows[k].excluded = system->rows[k].excluded || !(system->rows[k].x[0] > 0);
        admit_deepest(scratch, system, allowed.normal);
        status = newton(scratch, system, tolerance, max_stagnant(system), &good, counts, error);
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

// Work of the friction forces, r.s, and the bound `noise` of its rounding error. It must not be negative.
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

// Alternates between solving normal forces for fixed friction forces and projecting these onto the cones. Forces of
// coincident contacts need not be unique, and their slips cannot all vanish; a solution is accepted if gaps are exact,
// slips satisfy Coulomb's law nearly, and friction does no negative work.
static carom_status fixed_friction(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                                   carom_cones_counts *counts, carom_error *error) {
    carom_status status = CAROM_OK;
    bool good = true;
    for (int i = 0; i < FRICTION_ROUNDS && good && !*done && !status; i++) {
        system->frozen = true;
        status = newton(scratch, system, tolerance, STAGNANT_FIRST, &good, counts, error);
        system->frozen = false;
        carom_cone_residual residual = carom_cone_system_residual(system);
        double noise, work = friction_work(system, residual.rounding, &noise);
        *done = !status && residual.normal <= allow(residual, tolerance).normal &&
                residual.tangential <= fmax(accepted_slip * residual.slip, accepted_stick * residual.gap) && work >= -noise;
    }
    counts->loose += *done;
    return status;
}

// Rejects problems without a solution: data that are not finite, or a violated contact between immovable nodes.
static carom_status examine(const carom_cone_system *system, double tolerance, carom_cones_counts *counts, carom_error *error) {
    allowance allowed = allow(carom_cone_system_residual(system), tolerance);
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        double sum = 0;
        for (int a = 0; a < row->size; a++)
            sum += row->w[a] + row->x[a] + row->block[a][a];
        if (!isfinite(sum))
            return carom_fail(error, CAROM_NUMERICAL, "a contact of node %d is not finite", row->node_id);
        if (row->immobile && row->w[0] < -allowed.normal)
            return infeasible(system, i, counts, error);
    }
    return CAROM_OK;
}

// A method to solve an island. *done: it has found a solution.
typedef carom_status method(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                            carom_cones_counts *counts, carom_error *error);

// Tries a method; restores x if it finds no solution. The only error is lack of memory.
static carom_status attempt(method *solve, carom_cones_scratch *scratch, carom_cone_system *system, double tolerance,
                            bool *done, carom_cones_counts *counts, carom_error *error) {
    *done = false;
    store(system, scratch->saved);
    carom_status status = solve(scratch, system, tolerance, done, counts, error);
    if (*done || status == CAROM_NO_MEMORY)
        return status;
    restore(system, (carom_const_vectors)scratch->saved);
    return CAROM_OK;
}

carom_status carom_cones_island_solve(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance,
                                      carom_cones_counts *counts, carom_error *error) {
    carom_cones_linear_begin(&scratch->linear);
    carom_cone_system_project(system);
    carom_status fault = examine(system, tolerance, counts, error);
    if (fault)
        return fault;
    // Try the guess of the caller first: if forces are not unique, sweeps would lose it.
    bool warm = false, guessed = false;
    for (int i = 0; i < system->count; i++)
        warm = warm || system->rows[i].x[0] > 0;
    if (warm && system->count > TINY_ISLAND)
        fault = newton(scratch, system, tolerance, STAGNANT_FIRST, &guessed, counts, error);
    if (fault || guessed)
        return fault;
    for (int round = 0; round < ROUNDS; round++) {
        int sweeps = SWEEPS << round;
        bool converged = false, done = false;
        double rounding = 0;
        for (int s = 0; s < sweeps && !converged; s++) {
            converged = carom_cone_system_sweep(system) <= rounding;
            counts->sweeps++;
            if (s == 0 || s == sweeps / 2)
                rounding = carom_cone_system_residual(system).rounding;
            if (s == sweeps / 2)
                store(system, scratch->start);
        }
        int largest = 0;
        // forces that still grow may be unbounded
        if (!converged && grows_without_effect(system, (carom_const_vectors)scratch->start, scratch->best, &largest) &&
            grows_without_friction(scratch, system, sweeps, &largest))
            return infeasible(system, largest, counts, error);
        carom_cone_system_refresh(system);
        carom_status status =
            newton(scratch, system, tolerance, round ? max_stagnant(system) : STAGNANT_FIRST, &done, counts, error);
        bool few = system->count <= FEW_CONTACTS;
        // the active set suits few contacts, the interior point method many; the latter is the fastest for a rough solution
        method *const orders[3][3] = {{proximal_point, active_set, interior_point},
                                      {proximal_point, interior_point, active_set},
                                      {interior_point, proximal_point, active_set}};
        method *const *order = orders[few ? 0 : is_rough(system, tolerance) ? 2 : 1];
        for (int k = 0; k < 3 && round == 0 && !status && !done; k++)
            status = attempt(order[k], scratch, system, tolerance, &done, counts, error);
        if (!status && !done)
            status = attempt(fixed_friction, scratch, system, tolerance, &done, counts, error);
        if (status || done)
            return status;
    }
    return carom_fail(error, CAROM_NUMERICAL, "the forces of %d contacts did not converge", system->count);
}
