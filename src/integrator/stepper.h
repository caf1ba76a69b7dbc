// SPDX-License-Identifier: MIT
// The internals of carom_stepper: one integrator applied to one model.
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
    bool follows;            // adaptive steps: divided if bodies stiffen or are compressed
    bool stops;              // a numerical event ends the run
    int halvings;            // how often steps of elements are halved, as the step has been (carom_time_def)
    void *workspace;         // allocated by setup, freed by release
    bool kept_state;         // a failed step has left the state at the last time it reached; it is admissible and kept
    bool stale;              // velocities and pending entries are those of an earlier time: `synchronize` of the method is due
    carom_error missed;      // message for CAROM_EVENT_CONTACT_MISSED in the last step; empty: the method has none
    carom_observer observer; // is notified of each contact impulse
    int64_t row_step;        // a row is due when this step is done: energies may be found with its forces; -1: unknown
    int64_t audit_step;      // the same for an audit of the ledger, if a device computes energies
    int64_t peaks_step;      // the largest stresses of this step are required, and may be found with its forces; -1: none
    int64_t attempt;         // calls of the method's `step` so far, failed ones included
    carom_profile profile;   // times of the phases of a step; off by default
    struct carom_device *device; // computes the forces of elements (device/device.h); NULL: the processor does
};

// CAROM_BAD_INPUT if a function is missing that every integrator needs.
carom_status carom_integrator_check(const carom_integrator *integrator, carom_error *error);

// Updates velocities and pending entries of the ledger to the time of the state, if the method has deferred this.
carom_status carom_stepper_synchronize(carom_stepper *stepper, carom_state *state, carom_error *error);
// The ledger of a synchronized state, with the method's own definition of energy and momenta.
carom_ledger_row carom_stepper_ledger(const carom_stepper *stepper, const carom_state *state);

extern const carom_integrator carom_analysis_static;
extern const carom_integrator carom_integrator_asynchronous;
extern const carom_integrator carom_integrator_energy_momentum;
extern const carom_integrator carom_integrator_multisymplectic;
extern const carom_integrator carom_integrator_newmark_dcr;
extern const carom_integrator carom_integrator_nonsmooth_newmark;

#endif
