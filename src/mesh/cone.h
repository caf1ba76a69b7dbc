// SPDX-License-Identifier: MIT
// Cutting cells into simplices so that neighbours fit. A face with four nodes is cut by the diagonal from its smallest node,
// which is the same seen from both of its cells. A solid cell is cut into the cone from its smallest node over the faces that
// do not touch it: two tetrahedra for each quadrilateral among them, one for each triangle. The faces at the apex are thereby
// cut by the diagonal from the apex, which is their smallest node too (compare J. Dompierre, P. Labbe, M.-G. Vallet, R.
// Camarero, 8th International Meshing Roundtable (1999) 195-204). A hexahedron gives six tetrahedra, a prism three, a pyramid
// two.
#ifndef CAROM_MESH_CONE_H
#define CAROM_MESH_CONE_H

enum { CAROM_CONE_MAX = 6 }; // tetrahedra of a cell, at most

// Two triangles with the orientation of the quadrilateral.
void carom_cut_quad(const int quad[4], int triangles[2][3]);

// The tetrahedra of a convex cell with `size` nodes; its faces are given by places in `nodes`, seen from outside, with -1 after
// the last of a triangle. Returns how many there are, fewer if the cell has one node twice.
int carom_cut_cell(const int *nodes, int size, const int (*faces)[4], int face_count, int tets[CAROM_CONE_MAX][4]);

#endif
