// SPDX-License-Identifier: MIT
// Removes the overlap of a contact after a drift by displacing its nodes, computes the work of this projection, and finds the
// surfaces that have entered their contact layer (projection.h; F. Cirak, M. West; docs/theory/projection.md).
#include "contact/impact/projection.h"

#include <math.h>

#include "math/vec3.h"

bool carom_projection_run(const carom_contact *contact, carom_mobility mobility, double (*x)[3]) {
    double gap = carom_contact_gap(contact, (carom_const_vectors)x);
    if (!(gap < 0))
        return false;
    double softness = carom_contact_softness(contact, mobility, contact->normal);
    if (!(softness > 0))
        return false;

    // a displacement distributes over the nodes like an impulse
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = -gap / softness * contact->normal[i];
    carom_contact_push(contact, mobility, d, x);
    return true;
}

double carom_projection_work(const carom_contact *contact, carom_mobility mobility, double gap, const double (*f)[3]) {
    double softness = carom_contact_softness(contact, mobility, contact->normal), sum = 0;
    for (int k = 0; k < contact->count; k++) {
        double free[3];
        carom_copy(contact->normal, free);
        carom_restraints_project(mobility.restraints, contact->node[k], free);
        sum += contact->weight[k] / mobility.mass[contact->node[k]] * carom_dot(free, f[contact->node[k]]);
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
