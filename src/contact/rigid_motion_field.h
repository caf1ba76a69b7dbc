// SPDX-License-Identifier: MIT
// Motion of rigid bodies as rows of a velocity field. An impulse at a point of the surface of a rigid body moves the body, and
// the velocity at this point is that of the body (docs/theory/rigid.md).
//
// Contact uses two operations of a body: its velocity at a point, and the effect of an impulse at a point. Both operate on a
// field of velocities: an array with a row for each node and, after all nodes, a row for each rigid body. The row of the node
// at the mass centre is the velocity V of the centre, the row of the body its angular velocity W in space:
//
//     u = V + W x a,    V += P/M,    W += J^-1 (a x P),    a = y - c
//
// with J^-1 = R I^-1 R^T. Nodes of other bodies may be tied to a rigid body (docs/theory/tied.md) and then belong to it as
// well. So a face may have nodes of both kinds, with weights w_k; with sums over its nodes of the rigid body, s = sum w_k and
// a = sum w_k (x_k - c), these contribute s V + W x a to the velocity, and V += s P/M.
//
// Drift velocities, velocities before the kick, changes by a kick and so on are all such fields. Rows of nodes of rigid bodies
// are derived: during a drift they are the velocities of straight paths, at kicks V + W x (x - c).
//
// Another kind of rigid group, such as several nodes that move as one, would need its own rows, a member of carom_contact_side
// and the two operations in contact.c.
#ifndef CAROM_CONTACT_RIGID_MOTION_FIELD_H
#define CAROM_CONTACT_RIGID_MOTION_FIELD_H

#include "carom/contact.h"
#include "contact/linkage.h"

// The definition of a rigid body; constant during a run.
typedef struct carom_rigid_body {
    int number;                 // r, among rigid bodies
    int body;                   // of the model
    int node_begin, node_count; // its own nodes
    int mass_node;              // the node at its mass centre, which has the mass of the body
    int centre;                 // the same or, for a body in a linkage, a node without mass at the same place
    double mass;
    double inertia[3]; // principal moments
    double R[3][3];    // at the start; columns: principal axes
    double spin[3];    // at the start: angular velocity in space
    int linkage;       // 1 + its linkage; 0: it has no joint
    int seat;          // its index in the linkage
    int tied_count;    // number of nodes of other bodies that are tied to it
    const int *tied;   // these nodes, ascending
} carom_rigid_body;

// True if moments of forces act on a body, by its joints or by parts tied to it: its rotation in a drift is then integrated.
static inline bool carom_rigid_body_sums_turns(const carom_rigid_body *one) {
    return one->linkage || one->tied_count;
}

// The number of nodes of a body, its own first, then those tied to it; the i-th of them.
static inline int carom_rigid_body_size(const carom_rigid_body *one) {
    return one->node_count + one->tied_count;
}
static inline int carom_rigid_body_node(const carom_rigid_body *one, int i) {
    return i < one->node_count ? one->node_begin + i : one->tied[i - one->node_count];
}

typedef struct carom_rigid_bodies {
    int count;
    carom_rigid_body *items; // ascending by nodes
    int *of_node;            // per node: its rigid body r; -2 - r for the node at the mass centre; -1: none
    double (*shape)[3];      // per node: its position relative to the centre, in principal axes
    const double *brought;   // per node: the mass that it adds to the body it is tied to; NULL: no node is tied
    int first_row;           // number of nodes: row first_row + r of a field belongs to body r
    int linkage_count;
    const carom_linkage *linkages;
    const void *motors;                                                            // of joints
    double (*motor_rate)(const void *motors, int motor, double time, bool *is_on); // of one motor at a time of the run

    // The state of the bodies within a step; a drift changes it, and it is copied to the state of the run after success.
    double (*R)[3][3];
    double (*l)[3];          // angular momentum about the centre, in space
    double (*soft)[3][3];    // J^-1
    double *since;           // the time of the drift to which R belongs
    double *kinetic;         // energy of rotation at the start of the drift
    double *end_kinetic;     // and at its end
    double (*spin)[3];       // angular velocity at the time of the kick before the drift: half of the kick later it is W
    double (*start_R)[3][3]; // of bodies with joints or tied parts: pose and angular momentum at the start of the drift,
    double (*start_l)[3];
    double (*swept)[3]; // and the integral of the angular velocity since then
    carom_linkage_space *links;
    double (*place)[3]; // of bodies in linkages: position of the mass centre
    double time;        // of the run at the start of the drift
    double length;      // of the drift
    bool unsolved;      // the flight of a linkage did not converge
    double slow;        // a speed that crosses a small part of the layer of contact in a step; HUGE_VAL: there is none
} carom_rigid_bodies;

// True if nodes of the contact belong to a rigid body.
static inline bool carom_contact_is_rigid(const carom_contact *contact) {
    return contact->side[0].centre || contact->side[1].centre;
}

