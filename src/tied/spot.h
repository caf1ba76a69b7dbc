// SPDX-License-Identifier: MIT
// A point of a solid as a weighted sum of four of its nodes.
#ifndef CAROM_TIED_SPOT_H
#define CAROM_TIED_SPOT_H

#include "carom/mesh.h"

typedef struct carom_spot_place {
    int nodes[4];   // nodes of a tetrahedron: a cell, or one of six in a hexahedron
    double outside; // max(0, -least barycentric coordinate of the point): 0 if the point is inside
} carom_spot_place;

// The tetrahedron that contains a point, or the one with the smallest `outside`. False if the mesh has no solid cells.
bool carom_spot_locate(const carom_mesh *mesh, const double (*X)[3], const double point[3], carom_spot_place *place);

// Weights of the four nodes for any point of space (barycentric coordinates): they sum up to 1 and reproduce it.
void carom_spot_weights(const int nodes[4], const double (*X)[3], const double point[3], double weights[4]);

#endif
