// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Ties in a method of kicks and drifts. After the forces of a kick have changed the velocities, impulses of the ties change
// them to the nearest ones with
//
//     G w = -G x / h,
//
// h the length of the next drift, and G the matrix of the ties: G x = 0 as long as nothing has separated tied nodes, and the
// ties then do no work. Contact acts on tied nodes as on others, and may separate them within a drift; the drift after the next
// kick closes the tie again, and resolves contact as usual: ties change velocities only, not positions.
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
    bool *reached;         // per node: it is in a row, or in an island that was turned
    bool open;             // some tie did not hold before the last kick
    bool turned;           // some island was turned in the last kick
} carom_tie_kick;

// Memory is taken from the arena of the kick. Release in any case.
carom_status carom_tie_kick_create(carom_tie_kick *tie, const carom_newmark_kick *kick, carom_error *error);
void carom_tie_kick_release(carom_tie_kick *tie);

// Applies the impulses of a kick before a drift of length kick->step: changes kick->w and its reactions.
void carom_tie_kick_push(carom_tie_kick *tie, carom_newmark_kick *kick);

// Adds these impulses divided by h to the forces without potential of a kick of length h.
void carom_tie_kick_add_force(const carom_tie_kick *tie, double h, double (*force)[3]);

// Adds the reaction of restraints to impulses of ties on their nodes, and removes the moment of impulses of open ties.
void carom_tie_kick_balance(carom_tie_kick *tie, double (*impulse)[3], const double (*x)[3], carom_newmark_kick *kick);

// The energy that the impulses removed, from the velocities before and after the kick: zero unless contact had opened ties.
double carom_tie_kick_taken(const carom_tie_kick *tie, const carom_newmark_kick *kick);

#endif
