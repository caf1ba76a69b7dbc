// SPDX-License-Identifier: MIT
// The surface of a cube of n x n x n cells as a grid, shared by the cube, the sphere mapped from it, and the ball.
#ifndef CAROM_MESH_GENERATE_CUBE_H
#define CAROM_MESH_GENERATE_CUBE_H

#include <stdint.h>

#include "carom/mesh.h"

// The number of nodes on the surface, 6 n^2 + 2, and the index of the node at the grid point (i, j, k), each in 0 ... n.
int64_t carom_cube_surface_count(int n);
int64_t carom_cube_surface_node(int n, const int at[3]);

// The four corners of square q of 6 n^2, counter-clockwise as seen from outside. Squares are ordered by the faces xmin, xmax,
// ymin, ymax, zmin, zmax.
void carom_cube_surface_square(int n, int64_t q, int corners[4][3]);

// The whole surface as 12 n^2 triangles in [-1, 1]^3. The diagonals of each face run between the corners of the cube that form
// an inscribed tetrahedron, so that those of opposite faces cross.
carom_status carom_cube_surface_mesh(int n, carom_mesh *mesh, carom_error *error);

#endif
