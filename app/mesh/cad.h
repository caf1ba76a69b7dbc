// SPDX-License-Identifier: MIT
// Files that the program gmsh reads: CAD and .geo are meshed, .med is converted.
#ifndef CAROM_APP_MESH_CAD_H
#define CAROM_APP_MESH_CAD_H

#include "carom/mesh.h"

typedef struct carom_cad_def {
    double size;  // of tetrahedra, at most; 0: gmsh decides
    bool trusted; // gmsh reads all its options, and runs all commands of a script
} carom_cad_def;

// Meshes the solids of a CAD file with tetrahedra, runs a .geo file, converts a .med file. Runs `gmsh` from the search path,
// without a shell; its files are temporary. Fails with CAROM_BAD_INPUT if gmsh refuses, or if a script can do more than make a
// mesh (script.h) and is not trusted, CAROM_IO if gmsh cannot be run.
carom_status carom_cad_read(const char *path, const carom_cad_def *cad, const carom_mesh_read_def *def, carom_mesh *mesh,
                            carom_error *error);

#endif
