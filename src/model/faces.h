// SPDX-License-Identifier: MIT
// Faces of bodies on which pressure and traction act, and their area integrals.
#ifndef CAROM_MODEL_FACES_H
#define CAROM_MODEL_FACES_H

#include "carom/model.h"

// A triangle, a quadrilateral, or an edge of a plane body. Global nodes, counter-clockwise seen from outside, -1 after the
// last.
typedef struct carom_load_face {
    int nodes[4];
    double thickness; // of a plane body; 1 for faces of solids
} carom_load_face;

// Adds the integral of N_a n over the face to each of its nodes: area[k], summing up to the area vector, which points outward.
// Exact for the straight edge, the flat triangle and the bilinear quadrilateral.
void carom_load_face_normals(const carom_load_face *face, const double (*x)[3], double area[4][3]);
// The integral of N_a over the face.
void carom_load_face_areas(const carom_load_face *face, const double (*x)[3], double area[4]);

// Lists the selected faces of all bodies that the selection names, to be freed with free(); at least one. `def` is the
// definition of the model, whose bodies and nodes exist. Fails with CAROM_BAD_INPUT.
carom_status carom_model_select_faces(const carom_model *model, const carom_model_def *def, const carom_selection *where,
                                      carom_load_face **faces, int *count, carom_error *error);

#endif
