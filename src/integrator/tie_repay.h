// SPDX-License-Identifier: MIT
// Theory: docs/theory/tied.md
// Completes elastic impacts on tied nodes. An impact inside a drift reverses single nodes, with their mass alone. At the next
// kick the ties close again and remove energy as a plastic impact would. A further impulse at that kick, with the mobility of
// the nodes and of all that is tied to them, completes the impact and returns this energy.
#ifndef CAROM_INTEGRATOR_TIE_REPAY_H
#define CAROM_INTEGRATOR_TIE_REPAY_H

#include "contact/impact/repay.h"
#include "integrator/tie_kick.h"

// Start from {0}.
typedef struct carom_tie_repay {
    carom_tie_kick tie;
    const carom_debts *debts; // NULL: nothing is tied, or nothing bounces
    double *creditor;  // part of the state: where the energy that ties remove is charged, the two bodies of that account, and
                       // the energy of closing ties that was returned to it in advance
    bool *tied;        // per node: it is in a row
    int count, *nodes; // those nodes
    carom_vectors answer; // scratch per row (contact/rigid_motion_field.h): velocity changes by a unit impulse at a contact
    carom_vectors push;   // the simultaneous impulses of ties
    carom_vectors pushes; // those of all contacts of a kick
    carom_hits hits;      // impulses that complete impacts, of the last kick
    double taken;         // energy of the accounts that were included in the last kick
    double closing;       // energy that was returned in advance of the next one
    double explained;     // energy that these hits lost by their laws
    carom_hits *all;      // hits of the step, to which they are added when the kick is recorded
    int begin;            // number of hits in `all` before the contact impulses of the kick
} carom_tie_repay;

// Ties become a part of the kick, with memory of the kick. Release in any case.
carom_status carom_tie_repay_create(carom_tie_repay *repay, carom_newmark_kick *kick, carom_error *error);
// Prepares the completion of impacts, with the accounts of bouncing pairs.
carom_status carom_tie_repay_open(carom_tie_repay *repay, const carom_newmark_kick *kick, const carom_debts *debts,
                                  carom_state *state, carom_error *error);
void carom_tie_repay_release(carom_tie_repay *repay);

// Call after the impulses of the ties and before the contact impulses of a kick of length h: completes the impacts of the drift
// before it on tied nodes. Adds the impulses of ties divided by h to `other` (NULL: not needed).
void carom_tie_repay_run(carom_tie_repay *repay, const carom_contact_interval *interval, const double (*x)[3],
                         carom_newmark_kick *kick, carom_hits *hits, double h, carom_vectors other);

#endif
