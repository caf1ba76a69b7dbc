// SPDX-License-Identifier: MIT
// Limit of the step by the relaxation times of materials. Theory: docs/theory/inelastic.md
#ifndef CAROM_MODEL_WATCH_RELAXATION_H
#define CAROM_MODEL_WATCH_RELAXATION_H

#include "carom/model.h"

// The longest step, `step` at most, that resolves the relevant viscoelastic branches: those with a fraction g of the stiffness
// and a relaxation time t for which g t is more than 1/20 of `step`. The step is at most t for these.
double carom_model_relaxing_step(const carom_model *model, double step);

#endif
