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

// The polygon at one instant, in a frame of its own: a along its longest edge, b across it in the plane, n
// normal to both. The axes are orthonormal up to rounding whatever the polygon; if it has no area, b and n
// are any directions across, and if it is a point all three are arbitrary. Both signs of n occur.
typedef struct carom_hull_view {
    int count;
    double corner[4][3];   // where the corners are
    double size[4][3];     // magnitudes of the terms they are interpolated from, for rounding bounds
    double axis[3][3];     // a, b, n
    int longest, shortest; // the edge along a, and the shortest edge
    double length;         // of the longest edge
    double across[2];      // the other edge along a and b
    double sine;           // of the angle between these two; 0 for a segment
    double place[4][2];    // corners along a and b
    double height;         // of the plane above the origin along n
    double foot[2];        // point of the polygon closest to the projection of the origin, along a and b
    int near;              // it lies on the edge from corner `near` to the next, at the fraction `along`
    double along;
    bool over; // the projection of the origin is in the polygon; then `near` is undefined
} carom_hull_view;

// The polygon of two features moving from x0 to x1.
void carom_hull_between(carom_narrow_kind kind, const double (*x0)[3], const double (*x1)[3], carom_hull *hull);

// The polygon at the fraction t of its motion.
void carom_hull_view_at(const carom_hull *hull, double t, carom_hull_view *view);

// The polygon of two features that stand at x: as carom_hull_view_at of one that does not move, without the detour.
void carom_hull_view_now(carom_narrow_kind kind, const double (*x)[3], carom_hull_view *view);

// The first time in [from, 1] at which the origin comes within `margin` of the polygon; false if it stays
// away. Conservative: on [from, *time) the distance certainly exceeds the margin, whatever was rounded
// here. If convergence is slow, the search may end a `tolerance` early, with a false alarm.
bool carom_hull_first(const carom_hull *hull, double margin, double from, double tolerance, double *time);

#endif
