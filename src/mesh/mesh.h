// SPDX-License-Identifier: MIT
// How generators fill a mesh.
#ifndef CAROM_MESH_MESH_H
#define CAROM_MESH_MESH_H

#include "carom/mesh.h"

// Reserves a mesh with one block of cells and room for `set_count` sets. On failure the mesh is empty.
carom_status carom_mesh_allocate(carom_mesh *mesh, int node_count, carom_cell_type type, int cell_count, int set_count,
                                 carom_error *error);

// Adds a set to the room reserved for it.
carom_status carom_mesh_add_set(carom_mesh *mesh, const char *name, const int *nodes, int count, carom_error *error);

extern const carom_generator carom_generator_curve;
extern const carom_generator carom_generator_line;
extern const carom_generator carom_generator_point;

#endif
