// SPDX-License-Identifier: MIT
// Restrained nodes: directions in which the velocity of a node is prescribed.
//
// With an orthonormal basis d_1 ... d_c of the restrained directions of a node, P = I - sum d d^T projects on the free ones.
// Every kick and every impulse on the node is projected by P, and its velocity along each d is the prescribed one: a restraint
// is exact at all times, for any forces.
#ifndef CAROM_CONTACT_RESTRAINT_H
#define CAROM_CONTACT_RESTRAINT_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/arena.h"
#include "carom/status.h"

typedef struct carom_restraint {
    int node;
    int count;              // restrained directions, 1 to 3
    double direction[3][3]; // orthonormal
    double velocity[3];     // prescribed velocity, in the span of the directions
    bool clamped;           // the frame of the node does not rotate
} carom_restraint;

typedef struct carom_restraints {
    int count;
    carom_restraint *items; // ascending by node
    int *of_node;           // per node: index into items, or -1; NULL if nothing is restrained
} carom_restraints;

// The restraint of a node, or NULL.
static inline const carom_restraint *carom_restraint_of(const carom_restraints *restraints, int node) {
    if (!restraints || !restraints->of_node || restraints->of_node[node] < 0)
        return NULL;
    return &restraints->items[restraints->of_node[node]];
}

// Adds a direction with the velocity prescribed along it. Fails if the direction is already restrained with another velocity.
carom_status carom_restraint_add(carom_restraint *restraint, const double direction[3], double speed, carom_error *error);

// Removes the restrained components of a vector.
void carom_restraint_project(const carom_restraint *restraint, double vector[3]);
// The same for a node that may have no restraint.
static inline void carom_restraints_project(const carom_restraints *restraints, int node, double vector[3]) {
    const carom_restraint *restraint = carom_restraint_of(restraints, node);
    if (restraint)
        carom_restraint_project(restraint, vector);
}

// Sets the restrained components of a velocity to the prescribed ones.
void carom_restraint_impose(const carom_restraint *restraint, double velocity[3]);
// The same for a node that may have no restraint.
static inline void carom_restraints_impose(const carom_restraints *restraints, int node, double velocity[3]) {
    const carom_restraint *restraint = carom_restraint_of(restraints, node);
    if (restraint)
        carom_restraint_impose(restraint, velocity);
}

// A copy with its own velocities that shares the list `of_node`; *enough becomes false if memory is short.
void carom_restraints_reserve(const carom_restraints *from, carom_arena *arena, carom_restraints *to, bool *enough);

#endif
