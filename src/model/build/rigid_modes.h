// SPDX-License-Identifier: MIT
// Bodies that can move as a whole: what a static analysis must refuse.
#ifndef CAROM_MODEL_BUILD_RIGID_MODES_H
#define CAROM_MODEL_BUILD_RIGID_MODES_H

#include "model/model.h"

// Fails with CAROM_BAD_INPUT if restraints leave a rigid motion to a body, or to a part of it that no element joins to the
// rest. The message names the body and the motion.
carom_status carom_model_check_rigid_modes(const carom_model *model, carom_error *error);

// Numbers the parts of the model, from 0: two nodes are of one part if elements join them. `number` has room for every node.
// Returns the number of parts; -1 if memory is short.
int carom_model_number_subdomains(const carom_model *model, int *number);

#endif
