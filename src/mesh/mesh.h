// SPDX-License-Identifier: MIT
// Functions by which generators and readers fill a mesh.
#ifndef CAROM_MESH_MESH_H
#define CAROM_MESH_MESH_H

#include "carom/mesh.h"

// Reserves the nodes of a mesh and one block of cells, all zero. On failure the mesh is empty.
carom_status carom_mesh_allocate(carom_mesh *mesh, int64_t node_count, carom_cell_type type, int64_t cell_count,
                                 carom_error *error);
// Adds a block of cells, all nodes zero.
carom_status carom_mesh_add_block(carom_mesh *mesh, carom_cell_type type, int64_t cell_count, carom_error *error);

// Adds a set; the array is copied, then sorted, and repetitions are dropped. A name that is too long is cut.
carom_status carom_mesh_add_set(carom_mesh *mesh, const char *name, const int *nodes, int count, carom_error *error);
carom_status carom_mesh_add_cell_set(carom_mesh *mesh, const char *name, const int *cells, int count, carom_error *error);
// Adds a set of faces; the array is copied as it is.
carom_status carom_mesh_add_face_set(carom_mesh *mesh, const char *name, const int (*nodes)[4], int count, carom_error *error);

// Drops nodes without a cell; the others keep their ids.
carom_status carom_mesh_drop_unused(carom_mesh *mesh, carom_error *error);

// Number of cells of all blocks.
int64_t carom_mesh_cell_count(const carom_mesh *mesh);

// VTK's number of a type of cell.
uint8_t carom_cell_vtk_type(carom_cell_type type);

extern const carom_generator carom_generator_curve;
extern const carom_generator carom_generator_line;
extern const carom_generator carom_generator_point;
extern const carom_generator carom_generator_rectangle;
extern const carom_generator carom_generator_box;
extern const carom_generator carom_generator_plate;
extern const carom_generator carom_generator_ring;
extern const carom_generator carom_generator_disc;
extern const carom_generator carom_generator_hexagonal_disc;
extern const carom_generator carom_generator_cylinder;
extern const carom_generator carom_generator_tube;
extern const carom_generator carom_generator_sphere;
extern const carom_generator carom_generator_ball;
extern const carom_generator carom_generator_cube;
extern const carom_generator carom_generator_file;

#endif
