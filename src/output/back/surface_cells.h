// SPDX-License-Identifier: MIT
// The visible part of the bodies in a frame: surfaces of solids, plane cells, outlines of beams, otherwise
// lines and points. Nodes are renumbered: first those that are shown, body after body, then those inside
// solids, which are needed for sections.
#ifndef CAROM_OUTPUT_BACK_SURFACE_CELLS_H
#define CAROM_OUTPUT_BACK_SURFACE_CELLS_H

#include "output/back/vtu_reader.h"

typedef enum carom_cell_surface_shape {
    CAROM_CELL_SURFACE_POINTS,
    CAROM_CELL_SURFACE_LINES,
    CAROM_CELL_SURFACE_TRIANGLES
} carom_cell_surface_shape;

typedef struct carom_cell_surface_body {
    carom_cell_surface_shape shape;
    int dimension; // of its elements: 0 points, 1 bars and beams, 2 shells and plane solids, 3 solids
    int node_begin, node_count;
    int cell_begin, cell_count;         // in cells of 1, 2 or 3 nodes, after those of the bodies before
    int64_t place;                      // index in `cells` of its first node number
    int edge_begin, edge_count;         // of triangles only
    int inner_begin, inner_count;       // nodes inside a solid
    int solid_begin[2], solid_count[2]; // its tetrahedra and hexahedra in `solids`
} carom_cell_surface_body;

typedef struct carom_cell_surface {
    int point_count, cell_count; // of the frame
    int body_count;
    carom_cell_surface_body *bodies;
    int node_count;  // of all nodes
    int shown_count; // of those that are shown; nodes inside solids follow
    int *points;     // the point of the frame that each node is
    int *cells;      // nodes of all cells
    int (*edges)[2];
    int *solids[2]; // nodes of all tetrahedra, four each, and of all hexahedra, eight each
    // cells of the frame around each node: around[around_begin[k]] to around[around_begin[k + 1]]
    int64_t *around_begin;
    int *around;
} carom_cell_surface;

carom_status carom_cell_surface_create(const carom_vtu_file *frame, carom_cell_surface *surface, carom_error *error);
void carom_cell_surface_release(carom_cell_surface *surface);

// Leaves out the nodes and cells inside solids.
void carom_cell_surface_hollow(carom_cell_surface *surface);

#endif
