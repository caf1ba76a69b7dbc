// SPDX-License-Identifier: MIT
// An interior point method for contacts with Coulomb friction (cones.h): slower than Newton's method with a good initial guess,
// but it needs none.
#ifndef CAROM_CONTACT_CONES_INTERIOR_H
#define CAROM_CONTACT_CONES_INTERIOR_H

#include "contact/cones/linear.h"

// Variables of a contact in addition to x, and their change in a step.
typedef struct carom_cone_inside {
    double s;  // gap, > 0
    double nu; // multiplier of the friction cone: slip over twice the friction force, > 0; with friction only
    double ds, dnu;
    double tau[2]; // targets of the complementarity products of gap and slip
} carom_cone_inside;

// Moves x into the interior of the cones and sets consistent s and nu.
void carom_cones_interior_start(const carom_cone_system *system, carom_cone_inside *inside);

// One iteration: changes x, s and nu and updates p or u; x stays in the interior. *step is the fraction of the full
// step that was admissible. Fails as carom_cones_newton_step does.
carom_status carom_cones_interior_step(carom_cones_linear *linear, carom_cone_system *system, carom_cone_inside *inside,
                                       double *step, carom_error *error);

#endif
