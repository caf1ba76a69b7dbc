// SPDX-License-Identifier: MIT
// The resting solve (docs/theory/rest.md).
//
// At a kick, M (w+ - w-) = h f + J: the forces and the contact impulses act together. The contacts that touch and do not move against
// each other before the kick are solved jointly (joint.h) so that none closes, g' >= -g/h. Convergence is not needed: what still
// closes is caught as an impact inside the drift.
//
// Work: the velocity at the time of the kick is v = (w- + w+)/2 (v = w- for the half kick at the start), so an impulse J does the work
// J.u(v) on a contact, u = sum w_k v_k; on a contact at rest this is zero, although h f and J are large.
#include "contact/rest.h"

#include <float.h>
#include <math.h>

#include "math/vec3.h"

enum { SWEEPS = 50 };

// Touching and at rest, measured by what the kick would do.
static const double rest_threshold = 1e-6;

static bool is_resting(const carom_rest *rest, const carom_contact *contact, double gap, const double (*w_before)[3],
                       const double (*w)[3]) {
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

carom_status carom_rest_run(const carom_rest *rest, carom_joints *joints, const double (*x)[3], const double (*w_before)[3],
                            double (*w)[3], carom_hits *hits, carom_error *error) {
    const double(*u)[3] = (const double(*)[3])w;
    bool memory = true, any_closes = false;

    // all that touch and are at rest
    joints->count = 0;
    for (int c = 0; c < rest->candidates->count; c++) {
        const carom_contact *contact = &rest->candidates->items[c];
        double gap = carom_contact_gap(contact, x), target = -fmax(gap, 0) / rest->step;
        if (!is_resting(rest, contact, gap, w_before, u))
            continue;
        memory = memory && carom_joints_add(joints, rest->candidates, rest->mobility, c, target, w_before);
        any_closes = any_closes || carom_contact_rate(contact, u) < target;
    }
    if (!memory)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for resting contacts");
    if (!any_closes)
        return CAROM_OK;

    carom_joints_solve(joints, rest->candidates, rest->mobility, rest->friction, SWEEPS, w);

    // nothing arrived, so no restitution is lost: the normal work, zero up to the thresholds, is the cost of the handling
    for (int i = 0; i < joints->count; i++) {
        if (!(joints->items[i].normal > 0))
            continue;
        carom_hit hit =
            carom_joint_hit(&joints->items[i], rest->candidates, rest->mobility, rest->friction, x, u, 0, rest->share);
        hit.time = rest->time;
        hit.projection = hit.restitution;
        hit.restitution = 0;
        carom_hits_add(hits, &hit);
    }
    return hits->failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory for resting contacts") : CAROM_OK;
}
