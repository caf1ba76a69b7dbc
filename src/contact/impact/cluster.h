// SPDX-License-Identifier: MIT
// Clusters of nodes linked by impacts. As a last resort against an endless cascade, the nodes of a cluster move as one rigid
// body until the drift ends.
//
// The rigid velocity field with the same linear and angular momentum is the projection of the velocities in the metric of the
// masses, so the kinetic energy can only fall. Its drift x + t (V + W x (x - c)) is an affine map with determinant 1 + t^2
// |W|^2 > 0, which is injective: disjoint features remain disjoint.
#ifndef CAROM_CONTACT_IMPACT_CLUSTER_H
#define CAROM_CONTACT_IMPACT_CLUSTER_H

#include <stdint.h>

#include "contact/contact.h"

// Nodes linked by the impacts of one drift. Start from {0}.
typedef struct carom_clusters {
    int *parent;        // per node; itself if it is the root of its cluster
    bool *held;         // per root: the cluster moves as one rigid body
    bool *departs;      // per node: its prescribed motion differs from that of the cluster, which is held
    int *ground_count;  // per root: number of planes with independent normals whose distance the held cluster keeps
    int (*ground)[3];   // per root: a fixed contact with each of these planes
    int *touched;       // nodes that were hit, in the order of their first hit
    int count;          // of those
    int64_t capacity;   // of `touched`
    bool failed;        // memory ran out
    bool *is_touched;   // per node
    carom_arena *arena; // owns the arrays per node and root
} carom_clusters;

carom_status carom_clusters_reserve(carom_clusters *clusters, int node_count, carom_error *error);
void carom_clusters_release(carom_clusters *clusters);
// Removes all links.
void carom_clusters_clear(carom_clusters *clusters);
int carom_clusters_root(const carom_clusters *clusters, int node);
// Links nodes that take part in one impact; returns the root of all.
int carom_clusters_link(carom_clusters *clusters, const int *nodes, int count);
// True if all these nodes belong to one cluster that is held, and move as one.
bool carom_clusters_holds(const carom_clusters *clusters, const int *nodes, int count);
// True if all these nodes belong to one cluster that is held, but one of them has a prescribed motion that differs from that of
// the cluster, as with two obstacles that are driven towards each other: their distances change.
bool carom_clusters_fails_to_hold(const carom_clusters *clusters, const int *nodes, int count);

// Adds the plane of fixed contact i to those whose distance the cluster with this root keeps. `fixed`: all fixed contacts.
void carom_clusters_add_ground(carom_clusters *clusters, int root, const carom_contact *fixed, int i);
// True if a held cluster keeps its distance from the plane of a contact.
bool carom_clusters_keeps_distance(const carom_clusters *clusters, int root, const carom_contact *fixed,
                                   const carom_contact *contact);

// The change of energy and momentum when a cluster is held.
typedef struct carom_held {
    double energy;       // loss of kinetic energy
    carom_ground ground; // momentum from restraints and planes
} carom_held;

// Gives all nodes of the cluster with this root the rigid velocity at time t of the drift, where they are at b + t w, and marks
// it as held. In restrained directions a cluster moves like its first restrained node, it moves along the planes added by
// carom_clusters_add_ground, and if it contains a node of an obstacle it moves with the obstacle (`carry`, at time `now` of the
// run).
carom_held carom_clusters_hold(carom_clusters *clusters, int root, const carom_contact *fixed, carom_mobility mobility,
                               const carom_carry *carry, double now, double t, double (*b)[3], double (*w)[3]);

#endif
