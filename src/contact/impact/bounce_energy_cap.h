// SPDX-License-Identifier: MIT
// Impacts on rigid bodies that are solved together, and bounce, must not add energy.
#ifndef CAROM_CONTACT_IMPACT_BOUNCE_ENERGY_CAP_H
#define CAROM_CONTACT_IMPACT_BOUNCE_ENERGY_CAP_H

#include "contact/impact/encounter.h"

// Looks at what the contacts in the list of the collapse, which have just been solved at time t, did to the energy. If they
// added some, bounces become weaker until they add none.
void carom_cap_bounce_energy(const carom_drifting *drift, double floor, double t);

#endif
