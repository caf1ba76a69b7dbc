// SPDX-License-Identifier: MIT
// Prescribed velocities of nodes. They change between two steps of the run, and so do restraints that hold for a time only.
#ifndef CAROM_INTEGRATOR_ASYNCHRONOUS_PRESCRIBED_H
#define CAROM_INTEGRATOR_ASYNCHRONOUS_PRESCRIBED_H

#include "integrator/asynchronous/event_loop.h"

// Start from {0}.
typedef struct carom_prescribed {
    carom_event_loop *loop;
    carom_vectors undriven; // per restraint: velocity of its node before it was driven
    carom_restraint *old;   // per restraint: its directions and velocity in the step before; NULL if all hold forever
} carom_prescribed;

// Memory comes from the arena; the restraints of the flight must be set. False if memory is short.
bool carom_prescribed_create(carom_prescribed *prescribed, carom_event_loop *loop, carom_arena *arena);

// At the beginning of the step of the flight; `before`: begin of the step before, or of the flight if this is the first step.
void carom_prescribed_begin(carom_prescribed *prescribed, double before);

#endif
