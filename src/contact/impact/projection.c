// SPDX-License-Identifier: MIT
// Removes the overlap of a contact after a drift by displacing its nodes, computes the work of this projection, and finds the
// surfaces that have entered their contact layer (projection.h; F. Cirak, M. West; docs/theory/projection.md).
#include "contact/impact/projection.h"

#include <math.h>

#include "math/inertia.h"
#include "math/vec3.h"

carom_contact carom_projection_movers(const carom_contact *contact, carom_mobility mobility, carom_moves moves) {
    carom_contact alone = *contact;
    for (int k = carom_contact_split(contact); k < contact->count; k++)
        alone.weight[k] = 0;
    bool is_alone = moves == CAROM_MOVES_NODE && carom_contact_softness(&alone, mobility, alone.normal) > 0;
    return is_alone ? alone : *contact;
}

bool carom_projection_run(const carom_contact *contact, const carom_contact *movers, carom_mobility mobility, double (*x)[3]) {
    double gap = carom_contact_gap(contact, (carom_const_vectors)x);
    if (!(gap < 0))
        return false;
    double softness = carom_contact_softness(movers, mobility, contact->normal);
    if (!(softness > 0))
        return false;

    // a displacement distributes over the nodes like an impulse
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = -gap / softness * contact->normal[i];
    carom_contact_push(movers, mobility, d, x);
    return true;
}

void carom_projection_spin(const carom_contact *contact, carom_mobility mobility, const double (*x)[3], const double (*w)[3],
                           double spin[3]) {
    spin[0] = spin[1] = spin[2] = 0;
    for (int k = 0; k < contact->count; k++) {
        double arm[3];
        carom_cross(x[contact->node[k]], w[contact->node[k]], arm);
        carom_add_scaled(mobility.mass[contact->node[k]], arm, spin);
    }
}

void carom_projection_return_spin(const carom_contact *contact, carom_mobility mobility, const double before[3],
                                  const double (*x)[3], double (*w)[3]) {
    double mass = 0, centre[3] = {0}, I[3][3] = {{0}}, now[3], L[3], W[3];
    // two ends that touch are at one point: no turn changes their angular momentum
    if (contact->kind == CAROM_CONTACT_NODE_PLANE || contact->kind == CAROM_CONTACT_END_END)
        return;
    for (int k = 0; k < contact->count; k++) {
        if (carom_restraint_of(mobility.restraints, contact->node[k]))
            return;
        mass += mobility.mass[contact->node[k]];
        carom_add_scaled(mobility.mass[contact->node[k]], x[contact->node[k]], centre);
    }
    for (int i = 0; i < 3; i++)
        centre[i] /= mass;
    for (int k = 0; k < contact->count; k++) {
        double r[3];
        carom_difference(x[contact->node[k]], centre, r);
        carom_inertia_add(mobility.mass[contact->node[k]], r, I);
    }
    // the second turn removes what the regularization of the inertia leaves
    for (int pass = 0; pass < 2; pass++) {
        carom_projection_spin(contact, mobility, x, (carom_const_vectors)w, now);
        carom_difference(before, now, L);
        carom_inertia_spin((carom_const_vectors)I, L, W);
        for (int k = 0; k < contact->count; k++) {
            double r[3], turn[3];
            carom_difference(x[contact->node[k]], centre, r);
            carom_cross(W, r, turn);
            carom_add_scaled(1, turn, w[contact->node[k]]);
        }
    }
}

double carom_projection_work(const carom_contact *movers, carom_mobility mobility, double gap, const double (*f)[3]) {
    double softness = carom_contact_softness(movers, mobility, movers->normal), sum = 0;
    for (int k = 0; k < movers->count; k++) {
        double free[3];
        carom_copy(movers->normal, free);
        carom_restraints_project(mobility.restraints, movers->node[k], free);
        sum += movers->weight[k] / mobility.mass[movers->node[k]] * carom_dot(free, f[movers->node[k]]);
    }
    return softness > 0 ? gap / softness * sum : 0;
}

double carom_projection_target(const carom_contact *contact, carom_mobility mobility, double rate, double restitution,
                               double work) {
    double softness = carom_contact_softness(contact, mobility, contact->normal);
    return sqrt(fmax(restitution * restitution * rate * rate - 2 * work * softness, 0));
}

void carom_projection_find(const carom_neighbours *neighbours, const double (*x)[3], const double (*w)[3], double step,
                           carom_hits *crossings) {
    for (int i = neighbours->fixed->count; i < carom_neighbours_count(neighbours); i++) {
        carom_narrow_kind kind = carom_neighbours_kind(neighbours, i - neighbours->fixed->count);
        double y[4][3], v[4][3], time, level = neighbours->layer.height + carom_neighbours_layer(neighbours, i).offset;
        carom_nearest nearest;
        carom_neighbours_place(neighbours, i, x, w, 0, y, v);
        if (!carom_narrow_level(kind, (carom_const_vectors)y, (carom_const_vectors)v, 0, step, level, &time))
            continue;
        carom_neighbours_place(neighbours, i, x, w, time, y, v);
        carom_narrow_nearest(kind, (carom_const_vectors)y, (carom_const_vectors)v, &nearest);
        // pairs whose nearest points are on borders are left to the neighbouring features
        if (!nearest.inside)
            continue;
        carom_hit hit = {.contact = carom_neighbours_record(neighbours, i, &nearest)};
        hit.contact.offset = level;
        carom_hits_add(crossings, &hit);
    }
}
