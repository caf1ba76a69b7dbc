// SPDX-License-Identifier: MIT
// The pairs of features by which two faces of a surface can touch: nodes and faces, edges and edges, in the plane nodes and
// segments. Lines and points meet faces, and not each other.
#ifndef CAROM_CONTACT_NARROW_FACE_PAIRS_H
#define CAROM_CONTACT_NARROW_FACE_PAIRS_H

#include "contact/narrow/narrow.h"
#include "contact/surface.h"

enum { CAROM_FACE_PAIRS = 15 };

typedef struct carom_face_pair {
    carom_narrow_kind kind;
    int nodes[4];
    bool swapped; // the first feature belongs to the second face
} carom_face_pair;

// Lists the pairs of features of faces f and g; returns their number, at most CAROM_FACE_PAIRS.
int carom_face_pairs_of(const carom_surface *surface, int f, int g, carom_face_pair *pairs);

#endif
