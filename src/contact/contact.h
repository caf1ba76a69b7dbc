// SPDX-License-Identifier: MIT
// Kinematics of the contact record: gap, relative velocity, and how nodes answer to an impulse at the contact point.
//
// An impulse J at the contact point reaches node k as w_k P_k J (P_k projects on the free directions of a restrained node), so
//     velocity of node k    += w_k P_k J / m_k,
//     relative velocity u   = sum_k w_k v_k  changes by  A J,   A = sum_k w_k^2 P_k / m_k   (3 x 3, a multiple of I if nothing is restrained).
#ifndef CAROM_CONTACT_CONTACT_H
#define CAROM_CONTACT_CONTACT_H

#include "carom/contact.h"
#include "contact/restraint.h"

// How easily nodes move.
typedef struct carom_mobility {
    const double *mass;
    const carom_restraints *restraints;
} carom_mobility;

// Normal and weights are those of one moment, as the surfaces move; the others keep theirs.
static inline bool carom_contact_is_between_surfaces(const carom_contact *contact) {
    return contact->kind != CAROM_CONTACT_END_END && contact->kind != CAROM_CONTACT_NODE_PLANE;
}

// Gap at the positions x.
double carom_contact_gap(const carom_contact *contact, const double (*x)[3]);

// Relative velocity u = sum w_k v_k, and its normal part.
void carom_contact_velocity(const carom_contact *contact, const double (*v)[3], double u[3]);
double carom_contact_rate(const carom_contact *contact, const double (*v)[3]);

// a.(A b): how fast an impulse along b opens the contact along a.
double carom_contact_answer(const carom_contact *contact, carom_mobility mobility, const double a[3], const double b[3]);
// The same for one unit vector; exactly 0 if nothing can move that way.
double carom_contact_softness(const carom_contact *contact, carom_mobility mobility, const double d[3]);

// True if an impulse at the contact sets its k-th node in motion.
bool carom_contact_moves(const carom_contact *contact, carom_mobility mobility, int k);

// Applies an impulse at the contact point to the velocities.
void carom_contact_push(const carom_contact *contact, carom_mobility mobility, const double J[3], double (*v)[3]);

// What comes from outside when a contact leans on a plane or a restrained node.
typedef struct carom_ground {
    double impulse[3]; // momentum that the nodes took in as a whole
    double moment[3];  // the same about the origin
    double work;       // done by nodes whose motion is prescribed
} carom_ground;

// The ground of an impulse J at the contact point, nodes at x + t v. All zero for a free pair, so that an error of its momentum stays
// visible.
carom_ground carom_contact_ground(const carom_contact *contact, carom_mobility mobility, const double J[3],
                                  const double (*x)[3], const double (*v)[3], double t);

// Where two sides meet: the middle between the two points that touch, and how far apart they are along the normal.
typedef struct carom_spot {
    double point[3];
    double gap;
} carom_spot;

// The spot of a contact, nodes at x + t v.
carom_spot carom_contact_spot(const carom_contact *contact, const double (*x)[3], const double (*v)[3], double t);

#endif
