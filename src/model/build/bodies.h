// SPDX-License-Identifier: MIT
// The bodies of a model: the first of its parts, on which all others stand.
#ifndef CAROM_MODEL_BUILD_BODIES_H
#define CAROM_MODEL_BUILD_BODIES_H

#include "model/model.h"

// Allocates the arrays over nodes, bodies and blocks and fills them, body after body: positions, masses, velocities at the
// start, sets. The nodes and bodies of the model have been counted.
carom_status carom_model_add_bodies(carom_model *model, const carom_model_def *def, carom_error *error);

#endif
