// SPDX-License-Identifier: MIT
// Nesterov-accelerated projected Gauss-Seidel for contacts of rigid bodies (O'Donoghue and Candes 2015): the change made by a
// sweep is extrapolated before the next sweep.
#ifndef CAROM_CONTACT_IMPACT_NESTEROV_SWEEPS_H
#define CAROM_CONTACT_IMPACT_NESTEROV_SWEEPS_H

#include "contact/impact/contact_solve.h"

// The sequence of extrapolation factors of a group; start from {.theta = 1}.
typedef struct carom_nesterov_state {
    double theta; // falls from 1 towards 0 between two restarts
    double beta;  // the fraction of the last change that is added once more
} carom_nesterov_state;

// Stores the impulses of a contact before the first sweep.
void carom_nesterov_start(const carom_swept_contact *one, carom_nesterov_contact *accelerated);

// After a sweep: computes beta, which is zero at a restart.
void carom_nesterov_update(const carom_swept_contact *swept, const carom_nesterov_contact *accelerated, int count,
                           carom_nesterov_state *nesterov);

// Extrapolates the impulses of a contact within its friction cone. `more` is the added impulse; false if it is zero.
bool carom_nesterov_extrapolate(carom_swept_contact *one, carom_nesterov_contact *accelerated, double beta, double more[3]);

#endif
