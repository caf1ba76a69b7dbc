// SPDX-License-Identifier: MIT
// A point of a solid as a weighted sum of four of its nodes.
#ifndef CAROM_TIED_SPOT_H
#define CAROM_TIED_SPOT_H

#include "carom/mesh.h"

typedef struct carom_spot_place {
    int nodes[4];   // of the mesh: a tetrahedron, one of six of a hexahedron
    double outside; // how far the point is outside of it: the least barycentric coordinate, if negative, as a positive number
} carom_spot_place;

// The tetrahedron that a point is in, or that it is the least outside of. False if the mesh has no solid cells.
bool carom_spot_locate(const carom_mesh *mesh, const double (*X)[3], const double point[3], carom_spot_place *place);

// Weights of the four nodes for any point of space: they sum up to 1 and reproduce it.
void carom_spot_weights(const int nodes[4], const double (*X)[3], const double point[3], double weights[4]);

#endif
