// SPDX-License-Identifier: MIT
// Lists that follow from the blocks of a model: where nodes find their element forces, and what threads take at a time.
#ifndef CAROM_MODEL_GATHER_H
#define CAROM_MODEL_GATHER_H

#include "carom/model.h"

// Builders of models, whose blocks and counts of elements are in place. Fills gather_begin, gather and block_slot.
carom_status carom_model_find_gather_lists(carom_model *model, const carom_model_def *def, carom_error *error);
// Fills the chunks.
carom_status carom_model_find_chunks(carom_model *model, const carom_model_def *def, carom_error *error);

#endif
