// SPDX-License-Identifier: MIT
// Writers of meshes. They write to a stream; the caller checks it for errors.
#ifndef CAROM_MESH_FILES_WRITE_H
#define CAROM_MESH_FILES_WRITE_H

#include <stdio.h>

#include "carom/mesh.h"

// VTK's XML format with the arrays appended plainly. Node sets and cell sets are arrays of zeros and ones under their names.
carom_status carom_write_vtu(const carom_mesh *mesh, FILE *stream, carom_error *error);

// Gmsh MSH 4.1 in ASCII. All sets are physical groups: node sets of dimension 0, face sets of the dimension below that of the
// cells; sides of shells are left out. Reading the file again gives the same mesh, with a node set for each face set.
carom_status carom_write_msh(const carom_mesh *mesh, FILE *stream, carom_error *error);

// A number that reads back as the same bits, with a point in any locale.
void carom_write_number(FILE *stream, double value);

#endif
