// SPDX-License-Identifier: MIT
// Limits the bounce of impacts on rigid bodies that are solved simultaneously, so that they add no energy.
#ifndef CAROM_CONTACT_IMPACT_BOUNCE_ENERGY_CAP_H
#define CAROM_CONTACT_IMPACT_BOUNCE_ENERGY_CAP_H

#include "contact/impact/encounter.h"

// Computes the energy change by the contacts of drift->space->collapse, which have just been solved at time t. If they added
// energy, they are solved again without restitution, and the largest part of the bounce that adds none is superposed. `floor`:
// accuracy of the rates, as in carom_contact_solve_run.
void carom_cap_bounce_energy(const carom_drifting *drift, double floor, double t);

#endif
