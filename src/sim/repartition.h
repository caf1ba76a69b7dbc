// SPDX-License-Identifier: MIT
// Continues a distributed simulation with other subdomains of its model. It remains the same object, with the same state at the
// same step, and its results are the same to the bit.
#ifndef CAROM_SIM_REPARTITION_H
#define CAROM_SIM_REPARTITION_H

#include "sim/sim.h"

// To be called between two steps. `owner` of all nodes is given on rank 0, NULL on the others. Collective. Fails on all
// processes, usually without memory; the simulation then keeps its subdomains. sim->state, last_good and balanced are other
// objects afterwards.
carom_status carom_sim_move(carom_sim *sim, const int *owner, carom_error *error);

#endif
