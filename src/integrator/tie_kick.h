// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Ties in a method of kicks and drifts. After the forces of a kick have changed the velocities, impulses of the ties change
// them to the nearest ones with
//
//     G w = -G x / h,
//
// h the length of the drift to come. Where nothing has pushed tied nodes apart, G x = 0 and the ties do no work. Contact acts
// on tied nodes as on others, and may push them off their ties within a drift; the drift after the next kick leads them back,
// with its own look at contact: ties never move a node by themselves.
#ifndef CAROM_INTEGRATOR_TIE_KICK_H
#define CAROM_INTEGRATOR_TIE_KICK_H

#include "integrator/newmark_kick.h"
#include "tied/projector.h"

// Start from {0}.
typedef struct carom_tie_kick {
    const carom_model *model; // NULL: nothing is tied
    carom_projector projector;
    double slack;          // |G x| that is rounding
    carom_vectors goal;    // per row
    carom_vectors impulse; // per node, of the last kick
    bool *reached;         // per node: it is in a row, or in the island of one that turned
    bool open;             // some tie did not hold before the last kick
    bool turned;           // some island was turned in the last kick
} carom_tie_kick;

// Memory is taken from the arena of the kick. Release in any case.
carom_status carom_tie_kick_create(carom_tie_kick *tie, const carom_newmark_kick *kick, carom_error *error);
void carom_tie_kick_release(carom_tie_kick *tie);

// The impulses of a kick, which lead to a drift of kick->step; kick->w and its reactions change.
void carom_tie_kick_push(carom_tie_kick *tie, carom_newmark_kick *kick);

// Adds the forces that gave these impulses in a kick of length h: they have no potential.
void carom_tie_kick_add_force(const carom_tie_kick *tie, double h, double (*force)[3]);

// Restraints take impulses of ties on their nodes, and the moment of impulses of open ties is taken out again.
void carom_tie_kick_balance(carom_tie_kick *tie, double (*impulse)[3], const double (*x)[3], carom_newmark_kick *kick);

// The energy that the impulses took, at the velocities before and after the kick: from nodes that contact had pushed apart.
double carom_tie_kick_taken(const carom_tie_kick *tie, const carom_newmark_kick *kick);

#endif
