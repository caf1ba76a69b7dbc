// SPDX-License-Identifier: MIT
// The inside of carom_stepper: one integrator at work on one model.
#ifndef CAROM_INTEGRATOR_STEPPER_H
#define CAROM_INTEGRATOR_STEPPER_H

#include "base/profile.h"
#include "carom/stepper.h"
#include "model/node_elements.h"
#include "model/state/ledger.h"

struct carom_stepper {
    const carom_integrator *method;
    const carom_model *model;
    const void *params;      // of the method
    double step;             // time step
    bool follows;            // steps may be divided where bodies stiffen or are compressed
    bool stops;              // a numerical event ends the run
    void *workspace;         // allocated by setup, freed by release
    bool kept_state;         // a step that failed has left the state at the last time it reached, admissible: it is kept
    bool stale;              // velocities and pending books are those of an earlier time: `synchronize` of the method is due
    carom_error missed;      // of CAROM_EVENT_CONTACT_MISSED in the last step, in words; empty: the method has no words for it
    carom_observer observer; // hears of each impulse of contact
    int64_t row_step;        // a row is due when this step is done: energies may be found with its forces; -1: unknown
    int64_t audit_step;      // likewise for an audit of the books, where a device finds energies
    int64_t peaks_step;      // the largest stresses of this step are asked for, and may be found with its forces; -1: none
    int64_t attempt;         // calls of the method's `step` so far, failed ones included
    carom_profile profile;   // where the time goes; off unless a run asks for it
    struct carom_device *device; // finds the forces of elements (device/device.h); NULL: the processor does
};

// CAROM_BAD_INPUT if a function is missing that every integrator has.
carom_status carom_integrator_check(const carom_integrator *integrator, carom_error *error);

// Brings velocities and pending books to the time of the state, if the method has left them for later.
carom_status carom_stepper_synchronize(carom_stepper *stepper, carom_state *state, carom_error *error);
// The books of a state that is synchronized, by the method's own definition of energy and momenta.
carom_ledger_row carom_stepper_ledger(const carom_stepper *stepper, const carom_state *state);

extern const carom_integrator carom_analysis_static;
extern const carom_integrator carom_integrator_asynchronous;
extern const carom_integrator carom_integrator_energy_momentum;
extern const carom_integrator carom_integrator_multisymplectic;
extern const carom_integrator carom_integrator_newmark_dcr;
extern const carom_integrator carom_integrator_nonsmooth_newmark;

#endif
