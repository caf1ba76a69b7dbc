// SPDX-License-Identifier: MIT
// Contact keeps apart what is apart: a model whose bodies overlap or touch at the start is refused.
#ifndef CAROM_MODEL_BUILD_START_CHECK_H
#define CAROM_MODEL_BUILD_START_CHECK_H

#include "model/model.h"

// Fails with CAROM_BAD_INPUT if surfaces intersect or touch at the start, themselves included, if they are no farther apart
// than rounding, or if a body lies inside another. The message names bodies and places, and the gap that is needed.
carom_status carom_model_check_start(const carom_model *model, carom_error *error);

#endif
