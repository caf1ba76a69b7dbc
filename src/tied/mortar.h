// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Two surfaces with meshes of their own, glued: each node A of the first follows the second,
//
//     x_A = sum_C P_AC x_C,   P_AC = (1/D_A) int psi_A N_C,   D_A = int N_A,
//
// where the integrals are over the part of the surfaces that lie opposite each other, and psi_A are the dual functions of
// B. Wohlmuth: int psi_A N_B = 0 for A != B, sum_A psi_A = 1. So a constant traction across the interface is transmitted
// exactly, and so is a linear field, whatever the two meshes.
#ifndef CAROM_TIED_MORTAR_H
#define CAROM_TIED_MORTAR_H

#include "tied/face.h"
#include "tied/rows.h"
#include "tied/seam.h"

typedef struct carom_mortar_def {
    const double (*X)[3];
    int node_count; // of the model
    int face_count[2];
    const carom_tie_face *faces[2]; // those whose nodes follow, and those that are followed
    double range;                   // faces farther apart than this are not opposite each other,
    double behind;                  // nor those of which one lies farther behind the other, as the far sides of two plates do
} carom_mortar_def;

typedef struct carom_mortar_result {
    int tied;        // nodes that follow
    int left;        // nodes of the first faces that nothing lies opposite of; they stay free
    double distance; // the largest distance of a node from the point that it follows, and
    int farthest;    // that node
    double mean[2];  // mean size of the faces of both sides that lie opposite something
} carom_mortar_result;

// Appends a row for each node that follows, in the order of their numbers: x_A - sum_C P_AC x_C = 0. Its distance from the
// point that it follows is not yet closed. Appends to the seam the nodes of faces that cover each other, those included that
// cover too little of each other to be tied. CAROM_BAD_INPUT if faces of the second side overlap each other, CAROM_NO_MEMORY.
carom_status carom_mortar_tie(const carom_mortar_def *def, carom_tie_rows *rows, carom_seam *seam, carom_mortar_result *result,
                              carom_error *error);

#endif
