// SPDX-License-Identifier: MIT
// A pair of boundary simplices that may not overlap: signed area in the plane, signed volume in space.
//
// Positions of nodes are all that is needed: no normals and no projections, so that corners and edges are nothing special. The measure is that of
// C. Kane, E. A. Repetto, M. Ortiz, J. E. Marsden: Finite element analysis of nonsmooth contact. Comput. Methods Appl. Mech. Engrg. 180
// (1999) 1-26, with the sign turned:
//     node C, segment AB with the body on its left:  g = -[(B - A) x (C - A)]_z
//     node P, face 123 seen from outside:            g = (2 - 1) x (3 - 1) . (P - 1)
//     edge 12, edge 34:                              g = (2 - 1) x (4 - 3) . (3 - 1)
//     a plane, or two ends on a line:                a distance along a fixed normal
#ifndef CAROM_CONTACT_SIMPLEX_SIMPLEX_H
#define CAROM_CONTACT_SIMPLEX_SIMPLEX_H

#include "carom/contact.h"

typedef struct carom_simplex {
    carom_contact_kind
        kind; // NODE_SEGMENT: C, A, B; NODE_FACE: P, 1, 2, 3; EDGE_EDGE: 1, 2, 3, 4; NODE_PLANE: one; END_END: two
    int count;
    int node[4];
    int sign; // +-1, so that the measure is positive where the pair was last admissible: of edges, and of faces with two sides; else 1
    double weight[2]; // NODE_PLANE and END_END, as in carom_contact
    double normal[3];
    double offset;
    double thickness; // distance that is kept
    int body[2];      // the body of the first node, the other one; or -1 - p for plane p
} carom_simplex;

// The measure, admissible if >= 0: g (twice the area, six times the volume, or a distance) less thickness times size, at the positions x of all nodes; and
// its gradient by the nodes of the pair (NULL: not asked for). The gradient has no resultant and no moment about x, but for planes.
double carom_simplex_measure(const carom_simplex *pair, const double (*x)[3], double (*gradient)[3]);

// |AB|, |(2 - 1) x (3 - 1)|, |(2 - 1) x (4 - 3)|, 1 for planes and ends: measure / size is a distance, multiplier * size a force.
double carom_simplex_size(const carom_simplex *pair, const double (*x)[3]);

// measure / size, and the gradient of that: of the distance between the node and the plane of the face, or between the lines of the edges. The size must not be 0.
double carom_simplex_gap(const carom_simplex *pair, const double (*x)[3], double (*gradient)[3]);

// How the two sides slip past each other, along orthonormal tangents: sum_k D[a][k].u_k for displacements u_k of the nodes of the pair. Without resultant and
// moment about x, but for planes. Returns how many tangents there are: 0 for ends on a line and pairs without a size, 1 in the plane, 2 in space.
int carom_simplex_slip(const carom_simplex *pair, const double (*x)[3], double D[2][4][3]);

#endif
