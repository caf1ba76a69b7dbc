// SPDX-License-Identifier: MIT
// States to which a run may return. Where a device has the motion, it keeps its part of them, and brings it when the run does
// return.
#ifndef CAROM_SIM_KEPT_STATES_H
#define CAROM_SIM_KEPT_STATES_H

#include "device/copies.h"
#include "sim/sim.h"

// Makes `to` a copy of the present state: sim->last_good or sim->balanced.
void carom_sim_keep(carom_sim *sim, carom_state *to, carom_device_copy copy);
// The same for the positions in sim->looked, and these positions.
void carom_sim_keep_positions(carom_sim *sim);
const double (*carom_sim_checked(const carom_sim *sim))[3];

#endif
