// SPDX-License-Identifier: MIT
// Surfaces that turn one way.
#ifndef CAROM_MESH_MEND_ORIENT_H
#define CAROM_MESH_MEND_ORIENT_H

#include "carom/mesh.h"
#include "mesh/topology.h"

// Which faces must be turned so that neighbours across edges with two faces agree: in each connected part the fewer, but closed
// parts face outward, those of cavities into the cavity: a part within an odd number of others. `turn` has one entry for each face. Refuses
// with CAROM_BAD_INPUT a surface of so many parts within each other that the search would take minutes.
carom_status carom_surface_orient(const carom_boundary *surface, bool *turn, carom_error *error);

#endif
