// SPDX-License-Identifier: MIT
// Relaxation times of materials and the step. Theory: docs/theory/inelastic.md
#ifndef CAROM_MODEL_WATCH_RELAXATION_H
#define CAROM_MODEL_WATCH_RELAXATION_H

#include "carom/model.h"

// The longest step, `step` at most, that resolves the branches which matter: those with the part g of the stiffness and the
// relaxation time t for which g t is more than 1/20 of `step`. For these it is t at most.
double carom_model_relaxing_step(const carom_model *model, double step);

#endif
