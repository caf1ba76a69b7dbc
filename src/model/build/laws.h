// SPDX-License-Identifier: MIT
// The laws of contact of a model: who touches whom, with which restitution and friction.
#ifndef CAROM_MODEL_BUILD_LAWS_H
#define CAROM_MODEL_BUILD_LAWS_H

#include "model/model.h"

// Fills laws, exclusions and held of a model whose bodies and restraints are complete. Fails with CAROM_BAD_INPUT by naming
// what does not exist.
carom_status carom_model_find_laws(carom_model *model, const carom_model_def *def, carom_error *error);

// Adds the settings of contact to a hash.
uint64_t carom_model_laws_hash(uint64_t h, const carom_model *model);

#endif