// Number of nodes of the first side.
static inline int carom_contact_split(const carom_contact *contact) {
    return contact->kind == CAROM_CONTACT_EDGE_EDGE ? 2 : 1;
}

// The node at the mass centre of the rigid body of the k-th node of the contact; 0: none.
static inline int carom_contact_rigid_centre(const carom_contact *contact, int k) {
    for (int s = 0; s < 2; s++)
        if (contact->side[s].centre && (contact->rigid_nodes[s] >> k & 1))
            return contact->side[s].centre;
    return 0;
}

// True if the k-th node of the contact belongs to a rigid body.
static inline bool carom_contact_has_rigid_node(const carom_contact *contact, int k) {
    return carom_contact_rigid_centre(contact, k) != 0;
}

// True if all nodes of a contact of two sides belong to one rigid body: no impulse is possible.
static inline bool carom_contact_is_within_body(const carom_contact *contact) {
    return contact->count > carom_contact_split(contact) && contact->side[0].centre &&
           contact->rigid_nodes[0] == (1 << contact->count) - 1;
}

// Sets the members of a contact for nodes of rigid bodies, with nodes at x + t w. `rigid_bodies` NULL: does nothing.
void carom_rigid_bodies_set_sides(const carom_rigid_bodies *rigid_bodies, carom_contact *contact, const double (*x)[3],
                                  const double (*w)[3], double t);

// Computes J^-1 of body r from R, and its row of a field of velocities from l.
void carom_rigid_bodies_refresh(carom_rigid_bodies *rigid_bodies, int r, double (*w)[3]);

// J W, with axes R.
void carom_rigid_body_momentum(const carom_rigid_body *one, const double R[3][3], const double W[3], double l[3]);
// The same with the present axes of body r, for an angular velocity or a change of it.
void carom_rigid_bodies_momentum(const carom_rigid_bodies *rigid_bodies, int r, const double W[3], double l[3]);

// Begins a drift of length h from R and l, with nodes at x and the velocities V of the centres in w: every node of a rigid body
// gets the straight path to its position at the end. Returns the largest rotation of a body, in radians.
double carom_rigid_bodies_begin(carom_rigid_bodies *rigid_bodies, double h, const double (*x)[3], double (*w)[3]);

// Moves the pose of body r, and of all bodies of its linkage, to time t of the drift. Paths of nodes do not change.
void carom_rigid_bodies_cut(carom_rigid_bodies *rigid_bodies, int r, double t, double (*w)[3]);

// Computes the flight of length t of the linkage of body r, if it has one, for carom_rigid_bodies_fly_on; the rows of its
// bodies must agree with their momenta.
void carom_rigid_bodies_plan(carom_rigid_bodies *rigid_bodies, int r, double t, const double (*w)[3]);

// Momentum of body r and its angular momentum about the origin, with the mass centre at c, its velocity V and angular velocity
// W.
void carom_rigid_bodies_total_momentum(const carom_rigid_bodies *rigid_bodies, int r, const double c[3], const double V[3],
                                       const double W[3], double p[3], double L[3]);
// The change in a drift of the energy that leapfrog conserves, for the rotation of body r, from the kicks of its velocities
// (V, W) before (k0) and after (k1) the drift of length h.
double carom_rigid_bodies_gain(const carom_rigid_bodies *rigid_bodies, int r, const double k0[2][3], const double k1[2][3],
                               double h);

// Sets new straight paths b + t w of its nodes until `end`, after its motion has changed at time t, to which it has been moved:
// the present shape rotates rigidly. Positions at t are unchanged. The displacement of each node from its old path at `end` is
// added to `deviation`.
void carom_rigid_bodies_fly_on(const carom_rigid_bodies *rigid_bodies, int r, double t, double end, double (*b)[3],
                               double (*w)[3], double *deviation);

// The rigid body whose mass centre is at a node, or -1.
static inline int carom_rigid_bodies_at(const carom_rigid_bodies *rigid_bodies, int node) {
    return rigid_bodies && rigid_bodies->of_node[node] < -1 ? -2 - rigid_bodies->of_node[node] : -1;
}

// Sets the rows of nodes of rigid bodies: V + W x (x - c).
void carom_rigid_bodies_spread(const carom_rigid_bodies *rigid_bodies, const double (*x)[3], double (*w)[3]);

// The acceleration of the point of a side of a contact by the free motion of its rigid body with angular velocity W.
void carom_rigid_bodies_acceleration(const carom_rigid_bodies *rigid_bodies, const carom_contact_side *side, const double W[3],
                                     double a[3]);

// The gap rate of a contact by the straight paths of its nodes, minus that by the velocities of its rigid bodies, in a flight
// of length t: paths are chords of arcs. If the flight begins at the positions x (NULL: later), the paths also correct
// deviations of nodes from their positions in the body.
double carom_rigid_bodies_bend(const carom_rigid_bodies *rigid_bodies, const carom_contact *contact, const double (*x)[3],
                               const double (*w)[3], double t);

#endif
