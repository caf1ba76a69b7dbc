// SPDX-License-Identifier: MIT
// One look at a way from an admissible configuration: what violations.c, node.c and edge.c share.
#ifndef CAROM_CONTACT_SIMPLEX_LOOK_H
#define CAROM_CONTACT_SIMPLEX_LOOK_H

#include "contact/simplex/depth.h"
#include "contact/simplex/violations.h"

// A node that is violated, before it is decided whether it is paired now.
typedef struct carom_violation_finding {
    carom_simplex pair;
    double depth;
    bool inside; // it ends so; false: it has passed
    bool strong; // its own body rises from the face all around it, so that it is the node that goes in first
    bool rivals; // another face would do as well
} carom_violation_finding;

typedef struct carom_violation_look {
    carom_violations *overlaps;
    const carom_surface *surface;
    carom_way way;
    double tolerance; // depths up to this are none
    double touching;  // what starts nearer than this has touched from the start; larger than the tolerance by far
    double apart;     // what faces with two sides keep, so that at the start of a step it is known who is on which side
    double clearance; // the same of all surfaces in space; 0 in the plane
    carom_violation_set *set;
    int finding_count;
    int added, ambiguous;
    bool failed; // memory is short
} carom_violation_look;

// A candidate of the model as a pair.
carom_simplex carom_violation_fixed(const carom_contact *contact);

// Whether nothing moves both.
bool carom_violation_are_held(const carom_violations_def *def, int a, int b);

// Faces whose boxes in a tree meet the box of a point mass on its way, with room around it, in ascending order into overlaps->group. Returns how many; -1 if memory is short.
int carom_violation_gather(carom_violations *overlaps, const carom_tree *tree, const carom_way *way, int node, int body,
                           double room);

// Adds a pair unless the set holds it; true if it is new.
bool carom_violation_look_add(carom_violation_look *look, const carom_simplex *pair);

// Whether a pair that is violated by some depth keeps what is around it waiting: a new one, or one that is not obeyed yet.
bool carom_violation_look_waits(const carom_violation_look *look, bool added, double depth);

// How well positions are known: some roundings of the largest coordinate.
double carom_violation_rounding(const carom_surface *surface, const double (*x)[3]);

// The distance that two bodies keep at a face or an edge of the second. In space, and where faces have two sides, it is never zero, so that the side stays known.
double carom_violation_look_thickness(const carom_violation_look *look, int a, int b);

// What a pair is asked to keep that starts at some distance: no more than it had, so that nothing is pushed apart.
double carom_violation_look_kept(const carom_violation_look *look, double thickness, double start);

// Finds what is violated of a node of a body against faces of others that are near it (or of its own), in ascending order.
void carom_violation_look_at_node(carom_violation_look *look, int node, int body, int *faces, int count);

// Decides which of the findings are paired now: the strong ones, then, after the edges, the others that are not explained by what was paired.
void carom_violation_look_decide(carom_violation_look *look, bool strong);

// Pairs of edges that have passed through each other, or that are nearer than they may be.
void carom_violation_look_at_edges(carom_violation_look *look);

// Faces that intersect at x1 and that nothing explains.
void carom_violation_look_at_faces(carom_violation_look *look);

// Whether the body of a node rises from a face all around the node at x1; of a node without faces it does.
bool carom_violation_node_rises(const carom_violation_look *look, int node, int face);

// Whether two edges are apart by a plane along both at x1, each with its faces on its own side; the nodes are theirs, `sign` as in carom_simplex.
bool carom_violation_edges_rise(const carom_violation_look *look, const int edge[2], const int nodes[4], int sign);

// How far two triangles have to move until they only touch; minus the distance along the best axis if they are apart, or any value below `enough`.
double carom_violation_depth(const double a[3][3], const double b[3][3], double enough);

#endif
