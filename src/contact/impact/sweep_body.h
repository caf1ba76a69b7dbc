// SPDX-License-Identifier: MIT
// One update of a contact by projected Gauss-Seidel, in scalar code, for the processor and for threads of a device. C and C++.
//
// The nodes of a plain contact move freely or not at all: none belongs to a rigid body, and no movable node is restrained.
#ifndef CAROM_CONTACT_IMPACT_SWEEP_BODY_H
#define CAROM_CONTACT_IMPACT_SWEEP_BODY_H

#include "contact/cone.h"

// The data of a contact that an update reads: nine 16-byte loads of a device.
typedef struct carom_plain_contact {
    int node[4]; // nodes with weight; missing nodes and nodes without weight are replaced by one of them
    double weight[4], normal[3];
    double target, softness;
    double reaction[4]; // velocities by a unit impulse; 0: does not move
    double friction, softest;
} __attribute__((aligned(16))) carom_plain_contact;

// The new normal impulse, from the rate and the present impulse.
CAROM_INLINE double carom_sweep_press(double rate, double target, double softness, double impulse) {
    double wanted = impulse - (rate - target) / softness;
    return wanted > 0 ? wanted : 0;
}

// The tangential impulse that would stop sliding with the velocity u, projected on Coulomb's cone |J_t| <= limit, and its
// change. The normal part of u is removed.
CAROM_INLINE void carom_sweep_slide(const double normal[3], double limit, double softest, double u[3], double tangential[3],
                                    double change[3]) {
    double wanted[3];
    carom_cone_flatten(normal, u);
    for (int i = 0; i < 3; i++)
        wanted[i] = tangential[i] - u[i] / softest;
    carom_cone_cut(wanted, limit);
    for (int i = 0; i < 3; i++) {
        change[i] = wanted[i] - tangential[i];
        tangential[i] = wanted[i];
    }
}

// The relative velocity; v are those of the four nodes.
CAROM_INLINE void carom_plain_velocity(const carom_plain_contact *one, const double v[4][3], double u[3]) {
    u[0] = u[1] = u[2] = 0;
    for (int k = 0; k < 4; k++)
        carom_add_scaled(one->weight[k], v[k], u);
}

// Applies an impulse to these velocities. Entries without weight are copies of the node that replaces them.
CAROM_INLINE void carom_plain_push(const carom_plain_contact *one, const double J[3], double v[4][3]) {
    for (int k = 0; k < 4; k++)
        if (one->reaction[k] != 0)
            carom_add_scaled(one->reaction[k], J, v[k]);
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++)
            if (one->weight[k] == 0 && one->weight[j] != 0 && one->node[j] == one->node[k])
                carom_copy(v[j], v[k]);
}

// Updates the impulses, the normal one first, and the velocities of the four nodes; *changed: any of them may have changed.
// True if a rate changed by more than the floor.
CAROM_INLINE bool carom_plain_relax(const carom_plain_contact *one, double floor, double impulse[4], double v[4][3],
                                    bool *changed) {
    double u[3], J[3], normal = 0, tangential = 0;
    carom_plain_velocity(one, v, u);
    double lambda = carom_sweep_press(carom_dot(one->normal, u), one->target, one->softness, impulse[0]);
    double change = lambda - impulse[0];
    *changed = change != 0 || one->friction > 0;
    if (change != 0) {
        for (int i = 0; i < 3; i++)
            J[i] = change * one->normal[i];
        impulse[0] = lambda;
        carom_plain_push(one, J, v);
        normal = fabs(change) * one->softness;
    }
    if (one->friction > 0) {
        carom_plain_velocity(one, v, u);
        carom_sweep_slide(one->normal, one->friction * impulse[0], one->softest, u, impulse + 1, J);
        carom_plain_push(one, J, v);
        tangential = carom_norm(J) * one->softest;
    }
    return normal > floor || tangential > floor;
}

// The whole impulse.
CAROM_INLINE void carom_plain_impulse(const carom_plain_contact *one, const double impulse[4], double J[3]) {
    for (int i = 0; i < 3; i++)
        J[i] = impulse[0] * one->normal[i] + impulse[1 + i];
}

#endif
