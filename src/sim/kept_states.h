// SPDX-License-Identifier: MIT
// States to which a run may return. Where a device has the motion, it keeps its part of them, and brings it when the run does
// return.
#ifndef CAROM_SIM_KEPT_STATES_H
#define CAROM_SIM_KEPT_STATES_H

#include "sim/sim.h"

// Makes `to` a copy of the present state: sim->last_good or sim->balanced.
void carom_sim_keep(carom_sim *sim, carom_state *to, carom_device_copy copy);
// The same for the positions in sim->looked.
void carom_sim_keep_positions(carom_sim *sim);
// carom_state_is_finite of the present state.
bool carom_sim_is_finite(carom_sim *sim);
// Completes all copies: to be called before anybody looks at one of them.
void carom_sim_recall(carom_sim *sim);

#endif
