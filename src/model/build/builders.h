// SPDX-License-Identifier: MIT
// Functions that build the components of a model, in the order in which model.c calls them. Each may read what its predecessors
// have built, and fails with CAROM_BAD_INPUT and a message that names the error. The builders of springs, damping, loads and
// restraints are declared in their own headers.
#ifndef CAROM_MODEL_BUILD_BUILDERS_H
#define CAROM_MODEL_BUILD_BUILDERS_H

#include "model/model.h"

// Bodies: allocates the arrays over nodes, bodies and blocks and fills them, body after body: positions, masses, velocities at
// the start, sets. The nodes and bodies of the model have been counted.
carom_status carom_model_add_bodies(carom_model *model, const carom_model_def *def, carom_error *error);

// Rigid bodies connected by joints (docs/theory/joints.md). Fails if the initial velocities violate a joint; the message then
// begins with CAROM_JOINT_MARK (joints.h).
carom_status carom_model_add_linkages(carom_model *model, const carom_model_def *def, carom_error *error);
uint64_t carom_model_linkages_hash(uint64_t hash, const carom_model *model);

// Plane bodies stay in their plane z = const. Fails, by naming the body and the cause, if a body of plane elements has a
// velocity, a spin, a load, a prescribed motion, or a contact plane that is not within the x-y plane. Gravity along z is
// refused as well.
carom_status carom_model_check_plane(carom_model *model, const carom_model_def *def, carom_error *error);

// Contact laws: which pairs can touch, and their restitution and friction. Fills laws, exclusions and immovable of a model
// whose bodies and restraints are complete.
carom_status carom_model_find_laws(carom_model *model, const carom_model_def *def, carom_error *error);
// Continues a hash with the contact settings.
uint64_t carom_model_laws_hash(uint64_t h, const carom_model *model);

// Contact surface: builds model->surface from the boundary faces of solids and shells, or the boundary edges of plane bodies. A
// model without any has an empty surface.
carom_status carom_model_find_boundary(carom_model *model, const carom_model_def *def, carom_error *error);

// Contact candidates with fixed normals: end nodes on common lines, nodes against planes. Fills contact, candidates and
// contact_length of a model whose bodies, laws and surface are complete. Fails if bodies overlap at the start.
carom_status carom_model_find_candidates(carom_model *model, const carom_model_def *def, carom_error *error);

// Fills the lists of the candidates of each node, which are allocated.
void carom_candidates_link(carom_candidates *candidates, int node_count);

// Checks the start: contact keeps separate surfaces separate, so it fails if surfaces intersect or touch (also within one
// body), if their distance is below rounding, or if a body lies inside another. The message names bodies, positions, and the
// gap that is needed.
carom_status carom_model_check_start(carom_model *model, const carom_model_def *def, carom_error *error);

#endif
