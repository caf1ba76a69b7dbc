// SPDX-License-Identifier: MIT
// The resting solve (docs/theory/rest.md).
//
// At a kick, M (w+ - w-) = h f + J: the forces and the contact impulses act together. For the contacts that touch and do not move
// against each other before the kick,
//     g' >= -g/h,   lambda >= 0,   lambda (g' + g/h) = 0,   |J_t| <= mu lambda,
// is solved by projected Gauss-Seidel with accumulated impulses, so that a push can be taken back. Convergence is not needed: what
// still closes is caught as an impact inside the drift.
//
// Work: with v = (w- + w+)/2 an impulse J does the work J.(u- + u+)/2 on a contact, u = sum w_k v_k before and after the kick; on a
// contact at rest this is zero, although h f and J are large.
#include "contact/rest.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum { SWEEPS = 50 };

// Touching and at rest, measured by what the kick would do.
static const double rest_threshold = 1e-6;

typedef struct carom_pressed {
    int candidate;
    double target;   // smallest admissible rate
    double softness; // along the normal
    double softest;  // no direction is softer; equal to it if nothing is restrained
    double before[3];
    double normal;        // accumulated impulse
    double tangential[3]; // likewise
} carom_pressed;

void carom_rest_release(carom_rest_space *space)
{
    free(space->items);
    *space = (carom_rest_space){0};
}

// True if the contact touches and is at rest before the kick.
static bool is_resting(const carom_rest *rest, const carom_contact *contact, double gap, const double (*w_before)[3],
                       const double (*w)[3])
{
    double speed = 0, kick = 0;
    for (int k = 0; k < contact->count; k++) {
        double before = carom_dot(contact->normal, w_before[contact->node[k]]);
        double after = carom_dot(contact->normal, w[contact->node[k]]);
        speed += fabs(contact->weight[k]) * fabs(before);
        kick += fabs(contact->weight[k]) * fabs(after - before);
    }
    double rate = carom_contact_rate(contact, w_before);
    return fabs(rate) <= rest_threshold * kick + 64 * DBL_EPSILON * speed &&
           gap <= rest_threshold * kick * rest->step + 1e-12 * rest->length;
}

static carom_status collect(const carom_rest *rest, carom_rest_space *space, const double (*x)[3], const double (*w_before)[3],
                            const double (*w)[3], bool *any_closes, carom_error *error)
{
    space->count = 0;
    *any_closes = false;
    for (int c = 0; c < rest->candidates->count; c++) {
        const carom_contact *contact = &rest->candidates->items[c];
        double gap = carom_contact_gap(contact, x);
        if (!is_resting(rest, contact, gap, w_before, w)) continue;
        double softness = carom_contact_softness(contact, rest->mobility, contact->normal);
        if (!(softness > 0)) continue;

        carom_pressed *items = carom_grow(space->items, space->count, &space->capacity, sizeof *items);
        if (!items) return carom_fail(error, CAROM_NO_MEMORY, "no memory for resting contacts");
        space->items = items;
        carom_pressed *p = &items[space->count++];
        *p = (carom_pressed){.candidate = c, .target = -fmax(gap, 0) / rest->step, .softness = softness};
        for (int k = 0; k < contact->count; k++)
            p->softest += contact->weight[k] * contact->weight[k] / rest->mobility.mass[contact->node[k]];
        carom_contact_velocity(contact, w_before, p->before);
        *any_closes = *any_closes || carom_contact_rate(contact, w) < p->target;
    }
    return CAROM_OK;
}

// One Gauss-Seidel update of the normal impulse; returns the change of velocity it made.
static double relax_normal(const carom_rest *rest, const carom_contact *contact, carom_pressed *p, double (*w)[3])
{
    double lambda = fmax(0, p->normal - (carom_contact_rate(contact, w) - p->target) / p->softness);
    double change = lambda - p->normal, J[3];
    p->normal = lambda;
    for (int i = 0; i < 3; i++) J[i] = change * contact->normal[i];
    carom_contact_push(contact, rest->mobility, J, w);
    return fabs(change) * p->softness;
}

// The same for friction: the impulse that would stop sliding, cut back to the Coulomb cone.
static double relax_tangential(const carom_rest *rest, const carom_contact *contact, carom_pressed *p, double (*w)[3])
{
    double u[3];
    carom_contact_velocity(contact, w, u);
    carom_add_scaled(-carom_dot(contact->normal, u), contact->normal, u);

    double wanted[3], limit = rest->friction * p->normal, change[3];
    for (int i = 0; i < 3; i++) wanted[i] = p->tangential[i] - u[i] / p->softest;
    double size = carom_norm(wanted);
    for (int i = 0; i < 3; i++) {
        if (size > limit) wanted[i] *= limit / size;
        change[i] = wanted[i] - p->tangential[i];
        p->tangential[i] = wanted[i];
    }
    carom_contact_push(contact, rest->mobility, change, w);
    return carom_norm(change) * p->softest;
}

carom_status carom_rest_run(const carom_rest *rest, carom_rest_space *space, const double (*x)[3], const double (*w_before)[3],
                            double (*w)[3], carom_hits *hits, carom_error *error)
{
    bool any_closes;
    carom_status status = collect(rest, space, x, w_before, (const double(*)[3])w, &any_closes, error);
    if (status || !any_closes) return status;

    // sweep until the velocities change by no more than rounding
    double scale = 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0;
        for (int i = 0; i < space->count; i++) {
            carom_pressed *p = &space->items[i];
            const carom_contact *contact = &rest->candidates->items[p->candidate];
            change = fmax(change, relax_normal(rest, contact, p, w));
            if (rest->friction > 0) change = fmax(change, relax_tangential(rest, contact, p, w));
        }
        scale = fmax(scale, change);
        if (change <= 4 * DBL_EPSILON * scale) break;
    }

    // book what each contact did
    for (int i = 0; i < space->count; i++) {
        const carom_pressed *p = &space->items[i];
        const carom_contact *contact = &rest->candidates->items[p->candidate];
        if (!(p->normal > 0)) continue;
        double mean[3];
        carom_contact_velocity(contact, (const double(*)[3])w, mean);
        for (int k = 0; k < 3; k++) mean[k] = 0.5 * (mean[k] + p->before[k]);

        carom_hit hit = {.candidate = p->candidate, .time = rest->time, .normal = p->normal};
        hit.rate = carom_dot(contact->normal, p->before);
        hit.projection = -p->normal * carom_dot(contact->normal, mean);
        hit.friction = -carom_dot(p->tangential, mean);
        hit.slips = rest->friction > 0 && carom_norm(p->tangential) >= rest->friction * p->normal * (1 - 1e-12);
        for (int k = 0; k < 3; k++) hit.impulse[k] = p->normal * contact->normal[k] + p->tangential[k];
        carom_contact_ground(contact, rest->mobility, hit.impulse, x, hit.ground, hit.ground_moment);
        carom_hits_add(hits, &hit);
    }
    return hits->failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory for resting contacts") : CAROM_OK;
}
