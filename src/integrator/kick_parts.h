// SPDX-License-Identifier: MIT
// The parts of a kick that the model knows: rigid bodies, restraints, damping, live loads, springs.
#ifndef CAROM_INTEGRATOR_KICK_PARTS_H
#define CAROM_INTEGRATOR_KICK_PARTS_H

#include "integrator/newmark_kick.h"

// Adds those that the model of the kick has.
void carom_kick_parts_add(carom_newmark_kick *kick);

#endif
