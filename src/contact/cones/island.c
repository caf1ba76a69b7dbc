// SPDX-License-Identifier: MIT
// Sweeps of Gauss-Seidel find roughly who presses and who slips; Newton's method then finishes to rounding, or shows that the guess was wrong. Then forces are held
// by springs, contacts are let in little by little, or an interior point method finds its way without a guess, or there are more sweeps (docs/theory/cones.md).
#include "contact/cones/island.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "contact/cones/newton.h"
#include "math/vec3.h"

// Sweeps before Newton's method: those of the first round, doubled in each. Steps of Newton's method.
enum { SWEEPS = 10, ROUNDS = 5, STEPS = 20 };
// Contacts that sweeps settle. Steps without progress for a guess. Rounds of springs, and how many of them may fail. Rounds of frozen friction. Iterations of the other ways, those without progress, and how many contacts are few.
enum { TINY = 16, HASTY = 3, HOLDS = 12, FAILURES = 2, FREEZES = 20, ITERATIONS = 100, IDLE = 20, FEW = 100 };
static const double shortest = 1e-6;
// What slips may lack where nothing better is found, relative to slips without forces, and to gaps.
static const double nearly_slip = 1e-3, nearly_stick = 1e-4;
// Springs that hold forces, in units of the softness of contacts.
static const double firmest = 1e-2, softer = 0.1;
// What a solution may lack, relative to gaps.
static const double relative = 1e-12;
// What is taken where it gets no farther: contacts that contradict each other by less.
static const double loose = 1e-9;

// A new array of `count` items instead of the old one; false if memory is short.
static bool renew(void *array, int64_t count, size_t size) {
    void **at = array;
    free(*at);
    *at = carom_allocate(count, size);
    return *at != NULL;
}

