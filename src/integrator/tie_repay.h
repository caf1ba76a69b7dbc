// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Elastic impacts on tied nodes, completed. An impact inside a drift turns round single nodes. The next kick leads them back to
// their tie, which catches them as a plastic impact would: the glued bodies behind them have felt the mass of the nodes alone.
// The rest of the impulse follows at that kick, with the mobility of the nodes and of all that is tied to them, and returns
// the energy that the catch took.
#ifndef CAROM_INTEGRATOR_TIE_REPAY_H
#define CAROM_INTEGRATOR_TIE_REPAY_H

#include "contact/impact/repay.h"
#include "integrator/tie_kick.h"

// Start from {0}.
typedef struct carom_tie_repay {
    carom_tie_kick tie;
    const carom_debts *debts; // NULL: nothing is tied, or nothing bounces
    double *creditor;  // part of the state: who is charged with what ties take, the two bodies of that account, and the energy
                       // of closing ties that was returned to it in advance
    bool *tied;        // per node: it is in a row
    int count, *nodes; // those nodes
    carom_vectors answer; // scratch per row (contact/rigid_motion_field.h): velocities that a unit impulse at a contact gives
    carom_vectors push;   // and the impulses of ties beside it
    carom_vectors pushes; // those of all contacts of a kick
    carom_hits hits;      // impulses that complete impacts, of the last kick
    double taken;         // energy of accounts that were taken over in the last kick
    double closing;       // and that which was returned ahead of the next one
    double explained;     // energy that these hits lost by their laws
    carom_hits *all;      // where they go when the kick is booked, and the number of those
    int begin;            // that were there before contact answered it
} carom_tie_repay;

// Ties become a part of the kick, with memory of the kick. Release in any case.
carom_status carom_tie_repay_create(carom_tie_repay *repay, carom_newmark_kick *kick, carom_error *error);
// Something bounces, and has these accounts.
carom_status carom_tie_repay_open(carom_tie_repay *repay, const carom_newmark_kick *kick, const carom_debts *debts,
                                  carom_state *state, carom_error *error);
void carom_tie_repay_release(carom_tie_repay *repay);

// After the ties have pushed, before contact answers the kick of length h: completes the impacts of the drift before it on tied
// nodes. Adds the forces that ties stand for to `other` (NULL: nobody asks).
void carom_tie_repay_run(carom_tie_repay *repay, const carom_contact_interval *interval, const double (*x)[3],
                         carom_newmark_kick *kick, carom_hits *hits, double h, carom_vectors other);

#endif
