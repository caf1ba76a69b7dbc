// SPDX-License-Identifier: MIT
// Kicks and drifts of rigid bodies (docs/theory/rigid.md): sums the forces on their nodes to a force and a moment, and
// transfers orientations between the state and contact.
#ifndef CAROM_INTEGRATOR_RIGID_KICK_H
#define CAROM_INTEGRATOR_RIGID_KICK_H

#include "base/arena.h"
#include "contact/rigid_motion_field.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"

// Start from {0}: without rigid bodies all functions do nothing. Must not move once it is created: contact keeps a pointer to
// its rigid bodies.
typedef struct carom_rigid_kick {
    carom_state *state;   // NULL: there are no rigid bodies
    const double (*x)[3]; // positions of nodes at kicks: those of the state, unless the method has others
    const double *time;   // of kicks, and of the beginning of drifts: that of the state, unless the method has another
    carom_rigid_bodies rigid_bodies;
    carom_vectors force;     // per body: of the loads on its nodes
    carom_vectors moment;    // about its centre
    double (*pushes)[2][3];  // of bodies in linkages, linkage by linkage: impulses and angular impulses by forces,
    double (*answers)[2][3]; // and the velocity changes that they cause
    double *work;            // per linkage: of its motors in the kick
    carom_accounts given;    // impulses and work of joints in the last recorded kick
    carom_vectors start;     // per body: velocity of its centre at the start of the drift
} carom_rigid_kick;

// False if memory is short.
bool carom_rigid_kick_create(carom_rigid_kick *rigid, const carom_model *model, carom_state *state, carom_arena *arena);

// NULL if there are none.
static inline carom_rigid_bodies *carom_rigid_kick_bodies(carom_rigid_kick *rigid) {
    return rigid->state ? &rigid->rigid_bodies : NULL;
}

// Adds up the forces on the nodes of each body at the positions x.
void carom_rigid_kick_collect(carom_rigid_kick *rigid, const double (*x)[3], const double (*force)[3]);

// The acceleration of a node that is tied to a rigid body, by the collected forces and the force on its centre; 0 for the
// body's own nodes.
void carom_rigid_kick_acceleration(const carom_rigid_kick *rigid, const double (*force)[3], int node, double a[3]);

// The kick of length h: changes the rows of bodies and of their nodes in w, and sets those in w_before. The forces on the
// centre node itself have acted before. Returns the largest velocity change of a node of a rigid body.
double carom_rigid_kick_push(carom_rigid_kick *rigid, double h, double (*w_before)[3], double (*w)[3]);

// After the contact impulses: updates angular momenta by the change of the rows, and the rows of the nodes of rigid bodies.
void carom_rigid_kick_settle(carom_rigid_kick *rigid, const double (*w_before)[3], double (*w)[3]);

// The velocity changes in a kick of length h by the collected forces: adds them to the rows of the centres, which have the
// changes by forces on these nodes themselves, and sets the rows of the bodies.
void carom_rigid_kick_end(const carom_rigid_kick *rigid, double h, double (*kick)[3]);
// Records impulses and work of joints in the last kick, of which the fraction `after` acts later.
void carom_rigid_kick_book(carom_rigid_kick *rigid, double after);
// Adds the forces on nodes of rigid bodies to those on the centres.
void carom_rigid_kick_gather(const carom_rigid_kick *rigid, double (*force)[3]);
// The energy of rotation of body r at the time of a kick, less that with the angular velocity after it.
double carom_rigid_kick_oscillation(const carom_rigid_kick *rigid, int r, const double (*w)[3]);

// Begins a drift of length h at the pose of the state. Fails if a body turns by more than two radians.
carom_status carom_rigid_kick_begin(carom_rigid_kick *rigid, double h, double (*w)[3], carom_error *error);
// The status of a drift with impacts: if joints could not be closed after one of them, that is reported instead of later
// errors.
carom_status carom_rigid_kick_check_joints(const carom_rigid_kick *rigid, carom_status status, carom_error *error);
// Restores velocities at the start of a drift: joints change those of linkages even without impacts.
void carom_rigid_kick_restore_velocities(const carom_rigid_kick *rigid, double (*w)[3]);
// Sets a speed that crosses a small part of the contact layer in a step (carom_rigid_bodies.slow).
static inline void carom_rigid_kick_slow(carom_rigid_kick *rigid, double slow) {
    rigid->rigid_bodies.slow = slow;
}
// Moves the bodies to the end of the drift, at which x are the positions; does not change the state yet. Joints correct the
// positions of mass centres. Fails if joints cannot be closed.
carom_status carom_rigid_kick_finish(carom_rigid_kick *rigid, double h, double (*x)[3], double (*w)[3], carom_error *error);
// Stores orientations and angular momenta in the state, and records impulses and work of joints in the drift.
void carom_rigid_kick_store(carom_rigid_kick *rigid);

#endif
