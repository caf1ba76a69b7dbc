// SPDX-License-Identifier: MIT
// Advice appended to the message of a run that has ended early: possible remedies, and where the last good state is saved.
#ifndef CAROM_SIM_ADVICE_H
#define CAROM_SIM_ADVICE_H

#include "sim/sim.h"

// Adds a possible cause or remedy of a failure of the computation, in most cases a smaller step. Nothing is added for implicit
// methods, whose own message names what did not converge, nor for prescribed motions that intersect.
void carom_advise_step(const carom_sim *sim, carom_error *error);

// True if the message says that the failure does not depend on the step.
bool carom_any_step_fails(const carom_error *error);

// The beginning of advice, before "a smaller time.step": asks for divided steps if the method could divide them and does not.
const char *carom_advise_division(const carom_sim *sim);

// Names an element that has reached its melting temperature, if there is one. Collective.
void carom_advise_molten(const carom_sim *sim, carom_error *error);

// Adds where the state of a step is saved; nothing if `step` is negative. It does not suggest to resume: with the same time
// step, which a checkpoint requires, the failure would only be repeated.
void carom_advise_saved(int64_t step, const char *checkpoint, carom_error *error);

// The same for a run that can be resumed from there; without a checkpoint it adds that there is none.
void carom_advise_resume(int64_t step, const char *checkpoint, carom_error *error);

#endif
