// SPDX-License-Identifier: MIT
// Adds the polygons of a file to its draft, as cells.
#ifndef CAROM_MESH_FILES_POLYGON_H
#define CAROM_MESH_FILES_POLYGON_H

#include "mesh/files/draft.h"

// Adds a polygon: three corners are a tri3, four a quad4, more are cut into triangles. The corners are node indices in range.
// Fails for a polygon of thousands of corners that is not convex, and if polygons make more triangles than a surface in a file
// of this size can have.
bool carom_reader_polygon(carom_reader *reader, const int *corners, int64_t count);

#endif
