// SPDX-License-Identifier: MIT
// Contact after the drift: overlap is removed by a mass-weighted projection of positions (Cirak & West,
// docs/theory/projection.md).
#ifndef CAROM_CONTACT_IMPACT_PROJECTION_H
#define CAROM_CONTACT_IMPACT_PROJECTION_H

#include "contact/pairs/neighbours.h"

// The nodes that the projection of a contact moves: those of the contact that is returned whose weights are not 0. With
// CAROM_MOVES_NODE and a first side that cannot move along the normal, all of them.
carom_contact carom_projection_movers(const carom_contact *contact, carom_mobility mobility, carom_moves moves);

// Moves these nodes of an overlapping contact to zero gap along the normal, each in proportion to its mobility:
//     x_k -= w_k P_k n / m_k * g / (n.A n),   A of the nodes that move.
// The mass centre of a free pair stays if all of its nodes move. Returns false, and moves no node, if there is no overlap or
// no node can move.
bool carom_projection_run(const carom_contact *contact, const carom_contact *movers, carom_mobility mobility, double (*x)[3]);

// Turns the nodes of a contact as a rigid body such that their angular momentum about the origin is `before`; nodes at x. Their
// momentum does not change, nor does the relative velocity of points that coincide. A contact with a plane or with a restrained
// node is left as it is: the ground takes angular momentum. So are two ends on a line: projection and impulse do not change it
// there, and once the ends are at one point no turn does.
void carom_projection_return_spin(const carom_contact *contact, carom_mobility mobility, const double before[3],
                                  const double (*x)[3], double (*w)[3]);
// The angular momentum of the nodes of a contact about the origin.
void carom_projection_spin(const carom_contact *contact, carom_mobility mobility, const double (*x)[3], const double (*w)[3],
                           double spin[3]);

// The work that this displacement does against the forces f on the nodes, to first order in the overlap:
//     W = g/(n.A n) sum_k w_k n.P_k f_k/m_k,   g < 0.
// 0 if no node can move.
double carom_projection_work(const carom_contact *movers, carom_mobility mobility, double gap, const double (*f)[3]);

// The rate after an impact from `rate` < 0 that also compensates the work W, eq. (15) with the factor 2 of its errata:
//     target^2 = e^2 rate^2 - 2 W n.A n,   0 if the right side is negative.
double carom_projection_target(const carom_contact *contact, carom_mobility mobility, double rate, double restitution,
                               double work);

// Appends the pairs of surfaces that enter their layer in the drift x + t w, 0 <= t <= step: contacts without impulse, with
// gaps measured from the layer, and with the normal and weights at the time of entry.
void carom_projection_find(const carom_neighbours *neighbours, const double (*x)[3], const double (*w)[3], double step,
                           carom_hits *crossings);

#endif
