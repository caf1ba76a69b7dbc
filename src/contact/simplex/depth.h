// SPDX-License-Identifier: MIT
// How deep a point is in a body whose nodes move on straight ways.
#ifndef CAROM_CONTACT_SIMPLEX_DEPTH_H
#define CAROM_CONTACT_SIMPLEX_DEPTH_H

#include "contact/broad/tree.h"

// Nodes go straight from x0 to x1, at time t from 0 to 1.
typedef struct carom_way {
    const double (*x0)[3], (*x1)[3];
    int dimension; // 2: z does not count and is given as 0
} carom_way;

void carom_way_place(const carom_way *way, int node, double t, double x[3]);

// A point as it is seen from a face.
typedef struct carom_sight {
    int face;        // -1: none
    double distance; // from its nearest point
    double height;   // over its plane, positive outside
    bool over;       // the nearest point is not on the border of the face, but for rounding
    double foot[3];  // the nearest point
} carom_sight;

carom_sight carom_sight_of(const carom_surface *surface, const carom_way *way, double t, const double point[3], int face);

// Whether a face is a better answer than another, of which the one or none is meant already: nearer, if neither is within `limit`; with a plane that is
// farther, if both are. So that of faces which are equally near, as at a common edge, the one is found whose side is the right one.
bool carom_sight_is_better(const carom_sight *a, const carom_sight *than, double limit);

// The nearest face of a body that a point sees at time t. The point is inside a closed body if its height is negative. The boxes of the tree hold all faces at all times of
// the way.
carom_sight carom_sight_nearest(const carom_tree *tree, const carom_way *way, double t, const double point[3], int body,
                                double tie);

// Unit normal of a face at time t; false if it has no area.
bool carom_face_normal(const carom_surface *surface, const carom_way *way, double t, int face, double normal[3]);

#endif
