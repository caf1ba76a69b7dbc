// SPDX-License-Identifier: MIT
// Solves the equations of the velocity update with Coulomb friction (notation: coulomb_update.h). Normal and tangential
// impulses are solved alternately. With the tangential ones given, the normal equations are those of the frictionless update at
// the velocities v- - sum q T/(2 m), which have one solution. With the normal ones given, the tangential ones minimise a convex
// quadratic function between bounds, by sweeps over the points (Gauss-Seidel). Normal and tangential vectors of a point are
// perpendicular and couple through common nodes of a curved surface only: a few iterations suffice.
#include "contact/quadrature/coulomb_update.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum {
    TURNS = 100,  // limit of alternations between normal and tangential impulses; about five are needed
    SWEEPS = 1000 // limit of sweeps for the tangential impulses; redundant points of flat faces converge slowly
};

// Changes below this fraction of the largest are rounding.
static const double rounding_tolerance = 1e-13;
// The iteration has failed if it ends with changes above this fraction of the largest.
static const double failure_tolerance = 1e-9;

typedef struct update {
    carom_update_point *points;
    carom_update_slip *slips;
    int count, node_count;
    carom_mobility mobility;
    const double (*before)[3]; // v-
    double h;
    double (*v)[3];   // scratch
    double *softness; // per point: T.T/m along free directions; 0: no tangential impulse
    double scale;     // the largest |T.v-|/sqrt(softness), the root of an energy
} update;

// T.v, all nodes.
static double slip_rate(const update *u, int l, const double (*v)[3]) {
    double sum = 0;
    for (int i = 0; i < u->points[l].count; i++)
        sum += carom_dot(u->slips[l].force[i], v[u->points[l].node[i]]);
    return sum;
}

// v += s f/m at a node, along its free directions.
static void push(const update *u, int node, double s, const double f[3], double (*v)[3]) {
    double part[3];
    carom_copy(f, part);
    carom_restraints_project(u->mobility.restraints, node, part);
    carom_add_scaled(s / u->mobility.mass[node], part, v[node]);
}

static void push_tangential(const update *u, int l, double s, double (*v)[3]) {
    for (int i = 0; i < u->points[l].count; i++)
        push(u, u->points[l].node[i], s, u->slips[l].force[i], v);
}

// Sets u->v to v- changed by a fraction of the tangential impulses and, optionally, by the normal ones.
static void set_velocities(update *u, double part, bool normal) {
    memcpy(u->v, u->before, (size_t)u->node_count * sizeof *u->v);
    for (int l = 0; l < u->count; l++) {
        const carom_update_point *p = &u->points[l];
        for (int i = 0; normal && i < p->count; i++)
            push(u, p->node[i], p->factor, p->force[i], u->v);
        if (u->softness[l] > 0)
            push_tangential(u, l, -part * u->slips[l].factor, u->v);
    }
}

// The inverse mass of each tangential impulse, and the work rates of normal forces at prescribed velocities.
static void prepare(update *u) {
    for (int l = 0; l < u->count; l++) {
        carom_update_point *p = &u->points[l];
        carom_update_slip *s = &u->slips[l];
        s->factor = s->work = 0;
        for (int i = 0; i < p->count; i++) {
            int k = p->node[i];
            double free_part[3], held[3];
            carom_copy(p->force[i], free_part);
            carom_restraints_project(u->mobility.restraints, k, free_part);
            carom_difference(p->force[i], free_part, held);
            p->driven += carom_dot(held, u->before[k]);
            if (!(s->cone > 0))
                continue;
            carom_copy(s->force[i], free_part);
            carom_restraints_project(u->mobility.restraints, k, free_part);
            u->softness[l] += carom_dot(s->force[i], free_part) / u->mobility.mass[k];
        }
        if (u->softness[l] > 0)
            u->scale = fmax(u->scale, fabs(slip_rate(u, l, u->before)) / sqrt(u->softness[l]));
    }
}

