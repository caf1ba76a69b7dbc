// SPDX-License-Identifier: MIT
// Motion that stays on a device between steps (docs/theory/device.md, device/device.h).
//
// The processor has the nodes that something else than forces of elements, dead loads and mass damping may move: those of
// contact, restrained ones, those of live loads and of rigid bodies. The device has all others. Arrays of the state and of the
// kick hold older numbers of these until somebody says that they are read (model/remote.h); sums over them are there in any
// case.
#ifndef CAROM_INTEGRATOR_DEVICE_MOTION_H
#define CAROM_INTEGRATOR_DEVICE_MOTION_H

#include "math/vec3.h"
#include "model/model.h"
#include "model/remote.h"
#include "model/state/ledger.h"

struct carom_device;

// Whose motion may stay: start from these, the rest {0}.
typedef struct carom_resident {
    const carom_model *model;
    bool may;                         // nothing but the model speaks against it
    carom_vectors w, force, drag;     // of the kick (newmark_kick.h)
    carom_vectors kicks;              // what contact keeps of it; NULL: nothing
    struct carom_device **of_stepper; // where the stepper has its device

    struct carom_device *device; // NULL: motion does not stay
    bool refused;                // it cannot
    double fastest;              // largest square of a speed of the others, after the last kick
    carom_exact sums[CAROM_KICK_SUMS];
} carom_resident;

// At the begin of a step: from now on the motion stays on the device of the stepper, if there is one and nothing of the model
// speaks against it. The device gets the state if it has another one.
carom_status carom_resident_enter(carom_resident *resident, carom_state *state, carom_error *error);

// Those nodes drift for the time h.
void carom_resident_drift(const carom_resident *resident, const carom_state *state, double h);
// Who solves large islands of contacts in place of the threads; NULL: nobody does.
const struct carom_sweeper *carom_resident_sweeper(const carom_resident *resident, const carom_state *state);

#endif
