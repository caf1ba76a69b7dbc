// SPDX-License-Identifier: MIT
// The kick of explicit Newmark without contact: forces at the current positions change the velocities between two times.
//
//     w+ = w- + h M^-1 f(x),   v = (w- + w+)/2
//
// Mass damping -a M v acts at the velocity v in the middle of the kick; its matrix is diagonal, so w+ follows in closed form.
// Stiffness damping -b K w- acts at the velocity before the kick. Restrained components take their prescribed velocities.
//
// Whatever else than its own force changes the velocity of a node is a part of the kick: rigid bodies, restraints, damping,
// live loads, springs (kick_parts.c) and ties (tie_repay.h).
#ifndef CAROM_INTEGRATOR_NEWMARK_KICK_H
#define CAROM_INTEGRATOR_NEWMARK_KICK_H

#include "base/arena.h"
#include "contact/contact.h"
#include "integrator/device_motion.h"
#include "integrator/rigid_kick.h"
#include "integrator/spring_kick.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/state.h"

typedef struct carom_newmark_kick carom_newmark_kick;

// A part of a kick. Forces are collected from the last part to the first, so that a rigid body takes up what the others put on
// its nodes; the other calls go from the first to the last. A call that a part does not need is NULL.
typedef struct carom_kick_part {
    void *own; // of the part
    // The positions are those of the kick at a time of the run: adds to the forces, or takes up those that are there.
    void (*collect)(void *own, carom_newmark_kick *kick, double time);
    // The forces have changed velocities for the time h: changes them further. Returns the largest change by forces.
    double (*push)(void *own, carom_newmark_kick *kick, double h);
    // Contact has answered.
    void (*settle)(void *own, carom_newmark_kick *kick);
    // Books what the part did, of which `after` acts on the time to come.
    void (*book)(void *own, const carom_newmark_kick *kick, carom_state *state, double h, double after);
} carom_kick_part;

enum { CAROM_KICK_PARTS = 8 };

// Start from {0}.
struct carom_newmark_kick {
    const carom_model *model;
    double step;                  // length of the drift that follows the kick
    const carom_state *state;     // whose nodes are kicked
    const double (*x)[3];         // its positions
    carom_vectors w;              // velocity between two times; part of the state
    double *speed;                // largest velocity change of a node by forces in the last kick; part of the state
    carom_vectors w_before;       // w-, before the kick
    carom_vectors force;          // f: elements, loads, damping
    carom_vectors reaction;       // per restraint: impulse of the last kick
    carom_restraints restraints;  // those of the model, with the velocities of the present drift
    carom_restraint *closed;      // per node with windows (model/motion/timed_restraints.h): its restraint in the drift before
    carom_mobility mobility;      // masses and these restraints
    carom_vectors live;           // loads that change in time or follow faces
    carom_vectors drag;           // forces of mass damping; NULL if no body is damped
    carom_vectors viscous;        // forces of stiffness damping; NULL likewise
    double *slots;                // element forces before they are gathered at the nodes; free scratch between kicks
    double *energies;             // energies of the elements, of the last forces found with `row`
    bool row;                     // energies are found beside forces
    bool peaks;                   // likewise the largest stresses: a step ends here
    double *scratch;              // element forces of stiffness damping; NULL if no body has any
    carom_damped damped;          // what dampers of springs did
    carom_rigid_kick rigid;       // rigid bodies
    struct carom_device **device; // of the stepper: where element forces are found, if it is not NULL
    carom_resident *resident;     // motion that stays there; NULL: none can
    carom_arena *arena;           // of all that is not part of the state
    carom_kick_part parts[CAROM_KICK_PARTS];
    int part_count;
};

// Registers w and the speed of the last kick with the state.
carom_status carom_newmark_kick_create(carom_newmark_kick *kick, const carom_model *model, double step, carom_state *state,
                                       carom_error *error);
void carom_newmark_kick_release(carom_newmark_kick *kick);

// Appends a part, or those that its model has (kick_parts.c).
void carom_newmark_kick_add(carom_newmark_kick *kick, carom_kick_part part);
void carom_newmark_kick_add_parts(carom_newmark_kick *kick);

// All forces at a time and at the positions of the state, except for mass damping: of a kick, at which laws with history
// commit, and to look at, as a trial or, where laws have committed already, read.
void carom_newmark_kick_commit_forces(carom_newmark_kick *kick, carom_state *state, double time);
void carom_newmark_kick_find_forces(carom_newmark_kick *kick, const carom_state *state, double time, carom_use use);

// Forces of elements, gravity and loads at positions x and a time, without damping, restraints, springs and rigid bodies.
void carom_newmark_kick_force_at(carom_newmark_kick *kick, carom_state *state, double time, const double (*x)[3],
                                 double (*force)[3]);
// Sets the restrained components of velocities to those that are prescribed at a time.
void carom_newmark_kick_impose(carom_newmark_kick *kick, double time, double (*v)[3]);

// The nodes whose motion is that of the arrays: all that this process owns, or those of the processor where motion of the
// others stays on a device. Returns their number; *nodes is NULL if they are the first ones.
int carom_newmark_kick_nodes(const carom_newmark_kick *kick, const carom_state *state, const int **nodes);

// Sets the prescribed velocities of the drift that begins at a time: those of its middle.
void carom_newmark_kick_drive(carom_newmark_kick *kick, double time);

// A kick of length h at the positions of the state, which are those of `time`: finds the forces and pushes.
void carom_newmark_kick_run(carom_newmark_kick *kick, carom_state *state, double time, double h);
// The second half of it: the forces that were found change the velocities. `after` is the share of it that acts on the time to
// come, as far as that is known.
void carom_newmark_kick_push(carom_newmark_kick *kick, carom_state *state, double time, double h, double after);

// After contact has answered the kick: its parts take over what it gave them.
void carom_newmark_kick_settle(carom_newmark_kick *kick);

// Books the kick, after contact has answered it. `after` is the share of it that acts on the time to come.
void carom_newmark_kick_book(carom_newmark_kick *kick, carom_state *state, double h, double after);

// The velocities of the state, v = w- + (1 - after) (w+ - w-), where `after` is the share of the kick that acts on the time to
// come: 1/2 between equal drifts. False if one is not finite.
bool carom_newmark_kick_velocities(const carom_newmark_kick *kick, carom_state *state, double after);

#endif
