// SPDX-License-Identifier: MIT
// A simulation that processes share goes on with other parts of its model. Nobody who holds the simulation notices: it is the
// same object, with the same state at the same step, and its results are the same to the bit.
#ifndef CAROM_SIM_REPARTITION_H
#define CAROM_SIM_REPARTITION_H

#include "sim/sim.h"

// Between two steps. `owner` of all nodes is that of rank 0, NULL elsewhere. Collective. Fails on all processes alike, mostly
// for lack of memory, and then the simulation goes on with the parts that it has. sim->state, last_good and balanced are other
// objects afterwards.
carom_status carom_sim_move(carom_sim *sim, const int *owner, carom_error *error);

#endif
