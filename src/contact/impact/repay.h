// SPDX-License-Identifier: MIT
// What impacts took or gave beyond their law of restitution goes back to their contacts at the kick after the drift.
#ifndef CAROM_CONTACT_IMPACT_REPAY_H
#define CAROM_CONTACT_IMPACT_REPAY_H

#include "contact/impact/drift.h"

typedef struct carom_repay {
    carom_neighbours neighbours;
    carom_mobility mobility;
    const int *nodes; // those that were kicked; NULL: all
    int node_count;
    double begin; // of the drift before it, as there
    double step;  // its length
    double part;  // length of the kick as a part of the step: 1, or 1/2 at the very start
} carom_repay;

// Scratch memory; start from {0}.
typedef struct carom_repay_space {
    double *debt;  // per root of a cluster: energy that its impacts brought too much
    double *share; // per root: how much of it is still to be shared out
    int *bearers;  // per root: how many hits bear it
} carom_repay_space;

carom_status carom_repay_reserve(carom_repay_space *space, int node_count, carom_error *error);
void carom_repay_release(carom_repay_space *space);

// True if what impacts by this law err by is returned: those that bounce.
static inline bool carom_repay_holds(carom_contact_law law) {
    return law.restitution > 0;
}

// Given the velocities before the kick that follows a drift (w_before) and after it without contact (w), corrects w by impulses along the normals
// of the contacts that bounced in the drift; where all were stopped what it took is booked instead. `hits` are those of the drift, and the impulses are appended, with the times of the impacts that they belong to; x are the positions at the kick. `kick` holds
// the velocities that the forces gave to the nodes in the kick before the drift, and is replaced by those of this one. Linear and
// angular momentum are exact.
carom_status carom_repay_run(const carom_repay *repay, carom_repay_space *space, const carom_drift_space *drift,
                             const double (*x)[3], const double (*w_before)[3], double (*kick)[3], double (*w)[3],
                             carom_hits *hits, carom_error *error);

#endif
