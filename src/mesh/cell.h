// SPDX-License-Identifier: MIT
// Geometry of one cell, given the positions of its nodes.
#ifndef CAROM_MESH_CELL_H
#define CAROM_MESH_CELL_H

#include "carom/mesh.h"

// Length, area or volume; a volume is negative if the cell is inside out. That of a quadrilateral or hexahedron is the one of the
// (bi-, tri-)linear cell.
double carom_cell_measure(carom_cell_type type, const double (*x)[3]);

// Shape from 0 (degenerate or turned inside out somewhere) to 1 (regular): the mean ratio, for cells with four or eight corners
// that of their worst corner. 1 for points and lines of some length.
double carom_cell_quality(carom_cell_type type, const double (*x)[3]);

// The smallest determinant of the edges at a corner, divided by the product of their lengths (0 if one is zero): negative if the
// cell is inside out there. Of plane cells, whose normal may point anywhere, against their mean normal.
double carom_cell_turn(carom_cell_type type, const double (*x)[3]);

// Turns a cell inside out, a surface or line the other way round, by the order of its nodes.
void carom_cell_reverse(carom_cell_type type, int *nodes);

// A third of the flux of the position through a face: its share of the volume inside a closed surface.
double carom_face_flux(int size, const double (*x)[3]);

// The nodes of the edges of a cell: 12 at most; returns how many.
int carom_cell_edges(carom_cell_type type, int edges[12][2]);

#endif
