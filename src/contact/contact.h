// SPDX-License-Identifier: MIT
// Kinematics of the contact record: gap, relative velocity, and the response of the nodes to an impulse at the contact point.
//
// An impulse J at the contact point acts on node k as w_k P_k J, where P_k projects on the free directions of a restrained
// node. So
//     v_k                changes by  w_k P_k J/m_k,
//     u = sum_k w_k v_k  changes by  A J,   A = sum_k w_k^2 P_k/m_k,
// where u is the relative velocity and A a 3 x 3 matrix, a multiple of I if no node is restrained or belongs to a rigid body.
// Sides of rigid bodies add terms of their masses and moments of inertia to A.
#ifndef CAROM_CONTACT_CONTACT_H
#define CAROM_CONTACT_CONTACT_H

#include "carom/contact.h"
#include "contact/restraint.h"
#include "contact/rigid_motion_field.h"

// A node with a smaller mass counts as massless: it belongs to an obstacle and is restrained in three directions
// (element/line/obstacle.h).
#define CAROM_MASSLESS 0x1p-800

// The motion of driven bodies, extended to points outside: `velocity` sets u to the velocity, at a time of the run within the
// present drift, that the point x would have as a part of the body of `node`. NULL: unknown.
typedef struct carom_carry {
    void (*velocity)(const struct carom_carry *carry, int node, double time, const double x[3], double u[3]);
    const void *model;
    double begin, length; // times of the straight paths of nodes of driven bodies
} carom_carry;

// Resistance of nodes to motion: masses, restraints, and rigid bodies.
typedef struct carom_mobility {
    const double *mass; // 0 for nodes of rigid bodies
    const carom_restraints *restraints;
    carom_rigid_bodies *rigid_bodies; // NULL: none
} carom_mobility;

// True if normal and weights change as the surfaces move. Contacts of ends on a line and of nodes with planes keep theirs.
static inline bool carom_contact_is_between_surfaces(const carom_contact *contact) {
    return contact->kind != CAROM_CONTACT_END_END && contact->kind != CAROM_CONTACT_NODE_PLANE;
}

// Gap at the positions x.
double carom_contact_gap(const carom_contact *contact, const double (*x)[3]);

// Relative velocity u = sum w_k v_k, and its normal part.
void carom_contact_velocity(const carom_contact *contact, const double (*v)[3], double u[3]);
double carom_contact_rate(const carom_contact *contact, const double (*v)[3]);

// a.(A b): the rate along a by a unit impulse along b.
double carom_contact_inverse_mass(const carom_contact *contact, carom_mobility mobility, const double a[3], const double b[3]);
// d.(A d) for a unit vector d, an inverse mass; exactly 0 if no node can move along d.
double carom_contact_softness(const carom_contact *contact, carom_mobility mobility, const double d[3]);

// True if an impulse at the contact moves its k-th node, which belongs to no rigid body.
bool carom_contact_moves(const carom_contact *contact, carom_mobility mobility, int k);

// Applies an impulse at the contact point to a field of velocities.
void carom_contact_push(const carom_contact *contact, carom_mobility mobility, const double J[3], double (*v)[3]);

// The same only for nodes of no rigid body.
void carom_contact_push_nodes(const carom_contact *contact, carom_mobility mobility, const double J[3], double (*v)[3]);

// Momentum and work from outside: by planes, restraints, and joints with the ground.
typedef struct carom_ground {
    double impulse[3]; // linear momentum that the nodes received in total
    double moment[3];  // angular momentum about the origin
    double work;       // done by nodes whose motion is prescribed
} carom_ground;

// The momentum and work from outside by an impulse J at the contact point, with nodes at x + t v. Zero for a free pair, so that
// an error in its momentum remains visible.
carom_ground carom_contact_ground(const carom_contact *contact, carom_mobility mobility, const double J[3],
                                  const double (*x)[3], const double (*v)[3], double t);

// Correction of the work of prescribed motions on an impulse J of a kick: carom_contact_ground uses the prescribed velocities
// after the kick, but the work is that with the mean of before and after. Exactly 0 if they do not change.
double carom_contact_work_correction(const carom_contact *contact, carom_mobility mobility, const double J[3],
                                     const double (*before)[3], const double (*after)[3]);

// The place of a contact: the middle between the two points that touch, and their distance along the normal.
typedef struct carom_spot {
    double point[3];
    double gap;
} carom_spot;

// The spot of a contact, nodes at x + t v.
carom_spot carom_contact_spot(const carom_contact *contact, const double (*x)[3], const double (*v)[3], double t);

#endif
