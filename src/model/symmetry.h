// SPDX-License-Identifier: MIT
// Momenta that a model must conserve: those that no load, plane or restraint can change.
#ifndef CAROM_MODEL_SYMMETRY_H
#define CAROM_MODEL_SYMMETRY_H

#include "carom/model.h"

// Per axis of space; the angular momentum is about the origin.
typedef struct carom_symmetry {
    bool linear[3], angular[3];
} carom_symmetry;

carom_symmetry carom_model_symmetry(const carom_model *model);

#endif
