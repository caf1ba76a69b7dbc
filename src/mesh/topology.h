// SPDX-License-Identifier: MIT
// Finds which cells share a face and which faces share an edge: the surface of a mesh and its edges, in time proportional to
// the mesh.
#ifndef CAROM_MESH_TOPOLOGY_H
#define CAROM_MESH_TOPOLOGY_H

#include "carom/mesh.h"

// A face or edge of a cell: nodes, -1 after the last. A face is counter-clockwise seen from outside a solid cell, an edge runs
// in the direction of its plane cell.
typedef struct carom_facet {
    int nodes[4];
    int block, cell; // the cell it belongs to
} carom_facet;

// Number of faces of a solid cell (edges of a plane one), and the nodes of one of them: a triangle or quadrilateral that faces
// outward (an edge that runs with the cell), -1 after the last.
int carom_cell_facet_count(carom_cell_type type);
// All faces (edges) of a cell, in local node numbers.
const int (*carom_cell_facets(carom_cell_type type, int *count))[4];
void carom_cell_facet(carom_cell_type type, const int *cell, int facet, int nodes[4]);
// Number of nodes of a facet.
int carom_facet_size(const int nodes[4]);
// Its nodes in ascending order, -1 first if there are fewer than four.
void carom_facet_sort(int nodes[4]);

// The surface of a mesh: faces of solid cells that belong to one cell only; without solid cells, the plane cells themselves. In
// the order of the cells. Faces are kept as numbers of four bytes, so that even a mesh with a bad surface takes little memory.
typedef struct carom_boundary {
    const carom_mesh *mesh; // borrowed; its cells may be reversed, but not added or removed
    int count;
    int *faces; // place of the cell in the mesh, times CAROM_BOUNDARY_SIDES, plus the side of a solid cell
} carom_boundary;

enum { CAROM_BOUNDARY_SIDES = 6 };

// Pairs of solid cells that lie on the same side of a face they share: given twice, or overlapping. Places in the mesh.
typedef struct carom_clash {
    int cells[2];
} carom_clash;

// `clashes` may be NULL; free them with free().
carom_status carom_boundary_create(carom_boundary *surface, const carom_mesh *mesh, carom_clash **clashes, int *clash_count,
                                   carom_error *error);
void carom_boundary_release(carom_boundary *surface);
carom_facet carom_boundary_facet(const carom_boundary *surface, int face);

// The surface as a list of facets. Free with free().
carom_status carom_mesh_surface(const carom_mesh *mesh, carom_facet **facets, int *count, carom_error *error);

// Adds facets as a face set and their nodes as a node set.
carom_status carom_mesh_add_facets(carom_mesh *mesh, const char *name, const carom_facet *facets, int count,
                                   carom_error *error);

// A side of a face of a surface, from one node to the next.
typedef struct carom_edge {
    int from, to;
    int face, side; // index of the face in the surface; of `from` in its nodes
} carom_edge;

// The sides of all faces as numbers, to be read by the two functions below. Sides between the same two nodes are consecutive,
// in the order of their faces; runs are ordered by their smaller node, then by the larger one. Free with free().
carom_status carom_boundary_edges(const carom_boundary *surface, int **edges, int *edge_count, carom_error *error);
carom_edge carom_boundary_edge(const carom_boundary *surface, int edge);

// The end of the run of edges between the same nodes that begins at `begin`.
int carom_edge_run(const int *edges, int edge_count, int begin);

#endif
