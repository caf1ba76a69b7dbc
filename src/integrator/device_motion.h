// SPDX-License-Identifier: MIT
// Motion of nodes that stays on a device (GPU) between steps (docs/theory/device.md, device/device.h).
//
// The processor keeps the nodes that anything but forces of elements, dead loads and mass damping can move: nodes of contact,
// of restraints, springs, live loads and rigid bodies. The device keeps all others. The arrays of the state and of the kick
// have outdated rows of these until a caller announces that it reads them (model/remote.h); sums over them are always up to
// date.
#ifndef CAROM_INTEGRATOR_DEVICE_MOTION_H
#define CAROM_INTEGRATOR_DEVICE_MOTION_H

#include "math/vec3.h"
#include "model/model.h"
#include "model/remote.h"
#include "model/state/ledger.h"

struct carom_device;

// Initialise the first members, and the rest with {0}.
typedef struct carom_resident {
    const carom_model *model;
    bool allowed;                     // the method allows it; the model may still prevent it
    carom_vectors w, force, drag;     // of the kick (newmark_kick.h)
    carom_vectors kicks;              // velocity changes that contact keeps; NULL: none
    struct carom_device **of_stepper; // the device pointer of the stepper

    struct carom_device *device; // NULL: the motion does not stay on a device
    bool refused;                // it cannot: the model prevents it, or the device has too little memory
    double fastest;              // largest square of a speed of nodes on the device, after the last kick
    carom_exact sums[CAROM_KICK_SUMS];
} carom_resident;

// Call at the start of a step: from then on the motion stays on the device of the stepper, if there is one and the model allows
// it. Sends the state to the device unless it is there already.
carom_status carom_resident_enter(carom_resident *resident, carom_state *state, carom_error *error);

// Drifts the nodes on the device for the time h.
void carom_resident_drift(const carom_resident *resident, const carom_state *state, double h);
// The solver on the device for large islands of contacts; NULL: the threads solve all.
const struct carom_sweeper *carom_resident_sweeper(const carom_resident *resident, const carom_state *state);

#endif
