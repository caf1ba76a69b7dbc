// SPDX-License-Identifier: MIT
// An interior point method on the cones of contacts: slower than a good guess, and not in need of one.
#ifndef CAROM_CONTACT_CONES_INTERIOR_H
#define CAROM_CONTACT_CONES_INTERIOR_H

#include "contact/cones/linear.h"

// What a contact has beside x; and the step.
typedef struct carom_cone_inside {
    double s;  // its gap, > 0
    double nu; // its slip over twice the force against it, > 0; only with friction
    double ds, dnu;
    double tau[2]; // what the products of gap and slip are to become
} carom_cone_inside;

// Brings x of a system inside the cones, and the gaps and slips that go with it.
void carom_cones_interior_start(const carom_cone_system *system, carom_cone_inside *inside);

// One iteration: x, s and nu change, p or u follow; x stays inside. *step: the part of the way that could be gone. Fails as carom_cones_newton_step.
carom_status carom_cones_interior_step(carom_cones_linear *linear, carom_cone_system *system, carom_cone_inside *inside,
                                       double *step, carom_error *error);

#endif
