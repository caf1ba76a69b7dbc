// SPDX-License-Identifier: MIT
// Newton's method on the cones of contacts: which of them are open, stick or slip, and the linear equations that follow.
#ifndef CAROM_CONTACT_CONES_NEWTON_H
#define CAROM_CONTACT_CONES_NEWTON_H

#include "contact/cones/linear.h"

// One step: x changes, p or u follow. CAROM_NUMERICAL if the equations cannot be solved: x is then as before. CAROM_NO_MEMORY.
carom_status carom_cones_newton_step(carom_cones_linear *linear, carom_cone_system *system, carom_error *error);

#endif
