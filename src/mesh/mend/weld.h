// SPDX-License-Identifier: MIT
// Welding of points at the same place, and coincident nodes of a mesh.
#ifndef CAROM_MESH_MEND_WELD_H
#define CAROM_MESH_MEND_WELD_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/mesh.h"

// Welds points that are equal (tolerance 0) or differ by at most the tolerance along each axis. The points that stay move to
// the front, in the order of their first appearance, with their coordinates; place[k] is the new index of point k. Returns the
// number of points that stay, or -1 if memory is short.
int64_t carom_weld(double (*points)[3], int64_t count, double tolerance, int *place);

// The tolerance of carom_mesh_coincide, as a fraction of the diagonal of the bounding box of the nodes that cells use.
#define CAROM_COINCIDENCE 1e-10

// For each node the first node that is at its place: itself, or one with a smaller number. Free with free().
carom_status carom_mesh_coincide(const carom_mesh *mesh, int **first, carom_error *error);

#endif
