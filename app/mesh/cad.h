// SPDX-License-Identifier: MIT
// Files that the program gmsh reads: CAD and .geo are meshed, .med is converted.
#ifndef CAROM_APP_MESH_CAD_H
#define CAROM_APP_MESH_CAD_H

#include "carom/mesh.h"

// Meshes the solids of a CAD file with tetrahedra of at most `size` (0: gmsh decides), runs a .geo file, converts a .med file.
// Runs `gmsh` from the search path, without a shell; its files are temporary. Fails with CAROM_BAD_INPUT if gmsh refuses,
// CAROM_IO if it cannot be run.
carom_status carom_cad_read(const char *path, double size, const carom_mesh_read_def *def, carom_mesh *mesh,
                            carom_error *error);

#endif
