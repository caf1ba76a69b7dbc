// SPDX-License-Identifier: MIT
// Carriers: what a node of a surface belongs to. Most nodes carry themselves. The nodes of a rigid body are carried by it: an
// impulse at a point of its surface moves the body, and the velocity there is that of the body (docs/theory/rigid.md).
//
// All that contact does with a body are two operations: its velocity at a point, and a push at a point. Both work on a field of
// velocities: an array with a row for each node and, behind all nodes, a row for each rigid body. The row of the node at the
// mass centre is the velocity V of the centre, the row of the body its angular velocity W in space:
//
//     u = V + W x a,    V += P/M,    W += J^-1 (a x P),    a = y - c
//
// with J^-1 = R I^-1 R^T. Nodes of other bodies may be glued to a rigid body (docs/theory/tied.md): it carries them as well. A
// face may then have nodes with weights w_k of both kinds, and the part of it that is carried, with s = sum w_k and
// a = sum w_k (x_k - c), has s V + W x a, and V += s P/M.
//
// Drift velocities, velocities before the kick, changes by a kick and so on are all such fields. Rows of carried nodes are
// there to be looked at: during a drift they are the velocities of straight paths, at kicks V + W x (x - c).
//
// A further kind of carrier, such as several nodes that move as one, needs rows of its own, a member of carom_contact_side and
// the two operations in contact.c.
#ifndef CAROM_CONTACT_RIGID_MOTION_FIELD_H
#define CAROM_CONTACT_RIGID_MOTION_FIELD_H

#include "carom/contact.h"
#include "contact/linkage.h"

// A rigid body as it is built; constant.
typedef struct carom_rigid_body {
    int number;                 // r, among rigid bodies
    int body;                   // of the model
    int node_begin, node_count; // the nodes that it carries
    int mass_node;              // that at its mass centre, which has the mass of the body
    int centre;                 // the same or, of a body in a linkage, a node without mass at the same place
    double mass;
    double inertia[3]; // principal moments
    double R[3][3];    // at the start; columns: principal axes
    double spin[3];    // at the start: angular velocity in space
    int linkage;       // 1 + the linkage to which joints make it belong; 0: nothing holds it
    int seat;          // its place there
    int tied_count;    // nodes of other bodies that are glued to it, and
    const int *glued;  // these, ascending
} carom_rigid_body;

// True if moments of forces act on a body, of its joints or of what is glued to it: its turns are added up.
static inline bool carom_rigid_body_sums_turns(const carom_rigid_body *one) {
    return one->linkage || one->tied_count;
}

// The number of nodes that a body carries, its own first, and the i-th of them.
static inline int carom_rigid_body_size(const carom_rigid_body *one) {
    return one->node_count + one->tied_count;
}
static inline int carom_rigid_body_node(const carom_rigid_body *one, int i) {
    return i < one->node_count ? one->node_begin + i : one->glued[i - one->node_count];
}

typedef struct carom_rigid_bodies {
    int count;
    const carom_rigid_body *items; // ascending by nodes
    const int *of_node;            // per node: the body r that carries it; -2 - r at its mass centre; -1: none
    const double (*shape)[3];      // per node: its place seen from the centre, in principal axes
    const double *brought;         // per node: the mass that it has brought to the body it is glued to; NULL: nothing is glued
    int first_row;                 // number of nodes: row first_row + r of a field belongs to body r
    int linkage_count;
    const carom_linkage *linkages;
    const void *motors;                                                            // of joints
    double (*motor_rate)(const void *motors, int motor, double time, bool *is_on); // of one of them at a time of the run

    // Where the bodies are within a step; a drift works on these, and the state takes them over when it has succeeded.
    double (*R)[3][3];
    double (*l)[3];          // angular momentum about the centre, in space
    double (*soft)[3][3];    // J^-1
    double *since;           // the time of the drift up to which R is known
    double *kinetic;         // energy of rotation at the start of the drift
    double *end_kinetic;     // and at its end
    double (*spin)[3];       // angular velocity at the time of the kick before the drift: half of the kick later it is W
    double (*start_R)[3][3]; // of bodies with joints or glued parts: pose and momentum at the start of the drift, and
    double (*start_l)[3];
    double (*swept)[3]; // how far they have turned since
    carom_linkage_space *links;
    double (*place)[3]; // of bodies in linkages: where the mass centre is
    double time;        // of the run at the start of the drift
    double length;      // of the drift
    bool unsolved;      // the joints of a linkage could not be closed
    double slow;        // a speed that crosses a small part of the layer of contact in a step; HUGE_VAL: there is none
} carom_rigid_bodies;

// True if a body carries a side of the contact.
static inline bool carom_contact_is_rigid(const carom_contact *contact) {
    return contact->side[0].centre || contact->side[1].centre;
}

