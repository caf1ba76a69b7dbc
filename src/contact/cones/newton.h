// SPDX-License-Identifier: MIT
// A semismooth Newton step for contacts with friction (cones.h): determines which contacts are open, stick or slip, and solves
// the resulting linear equations.
#ifndef CAROM_CONTACT_CONES_NEWTON_H
#define CAROM_CONTACT_CONES_NEWTON_H

#include "contact/cones/linear.h"

// One step: changes x and updates p or u. CAROM_NUMERICAL if the equations cannot be solved; x is then unchanged.
// CAROM_NO_MEMORY.
carom_status carom_cones_newton_step(carom_cones_linear *linear, carom_cone_system *system, carom_error *error);

#endif
