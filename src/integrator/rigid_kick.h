// SPDX-License-Identifier: MIT
// Kicks and drifts of rigid bodies (docs/theory/rigid.md): forces on carried nodes add up to a force and a moment, and poses go
// from the state to contact and back.
#ifndef CAROM_INTEGRATOR_RIGID_KICK_H
#define CAROM_INTEGRATOR_RIGID_KICK_H

#include "base/arena.h"
#include "contact/rigid_motion_field.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"

// Start from {0}: without rigid bodies all functions do nothing. Must not move once it is created: contact keeps a pointer to
// the carriers.
typedef struct carom_rigid_kick {
    carom_state *state;   // NULL: there are no rigid bodies
    const double (*x)[3]; // where nodes are at kicks: positions of the state, unless the method knows better
    const double *time;   // of kicks, and of the beginning of drifts: that of the state, likewise
    carom_rigid_bodies rigid_bodies;
    carom_vectors force;     // per body: of the loads on its nodes
    carom_vectors moment;    // about its centre
    double (*pushes)[2][3];  // of bodies in linkages, linkage by linkage: impulses and couples,
    double (*answers)[2][3]; // and the velocities that they change
    double *work;            // per linkage: of its motors in the kick
    carom_accounts given;    // by joints in the kick that was booked last
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

// The acceleration of a node that is glued to a body, by the forces that were collected and the force on its centre; 0 of its
// own nodes.
void carom_rigid_kick_acceleration(const carom_rigid_kick *rigid, const double (*force)[3], int node, double a[3]);

// The kick of length h: rows of bodies and of the nodes that they carry, before and after. The node at the centre has had the
// forces on itself. Returns the largest change of velocity of a carried node.
double carom_rigid_kick_push(carom_rigid_kick *rigid, double h, double (*w_before)[3], double (*w)[3]);

// Contact has answered: angular momenta take over the change of the rows, and carried nodes follow.
void carom_rigid_kick_settle(carom_rigid_kick *rigid, const double (*w_before)[3], double (*w)[3]);

// What a kick of length h by the forces that were collected would change: rows of the centres, beside what acts on these
// nodes themselves, and of the bodies.
void carom_rigid_kick_end(const carom_rigid_kick *rigid, double h, double (*kick)[3]);
// Books what joints did in the last kick, of which `after` acts later.
void carom_rigid_kick_book(carom_rigid_kick *rigid, double after);
// Adds the rows of carried nodes of a field of forces to those of the centres.
void carom_rigid_kick_gather(const carom_rigid_kick *rigid, double (*force)[3]);
// The energy of rotation of body r at the time of a kick, less that with the angular velocity after it.
double carom_rigid_kick_oscillation(const carom_rigid_kick *rigid, int r, const double (*w)[3]);

// Begins a drift of length h at the pose of the state. Fails if a body turns by more than two radians.
carom_status carom_rigid_kick_begin(carom_rigid_kick *rigid, double h, double (*w)[3], carom_error *error);
// The status of a drift with impacts: if joints could not be closed after one of them, they are to blame for what it met next.
carom_status carom_rigid_kick_blame(const carom_rigid_kick *rigid, carom_status status, carom_error *error);
// Puts velocities back to the start of a drift that has ended: joints change those of linkages in free flight, too.
void carom_rigid_kick_go_back(const carom_rigid_kick *rigid, double (*w)[3]);
// Tells with what speed shapes may recover beside contacts: carom_rigid_bodies.slow.
static inline void carom_rigid_kick_slow(carom_rigid_kick *rigid, double slow) {
    rigid->rigid_bodies.slow = slow;
}
// Moves the poses to the end of the drift, of which x are the positions; the state does not know them yet. Joints correct those
// of mass centres. Fails if joints cannot be closed.
carom_status carom_rigid_kick_finish(carom_rigid_kick *rigid, double h, double (*x)[3], double (*w)[3], carom_error *error);
// The state takes them over, and its books what joints did in the drift.
void carom_rigid_kick_store(carom_rigid_kick *rigid);

#endif
