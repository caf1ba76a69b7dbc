// SPDX-License-Identifier: MIT
// Functions that build the parts of a model, in the order of model.c, which calls them. Each may read what those before it
// have made, and fails with CAROM_BAD_INPUT by naming what is wrong. Those of springs, damping, loads and restraints stand with
// these.
#ifndef CAROM_MODEL_BUILD_BUILDERS_H
#define CAROM_MODEL_BUILD_BUILDERS_H

#include "model/model.h"

// The bodies: allocates the arrays over nodes, bodies and blocks and fills them, body after body: positions, masses, velocities
// at the start, sets. The nodes and bodies of the model have been counted.
carom_status carom_model_add_bodies(carom_model *model, const carom_model_def *def, carom_error *error);

// Rigid bodies that joints hold together (docs/theory/joints.md). Fails if bodies move at the start as joints forbid, with the
// mark of such a joint.
carom_status carom_model_add_linkages(carom_model *model, const carom_model_def *def, carom_error *error);
uint64_t carom_model_linkages_hash(uint64_t hash, const carom_model *model);

// Plane bodies stay in their plane z = const: fails, by naming the body and what is at fault, if a body of plane elements has a
// velocity, a spin, a load, a prescribed motion, or a plane to touch that is not within the x-y plane. Gravity is refused as
// well.
carom_status carom_model_check_plane(carom_model *model, const carom_model_def *def, carom_error *error);

// Who touches whom, with which restitution and friction: fills laws, exclusions and held of a model whose bodies and restraints
// are complete.
carom_status carom_model_find_laws(carom_model *model, const carom_model_def *def, carom_error *error);
// Adds the settings of contact to a hash.
uint64_t carom_model_laws_hash(uint64_t h, const carom_model *model);

// The faces with which bodies can touch: builds model->surface from the boundary faces of solids and shells, or the boundary
// edges of plane bodies. A model without any has an empty surface.
carom_status carom_model_find_boundary(carom_model *model, const carom_model_def *def, carom_error *error);

// Which contacts may happen: ends against ends on common lines, nodes against planes. Fills contact, candidates and
// contact_length of a model whose bodies, laws and surface are complete. Fails if bodies overlap at the start.
carom_status carom_model_find_candidates(carom_model *model, const carom_model_def *def, carom_error *error);

// Lists those of each node, for which there is room.
void carom_candidates_link(carom_candidates *candidates, int node_count);

// Contact keeps apart what is apart: fails if surfaces intersect or touch at the start, themselves included, if they are no
// farther apart than rounding, or if a body lies inside another. The message names bodies and places, and the gap that is
// needed.
carom_status carom_model_check_start(carom_model *model, const carom_model_def *def, carom_error *error);

#endif
