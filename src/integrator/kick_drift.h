// SPDX-License-Identifier: MIT
// The inside of carom_kick_drift (carom/stepper.h): kicks and drifts of all nodes with carom's contact inside.
#ifndef CAROM_INTEGRATOR_KICK_DRIFT_H
#define CAROM_INTEGRATOR_KICK_DRIFT_H

#include "carom/stepper.h"
#include "integrator/contact_step.h"
#include "integrator/newmark_kick.h"
#include "integrator/search.h"

struct carom_kick_drift {
    carom_stepper *stepper;
    bool contact;            // bodies touch; without it the two below are unused
    carom_newmark_kick kick; // forces, restraints and w
    carom_search search;
    carom_contact_step contact_step;
    bool untold; // the hits of the starting kick precede any observer and have not been reported
    bool owed;   // the last drift had the length of the step, and no kick has followed it

    // time covered by the drifts of one step; valid only for this attempt and step number
    double drifted;
    int64_t drifted_attempt, drifted_step;
};

// carom_kick_drift_create in memory of the caller, which must not move; any `contact.resolve`. Close in any case.
carom_status carom_kick_drift_open(carom_kick_drift *nodes, carom_stepper *stepper, carom_state *state, bool contact,
                                   carom_error *error);
void carom_kick_drift_close(carom_kick_drift *nodes);

// The three parts of carom_kick_drift_drift. Begin: forgets the hits of the step before, and sets the prescribed velocities of
// the drift. Fly: moves all nodes through their impacts. Book: the impacts.
void carom_kick_drift_begin(carom_kick_drift *nodes, carom_state *state, double h);
carom_status carom_kick_drift_fly(carom_kick_drift *nodes, carom_state *state, double h, carom_error *error);
void carom_kick_drift_book(carom_kick_drift *nodes, carom_state *state);

#endif
