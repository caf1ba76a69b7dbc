// SPDX-License-Identifier: MIT
// The narrow phase as the event loop of a drift uses it (docs/theory/narrow_phase.md): where two features are nearest at an instant, and
// when they come as near as a given layer. `x` holds the vertices in the order of carom_ccd_node_face, carom_ccd_edge_edge or
// carom_ccd_node_segment (three of them); the first feature is the node or the edge a.
#ifndef CAROM_CONTACT_NARROW_NARROW_H
#define CAROM_CONTACT_NARROW_NARROW_H

#include "contact/narrow/hull.h"

// Feet this far outside, as a part of an edge, count as inside.
#define CAROM_NARROW_INSIDE 1e-9
// Edges whose angle has a smaller sine are parallel: their feet are not unique, and not called inside.
#define CAROM_NARROW_PARALLEL 1e-6

// The nearest points of two features: c1 on the first, c2 on the second.
typedef struct carom_nearest {
    double weight[4]; // c1 - c2 = sum weight_k x_k; they add up to zero: 1 for the node or over edge a, -1 over the other
    double normal[3]; // unit vector from c2 to c1; normal to face or edges even where c1 and c2 coincide
    double distance;  // |c1 - c2| >= 0
    bool inside;      // the foot is inside the face or segment, or inside both edges, which are not parallel
} carom_nearest;

// The nearest points at the positions x. Where they are not unique (parallel edges) it is the middle of what is nearest, so that the result
// does not depend on the order of the vertices. Where the features touch, the side from which the normal points is
// not known by x alone; it is chosen such that the velocities v, which may be NULL, close the pair.
void carom_narrow_nearest(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], carom_nearest *nearest);

// Below this part of the layer a pair acts wherever its feet are.
#define CAROM_NARROW_ANYWHERE (1.0 / 16)

// The layer in which contacts are resolved before they happen.
typedef struct carom_narrow_layer {
    double height; // eta, length, > 0
    double slow;   // a pair inside the layer that closes slower than this speed is left alone for now (fading to 0 at height/4)
    double offset; // where it begins: distances count from there, >= 0
    bool patient;  // a pair inside the layer is left alone until half of its distance is gone, however fast it closes
} carom_narrow_layer;

typedef struct carom_narrow_hit {
    double time;
    double level; // the distance whose crossing this is
    double rate;  // normal.(relative velocity) < 0
    carom_nearest nearest;
} carom_narrow_hit;

// A quick look: true if the boxes around the ways of the two features between two times come within `reach` of each other. Vertices at x + t v.
bool carom_narrow_boxes_meet(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double from, double to,
                             double reach);

// The first time in [t0, t1] at which the distance of the features, whose vertices are at x + t v, falls to `level` (>= 0); false if it
// stays larger. Conservative as carom_ccd_node_face: before *time the distance is larger for certain, also that of positions
// x + t v rounded to doubles.
bool carom_narrow_level(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double t0, double t1, double level,
                        double *time);

// At which distance a pair acts: at the height of the layer, or its lowest part where the feet are not inside.
static inline double carom_narrow_act_height(carom_narrow_layer layer, const carom_nearest *nearest) {
    return nearest->inside ? layer.height : CAROM_NARROW_ANYWHERE * layer.height;
}

// The next event of a pair in [t0, t1]: it closes, and
// - at t0 its feet are inside, it is in the layer and not slow, or it is in the lowest part of the layer; or
// - its distance falls to one of the levels eta, eta/4, eta/16, ... (from inside the layer: d/2, d/8, ...) with the feet inside; or
// - it falls to one of the levels from eta/16 down, wherever the feet are.
// The levels end where rounding of the positions begins; there too a pair that closes is an event. So no contact (distance zero) is missed
// and the side is kept: at the time of the event the distance is positive unless it was lost before t0.
bool carom_narrow_first(carom_narrow_kind kind, const double (*x)[3], const double (*v)[3], double t0, double t1,
                        const carom_narrow_layer *layer, carom_narrow_hit *hit);

#endif
