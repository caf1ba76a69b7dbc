// SPDX-License-Identifier: MIT
// The resting solve (docs/theory/rest.md).
//
// At a kick, M (w+ - w-) = h f + J: the forces and the contact impulses act together. The contacts that touch and do not move against
// each other before the kick are solved jointly (joint.h) so that the gap, of the size of
// rounding, is closed, g' >= -g/h. Convergence is not needed: what still
// closes is caught as an impact inside the drift.
//
// Work: the velocity at the time of the kick is v = (w- + w+)/2, so an impulse J does the work J.(u- + u+)/2 on a contact; on a contact
// at rest this is zero, although h f and J are large.
#include "contact/rest.h"

#include <float.h>
#include <math.h>

#include "math/vec3.h"

// Touching and at rest, measured by what the kick would do.
static const double rest_threshold = 1e-6;

static bool is_resting(const carom_rest *rest, const carom_contact *contact, double gap, const double (*x)[3],
                       const double (*w_before)[3], const double (*w)[3]) {
    double speed = 0, kick = 0, place = fabs(contact->offset);
    for (int k = 0; k < contact->count; k++) {
        double before = carom_dot(contact->normal, w_before[contact->node[k]]);
        double after = carom_dot(contact->normal, w[contact->node[k]]);
        speed += fabs(contact->weight[k]) * fabs(before);
        kick += fabs(contact->weight[k]) * fabs(after - before);
        place += fabs(contact->weight[k]) * fabs(carom_dot(contact->normal, x[contact->node[k]]));
    }
    double rate = carom_contact_rate(contact, w_before);
    return fabs(rate) <= rest_threshold * kick + 64 * DBL_EPSILON * speed &&
           gap <= rest_threshold * kick * rest->step + 1e-12 * rest->length + 8 * DBL_EPSILON * place;
}

carom_status carom_rest_run(const carom_rest *rest, carom_joints *joints, const double (*x)[3], const double (*w_before)[3],
                            double (*w)[3], carom_hits *hits, carom_error *error) {
    const double(*u)[3] = (const double(*)[3])w;
    bool memory = true, any_closes = false;
    double speed = rest->kick;

    // all that touch and are at rest
    joints->count = 0;
    for (int c = 0; c < rest->candidates->count; c++) {
        const carom_contact *contact = &rest->candidates->items[c];
        double gap = carom_contact_gap(contact, x), target = -gap / rest->step;
        if (!is_resting(rest, contact, gap, x, w_before, u))
            continue;
        memory = memory && carom_joints_add(joints, rest->candidates, rest->mobility, c, target, w_before);
        for (int k = 0; k < contact->count; k++)
            speed = fmax(speed, carom_norm(w[contact->node[k]]));
        any_closes = any_closes || carom_contact_rate(contact, u) < target;
    }
    if (!memory)
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for resting contacts");
    if (!any_closes)
        return CAROM_OK;

    carom_joints_solve(joints, rest->candidates, rest->mobility, rest->friction, 4 * DBL_EPSILON * speed, w);

    // nothing arrived, so no restitution is lost: the normal work, zero up to the thresholds, is the cost of the handling
    for (int i = 0; i < joints->count; i++) {
        if (!(joints->items[i].normal > 0))
            continue;
        carom_hit hit = carom_joint_hit(&joints->items[i], rest->candidates, rest->mobility, rest->friction, x, u, 0);
        hit.time = rest->time;
        hit.projection = hit.restitution;
        hit.restitution = 0;
        // where sliding turns round within the kick, friction pushes along the mean velocity: no loss of friction's
        if (hit.friction < 0) {
            hit.projection += hit.friction;
            hit.friction = 0;
        }
        carom_hits_add(hits, &hit);
    }
    return hits->failed ? carom_fail(error, CAROM_NO_MEMORY, "no memory for resting contacts") : CAROM_OK;
}
