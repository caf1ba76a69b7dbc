// SPDX-License-Identifier: MIT
// A drift with impacts, for methods whose nodes fly straight between two kicks.
//
// A reflection inside the drift keeps the energy that leapfrog conserves if it knows the forces at both ends of the drift
// (docs/theory/repay.md). Those at the end depend on the reflection, so a drift with bounces is run several times: each pass
// finds them more exactly, and everything is put back before the next.
#ifndef CAROM_INTEGRATOR_FLY_H
#define CAROM_INTEGRATOR_FLY_H

#include "integrator/contact_step.h"
#include "integrator/rigid_kick.h"

// The nodes of a method, and what it does with them.
typedef struct carom_flyer {
    carom_contact_step *contact;
    carom_rigid_kick *rigid;
    carom_books *books;
    carom_vectors x, w; // which impacts change
    int passes;         // at most
    void *nodes;        // handed to the functions
    // A pass to the end of the drift; `again`: with the kicks at its end that were found. With *outran it has not been made.
    carom_status (*pass)(void *nodes, bool again, bool *outran, carom_error *error);
    // Finds the kicks at the end of the drift, where a pass has led the nodes; `extrapolates`: for the second time.
    void (*find_end_kick)(void *nodes, bool extrapolates);
    // Puts back what is not in x and w of nodes that were hit; NULL: nothing.
    void (*put_back)(void *nodes);
} carom_flyer;

// The drift, in which contacts are those of the neighbours. With *outran nothing has happened.
carom_status carom_fly(const carom_flyer *flyer, const carom_neighbours *neighbours, bool *outran, carom_error *error);

#endif
