// SPDX-License-Identifier: MIT
// Functions by which generators and readers fill a mesh.
#ifndef CAROM_MESH_MESH_H
#define CAROM_MESH_MESH_H

#include "carom/mesh.h"

// Drops nodes without a cell; the others keep their ids.
carom_status carom_mesh_drop_unused(carom_mesh *mesh, carom_error *error);

// Replaces a mesh of solid cells by its surface, in triangles. Node sets keep their nodes on it; cell sets and face sets are
// dropped.
carom_status carom_mesh_cell_surface(carom_mesh *mesh, carom_error *error);

// Number of cells of all blocks.
int64_t carom_mesh_cell_count(const carom_mesh *mesh);

// Order of two ints, for qsort and bsearch.
int carom_mesh_compare(const void *a, const void *b);

// The number of a cell by its place among those of all blocks.
int64_t carom_mesh_cell_id_at(const carom_mesh *mesh, int place);

// Drops all cells, and the sets that are made of them.
void carom_mesh_drop_cells(carom_mesh *mesh);

// The highest dimension of its cells; 0 without cells.
int carom_mesh_dimension(const carom_mesh *mesh);

// The box around all nodes; an empty one, low above high, without nodes.
void carom_mesh_bounds(const carom_mesh *mesh, double low[3], double high[3]);

// Which nodes belong to a cell; NULL if memory is short. Free with free().
bool *carom_mesh_used(const carom_mesh *mesh);

// Gives the nodes of cells, sets and faces their new numbers, -1 for those that are dropped: they are removed from sets, and
// faces that lose a corner are dropped; with `welded` those that have one twice as well. Sets stay sorted and without
// repetitions.
void carom_mesh_rename_nodes(carom_mesh *mesh, const int *to, bool welded);
// The same for the cells of sets.
void carom_mesh_rename_cells(carom_mesh *mesh, const int *to);

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