bool carom_cones_scratch_make_room(carom_cones_scratch *scratch, int count) {
    if (count <= scratch->capacity)
        return true;
    int64_t n = scratch->capacity = (int64_t)count + count / 2;
    if (renew(&scratch->best, n, sizeof *scratch->best) && renew(&scratch->start, n, sizeof *scratch->start) &&
        renew(&scratch->saved, n, sizeof *scratch->saved) && renew(&scratch->inside, n, sizeof *scratch->inside) &&
        renew(&scratch->depth, n, sizeof *scratch->depth) && renew(&scratch->deepest, 4 * n, sizeof *scratch->deepest))
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

// ---- how good is good enough ----

// What the solution may lack.
typedef struct allowance {
    double normal, tangential;
} allowance;

// 1: as good as is asked for; below: better.
static double badness(carom_cone_lack lack, allowance allowed) {
    double normal = lack.normal / allowed.normal, tangential = lack.tangential / allowed.tangential;
    return isnan(normal) || normal > tangential ? normal : tangential;
}

static allowance allow(carom_cone_lack lack, double tolerance) {
    double floor = fmax(fmax(tolerance, 2 * lack.rounding), 1e-300);
    return (allowance){fmax(floor, 0.5 * relative * lack.gap), fmax(floor, 0.5 * relative * fmax(lack.gap, lack.slip))};
}

static void keep(const carom_cone_system *system, double (*to)[3]) {
    for (int i = 0; i < system->count; i++)
        carom_copy(system->rows[i].x, to[i]);
}

static void restore(carom_cone_system *system, const double (*from)[3]) {
    for (int i = 0; i < system->count; i++)
        carom_copy(from[i], system->rows[i].x);
}

// Whether the forces grow from `start` without effect, while that would give ever more work: without friction, no position satisfies all contacts. Names the
// contact that has grown most.
static bool grows_in_vain(carom_cone_system *system, const double (*start)[3], double (*now)[3], int *who) {
    double work = 0, size = 0, most = 0, least = 0, effect = 0;
    keep(system, now);
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
    carom_cone_system_refresh(system);
    return most > 0 && least > -1e-6 * most && effect < 1e-6 * most && work < -1e-6 * size;
}

// The same without friction, by sweeps of its own: with it, growing forces prove nothing. x stays.
static bool grows_without_friction(carom_cones_scratch *scratch, carom_cone_system *system, int sweeps, int *who) {
    keep(system, scratch->saved);
    for (int i = 0; i < system->count; i++) {
        scratch->depth[i] = system->rows[i].friction;
        system->rows[i].friction = 0;
    }
    carom_cone_system_project(system);
    carom_cone_system_refresh(system);
    for (int s = 0; s < sweeps; s++) {
        if (s == sweeps / 2)
            keep(system, scratch->start);
        carom_cone_system_sweep(system);
    }
    bool grows = grows_in_vain(system, (carom_const_vectors)scratch->start, scratch->best, who);
    for (int i = 0; i < system->count; i++)
        system->rows[i].friction = scratch->depth[i];
    restore(system, (carom_const_vectors)scratch->saved);
    carom_cone_system_refresh(system);
    return grows;
}

static carom_status squeezed(const carom_cone_system *system, int i, carom_error *error) {
    return carom_fail(error, CAROM_NUMERICAL, "no position of the nodes satisfies all contacts: node %d cannot give way",
                      system->rows[i].known_as);
}

// ---- the ways ----

static int patience_of(const carom_cone_system *system) {
    return system->count > FEW ? 4 : 8;
}

// Newton's method from x; x is in the end the best that was found. True if it is good enough.
static carom_status finish(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, int patience, bool *done,
                           carom_cones_counts *counts, carom_error *error) {
    carom_cone_lack lack = carom_cone_system_lack(system);
    double best = badness(lack, allow(lack, tolerance)), before = best;
    *done = lack.normal <= lack.rounding && lack.tangential <= lack.rounding;
    keep(system, scratch->best);
    for (int step = 0, worse = 0; step < STEPS && worse < patience && !*done; step++) {
        carom_status status = carom_cones_newton_step(&scratch->linear, system, error);
        counts->factorisations++;
        if (status == CAROM_NO_MEMORY)
            return status;
        if (status)
            break;
        lack = carom_cone_system_lack(system);
        double now = badness(lack, allow(lack, tolerance));
        worse = now < best ? 0 : worse + 1;
        if (now < best) {
            best = now;
            keep(system, scratch->best);
        }
        // to rounding, or as far as it goes
        *done = (lack.normal <= lack.rounding && lack.tangential <= lack.rounding) || (best <= 1 && !(now < 0.25 * before));
        before = now;
    }
    *done = *done || best <= 1;
    restore(system, (carom_const_vectors)scratch->best);
    carom_cone_system_project(system);
    carom_cone_system_refresh(system);
    return CAROM_OK;
}

// The largest lack, relative to gaps and slips.
static double relative_lack(carom_cone_lack lack) {
    return fmax(lack.normal / lack.gap, lack.tangential / fmax(lack.gap, lack.slip));
}

// From the middle of the cones outwards; Newton's method is tried whenever the lack has become a hundredth of what it was then. If it gets nowhere, x is
// as before.
static carom_status approach(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                             carom_cones_counts *counts, carom_error *error) {
    *done = false;
    keep(system, scratch->saved);
    carom_cones_interior_start(system, scratch->inside);
    carom_cone_system_refresh(system);
    double tried = 0.1, least = INFINITY, step = 1, now = INFINITY;
    carom_status status = CAROM_OK;
    for (int i = 0, idle = 0; i < ITERATIONS && !*done && !status && idle < IDLE && step > shortest; i++) {
        status = carom_cones_interior_step(&scratch->linear, system, scratch->inside, &step, error);
        counts->factorisations++;
        if (status)
            break;
        now = relative_lack(carom_cone_system_lack(system));
        idle = now < 0.8 * least ? 0 : idle + 1;
        least = fmin(least, now);
        if (now < 0.01 * tried) {
            tried = now;
            keep(system, scratch->start);
            status = finish(scratch, system, tolerance, patience_of(system), done, counts, error);
            if (!*done)
                restore(system, (carom_const_vectors)scratch->start);
            carom_cone_system_refresh(system);
        }
    }
    if (*done || status == CAROM_NO_MEMORY)
        return status;
    if (now <= loose) {
        carom_cone_system_project(system);
        carom_cone_system_refresh(system);
        *done = true;
        counts->loose++;
        return CAROM_OK;
    }
    restore(system, (carom_const_vectors)scratch->saved);
    carom_cone_system_refresh(system);
    return CAROM_OK;
}

// Holds the forces by springs, softer from round to round, each solved by Newton's method: contacts that say almost the same then share their force, instead of
// being closed or open by turns. If it gets nowhere, x is as before.
static carom_status loosen(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                           carom_cones_counts *counts, carom_error *error) {
    carom_status status = CAROM_OK;
    double hold = firmest;
    *done = false;
    keep(system, scratch->saved);
    for (int i = 0, failures = 0; i < HOLDS && failures < FAILURES && !*done && !status; i++) {
        bool good = false;
        for (int k = 0; k < system->count; k++)
            carom_copy(system->rows[k].x, system->rows[k].held);
        system->hold = hold;
        status = finish(scratch, system, tolerance, patience_of(system), &good, counts, error);
        system->hold = 0;
        carom_cone_lack lack = carom_cone_system_lack(system);
        *done = !status && badness(lack, allow(lack, tolerance)) <= 1;
        failures += !good;
        hold *= good ? softer : 3;
    }
    if (*done || status == CAROM_NO_MEMORY)
        return status;
    restore(system, (carom_const_vectors)scratch->saved);
    carom_cone_system_refresh(system);
    return CAROM_OK;
}

// Lets in the barred contacts that are deepest of all at each of their nodes, so that none are let in together that say almost the same.
static void let_in(carom_cones_scratch *scratch, carom_cone_system *system, double limit) {
    int *deepest = scratch->deepest;
    double *depth = scratch->depth, worst = limit;
    int who = -1;
    for (int i = 0; i < system->count; i++) {
        carom_cone_row *row = &system->rows[i];
        double u[3];
        carom_cone_system_value(system, i, u);
        depth[i] = row->barred && !row->stuck ? -u[0] : 0;
        if (depth[i] > worst) {
            worst = depth[i];
            who = i;
        }
        for (int k = 0; k < row->count && !system->W; k++)
            deepest[row->node[k]] = -1;
    }
    for (int i = 0; i < system->count && !system->W; i++)
        for (int k = 0; k < system->rows[i].count && depth[i] > limit; k++) {
            int *at = &deepest[system->rows[i].node[k]];
            if (*at < 0 || depth[i] > depth[*at])
                *at = i;
        }
    for (int i = 0; i < system->count; i++) {
        bool first = depth[i] > limit && (i == who || !system->W);
        for (int k = 0; k < system->rows[i].count && first && !system->W; k++)
            first = deepest[system->rows[i].node[k]] == i;
        if (first)
            system->rows[i].barred = false;
    }
}

// From no contact at all; those that are violated are let in little by little, and those that open put out. If it gets nowhere, x is as before.
static carom_status gather(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                           carom_cones_counts *counts, carom_error *error) {
    keep(system, scratch->saved);
    for (int i = 0; i < system->count; i++) {
        system->rows[i].barred = true;
        memset(system->rows[i].x, 0, sizeof system->rows[i].x);
    }
    carom_cone_system_refresh(system);
    carom_status status = CAROM_OK;
    bool good = true, is_loose = false;
    *done = false;
    for (int i = 0; i < ITERATIONS && !*done && good && !status; i++) {
        carom_cone_lack lack = carom_cone_system_lack(system);
        allowance allowed = allow(lack, tolerance);
        *done = lack.depth <= allowed.normal;
        if (*done)
            break;
        is_loose = lack.depth <= loose * lack.gap;
        if (is_loose)
            keep(system, scratch->saved);
        for (int k = 0; k < system->count; k++)
            system->rows[k].barred = system->rows[k].barred || !(system->rows[k].x[0] > 0);
        let_in(scratch, system, allowed.normal);
        status = finish(scratch, system, tolerance, patience_of(system), &good, counts, error);
    }
    for (int i = 0; i < system->count; i++)
        system->rows[i].barred = false;
    if (!*done && status != CAROM_NO_MEMORY) {
        restore(system, (carom_const_vectors)scratch->saved);
        carom_cone_system_refresh(system);
        *done = is_loose;
        counts->loose += is_loose;
    }
    return status == CAROM_NO_MEMORY ? status : CAROM_OK;
}

// The work of friction, and what rounding may make of it.
static double rubbed(const carom_cone_system *system, double rounding, double *noise) {
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

// Takes friction as it is: its forces are frozen, and the normal forces found for them, until all are in their cones. The answer is taken if slips are nearly what the law of friction
// says, though gaps are as good as ever: forces of contacts at one place need not be unique, nor all slips zero at once. If it is not, x is as before.
static carom_status freeze(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance, bool *done,
                           carom_cones_counts *counts, carom_error *error) {
    carom_status status = CAROM_OK;
    bool good = true;
    *done = false;
    keep(system, scratch->saved);
    for (int i = 0; i < FREEZES && good && !*done && !status; i++) {
        system->frozen = true;
        status = finish(scratch, system, tolerance, HASTY, &good, counts, error);
        system->frozen = false;
        carom_cone_lack lack = carom_cone_system_lack(system);
        double noise, work = rubbed(system, lack.rounding, &noise);
        *done = !status && lack.normal <= allow(lack, tolerance).normal &&
                lack.tangential <= fmax(nearly_slip * lack.slip, nearly_stick * lack.gap) && work >= -noise;
    }
    if (*done || status == CAROM_NO_MEMORY) {
        counts->loose += *done;
        return status;
    }
    restore(system, (carom_const_vectors)scratch->saved);
    carom_cone_system_refresh(system);
    return CAROM_OK;
}

// What no iteration can mend: contacts that are not finite, or that nothing can open.
static carom_status examine(const carom_cone_system *system, double tolerance, carom_error *error) {
    allowance allowed = allow(carom_cone_system_lack(system), tolerance);
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        double sum = 0;
        for (int a = 0; a < row->size; a++)
            sum += row->w[a] + row->x[a] + row->block[a][a];
        if (!isfinite(sum))
            return carom_fail(error, CAROM_NUMERICAL, "a contact of node %d is not finite", row->known_as);
        if (row->stuck && row->w[0] < -allowed.normal)
            return squeezed(system, i, error);
    }
    return CAROM_OK;
}

carom_status carom_cones_island_solve(carom_cones_scratch *scratch, carom_cone_system *system, double tolerance,
                                      carom_cones_counts *counts, carom_error *error) {
    carom_cone_system_project(system);
    carom_cone_system_refresh(system);
    carom_status fault = examine(system, tolerance, error);
    if (fault)
        return fault;
    // from a guess of the caller sweeps would only lead astray, where forces are not unique
    bool warm = false, guessed = false;
    for (int i = 0; i < system->count; i++)
        warm = warm || system->rows[i].x[0] > 0;
    if (warm && system->count > TINY)
        fault = finish(scratch, system, tolerance, HASTY, &guessed, counts, error);
    if (fault || guessed)
        return fault;
    for (int round = 0; round < ROUNDS; round++) {
        int sweeps = SWEEPS << round;
        bool still = false, done = false;
        double rounding = 0;
        for (int s = 0; s < sweeps && !still; s++) {
            still = carom_cone_system_sweep(system) <= rounding;
            counts->sweeps++;
            if (s == 0 || s == sweeps / 2)
                rounding = carom_cone_system_lack(system).rounding;
            if (s == sweeps / 2)
                keep(system, scratch->start);
        }
        int who = 0;
        if (!still && grows_in_vain(system, (carom_const_vectors)scratch->start, scratch->best, &who) &&
            grows_without_friction(scratch, system, sweeps, &who))
            return squeezed(system, who, error);
        carom_cone_system_refresh(system);
        carom_status status = finish(scratch, system, tolerance, round ? patience_of(system) : HASTY, &done, counts, error);
        bool few = system->count <= FEW;
        if (round == 0 && !status && !done)
            status = loosen(scratch, system, tolerance, &done, counts, error);
        for (int way = 0; way < 2 && round == 0 && !status && !done; way++)
            status = ((way == 0) == few ? gather : approach)(scratch, system, tolerance, &done, counts, error);
        if (!status && !done)
            status = freeze(scratch, system, tolerance, &done, counts, error);
        if (status || done)
            return status;
    }
    return carom_fail(error, CAROM_NUMERICAL, "the forces of %d contacts did not converge", system->count);
}
