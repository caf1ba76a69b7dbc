// SPDX-License-Identifier: MIT
// Limits the bounce of impacts on rigid bodies that are solved simultaneously, so that they add no energy.
#ifndef CAROM_CONTACT_IMPACT_BOUNCE_ENERGY_CAP_H
#define CAROM_CONTACT_IMPACT_BOUNCE_ENERGY_CAP_H

#include "contact/impact/encounter.h"

// Computes the energy change by the contacts of drift->space->collapse, which have just been solved at time t. If they added
// energy, their bounces are weakened until they add none.
void carom_cap_bounce_energy(const carom_drifting *drift, double floor, double t);

#endif
