// SPDX-License-Identifier: MIT
// Which contacts may happen in a model: ends against ends on common lines, nodes against planes.
#ifndef CAROM_MODEL_BUILD_CANDIDATES_H
#define CAROM_MODEL_BUILD_CANDIDATES_H

#include "model/model.h"

// Fills contact, candidates and contact_length of a model whose bodies, laws and surface are complete. Fails if bodies overlap
// at the start.
carom_status carom_model_find_candidates(carom_model *model, const carom_contact_def *def, const double gravity[3],
                                         carom_error *error);

#endif
