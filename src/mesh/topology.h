// SPDX-License-Identifier: MIT
// Which cells share what: faces of solids, edges of surfaces. All in time proportional to the mesh.
#ifndef CAROM_MESH_TOPOLOGY_H
#define CAROM_MESH_TOPOLOGY_H

#include "carom/mesh.h"

// A face or edge of a cell. Nodes as they turn seen from outside the cell; -1 after the last.
typedef struct carom_facet {
    int nodes[4];
    int block, cell; // the cell it belongs to
} carom_facet;

// Number of faces of a solid cell (edges of a plane one), and the nodes of one of them: a triangle or quadrilateral that faces
// outward (an edge that runs with the cell), -1 after the last.
int carom_cell_facet_count(carom_cell_type type);
void carom_cell_facet(carom_cell_type type, const int *cell, int facet, int nodes[4]);
// Number of nodes of a facet.
int carom_facet_size(const int nodes[4]);

// The surface of a mesh: faces of solid cells that belong to one cell only; without solid cells, the plane cells themselves. In
// the order of the cells. Free with free().
carom_status carom_mesh_surface(const carom_mesh *mesh, carom_facet **facets, int *count, carom_error *error);

// The same, and the pairs of solid cells that lie on the same side of a face they share: given twice, or overlapping. Free both
// with free().
typedef struct carom_clash {
    int block[2], cell[2];
} carom_clash;
carom_status carom_mesh_surface_clashes(const carom_mesh *mesh, carom_facet **facets, int *count, carom_clash **clashes,
                                        int *clash_count, carom_error *error);

// A side of a face of a surface, from one node to the next.
typedef struct carom_edge {
    int from, to;
    int face; // index of the face
} carom_edge;

// The sides of all faces; those between the same two nodes stand together, in the order of their faces. Free with free().
carom_status carom_facet_edges(const carom_facet *facets, int count, carom_edge **edges, int *edge_count, carom_error *error);

// The end of the run of edges between the same nodes that begins at `begin`.
int carom_edge_run(const carom_edge *edges, int edge_count, int begin);

#endif
