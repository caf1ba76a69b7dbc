// SPDX-License-Identifier: MIT
// Nodes at the same place.
#ifndef CAROM_MESH_MEND_COINCIDE_H
#define CAROM_MESH_MEND_COINCIDE_H

#include "carom/mesh.h"

// How near is the same place: a small part of the diagonal of the bounding box of the nodes that cells use.
#define CAROM_COINCIDENCE 1e-10

// For each node the first node that is at its place: itself, or one with a smaller number. Free with free().
carom_status carom_mesh_coincide(const carom_mesh *mesh, int **first, carom_error *error);

#endif
