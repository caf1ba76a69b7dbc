// SPDX-License-Identifier: MIT
// The inside of carom_stepper: one integrator at work on one model.
#ifndef CAROM_INTEGRATOR_STEPPER_H
#define CAROM_INTEGRATOR_STEPPER_H

#include "carom/integrator.h"

struct carom_stepper {
    const carom_integrator *method;
    const carom_model *model;
    const void *params; // of the method
    double step;        // time step
    void *workspace;    // allocated by setup, freed by release
    bool kept_state;    // a step that failed has left the state at the last time it reached, admissible: it is kept
    carom_error
        missed; // what contact did not see in the last step, in words, for CAROM_EVENT_CONTACT_MISSED; empty: the method has no words for it
};

extern const carom_integrator carom_analysis_static;
extern const carom_integrator carom_integrator_asynchronous;
extern const carom_integrator carom_integrator_energy_momentum;
extern const carom_integrator carom_integrator_multisymplectic;
extern const carom_integrator carom_integrator_newmark_dcr;
extern const carom_integrator carom_integrator_nonsmooth_newmark;

#endif
