// SPDX-License-Identifier: MIT
// Solid boxes of hexahedra on a grid.
#ifndef CAROM_MESH_GENERATE_BOX_H
#define CAROM_MESH_GENERATE_BOX_H

#include "carom/mesh.h"

// Fills a mesh with n[0] x n[1] x n[2] cells between planes, number k of each axis at plane(owner, axis, k) for k in
// 0 ... n[axis]; with `split` each cell becomes six tetrahedra. Names its sides: six names in the order xmin, xmax, ymin, ymax,
// zmin, zmax, then NULL; and `surface`.
carom_status carom_mesh_lattice(const int n[3], double (*plane)(const void *owner, int axis, int k), const void *owner,
                                bool split, const char *const names[7], carom_mesh *mesh, carom_error *error);

#endif
