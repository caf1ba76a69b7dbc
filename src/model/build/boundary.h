// SPDX-License-Identifier: MIT
// The surface of a model: the faces with which its bodies can touch.
#ifndef CAROM_MODEL_BUILD_BOUNDARY_H
#define CAROM_MODEL_BUILD_BOUNDARY_H

#include "model/model.h"

// Builds model->surface from the boundary faces of solids and shells, or the boundary edges of plane bodies. A model without
// any has an empty surface. Fails with CAROM_BAD_INPUT, naming the bodies.
carom_status carom_model_find_boundary(carom_model *model, const carom_model_def *def, carom_error *error);

#endif
