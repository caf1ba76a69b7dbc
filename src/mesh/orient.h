// SPDX-License-Identifier: MIT
// Surfaces that turn one way.
#ifndef CAROM_MESH_ORIENT_H
#define CAROM_MESH_ORIENT_H

#include "carom/mesh.h"
#include "mesh/topology.h"

// Which faces must be turned so that neighbours across edges with two faces agree: in each connected part the fewer, but closed
// parts face outward. `turn` has one entry for each face.
carom_status carom_facets_orient(const carom_mesh *mesh, const carom_facet *faces, int count, bool *turn, carom_error *error);

#endif
