// SPDX-License-Identifier: MIT
// Prescribed velocities of nodes. They change between two steps of the run; restraints that hold for a time only take hold and
// let go there as well.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_PRESCRIBED_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_PRESCRIBED_H

#include "integrator/asynchronous/event_loop.h"

// Start from {0}.
typedef struct carom_prescribed {
    carom_event_loop *loop;
    carom_vectors undriven; // per restraint: velocity of its node before it was driven
    carom_restraint *old;   // per restraint, where one holds for a time only: as it was in the step before
} carom_prescribed;

// Memory comes from the arena; the restraints of the flight are known. False if it is short.
bool carom_prescribed_create(carom_prescribed *prescribed, carom_event_loop *loop, carom_arena *arena);

// The step of the flight begins; `before` is the time at which the step before did, that of the flight if this is the first.
void carom_prescribed_begin(carom_prescribed *prescribed, double before);

#endif
