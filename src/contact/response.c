// SPDX-License-Identifier: MIT
// The impulse J of one closing contact (response.h): Cirak & West's decomposition of momenta, written as one impulse at the
// contact point.
//
//     u = sum w_k v_k      relative velocity,  A = sum w_k^2 P_k/m_k
//     J_n = (u_n^+ - u_n)/(n.A n) n            I_norm  = -(1+e) p_norm   for u_n^+ = -e u_n          (25)
//     J_t = -min(|u_t|/(t.A t), mu |J_n|) t    I_slide, stick or slip, t = u_t/|u_t|                  (35), (36)
//
// The norms of the paper in the metric of the masses are |J| times sqrt(A), so its stick limit mu (1+e) ||p_norm|| is Coulomb's
// law mu |J_n| for the point impulses. Kinetic energy is quadratic in v: an impulse J changes it by J.u + J.A J/2 =
// J.(u + u^+)/2 exactly.
#include "contact/response.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "contact/cone.h"
#include "math/vec3.h"

// Coupling of normal and tangential motion below this fraction of the normal softness is rounding.
static const double coupling_threshold = 1e-9;

carom_hit carom_response(const carom_contact *contact, carom_mobility mobility, double target, double friction,
                         double (*v)[3]) {
    carom_hit hit = {.contact = *contact};
    const double *n = contact->normal;
    double u[3];
    carom_contact_velocity(contact, v, u);
    hit.rate = carom_dot(n, u);

    // normal impulse
    double soft_n = carom_contact_softness(contact, mobility, n);
    if (!(soft_n > 0))
        return hit;
    hit.normal = (target - hit.rate) / soft_n;
    hit.restitution = -0.5 * hit.normal * (hit.rate + target);
    for (int i = 0; i < 3; i++)
        hit.impulse[i] = hit.normal * n[i];
    carom_contact_push(contact, mobility, hit.impulse, v);
    if (!(friction > 0))
        return hit;

    // tangential impulse, against the sliding velocity after the normal impulse
    carom_contact_velocity(contact, v, u);
    double t[3], speed = carom_cone_slide(n, u, t);
    double soft_t = carom_contact_softness(contact, mobility, t);
    if (!(speed > 0) || !(soft_t > 0))
        return hit;
    double limit = friction * hit.normal;

    // restraints couple the two directions: friction on a restrained node may close the contact again; it is limited such that
    // the normal rate does not fall below zero
    double pull = carom_contact_inverse_mass(contact, mobility, n, t), left = carom_dot(n, u);
    if (pull > coupling_threshold * soft_n && limit * pull > left)
        limit = left > 0 ? left / pull : 0;
    carom_cone_rubbing rubbing = carom_cone_rub(speed, speed, soft_t, limit);
    hit.slips = rubbing.slips;
    hit.friction = rubbing.work;
    double J_t[3] = {-rubbing.size * t[0], -rubbing.size * t[1], -rubbing.size * t[2]};
    carom_contact_push(contact, mobility, J_t, v);
    carom_add_scaled(1, J_t, hit.impulse);
    return hit;
}

bool carom_hit_rub(carom_hit *hit, const carom_contact_law *law, double speed, double middle, double softness, double *size) {
    if (!(speed > 0) || !(softness > 0) || !(middle > 0))
        return false;
    carom_cone_rubbing rubbing = carom_cone_rub(speed, middle, softness, carom_contact_law_friction(law, speed) * hit->normal);
    hit->slips = rubbing.slips;
    hit->friction = fmax(0, rubbing.work);
    *size = rubbing.size;
    return true;
}

void carom_hits_add(carom_hits *hits, const carom_hit *hit) {
    carom_hit *items = carom_grow(hits->items, hits->count, &hits->capacity, sizeof *items);
    if (!items) {
        hits->failed = true;
        return;
    }
    hits->items = items;
    hits->items[hits->count++] = *hit;
}

bool carom_hits_extend(carom_hits *hits, int more) {
    int64_t count = (int64_t)hits->count + more;
    if (count > hits->capacity) {
        int64_t roomy = count + count / 2;
        carom_hit *items = roomy <= INT32_MAX ? realloc(hits->items, (size_t)roomy * sizeof *items) : NULL;
        if (!items) {
            hits->failed = true;
            return false;
        }
        hits->items = items;
        hits->capacity = roomy;
    }
    hits->count = (int)count;
    return true;
}

void carom_hits_release(carom_hits *hits) {
    free(hits->items);
    *hits = (carom_hits){0};
}
