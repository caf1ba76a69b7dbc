// SPDX-License-Identifier: MIT
// Contact: one record for all geometries, and the settings of contact in a model.
#ifndef CAROM_CONTACT_H
#define CAROM_CONTACT_H

#include "carom/param.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_contact_kind {
    CAROM_CONTACT_END_END,      // end point of a bar, or point mass, against another, along their common axis
    CAROM_CONTACT_NODE_PLANE,   // node against a fixed plane
    CAROM_CONTACT_NODE_FACE,    // node against a triangle of a surface: node, three corners
    CAROM_CONTACT_EDGE_EDGE,    // two edges of surfaces: two ends each
    CAROM_CONTACT_NODE_SEGMENT, // in the plane, node against a segment: node, two ends
} carom_contact_kind;

// A side of a contact whose nodes belong to a rigid body: the degrees of freedom are those of the body (docs/theory/rigid.md).
// Where a deformable part is tied to a rigid body, only some of the nodes of a side may be rigid. If nodes of both sides belong
// to one rigid body, all of them are counted on the first side.
typedef struct carom_contact_side {
    int centre;    // node at the mass centre of the body; 0: no node of the side is rigid
    int turn;      // index of the angular velocity of the body in arrays of velocities, after those of all nodes
    double sign;   // sum of the weights of the rigid nodes: 1 or -1 if all nodes of the side are rigid
    double arm[3]; // sum over them of weight times the vector from the mass centre to the node
} carom_contact_side;

// A possible contact between up to four nodes. With weights that add up to zero (to one against a fixed plane) the gap is
//     g = n . sum_k w_k x_k - offset,   admissible: g >= 0,   gradient w_k n,   rate n . sum_k w_k v_k.
typedef struct carom_contact {
    carom_contact_kind kind;
    int count;   // nodes that take part, 1 to 4
    int node[4]; // global node indices
    double weight[4];
    double normal[3];           // unit vector, from the first side to the second
    double offset;              // length
    int body[2];                // first and second side; -1 - p for plane p
    int rigid_nodes[2];         // bit k: node k belongs to the rigid body of that side
    carom_contact_side side[2]; // of its nodes: the first one (two of an edge), and the others
} carom_contact;

// How a contact is resolved by the explicit integrators.
typedef enum carom_resolve {
    CAROM_RESOLVE_EXACT,      // at its exact time inside the drift of the step; positions are never moved by contact
    CAROM_RESOLVE_PROJECTION, // after the drift: positions projected, then the impulse (Cirak & West)
} carom_resolve;

// The nodes that a projection moves.
typedef enum carom_moves {
    CAROM_MOVES_PAIR, // all nodes of a pair, in proportion to their mobilities
    CAROM_MOVES_NODE, // the node, or of two edges the first one, alone
} carom_moves;

// The response to a hold. A hold ends a cascade of impacts that does not stop by itself: the nodes of the cascade move as one
// rigid body for a step (CAROM_EVENT_CONTACT_HELD).
typedef enum carom_on_hold {
    CAROM_ON_HOLD_WARN, // the hold is counted and the run continues
    CAROM_ON_HOLD_STOP, // the run ends as a numerical failure
} carom_on_hold;

// A fixed plane; the admissible side is the one its normal points to.
typedef struct carom_plane_def {
    char name[CAROM_NAME_MAX];
    double point[3];  // length
    double normal[3]; // any length but zero
} carom_plane_def;

// Settings of contact between two sides, in place of the general ones. A side is the name of a body, of a group of bodies or of
// a plane; the same name twice means the contact of bodies with themselves and, of a group, with each other. Where several
// apply, the last one counts.
typedef struct carom_contact_pair_def {
    char side[2][CAROM_NAME_MAX];
    bool touch;         // false: no contact, the two sides pass through each other
    double restitution; // NaN: the general setting
    double friction;    // NaN: the general setting, and the next two are ignored
    double friction_kinetic, friction_decay;
} carom_contact_pair_def;

typedef struct carom_contact_def {
    bool enabled;
    double restitution; // local restitution at the contact point, 0 to 1
    double friction;    // static coefficient; at the slip speed v: mu = kinetic + (friction - kinetic) exp(-decay v)
    double friction_kinetic, friction_decay; // kinetic: 0 to `friction`, NaN: equal to it; decay: time/length
    int resolve;                             // carom_resolve
    double layer;     // thickness of the layer in which surfaces act on each other, in units of their shortest side
    double thickness; // length: distance that the surfaces of different bodies keep
    int on_hold;      // carom_on_hold
    bool return_work; // `resolve: projection` only: the impulse returns the work of the projection
    int moves;        // `resolve: projection` only: carom_moves
    bool return_spin; // `resolve: projection` only: a turn of the pair restores its angular momentum
    bool self;        // the surface of a body can be in contact with itself
    int plane_count;
    const carom_plane_def *planes;
    int pair_count;
    const carom_contact_pair_def *pairs;
} carom_contact_def;

// Definitions to start from, with the defaults of the tables below: contact without friction or planes, the plane z = 0 that
// faces up, and a pair with the general settings.
CAROM_API carom_contact_def carom_default_contact_def(void);
CAROM_API carom_plane_def carom_default_plane_def(void);
CAROM_API carom_contact_pair_def carom_default_contact_pair_def(void);

// x0, x1: positions at the start and the end of the step; node-face order: node, f0, f1, f2; edge-edge order: a0, a1, b0, b1.
// Returns true if the two touch within the step; *toi in [0, 1] is at or before the first contact, within tolerance for
// well-conditioned motion.
//
// Each vertex moves on a straight line at constant speed. A contact is never missed, touching at the start or the end included,
// and there is none before *toi. The result is exact, except for pairs that come closer than about 1e-13 of the largest
// distance between their vertices, which may count as touching. `tolerance` (a part of the step; 0 is allowed) only ends the
// search where it converges slowly, in grazing motion. *toi is 1 if there is no contact. The result does not depend on the unit
// of length. Coordinates that are not finite count as a contact at 0.
CAROM_API bool carom_ccd_node_face(const double x0[4][3], const double x1[4][3], double tolerance, double *toi);
CAROM_API bool carom_ccd_edge_edge(const double x0[4][3], const double x1[4][3], double tolerance, double *toi);
// Exact-predicate test of two triangles without shared vertices; used to audit results.
//
// True if they have at least one point in common; triangles without area are segments or points. Exact for coordinates (those
// that are not zero) between 1e-150 and 1e150 and within a factor 1e90 of each other.
CAROM_API bool carom_triangles_intersect(const double a[3][3], const double b[3][3]);
// The same as above in the plane, z ignored; order: node, s0, s1.
CAROM_API bool carom_ccd_node_segment(const double x0[3][3], const double x1[3][3], double tolerance, double *toi);

// The table of the scalar fields of carom_contact_def.
CAROM_API const carom_param *carom_contact_params(int *count);
// The table of carom_plane_def.
CAROM_API const carom_param *carom_plane_params(int *count);
// The table of carom_contact_pair_def, except for its sides.
CAROM_API const carom_param *carom_contact_pair_params(int *count);

#ifdef __cplusplus
}
#endif
#endif
