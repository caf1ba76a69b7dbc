// SPDX-License-Identifier: MIT
// The narrow phase of the event-driven contact solver (docs/theory/narrow_phase.md): the closest points of two features (node
// and face, two edges, node and segment) at an instant, and the time at which their distance falls to a given contact layer.
// `x` holds the vertices in the order of carom_ccd_node_face, carom_ccd_edge_edge or carom_ccd_node_segment (three vertices);
// the first feature is the node or the edge a.
#ifndef CAROM_CONTACT_NARROW_NARROW_H
#define CAROM_CONTACT_NARROW_NARROW_H

#include "carom/contact.h"
#include "contact/narrow/hull.h"

// Tolerance of the inside test: a foot (the projected closest point) outside by at most this fraction of an edge is inside.
#define CAROM_NARROW_INSIDE 1e-9
// Two edges with a smaller sine of their angle count as parallel: their closest points are not unique, and not `inside`.
#define CAROM_NARROW_PARALLEL 1e-6

// The closest points of two features: c1 on the first, c2 on the second.
typedef struct carom_nearest {
    double weight[4]; // c1 - c2 = sum weight_k x_k; they sum to 1 over the first feature and to -1 over the second
    double normal[3]; // unit vector from c2 to c1; normal to face or edges even if c1 and c2 coincide
    double distance;  // |c1 - c2| >= 0
    bool inside;      // the foot is inside the face or segment, or inside both edges, which are then not parallel
} carom_nearest;

// The closest points at the positions x. If they are not unique (parallel edges), the middle of the closest
// region, so that the result does not depend on the order of the vertices. If the features touch, x does not
// determine the sign of the normal; it is chosen such that the pair approaches with the velocities v (may be NULL).
void carom_narrow_nearest(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], carom_nearest *nearest);

// The time of impact of two features whose vertices move on straight lines from x0 to x1, with the accuracy of
// carom_ccd_node_face; false if they do not touch.
static inline bool carom_narrow_meet(carom_narrow_kind kind, const double (*x0)[3], const double (*x1)[3], double *time) {
    return kind == CAROM_NARROW_NODE_FACE   ? carom_ccd_node_face(x0, x1, 0, time)
           : kind == CAROM_NARROW_EDGE_EDGE ? carom_ccd_edge_edge(x0, x1, 0, time)
                                            : carom_ccd_node_segment(x0, x1, 0, time);
}

// Below this fraction of the layer height, contact is resolved even if the closest points are not `inside`.
#define CAROM_NARROW_ANYWHERE (1.0 / 16)

// The layer in which contacts are resolved before they happen.
typedef struct carom_narrow_layer {
    double height; // eta, length, > 0
    double slow;   // approach speed; slower pairs in the layer are not yet events (the limit falls to 0 at height/4)
    double offset; // thickness that is subtracted from all distances, >= 0
    bool patient;  // a pair in the layer is not an event before its distance has halved, at any approach speed
} carom_narrow_layer;

typedef struct carom_narrow_hit {
    double time;
    double level; // the distance whose crossing this is
    double rate;  // normal.(relative velocity), < 0: the pair approaches
    carom_nearest nearest;
} carom_narrow_hit;

// A quick test: true if the boxes around the paths of the two features between two times come within
// `reach` of each other. Vertices at x + t v.
bool carom_narrow_boxes_meet(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double from, double to,
                             double reach);

// The first time in [t0, t1] at which the distance of the features, with vertices at x + t v, falls to
// `level` (>= 0); false if it stays larger. Conservative as carom_ccd_node_face: before *time the distance
// is certainly larger, also that of positions x + t v rounded to doubles.
bool carom_narrow_level(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double t0, double t1, double level,
                        double *time);

// Bound of the rounding error of the distances of a pair that moves as x + t v until the time `last`. The lowest contact
// level is at three times this bound.
double carom_narrow_rounding(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double last);

// The distance below which contact of a pair is resolved: the height of the layer, or a fraction of it if the closest points
// are not `inside`.
static inline double carom_narrow_act_height(carom_narrow_layer layer, const carom_nearest *nearest) {
    return nearest->inside ? layer.height : CAROM_NARROW_ANYWHERE * layer.height;
}

// The next event of a pair in [t0, t1]: the pair approaches, and
// - at t0 it is in the layer and faster than the limit `slow`, with closest points `inside` or in the lowest part of the
//   layer (CAROM_NARROW_ANYWHERE); or
// - its distance falls to one of the levels eta, eta/4, eta/16, ... (from inside the layer: d/2, d/8, ...) with the
//   closest points `inside`; or
// - its distance falls to one of the levels from eta/16 down, wherever the closest points are.
// The lowest level is that of the rounding of the positions; an approaching pair is an event there too. No contact
// (distance zero) is missed, and the side is kept: at the event the distance is positive unless it was zero before t0.
bool carom_narrow_first(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double t0, double t1,
                        const carom_narrow_layer *layer, carom_narrow_hit *hit);

#endif