// Nodes of the first side.
static inline int carom_contact_split(const carom_contact *contact) {
    return contact->kind == CAROM_CONTACT_EDGE_EDGE ? 2 : 1;
}

// The node at the mass centre of the body that carries the k-th node of the contact; 0: none does.
static inline int carom_contact_rigid_centre(const carom_contact *contact, int k) {
    for (int s = 0; s < 2; s++)
        if (contact->side[s].centre && (contact->carried[s] >> k & 1))
            return contact->side[s].centre;
    return 0;
}

// True if a body carries the k-th node of the contact.
static inline bool carom_contact_has_rigid_node(const carom_contact *contact, int k) {
    return carom_contact_rigid_centre(contact, k) != 0;
}

// True if one body carries all nodes of a contact of two sides: nothing can happen between them.
static inline bool carom_contact_is_one(const carom_contact *contact) {
    return contact->count > carom_contact_split(contact) && contact->side[0].centre &&
           contact->carried[0] == (1 << contact->count) - 1;
}

// Fills the sides of a contact that bodies carry, nodes at x + t w. Without carriers (NULL) there are none.
void carom_rigid_bodies_hold(const carom_rigid_bodies *rigid_bodies, carom_contact *contact, const double (*x)[3],
                             const double (*w)[3], double t);

// Finds J^-1 of body r from R, and its row of a field of velocities from l.
void carom_rigid_bodies_refresh(carom_rigid_bodies *rigid_bodies, int r, double (*w)[3]);

// J W, with axes R.
void carom_rigid_body_momentum(const carom_rigid_body *one, const double R[3][3], const double W[3], double l[3]);
// The same as body r is: the change of angular momentum that a change of angular velocity stands for.
void carom_rigid_bodies_momentum(const carom_rigid_bodies *rigid_bodies, int r, const double W[3], double l[3]);

// Begins a drift of length h from R and l, with nodes at x and the velocities V of the centres in w: every carried node gets
// the straight path that leads it to its place in the body at the end. Returns the largest turn of a body, in radians.
double carom_rigid_bodies_begin(carom_rigid_bodies *rigid_bodies, double h, const double (*x)[3], double (*w)[3]);

// Moves the pose of body r, and of all that joints hold together with it, to time t of the drift. Paths of nodes stay as they
// are.
void carom_rigid_bodies_cut(carom_rigid_bodies *rigid_bodies, int r, double t, double (*w)[3]);

// Finds the flight for the time t to come of the linkage of body r, if it has one, by which carom_rigid_bodies_fly_on leads its
// bodies; their rows are those of their momenta.
void carom_rigid_bodies_plan(carom_rigid_bodies *rigid_bodies, int r, double t, const double (*w)[3]);

// Momentum of body r and its angular momentum about the origin, with the mass centre at c, its velocity V and angular velocity
// W.
void carom_rigid_bodies_whole(const carom_rigid_bodies *rigid_bodies, int r, const double c[3], const double V[3],
                              const double W[3], double p[3], double L[3]);
// The energy that leapfrog should have kept in a drift and did not, of the rotation of body r, from the kicks of its velocities
// (V, W) before (k0) and after (k1) the drift of length h.
double carom_rigid_bodies_gain(const carom_rigid_bodies *rigid_bodies, int r, const double k0[2][3], const double k1[2][3],
                               double h);

// New straight paths b + t w of its nodes until `end`, after its motion has changed at time t, to which it has been moved: the
// shape as it is now turns rigidly. No node jumps. How far each is led from its path before is added to `way`.
void carom_rigid_bodies_fly_on(const carom_rigid_bodies *rigid_bodies, int r, double t, double end, double (*b)[3],
                               double (*w)[3], double *deviation);

// The rigid body whose mass centre is at a node, or -1.
static inline int carom_rigid_bodies_at(const carom_rigid_bodies *rigid_bodies, int node) {
    return rigid_bodies && rigid_bodies->of_node[node] < -1 ? -2 - rigid_bodies->of_node[node] : -1;
}

// Rows of carried nodes: V + W x (x - c).
void carom_rigid_bodies_spread(const carom_rigid_bodies *rigid_bodies, const double (*x)[3], double (*w)[3]);

// The acceleration of a point of body r at `arm` in free motion with angular velocity W.
void carom_rigid_bodies_acceleration(const carom_rigid_bodies *rigid_bodies, const carom_contact_side *side, const double W[3],
                                     double a[3]);

// By how much the rate of the paths of a contact will exceed that of its velocities in a flight of length t: chords bend inward
// and, where the flight begins at the positions x (NULL: it does not), shapes recover.
double carom_rigid_bodies_bend(const carom_rigid_bodies *rigid_bodies, const carom_contact *contact, const double (*x)[3],
                               const double (*w)[3], double t);

#endif
