// SPDX-License-Identifier: MIT
// The element blocks of a body, as its plan has them (plan.h).
#ifndef CAROM_MODEL_BUILD_BLOCKS_H
#define CAROM_MODEL_BUILD_BLOCKS_H

#include "model/build/block_layout.h"
#include "model/model.h"

// Adds the blocks of a body whose nodes are in place, with their masses, and counts their elements.
carom_status carom_model_add_blocks(carom_model *model, const carom_body_def *def, const carom_body_plan *plan,
                                    carom_body *body, carom_error *error);

#endif
