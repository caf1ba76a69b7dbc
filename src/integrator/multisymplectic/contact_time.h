// SPDX-License-Identifier: MIT
// Contact inside a step of slabs: the first contact time, the slab that ends there, and the jump that follows.
#ifndef CAROM_INTEGRATOR_MULTISYMPLECTIC_CONTACT_TIME_H
#define CAROM_INTEGRATOR_MULTISYMPLECTIC_CONTACT_TIME_H

#include "integrator/multisymplectic/energy_target.h"

// Scratch memory; start from {0}.
typedef struct carom_contact_time {
    const carom_slabs *slabs;
    carom_rigid_impact *carried; // NULL: impacts keep the energy of slabs
    carom_watched watched;
    double rounding;        // length: a gap that is smaller is none
    double *pile_impulse;   // of the watched: impulses when a pile is settled
    double (*impulse)[3];   // of each node then
    carom_level between[2]; // levels inside the step and at its end
} carom_contact_time;

carom_status carom_contact_time_create(const carom_slabs *slabs, carom_contact_time *times, carom_error *error);

// From the level `from` over the time `step`, with all contacts on the way resolved at their times, one after another. All that
// happened is booked. `end` is the level reached, one of times->between, without its forces. A pile of contacts
// without end is settled together, which is counted as CAROM_EVENT_CONTACT_SETTLED.
void carom_contact_time_step(carom_contact_time *times, carom_state *state, const carom_level *from, double step,
                             carom_level **end);

#endif
