// SPDX-License-Identifier: MIT
// Where contact looks at nodes, and moves them.
//
// In a whole model these are the arrays of the state and of the kick. Where several processes share a model, they are arrays of
// their own over the contact space (model/model.h), which every process has: each of them resolves all contacts, with the same
// numbers and so with the same result, and takes from it what belongs to its own nodes.
//
// Positions and velocities in the space stay valid from step to step: whatever contact does to them is done in all processes.
// Only what forces do comes from outside, once a kick: the velocities that the owners of the nodes have found.
#ifndef CAROM_INTEGRATOR_CONTACT_SPACE_H
#define CAROM_INTEGRATOR_CONTACT_SPACE_H

#include "contact/contact.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"
#include "parallel/together.h"

// Start from {0}.
typedef struct carom_contact_space {
    const carom_model *part;     // the model of the state; NULL if it is whole
    const carom_model *model;    // the contact space
    carom_mobility mobility;     // masses there, and
    carom_restraints restraints; // restraints, with the velocities of the present drift
    carom_vectors x, v;          // as in the state
    carom_vectors w, w_before;   // as in the kick
    carom_vectors start;         // positions at the start of a drift
    carom_vectors end_kick;      // as in carom_kick_drift
    carom_vectors other;         // likewise; NULL if there are none
    int *here;                   // per node of the space: its number in the part, -1 if this process does not have it
    int64_t generation;          // of the state that x, v and w are those of
    carom_together together;     // what processes share of the work
    bool shares;                 // they do; CAROM_CONTACT=replicated in the environment lets each do all of it, =shared shares
                                 // even the least of it
    carom_arena *arena;
} carom_contact_space;

// The space of a model that several processes share. Others have none: all functions below are for shared models alone.
carom_status carom_contact_space_create(carom_contact_space *space, const carom_model *part, bool other, carom_error *error);
void carom_contact_space_release(carom_contact_space *space);

// The number in the part of a node of the space, or -1; in a whole model the node itself.
static inline int carom_contact_space_here(const carom_contact_space *space, int node) {
    return space->part ? space->here[node] : node;
}

// Brings a vector of all nodes of contact from their owners.
void carom_contact_space_gather(const carom_contact_space *space, const double (*mine)[3], double (*all)[3]);

// Takes a vector of the nodes of contact that this process owns from the space.
void carom_contact_space_take(const carom_contact_space *space, const double (*all)[3], double (*mine)[3]);

// Brings positions and velocities if the state is not the one that they were brought from; `w` are the velocities of the drift.
// Returns true if it did.
bool carom_contact_space_renew(carom_contact_space *space, const carom_state *state, const double (*w)[3]);

// Nodes that contact does not move fly straight: those that this process owns.
void carom_contact_space_drift_others(const carom_contact_space *space, double h, const double (*w)[3], double (*x)[3]);

// Velocities at the time of a kick of which `after` acts later.
void carom_contact_space_settle(carom_contact_space *space, double after);

#endif
