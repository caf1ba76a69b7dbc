// SPDX-License-Identifier: MIT
// Motion that stays on a device between steps (docs/theory/device.md, device/device.h).
//
// The processor has the nodes that something else than forces of elements, dead loads and mass damping may move: those of
// contact, restrained ones, those of live loads and of rigid bodies. The device has all others. Arrays of the state and of the
// kick hold older numbers of these until they are brought; whoever needs more than the nodes of the processor and sums over the
// others (model/state/device_nodes.h) asks for them.
#ifndef CAROM_INTEGRATOR_DEVICE_MOTION_H
#define CAROM_INTEGRATOR_DEVICE_MOTION_H

#include "math/vec3.h"
#include "model/model.h"
#include "model/state/device_nodes.h"
#include "model/state/ledger.h"

struct carom_device;

// Whose motion may stay: start from these, the rest {0}.
typedef struct carom_resident {
    const carom_model *model;
    bool may;                         // nothing but the model speaks against it
    carom_vectors w, force, drag;     // of the kick (newmark_kick.h)
    carom_vectors kicks;              // what contact keeps of it; NULL: nothing
    struct carom_device **of_stepper; // where the stepper has its device, and
    struct carom_resident **known;    // where it is told of this motion

    carom_state *state;          // whose motion it is; NULL: not asked yet
    struct carom_device *device; // NULL: motion does not stay
    bool refused;                // it cannot
    int64_t generation;          // of the state that the device has
    int *here;                   // the nodes of the processor, ascending
    int count;
    carom_elsewhere elsewhere;
    double fastest; // largest square of a speed of the others, after the last kick
    carom_exact sums[CAROM_KICK_SUMS];
} carom_resident;

void carom_resident_release(carom_resident *resident);

// At the begin of a step: from now on the motion stays on the device of the stepper, if there is one and nothing of the model
// speaks against it. The device gets the state if it has another one.
carom_status carom_resident_enter(carom_resident *resident, carom_state *state, carom_error *error);

// True if the device has the motion of this state.
static inline bool carom_resident_has(const carom_resident *resident, const carom_state *state) {
    return resident->device && resident->generation == state->generation;
}

// Those nodes drift for the time h.
void carom_resident_drift(carom_resident *resident, carom_state *state, double h);
// Who solves large islands of contacts in place of the threads; NULL: nobody does.
const struct carom_sweeper *carom_resident_sweeper(const carom_resident *resident, const carom_state *state);

// Brings what is away: positions; velocities and what contact keeps of the kick; forces; or all. Nothing happens if they are
// here.
void carom_resident_bring_positions(const carom_resident *resident, carom_state *state);
void carom_resident_bring_velocities(const carom_resident *resident, carom_state *state);
void carom_resident_bring_forces(const carom_resident *resident, carom_state *state);
void carom_resident_bring(const carom_resident *resident, carom_state *state);
// The same for a few nodes.
void carom_resident_fetch(const carom_resident *resident, carom_state *state, const int *nodes, int count);

// The arrays of a state that are away: those of the state whose motion it is, or of a copy of it.
carom_away carom_resident_away(const carom_resident *resident, const carom_state *state);

#endif
