// SPDX-License-Identifier: MIT
// Runs a drift with its impacts, for methods whose nodes move straight between two kicks (velocity updates by forces).
//
// An elastic impact inside the drift keeps the energy that leapfrog conserves if the forces at both ends of the drift are known
// (docs/theory/repay.md). Those at the end depend on the impact, so a drift with bounces is run several times: each pass finds
// them more accurately, and all changes are undone before the next.
#ifndef CAROM_INTEGRATOR_FLY_H
#define CAROM_INTEGRATOR_FLY_H

#include "integrator/contact_step.h"
#include "integrator/rigid_kick.h"

// The nodes of a method that drift, and the functions by which it moves them.
typedef struct carom_flyer {
    carom_contact_step *contact;
    carom_rigid_kick *rigid;
    carom_books *books;
    carom_vectors x, w; // positions and velocities, which impacts change
    int passes;         // maximum number of passes over a drift
    void *nodes;        // passed to the functions
    // One pass over the drift; `again`: with the kicks at its end from find_end_kick. *outran as below.
    carom_status (*pass)(void *nodes, bool again, bool *outran, carom_error *error);
    // Finds the kicks at the end of the drift, at the positions that the last pass has reached; `extrapolates`: from the second
    // call on.
    void (*find_end_kick)(void *nodes, bool extrapolates);
    // Restores what the undoing of the impacts does not restore; NULL: nothing.
    void (*put_back)(void *nodes);
} carom_flyer;

// Runs the drift with the contacts of the neighbours. *outran is set if impacts diverted a node farther than the list of
// neighbours allows: nothing has changed, run again with a larger list.
carom_status carom_fly(const carom_flyer *flyer, const carom_neighbours *neighbours, bool *outran, carom_error *error);

#endif
