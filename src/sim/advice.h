// SPDX-License-Identifier: MIT
// What the message of a run that has ended early adds to its cause: what may help, and where the last good state is.
#ifndef CAROM_SIM_ADVICE_H
#define CAROM_SIM_ADVICE_H

#include "sim/sim.h"

// What the step may have to do with a failure of the computation. Nothing is added for implicit methods, which have said
// themselves what stalled.
void carom_advise_step(const carom_sim *sim, carom_error *error);

// Which element has reached its melting temperature, if one has. All processes together.
void carom_advise_molten(const carom_sim *sim, carom_error *error);

// Where the state of a step is saved; nothing if `step` is negative. To resume would only repeat a failure, because a
// checkpoint belongs to its step.
void carom_advise_saved(int64_t step, const char *checkpoint, carom_error *error);

// The same for a run that can go on from there, or that there is nothing to go on from.
void carom_advise_resume(int64_t step, const char *checkpoint, carom_error *error);

#endif
