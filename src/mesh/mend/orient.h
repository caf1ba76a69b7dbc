// SPDX-License-Identifier: MIT
// Consistent orientation of surfaces.
#ifndef CAROM_MESH_MEND_ORIENT_H
#define CAROM_MESH_MEND_ORIENT_H

#include "carom/mesh.h"
#include "mesh/topology.h"

// Which faces must be reversed for neighbours across edges with two faces to agree: in each connected part the smaller number,
// but closed parts face outward, and those of cavities (within an odd number of others) into the cavity. `turn` has one entry
// for each face. Refuses with CAROM_BAD_INPUT a surface of so many nested parts that the search would take minutes.
carom_status carom_surface_orient(const carom_boundary *surface, bool *turn, carom_error *error);

#endif
