// SPDX-License-Identifier: MIT
// Model definitions before the model is built: default values and checks.
#ifndef CAROM_MODEL_BUILD_DEFINITION_H
#define CAROM_MODEL_BUILD_DEFINITION_H

#include "base/arena.h"
#include "carom/model.h"

// Copies `def` so that every element and material has parameters: the defaults of its table where the definition gives none.
// Fails by naming the body if one of these has no default. The copies are in the arena; everything else is shared with `def`.
carom_status carom_model_def_complete(const carom_model_def *def, carom_arena *arena, carom_model_def *complete,
                                      carom_error *error);

// True if the material has a plastic strain.
bool carom_pick_flows(const carom_pick *pick);

// Fails, with a reason in `error`, if the element with these parameters does not support the material.
carom_status carom_element_accepts(const carom_element *element, const void *params, const carom_pick *material,
                                   carom_error *error);

// Check the parameters of element, material and damping of a body of a complete definition, and those of contact, against their
// ranges.
carom_status carom_body_def_check(const carom_body_def *def, carom_error *error);
carom_status carom_contact_def_check(const carom_contact_def *contact, carom_error *error);

#endif
