// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Mortar tying of two surfaces with different meshes. The position of each node A of the first (slave) side is a weighted sum
// of positions of nodes C of the second (master) side,
//
//     x_A = sum_C P_AC x_C,   P_AC = (1/D_A) int psi_A N_C,   D_A = int N_A,
//
// where the integrals are over the parts of the surfaces opposite each other, and psi_A are the dual functions of
// B. Wohlmuth: int psi_A N_B = 0 for A != B, sum_A psi_A = 1. A constant traction across the interface and a linear
// displacement field are transmitted exactly, for any two meshes.
#ifndef CAROM_TIED_MORTAR_H
#define CAROM_TIED_MORTAR_H

#include "tied/face.h"
#include "tied/rows.h"
#include "tied/seam.h"

typedef struct carom_mortar_def {
    const double (*X)[3];
    int node_count; // number of nodes of the model
    int face_count[2];
    const carom_tie_face *faces[2]; // slave faces, master faces
    double range;                   // faces with a larger gap are not opposite each other,
    double behind;                  // nor with a larger overlap (such as the outer sides of two plates)
} carom_mortar_def;

typedef struct carom_mortar_result {
    int tied;        // number of tied slave nodes
    int left;        // number of slave nodes without an opposite face; they stay free
    double distance; // largest distance of a slave node from the point to which it is tied
    int farthest;    // the node with this distance
    double mean[2];  // per side: mean size of the faces opposite a face of the other side
} carom_mortar_result;

// Appends a row x_A - sum_C P_AC x_C = 0 for each tied slave node A, in ascending order. X need not satisfy the rows: nodes are
// not moved. Appends to the seam the nodes of faces that cover each other, including those with too little overlap to be tied.
// CAROM_BAD_INPUT if faces of the second side overlap each other, CAROM_NO_MEMORY.
carom_status carom_mortar_tie(const carom_mortar_def *def, carom_tie_rows *rows, carom_seam *seam, carom_mortar_result *result,
                              carom_error *error);

#endif
