// SPDX-License-Identifier: MIT
// The face of a body that is closest to a point, while the nodes move on straight lines.
//
// Notation: t in [0, 1] is the time within a motion, x(t) = (1 - t) x0 + t x1. The height of a point is its signed distance
// from the plane of a face, positive outside; its foot is the point of the face closest to it.
#ifndef CAROM_CONTACT_SIMPLEX_CLOSEST_H
#define CAROM_CONTACT_SIMPLEX_CLOSEST_H

#include "contact/broad/tree.h"
#include "math/vec3.h"

// The motion of all nodes from x0 to x1.
typedef struct carom_motion {
    const double (*x0)[3], (*x1)[3];
    int dimension; // 2: z is ignored and given as 0
} carom_motion;

// Position of a node at time t; exactly x0 at t = 0 and x1 at t = 1.
static inline void carom_motion_position(const carom_motion *motion, int node, double t, double x[3]) {
    const double *a = motion->x0[node], *b = motion->x1[node];
    for (int i = 0; i < 3; i++)
        x[i] = i >= motion->dimension ? 0 : t == 0 ? a[i] : t == 1 ? b[i] : a[i] + t * (b[i] - a[i]);
}

// A point relative to a face.
typedef struct carom_closest {
    int face;        // -1: none
    double distance; // from the foot
    double height;   // above the plane of the face, positive outside
    bool over;       // the foot is inside the face, not on its border (up to rounding)
    double foot[3];
} carom_closest;

carom_closest carom_closest_on_face(const carom_surface *surface, const carom_motion *motion, double t, const double point[3],
                                    int face);

// Only the height of a point above a face, with the same bits as by carom_closest_on_face.
double carom_height_over_face(const carom_surface *surface, const carom_motion *motion, double t, const double point[3],
                              int face);

// True if face `a` is a better result than another one, which may be none (face -1). If both are within `limit`, the one
// with the larger |height| is better, otherwise the nearer one. At a common edge both faces are equally near, and only
// the sign of the larger |height| shows correctly on which side of the body the point is.
bool carom_closest_is_better(const carom_closest *a, const carom_closest *than, double limit);

// The face of a body that is closest to a point at time t; faces whose distances differ by less than `tie` count as equally
// near. The point is inside a closed body if its height is negative. The boxes of the tree must contain all faces at all times
// of the motion.
carom_closest carom_closest_on_body(const carom_tree *tree, const carom_motion *motion, double t, const double point[3],
                                    int body, double tie);

// The normal of a triangle with the length of twice its area; of a segment (b - a) turned clockwise, with
// its length. The body lies on the left of a segment, so this points outward.
static inline void carom_corners_normal(int corners, const double c[3][3], double n[3]) {
    double a[3], b[3];
    carom_difference(c[1], c[0], a);
    if (corners == 2) {
        n[0] = a[1], n[1] = -a[0], n[2] = 0;
        return;
    }
    carom_difference(c[2], c[0], b);
    carom_cross(a, b, n);
}

// Unit normal of a face at time t; false if the face has no area.
bool carom_face_normal(const carom_surface *surface, const carom_motion *motion, double t, int face, double normal[3]);

#endif
