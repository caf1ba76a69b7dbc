// SPDX-License-Identifier: MIT
// Geometry of one cell, given the positions of its nodes.
#ifndef CAROM_MESH_CELL_H
#define CAROM_MESH_CELL_H

#include "carom/mesh.h"

// Length, area or volume; the volume of an inverted cell is negative. Quadrilaterals and hexahedra are bilinear and trilinear.
double carom_cell_measure(carom_cell_type type, const double (*x)[3]);

// Shape from 0 (degenerate, or inverted at some corner) to 1 (regular): the mean ratio, for cells with four, six or eight
// corners that of their worst corner. 1 for points and for lines of nonzero length.
double carom_cell_quality(carom_cell_type type, const double (*x)[3]);

// The smallest determinant of the edges at a corner, divided by the product of their lengths (0 if one is zero): negative if
// the cell is inverted there. For plane cells, whose normal may point anywhere, relative to their mean normal.
double carom_cell_turn(carom_cell_type type, const double (*x)[3]);

// Reverses the orientation of a cell by the order of its nodes.
void carom_cell_reverse(carom_cell_type type, int *nodes);

// A third of the flux of the position through a face: its share of the volume inside a closed surface.
double carom_face_flux(int size, const double (*x)[3]);

// The nodes of a wedge as a hexahedron with two edges of length zero: the map is the same, and so are volume and centroid.
extern const int carom_wedge_as_hex[8];

// Shape functions of a cell with an area or a volume at the natural coordinates u, and their derivatives along these. The
// coordinates of quadrilaterals and hexahedra, and the third one of wedges, are 0 and 1 on opposite sides; the others are the
// shape functions of the second to the last corner of a triangle or tetrahedron.
void carom_cell_shape(carom_cell_type type, const double u[3], double N[CAROM_CELL_NODES_MAX],
                      double slope[CAROM_CELL_NODES_MAX][3]);

// The nodes of the edges of a cell: 12 at most; returns how many.
int carom_cell_edges(carom_cell_type type, int edges[12][2]);

#endif
