// SPDX-License-Identifier: MIT
// The inside of carom_kick_drift (carom/stepper.h): forces, kicks and drifts of all nodes with carom's contact inside.
#ifndef CAROM_INTEGRATOR_KICK_DRIFT_H
#define CAROM_INTEGRATOR_KICK_DRIFT_H

#include "carom/stepper.h"
#include "integrator/contact_step.h"
#include "integrator/search.h"
#include "math/vec3.h"

struct carom_kick_drift {
    carom_stepper *stepper;
    const carom_model *model;
    bool contact;                // bodies touch
    carom_vectors w;             // velocity between two kicks; part of the state
    double *kick_speed;          // largest velocity change of a node in the last kick; part of the state
    carom_vectors w_before;      // before the last kick
    carom_vectors force;         // of the last kick
    double *slots;               // element forces before they are gathered
    carom_vectors live;          // loads that change in time or follow faces
    carom_vectors drag;          // forces of mass damping; NULL if no body is damped, as are the two below
    carom_vectors viscous;       // forces of stiffness damping
    double *scratch;             // of stiffness damping
    carom_vectors reaction;      // impulse of each restraint in the last kick
    carom_restraints restraints; // those of the model with the velocities of the present drift
    carom_mobility mobility;
    carom_search search;
    carom_contact_step contact_step;
};

#endif
