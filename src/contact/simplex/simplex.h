// SPDX-License-Identifier: MIT
// A pair of boundary simplices (node and face, two edges) that must not overlap: signed area in the plane, signed volume in
// space.
//
// Only positions of nodes are needed, no normals and no projections, so that corners and edges are no
// special cases. The measure is that of C. Kane, E. A. Repetto, M. Ortiz, J. E. Marsden: Finite element analysis
// of nonsmooth contact. Comput. Methods Appl. Mech. Engrg. 180 (1999) 1-26, with the opposite sign:
//     node C, segment AB with the body on its left:  g = -[(B - A) x (C - A)]_z
//     node P, face 123 seen from outside:            g = (2 - 1) x (3 - 1) . (P - 1)
//     edge 12, edge 34:                              g = (2 - 1) x (4 - 3) . (3 - 1)
//     a plane, or two ends on a line:                a distance along a fixed normal
#ifndef CAROM_CONTACT_SIMPLEX_SIMPLEX_H
#define CAROM_CONTACT_SIMPLEX_SIMPLEX_H

#include "carom/contact.h"

typedef struct carom_simplex {
    carom_contact_kind kind;
    int count;   // of nodes
    int node[4]; // NODE_SEGMENT: C, A, B; NODE_FACE: P, 1, 2, 3; EDGE_EDGE: 1, 2, 3, 4; NODE_PLANE: one; END_END: two
    // +-1, such that the measure is positive while the pair is admissible: for edges, and for faces with two sides; else 1.
    int sign;
    double weight[2]; // NODE_PLANE and END_END, as in carom_contact
    double normal[3];
    double offset;
    double thickness; // gap to be kept
    int body[2];      // of the first node, and the other one; -1 - p for plane p
} carom_simplex;

// The measure, admissible if >= 0, at the positions x of all nodes: g (twice the area, six times the
// volume, or a distance) minus thickness times size. Also its gradient with respect to the nodes of the
// pair (NULL: not needed). The gradient has neither resultant nor moment about x, except for planes.
double carom_simplex_measure(const carom_simplex *pair, const double (*x)[3], double (*gradient)[3]);

// The size: |AB|, |(2 - 1) x (3 - 1)|, |(2 - 1) x (4 - 3)|, or 1 for planes and ends. Measure / size is a
// distance, multiplier * size a force.
double carom_simplex_size(const carom_simplex *pair, const double (*x)[3]);

// The gap, measure / size, and its gradient: the distance of the node from the plane of the face, or of the
// lines of the edges, minus the thickness. The size must not be 0.
double carom_simplex_gap(const carom_simplex *pair, const double (*x)[3], double (*gradient)[3]);

// The slip of the two sides along orthonormal tangents: sum_k D[a][k].u_k for displacements u_k of the
// nodes. It has neither resultant nor moment about x, except for planes. Returns the number of tangents: 0
// for ends on a line and pairs without a size, 1 in the plane, 2 in space.
int carom_simplex_slip(const carom_simplex *pair, const double (*x)[3], double D[2][4][3]);

#endif
