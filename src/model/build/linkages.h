// SPDX-License-Identifier: MIT
// Rigid bodies that joints hold together (docs/theory/joints.md).
#ifndef CAROM_MODEL_BUILD_LINKAGES_H
#define CAROM_MODEL_BUILD_LINKAGES_H

#include "model/model.h"

// Finds the linkages. Fails if bodies move at the start as joints forbid, with the mark of such a joint. A builder.
carom_status carom_model_add_linkages(carom_model *model, const carom_model_def *def, carom_error *error);

uint64_t carom_model_linkages_hash(uint64_t hash, const carom_model *model);

#endif
