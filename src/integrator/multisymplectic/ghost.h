// SPDX-License-Identifier: MIT
// Massless virtual tips of bars (ghosts), for contact time integrator 2 of `multisymplectic`.
//
// The node at the tip of a bar is moved inward by a quarter of its element; the last element keeps three quarters of its
// length, and the remaining quarter, the ghost, has no mass. The ghosts of two bars that touch are springs in series between
// the two nodes, and their common tip is where both have the same force. Open ghosts have no force and their undeformed length.
#ifndef CAROM_INTEGRATOR_MULTISYMPLECTIC_GHOST_H
#define CAROM_INTEGRATOR_MULTISYMPLECTIC_GHOST_H

#include "carom/model.h"

// The ghosts of one contact.
typedef struct carom_ghost {
    double length;    // of both together, without force
    double stiffness; // of both in series
    double reach[2];  // length on each side; 0 where there is no bar
    double share[2];  // of the compression on each side
} carom_ghost;

// Start from {0}.
typedef struct carom_ghosts {
    carom_ghost *items;    // per candidate; length 0: no ghosts press in this contact
    int tip_count;         // nodes that were moved inward
    int (*tips)[2];        // each with the other node of its element
    double *element_share; // per element of the model: the part of its length that it keeps
    double stable_step;    // time: a lower bound of the stable step while ghosts are closed
} carom_ghosts;

enum { CAROM_GHOST_PART = 4 }; // length of an element over that of its ghost

// Fails with CAROM_BAD_INPUT if a contact of the model is not one of straight bars along their axis.
carom_status carom_ghosts_create(const carom_model *model, carom_ghosts *ghosts, carom_error *error);
void carom_ghosts_release(carom_ghosts *ghosts);

// Positions z for the elements: x, except at tips, where the strain of a whole tip element is that of the part it keeps.
void carom_ghosts_stretch(const carom_ghosts *ghosts, int node_count, const double (*x)[3], double (*z)[3]);
// Moves the nodes at the ends of bars inward.
void carom_ghosts_shrink(const carom_ghosts *ghosts, double (*x)[3]);

#endif
