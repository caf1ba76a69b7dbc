// SPDX-License-Identifier: MIT
// Sweeps over rigid bodies that lead each other on: what one has changed is done once more, in part, before the next.
#ifndef CAROM_CONTACT_IMPACT_ANDERSON_SWEEPS_H
#define CAROM_CONTACT_IMPACT_ANDERSON_SWEEPS_H

#include "contact/impact/contact_solve.h"

// How far the sweeps of a group have come; start from {.theta = 1}.
typedef struct carom_nesterov_state {
    double theta; // falls from 1 to 0 between two fresh starts
    double beta;  // the part of the change that is done once more
} carom_nesterov_state;

// Notes the impulses of a contact before the first sweep.
void carom_nesterov_start(const carom_swept_contact *one, carom_nesterov_contact *accelerated);

// After a sweep: finds beta, which is zero at a fresh start.
void carom_nesterov_update(const carom_swept_contact *swept, const carom_nesterov_contact *accelerated, int count,
                           carom_nesterov_state *nesterov);

// Leads the impulses of a contact on, within its cone of friction. `more` is what is to be pushed; false if it is zero.
bool carom_nesterov_extrapolate(carom_swept_contact *one, carom_nesterov_contact *accelerated, double beta, double more[3]);

#endif
