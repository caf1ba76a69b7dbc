// SPDX-License-Identifier: MIT
// Named faces of a file, matched with the cells of the body.
#ifndef CAROM_MESH_FILES_FACE_INDEX_H
#define CAROM_MESH_FILES_FACE_INDEX_H

#include "carom/mesh.h"

// Orients faces of solids (edges of plane cells) as seen from outside the cell that they bound; a face between two cells stays
// as it is. A face that bounds no cell, or is a repetition, is dropped; `strangers` is the number of those without a cell. If
// the body itself is a surface and a face is one of its cells, it stays as it is too. False if memory is short.
bool carom_face_index_orient(const carom_mesh *mesh, int dimension, int (*faces)[4], int *count, int64_t *strangers);

#endif
