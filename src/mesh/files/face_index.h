// SPDX-License-Identifier: MIT
// Faces that a file names, set against the cells of the body.
#ifndef CAROM_MESH_FILES_FACE_INDEX_H
#define CAROM_MESH_FILES_FACE_INDEX_H

#include "carom/mesh.h"

// Turns faces of solids (edges of plane cells) so that they are seen from outside the cell that they bound; a face between two cells
// stays as it is. A face that bounds no cell, or occurs twice, is dropped; `strangers` counts those without a cell. Where the body itself is a
// surface and a face is one of its cells, it stays as it is too. False if memory is short.
bool carom_face_index_orient(const carom_mesh *mesh, int dimension, int (*faces)[4], int *count, int64_t *strangers);

#endif
