// SPDX-License-Identifier: MIT
// Weakens the bounce of simultaneous impacts of rigid bodies such that they add no energy (docs/theory/rigid.md). Each contact
// leaves with -e times its rate before (Moreau's law). Friction converts motion of a corner along the plane into motion normal
// to it, so this law may add energy: two boxes with e = 1 that should come to rest would bounce forever.
//
// A solve without bounce adds no energy. Let P0 be its impulses and P1 those with bounce. All impulses between them,
//
//     P(s) = P0 + s (P1 - P0),   0 <= s <= 1,
//
// are in the friction cones, which are convex, and since velocities are linear in P no contact closes that opens in both
// solutions. The work of the impulses on the true velocities at the time of the impact,
//
//     W(s) = sum P.(u- + d + (u+ - u-)/2) = W0 + s (W1 - W0 - q) + s^2 q,   q = 1/2 sum (P1 - P0).(u1+ - u0+) >= 0,
//
// has W0 <= 0 < W1 where P1 adds energy: the largest s with W(s) = 0 is taken.
#include "contact/impact/bounce_energy_cap.h"

#include <math.h>

#include "contact/impact/sweeps.h"
#include "math/vec3.h"

// Work below this fraction of the sum of |terms| is rounding.
static const double work_rounding = 1e-12;

static void impulse_of(const carom_solved_contact *one, double J[3]) {
    for (int i = 0; i < 3; i++)
        J[i] = one->normal * one->contact.normal[i] + one->tangential[i];
}

// The work of all impulses, and the sum of the sizes of its terms.
static double work_of(const carom_drifting *drift, double t, double *size) {
    const carom_contact_solve *solve = &drift->space->collapse;
    double work = 0;
    *size = 0;
    for (int i = 0; i < solve->count; i++) {
        const carom_solved_contact *one = &solve->items[i];
        double J[3], u[3], offset[3], term;
        impulse_of(one, J);
        carom_contact_velocity(&one->contact, drift->w, u);
        carom_encounter_offset(drift, &one->contact, t, offset);
        for (int d = 0; d < 3; d++) {
            term = J[d] * (0.5 * (one->before[d] + u[d]) + offset[d]);
            work += term;
            *size += fabs(term);
        }
    }
    return work;
}

static bool bounces(const carom_contact_solve *solve) {
    for (int i = 0; i < solve->count; i++)
        if (solve->items[i].plain < solve->items[i].target)
            return true;
    return false;
}

// Stores the solution with bounce, and sets targets without bounce.
static void remove_bounce(const carom_drifting *drift) {
    const carom_contact_solve *solve = &drift->space->collapse;
    for (int i = 0; i < solve->count; i++) {
        carom_solved_contact *one = &solve->items[i];
        impulse_of(one, one->first[0]);
        carom_contact_velocity(&one->contact, drift->w, one->first[1]);
        one->target = one->plain;
        one->normal = one->tangential[0] = one->tangential[1] = one->tangential[2] = 0;
    }
}

// q of the formula above.
static double curvature_of(const carom_drifting *drift) {
    const carom_contact_solve *solve = &drift->space->collapse;
    double sum = 0;
    for (int i = 0; i < solve->count; i++) {
        const carom_solved_contact *one = &solve->items[i];
        double J[3], u[3], more[3], faster[3];
        impulse_of(one, J);
        carom_contact_velocity(&one->contact, drift->w, u);
        carom_difference(one->first[0], J, more);
        carom_difference(one->first[1], u, faster);
        sum += 0.5 * carom_dot(more, faster);
    }
    return fmax(0, sum);
}

// The positive root of q s^2 + b s + W0, W0 < 0.
static double root_of(double q, double b, double W0) {
    double root = sqrt(b * b - 4 * q * W0);
    return b > 0 || q == 0 ? -2 * W0 / (b + root) : (root - b) / (2 * q);
}

// Moves the impulses by the fraction s towards those with bounce.
static void blend(const carom_drifting *drift, double s) {
    carom_contact_solve *solve = &drift->space->collapse;
    const carom_solve_group group = {.count = solve->count};
    for (int i = 0; i < solve->count; i++) {
        carom_solved_contact *one = &solve->items[i];
        double normal = carom_dot(one->first[0], one->contact.normal);
        for (int d = 0; d < 3; d++) {
            double tangential = one->first[0][d] - normal * one->contact.normal[d];
            one->tangential[d] += s * (tangential - one->tangential[d]);
        }
        one->normal += s * (fmax(0, normal) - one->normal);
    }
    carom_sweeps_apply(solve, &group, drift->interval->mobility, drift->set_w);
}

void carom_cap_bounce_energy(const carom_drifting *drift, double floor, double t) {
    carom_contact_solve *solve = &drift->space->collapse;
    const carom_solve_group group = {.count = solve->count};
    carom_mobility mobility = drift->interval->mobility;
    if (!mobility.rigid_bodies || !bounces(solve))
        return;
    double size, W1 = work_of(drift, t, &size);
    if (!(W1 > work_rounding * size))
        return;
    remove_bounce(drift);
    carom_sweeps_undo(solve, &group, mobility, drift->set_w);
    carom_contact_solve_run(solve, mobility, floor, drift->set_w);
    double W0 = work_of(drift, t, &size), q = curvature_of(drift);
    if (W0 < 0)
        blend(drift, fmin(1, root_of(q, W1 - W0 - q, W0)));
}
