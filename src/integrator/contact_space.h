// SPDX-License-Identifier: MIT
// The positions and velocities that contact reads and changes.
//
// In a whole model these are the arrays of the state and of the kick. If several processes share a model, they are separate
// arrays over the contact space (model/model.h), which is replicated: every process starts from the same numbers, obtains the
// same result, and copies the rows of its own nodes. Large amounts of work are divided among the processes, and the results
// joined in all of them (parallel/together.h); small amounts are done by each.
//
// Positions and velocities in the space remain valid from step to step, since contact changes them equally in all processes.
// The velocities after each kick are exchanged, from the owners of the nodes.
#ifndef CAROM_INTEGRATOR_CONTACT_SPACE_H
#define CAROM_INTEGRATOR_CONTACT_SPACE_H

#include "contact/contact.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"
#include "parallel/together.h"

// Start from {0}.
typedef struct carom_contact_space {
    const carom_model *part;     // the subdomain of this process; NULL: the model is whole
    const carom_model *model;    // the contact space
    carom_mobility mobility;     // masses and restraints of the space
    carom_restraints restraints; // restraints of the space, with the velocities of the present drift
    carom_vectors x, v;          // as in the state
    carom_vectors w, w_before;   // as in the kick
    carom_vectors start;         // positions at the start of a drift
    carom_vectors end_kick;      // as in carom_kick_drift
    carom_vectors other;         // as in carom_kick_drift; NULL if there are none
    int *here;                   // per node of the space: its number in the subdomain, -1 if this process does not have it
    int64_t generation;          // of the state from which x, v and w were gathered
    carom_together together;     // work that the processes divide among them
    bool shares;                 // work is divided at all. Environment: CAROM_CONTACT=replicated: each process does all of it,
                                 // =shared: even small amounts are divided
    carom_arena *arena;
} carom_contact_space;

// The space of a model that several processes share. Other models have none: the functions below are for shared models only.
carom_status carom_contact_space_create(carom_contact_space *space, const carom_model *part, bool other, carom_error *error);
void carom_contact_space_release(carom_contact_space *space);

// The number of a node of the space in the subdomain, or -1; in a whole model the node itself.
static inline int carom_contact_space_here(const carom_contact_space *space, int node) {
    return space->part ? space->here[node] : node;
}

// Gathers a vector of all nodes of contact from their owners.
void carom_contact_space_gather(const carom_contact_space *space, const double (*mine)[3], double (*all)[3]);

// Copies the rows of nodes that this process owns from a vector of the space.
void carom_contact_space_take(const carom_contact_space *space, const double (*all)[3], double (*mine)[3]);

// Gathers positions and velocities if the state has been replaced since the last time; `w` are the velocities of the drift.
// Returns true if it did.
bool carom_contact_space_renew(carom_contact_space *space, const carom_state *state, const double (*w)[3]);

// Moves the owned nodes outside the space along straight lines.
void carom_contact_space_drift_others(const carom_contact_space *space, double h, const double (*w)[3], double (*x)[3]);

// Finds the velocities at the time of a kick; the fraction `after` of the kick acts later.
void carom_contact_space_settle(carom_contact_space *space, double after);

#endif
