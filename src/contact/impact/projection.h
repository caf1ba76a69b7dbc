// SPDX-License-Identifier: MIT
// Contact after the drift: overlap is removed by a mass-weighted projection of positions (Cirak & West,
// docs/theory/projection.md).
#ifndef CAROM_CONTACT_IMPACT_PROJECTION_H
#define CAROM_CONTACT_IMPACT_PROJECTION_H

#include "contact/pairs/neighbours.h"

// Moves the nodes of an overlapping contact to zero gap along the normal, each in proportion to its mobility:
//     x_k -= w_k P_k n / m_k * g / (n.A n).
// The mass centre of a free pair does not move. Returns false, and moves no node, if there is no overlap or no node can move.
bool carom_projection_run(const carom_contact *contact, carom_mobility mobility, double (*x)[3]);

// The work that this displacement does against the forces f on the nodes, to first order in the overlap:
//     W = g/(n.A n) sum_k w_k n.P_k f_k/m_k,   g < 0.
// 0 if no node can move.
double carom_projection_work(const carom_contact *contact, carom_mobility mobility, double gap, const double (*f)[3]);

// The rate after an impact from `rate` < 0 that also compensates the work W, eq. (15) with the factor 2 of its errata:
//     target^2 = e^2 rate^2 - 2 W n.A n,   0 if the right side is negative.
double carom_projection_target(const carom_contact *contact, carom_mobility mobility, double rate, double restitution,
                               double work);

// Appends the pairs of surfaces that enter their layer in the drift x + t w, 0 <= t <= step: contacts without impulse, with
// gaps measured from the layer, and with the normal and weights at the time of entry.
void carom_projection_find(const carom_neighbours *neighbours, const double (*x)[3], const double (*w)[3], double step,
                           carom_hits *crossings);

#endif
