// SPDX-License-Identifier: MIT
// What connects the part of a process to those of the others: ghosts, and the contact space. Both functions are collective.
#ifndef CAROM_MODEL_PARTS_CONNECT_H
#define CAROM_MODEL_PARTS_CONNECT_H

#include "model/model.h"

// Disconnect in any case, before the model is released.
carom_status carom_part_connect(carom_model *part, const carom_model *space, carom_error *error);
void carom_part_disconnect(carom_model *part);

#endif
