// SPDX-License-Identifier: MIT
// Saved states to which a run may return. If a device has the motion, it stores its part of them, which is copied back only if
// the run does return.
#ifndef CAROM_SIM_KEPT_STATES_H
#define CAROM_SIM_KEPT_STATES_H

#include "device/copies.h"
#include "sim/sim.h"

// Makes `to` a copy of the present state: sim->last_good or sim->balanced.
void carom_sim_keep(carom_sim *sim, carom_state *to, carom_device_copy copy);
// Saves the present positions in sim->checked_x.
void carom_sim_keep_positions(carom_sim *sim);
// The saved positions.
const double (*carom_sim_checked(const carom_sim *sim))[3];

#endif
