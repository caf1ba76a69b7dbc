// SPDX-License-Identifier: MIT
// Rigid-body modes that restraints leave free: a static analysis must refuse them.
#ifndef CAROM_MODEL_BUILD_RIGID_MODES_H
#define CAROM_MODEL_BUILD_RIGID_MODES_H

#include "model/model.h"

// Fails with CAROM_BAD_INPUT if restraints leave a rigid motion to a body, or to a component of it that no element connects to
// the rest. The message names the body and the motion.
carom_status carom_model_check_rigid_modes(const carom_model *model, carom_error *error);

// Numbers the connected components of the model, from 0: two nodes are in one component if elements connect them. `number` has
// one entry per node. Returns the number of components; -1 if memory is short.
int carom_model_number_components(const carom_model *model, int *number);

#endif
