// SPDX-License-Identifier: MIT
// Plane bodies stay in their plane z = const: nothing may move or push them out of it.
#ifndef CAROM_MODEL_BUILD_PLANE_CHECK_H
#define CAROM_MODEL_BUILD_PLANE_CHECK_H

#include "model/model.h"

// Fails, by naming the body and what is at fault, if a body of plane elements has a velocity, a spin, a load, a prescribed
// motion, or a plane to touch that is not within the x-y plane. Gravity is refused as well. Bodies must have been added.
carom_status carom_model_check_plane(const carom_model *model, const carom_model_def *def, carom_error *error);

#endif
