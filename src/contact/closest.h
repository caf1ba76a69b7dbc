// SPDX-License-Identifier: MIT
// The closest points of two features of surfaces at one instant: a node and a triangle, two edges, or a node and a segment in the plane.
#ifndef CAROM_CONTACT_CLOSEST_H
#define CAROM_CONTACT_CLOSEST_H

#include "carom/contact.h"

// With the corners x the distance is |sum_k w_k x_k|, along the normal. For features that only approach each other it changes as fast as the
// corners move with these weights: moving the points within their features changes it to second order only.
typedef struct carom_closest {
    double weight[4]; // add up to zero; positive on the first feature
    double normal[3]; // unit vector from the second feature to the first; zero if they touch
    double distance;
    bool inside; // the points are not held back by the boundary of their features (up to 1e-9 of their size)
} carom_closest;

// Number of nodes of a kind, and how many of them belong to the first feature. Kinds: CAROM_CONTACT_NODE_FACE, _EDGE_EDGE, _NODE_SEGMENT.
int carom_closest_count(carom_contact_kind kind);
int carom_closest_split(carom_contact_kind kind);

// x: corners of the first feature, then of the second. Degenerate features (triangles without area, edges without length, parallel
// edges) have closest points too, not always unique. In the plane the third component is ignored.
carom_closest carom_closest_points(carom_contact_kind kind, const double x[4][3]);

#endif