// One sweep over the points, which updates the velocities u->v; returns the largest change, as the square root of an energy.
static double sweep(update *u) {
    double change = 0;
    for (int l = 0; l < u->count; l++) {
        carom_update_slip *s = &u->slips[l];
        if (!(u->softness[l] > 0))
            continue;
        double most = s->cone * (u->h + u->points[l].factor);
        double q = s->factor + slip_rate(u, l, (carom_const_vectors)u->v) / u->softness[l];
        q = fmin(fmax(q, -most - u->h), most - u->h);
        change = fmax(change, fabs(q - s->factor) * sqrt(u->softness[l]));
        push_tangential(u, l, s->factor - q, u->v);
        s->factor = q;
    }
    return change;
}

// Tangential impulses for the present normal ones; returns their largest change, as the square root of an energy.
static double solve_tangential(update *u) {
    double first = 0;
    set_velocities(u, 1, true);
    for (int n = 0; n < SWEEPS; n++) {
        double change = sweep(u);
        first = fmax(first, change);
        if (!(change > rounding_tolerance * u->scale))
            break;
    }
    return first;
}

// Alternates until the tangential impulses converge; the normal ones are solved last. *change receives the last change.
static carom_status settle(update *u, double *left, double *change, carom_error *error) {
    double last = HUGE_VAL;
    for (int n = 0; n < TURNS; n++) {
        set_velocities(u, 0.5, false);
        carom_status status = carom_velocity_update(u->points, u->count, u->mobility, (carom_const_vectors)u->v,
                                                    CAROM_ROOT_POSITIVE, left, error);
        if (status)
            return status;
        // At rounding level changes no longer decrease, and another tangential solution would violate the normal equations.
        if (*change <= rounding_tolerance * u->scale || (*change <= failure_tolerance * u->scale && *change >= last))
            break;
        last = *change;
        *change = solve_tangential(u);
    }
    return CAROM_OK;
}

// The work of each tangential impulse at the mean of the velocities before and after. Within one update normal impulses of
// neighbours may reverse a slip, so that its friction would do positive work; such a point gets no friction. Returns whether
// there was one.
static bool book_friction(update *u) {
    bool drives = false;
    set_velocities(u, 1, true);
    for (int l = 0; l < u->count; l++) {
        carom_update_slip *s = &u->slips[l];
        if (!(u->softness[l] > 0))
            continue;
        double most = s->cone * (u->h + u->points[l].factor);
        s->work = 0.5 * s->factor * (slip_rate(u, l, u->before) + slip_rate(u, l, (carom_const_vectors)u->v));
        s->slips = fabs(u->h + s->factor) >= (1 - rounding_tolerance) * most;
        if (s->taken + s->work < 0) {
            drives = true;
            s->factor = s->work = 0;
            u->softness[l] = 0;
        }
    }
    return drives;
}

carom_status carom_coulomb_update(carom_update_point *points, carom_update_slip *slips, int count, carom_mobility mobility,
                                  const double (*v)[3], int node_count, double h, double *left, carom_error *error) {
    update u = {.points = points,
                .slips = slips,
                .count = count,
                .node_count = node_count,
                .mobility = mobility,
                .before = v,
                .h = h,
                .v = carom_allocate(node_count, sizeof *u.v),
                .softness = carom_allocate(count, sizeof *u.softness)};
    carom_status status = CAROM_OK;
    double change = HUGE_VAL;
    if (u.v && u.softness) {
        prepare(&u);
        // in each further iteration at least one point fewer has friction
        do {
            change = HUGE_VAL;
            status = settle(&u, left, &change, error);
        } while (!status && book_friction(&u));
    } else
        status = carom_fail(error, CAROM_NO_MEMORY, "no memory for the impulses of %d points", count);
    free(u.v);
    free(u.softness);
    if (!status && !(change <= failure_tolerance * u.scale))
        return carom_fail(error, CAROM_NUMERICAL, "normal and tangential impulses of the update do not settle");
    return status;
}
