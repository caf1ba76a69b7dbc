// SPDX-License-Identifier: MIT
// Theory: docs/theory/joints.md
// Impulses of dampers in a kick of length h. A damper of coefficient c gives the impulse P = -h c (u- + u+)/2 along its line,
// where u- is the separation rate of its ends before the kick and u+ = u + A P that after it, u being that after all other
// forces and A its change by a unit impulse: P = -h c (u- + u)/(2 + h c A). For h c A > 2, |P| is at most |u|/A, so that the
// damper does not reverse u. Its work is P (u- + u+)/2, as of every impulse of a kick. It is never positive, however large c
// is, unless other dampers or contacts act afterwards; so it is recorded after these have acted.
#include "integrator/spring_kick.h"

#include <math.h>
#include <string.h>

#include "math/sum.h"
#include "math/vec3.h"
#include "model/motion/springs.h"
#include "model/state/ledger.h"

// The ends as sides of a contact, since contacts support rigid bodies, joints and restraints. The first side has a node.
static carom_contact sides_of(const carom_spring *spring, const double n[3]) {
    bool turned = spring->node[0] < 0, two = !turned && spring->node[1] >= 0;
    carom_contact contact = {.kind = two ? CAROM_CONTACT_END_END : CAROM_CONTACT_NODE_PLANE,
                             .count = two ? 2 : 1,
                             .node = {spring->node[turned], two ? spring->node[1] : 0},
                             .weight = {1, two ? -1 : 0}};
    for (int i = 0; i < 3; i++)
        contact.normal[i] = turned ? -n[i] : n[i];
    return contact;
}

void carom_spring_kick_push(const carom_model *model, carom_mobility mobility, const double (*x)[3], double h,
                            const double (*w_before)[3], double (*w)[3], carom_damped *damped) {
    damped->work = 0;
    memset(damped->impulse, 0, sizeof damped->impulse);
    memset(damped->moment, 0, sizeof damped->moment);
    for (int s = 0; s < model->springs.count; s++) {
        const carom_spring *spring = &model->springs.items[s];
        double n[3], J[3];
        damped->pull[s] = 0;
        if (!(spring->damping > 0) || !(carom_spring_line(spring, x, n) > 0))
            continue;
        carom_contact contact = sides_of(spring, n);
        carom_rigid_bodies_set_sides(mobility.rigid_bodies, &contact, x, (carom_const_vectors)w, 0);
        double rates = carom_contact_rate(&contact, w_before) + carom_contact_rate(&contact, (carom_const_vectors)w);
        double softness = carom_contact_softness(&contact, mobility, contact.normal), c = h * spring->damping;
        double P = -c * rates / (2 + c * softness), u = carom_contact_rate(&contact, (carom_const_vectors)w);
        // beyond this strength P would reverse u even without other forces: such a damper at most stops the motion
        if (c * softness > 2 && P * u < 0 && fabs(P) * softness > fabs(u))
            P = -u / softness;
        damped->pull[s] = P;
        for (int i = 0; i < 3; i++)
            J[i] = P * contact.normal[i];
        carom_contact_push(&contact, mobility, J, w);
        carom_ground ground = carom_contact_ground(&contact, mobility, J, x, (carom_const_vectors)w, 0);
        damped->work += ground.work;
        carom_add_scaled(1, ground.impulse, damped->impulse);
        carom_add_scaled(1, ground.moment, damped->moment);
    }
}

// The separation rate of the ends.
static double rate_of(const carom_spring *spring, const double n[3], const double (*w)[3]) {
    double rate = 0;
    for (int e = 0; e < 2; e++)
        if (spring->node[e] >= 0)
            rate += (e ? -1 : 1) * carom_dot(n, w[spring->node[e]]);
    return rate;
}

void carom_spring_kick_book(carom_damped *damped, double h, double after, const double (*x)[3], const double (*w_before)[3],
                            const double (*w)[3], carom_state *state) {
    const carom_model *model = state->model;
    carom_sum taken = {0};
    for (int s = 0; s < model->springs.count && model->springs.damped; s++) {
        const carom_spring *spring = &model->springs.items[s];
        double n[3];
        carom_spring_line(spring, x, n);
        carom_sum_add(&taken, -0.5 * damped->pull[s] * (rate_of(spring, n, w_before) + rate_of(spring, n, w)));
    }
    double energy = carom_sum_value(&taken);
    damped->given = (carom_accounts){.damping = energy};
    for (int s = 0; s < model->springs.count; s++) {
        const carom_spring *spring = &model->springs.items[s];
        double force[3], moment[3];
        if (spring->node[0] >= 0 && spring->node[1] >= 0)
            continue;
        carom_spring_force(spring, x, force);
        for (int i = 0; i < 3; i++)
            force[i] *= spring->node[0] < 0 ? -h : h;
        carom_cross(x[spring->node[spring->node[0] < 0]], force, moment);
        carom_add_scaled(1, force, damped->given.impulse);
        carom_add_scaled(1, moment, damped->given.angular_impulse);
        carom_ledger_record_impulse(state, force, moment, 0, after);
    }
    if (!model->springs.damped)
        return;
    carom_add_scaled(1, damped->impulse, damped->given.impulse);
    carom_add_scaled(1, damped->moment, damped->given.angular_impulse);
    damped->given.drive_work = damped->work;
    carom_ledger_record_impulse(state, damped->impulse, damped->moment, damped->work, after);
    carom_exact_add(&state->books.booked.of[CAROM_ACCOUNT_DAMPING], energy);
    carom_exact_add(&state->books.pending.of[CAROM_ACCOUNT_DAMPING], after * energy);
}
