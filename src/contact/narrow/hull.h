// SPDX-License-Identifier: MIT
// Two moving features as one moving polygon and the origin (docs/theory/narrow_phase.md).
//
// The vectors from all points of the second feature to all points of the first form a convex polygon: for
// node against face the triangle p - y_k, for edge against edge the parallelogram a_i - b_j, for node
// against segment the segment p - y_k. The features touch if the polygon contains the origin; their
// distance is that of the polygon from the origin. Its corners move on straight lines.
//
// Sizes must lie between 2^-200 and 2^200, so that products of four lengths can be represented.
#ifndef CAROM_CONTACT_NARROW_HULL_H
#define CAROM_CONTACT_NARROW_HULL_H

#include <stdbool.h>

// The kind of a pair; the order of the vertices is that of carom_ccd_node_face, carom_ccd_edge_edge and
// carom_ccd_node_segment.
typedef enum carom_narrow_kind {
    CAROM_NARROW_NODE_FACE,
    CAROM_NARROW_EDGE_EDGE,
    CAROM_NARROW_NODE_SEGMENT, // in the plane: z is ignored
} carom_narrow_kind;

// Number of vertices of a pair, and of its first feature.
static inline int carom_narrow_count(carom_narrow_kind kind) {
    return kind == CAROM_NARROW_NODE_SEGMENT ? 3 : 4;
}
static inline int carom_narrow_split(carom_narrow_kind kind) {
    return kind == CAROM_NARROW_EDGE_EDGE ? 2 : 1;
}

// The polygon at the start [0] and the end [1] of its motion, corners in cyclic order.
typedef struct carom_hull {
    int count;      // corners: 2, 3 or 4
    int edge_count; // independent edges: 1, 3, or 2 for a parallelogram
    double corner[4][2][3];
    double edge[3][2][3]; // edge k from corner k to the next
} carom_hull;

// The polygon at one instant, in a local frame: a along its longest edge, b normal to a in the plane of the polygon, n
// normal to both. The axes are always orthonormal up to rounding; if the polygon has no area, b and n are arbitrary normals
// of a, and if it is a point all three are arbitrary. n may have either sign.
typedef struct carom_hull_view {
    int count;
    double corner[4][3];   // positions of the corners
    double size[4][3];     // sums of magnitudes of the terms they are interpolated from, for rounding bounds
    double axis[3][3];     // a, b, n
    int longest, shortest; // the edge along a, and the shortest edge
    double length;         // of the longest edge
    double across[2];      // components of the shortest edge along a and b
    double sine;           // of the angle between the longest and the shortest edge; 0 for a segment
    double place[4][2];    // corners along a and b
    double height;         // of the plane above the origin along n
    double foot[2];        // point of the polygon closest to the projection of the origin, along a and b
    int near;              // the foot lies on the edge from corner `near` to the next, at the fraction `along`
    double along;
    bool over; // the projection of the origin is in the polygon; then `near` is undefined
} carom_hull_view;

// The polygon of two features moving from x0 to x1.
void carom_hull_between(carom_narrow_kind kind, const double (*x0)[3], const double (*x1)[3], carom_hull *hull);

// The polygon at the fraction t of its motion.
void carom_hull_view_at(const carom_hull *hull, double t, carom_hull_view *view);

// The polygon of two features at rest at x: the same as carom_hull_view_at of a motionless hull, but faster.
void carom_hull_view_now(carom_narrow_kind kind, const double (*x)[3], carom_hull_view *view);

// The first time in [from, 1] at which the distance of the origin from the polygon falls to `margin`; false if it stays
// larger. Conservative: on [from, *time) the distance certainly exceeds the margin, rounding errors included. If
// convergence is slow, the search may end up to `tolerance` early, which is a false positive.
bool carom_hull_first(const carom_hull *hull, double margin, double from, double tolerance, double *time);

#endif
