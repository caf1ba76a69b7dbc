// SPDX-License-Identifier: MIT
// Contact inside a step of slabs (parts of the motion between two time levels): the first contact time, the slab that ends
// there, and the velocity jump after it.
#ifndef CAROM_INTEGRATOR_MULTISYMPLECTIC_CONTACT_TIME_H
#define CAROM_INTEGRATOR_MULTISYMPLECTIC_CONTACT_TIME_H

#include "integrator/multisymplectic/energy_target.h"

// Scratch memory; start from {0}.
typedef struct carom_contact_time {
    const carom_slabs *slabs;
    carom_energy_target *target; // NULL: impacts conserve the energy of slabs
    carom_watched watched;
    double rounding;        // length: smaller gaps count as 0
    double *group_impulse;  // per watched contact: its impulse, if the rest of a step is solved for all contacts together
    double (*impulse)[3];   // per node: the sum of these impulses
    carom_level between[2]; // levels inside the step and at its end
} carom_contact_time;

carom_status carom_contact_time_create(const carom_slabs *slabs, carom_contact_time *times, carom_error *error);

// Advances from the level `from` by the time `step`, with all contacts in between resolved at their times, one after another,
// and recorded in the ledger. `end` is the level reached, one of times->between, without its forces. If there are too many
// contacts, the rest of the step is solved for all of them together, which is counted as CAROM_EVENT_CONTACT_SETTLED.
void carom_contact_time_step(carom_contact_time *times, carom_state *state, const carom_level *from, double step,
                             carom_level **end);

#endif
