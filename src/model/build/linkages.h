// SPDX-License-Identifier: MIT
// Rigid bodies that joints hold together (docs/theory/joints.md).
#ifndef CAROM_MODEL_BUILD_LINKAGES_H
#define CAROM_MODEL_BUILD_LINKAGES_H

#include "model/model.h"

// True if joints make a body part of a linkage: one with another body or a motor, or more than one. Another single joint with
// the ground needs none (joints.h).
bool carom_model_def_links(const carom_model_def *def, const char *body);

// Makes a rigid body ready for a linkage: its hub is at its mass centre, and nothing holds it yet. Nodes are in place.
void carom_model_seat_rigid(carom_model *model, carom_carrier *one);

// Finds the linkages. Fails if bodies move at the start as joints forbid, with the mark of such a joint. A builder.
carom_status carom_model_add_linkages(carom_model *model, const carom_model_def *def, carom_error *error);

uint64_t carom_model_linkages_hash(uint64_t hash, const carom_model *model);

#endif
