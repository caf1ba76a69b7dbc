// SPDX-License-Identifier: MIT
// The kick of explicit Newmark without contact: forces at the current positions change the velocities between two times.
//
//     w+ = w- + h M^-1 f(x),   v = (w- + w+)/2
//
// Mass damping -a M v acts at the velocity v in the middle of the kick; its matrix is diagonal, so w+ follows in closed form.
// Stiffness damping -b K w- acts at the velocity before the kick. Restrained components take their prescribed velocities.
//
// Everything else that changes velocities is a part of the kick (carom_kick_part): rigid bodies, restraints, damping, live
// loads, springs (kick_parts.c) and ties (tie_repay.h).
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

// A part of a kick. `collect` is called from the last part to the first, so that a rigid body collects the forces that the
// others have put on its nodes; the other functions are called from the first to the last. Functions that a part does not need
// are NULL.
typedef struct carom_kick_part {
    void *own; // context
    // At the positions of the kick and a time of the run: adds to the forces, or collects the forces on its nodes.
    void (*collect)(void *own, carom_newmark_kick *kick, double time);
    // After the nodal forces have changed the velocities in a kick of length h: changes them further. Returns the largest
    // change by forces.
    double (*push)(void *own, carom_newmark_kick *kick, double h);
    // After the contact impulses.
    void (*settle)(void *own, carom_newmark_kick *kick);
    // Records energy and impulses of the part in the ledger; the fraction `after` acts after the time of the kick.
    void (*book)(void *own, const carom_newmark_kick *kick, carom_state *state, double h, double after);
} carom_kick_part;

enum { CAROM_KICK_PARTS = 8 };

// Start from {0}.
struct carom_newmark_kick {
    const carom_model *model;
    double step;                  // length of the drift after the kick
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
    carom_vectors live;           // loads that change in time or with the direction of faces
    carom_vectors drag;           // forces of mass damping; NULL if no body is damped
    carom_vectors viscous;        // forces of stiffness damping; NULL if no body is damped
    double *slots;                // element forces before they are gathered at the nodes; free scratch between kicks
    double *energies;             // energies of the elements, of the last forces found with `row`
    bool row;                     // energies are computed together with forces
    bool peaks;                   // the largest stresses are computed as well: a step ends here
    double *scratch;              // element forces of stiffness damping; NULL if no body has any
    carom_damped damped;          // impulses and work of the dampers of springs
    carom_rigid_kick rigid;       // rigid bodies
    struct carom_device **device; // of the stepper: computes the element forces, if it is not NULL
    carom_resident *resident;     // motion that stays on the device; NULL: none can
    carom_arena *arena;           // of all that is not part of the state
    carom_kick_part parts[CAROM_KICK_PARTS];
    int part_count;
};

// Registers w and the speed of the last kick with the state.
carom_status carom_newmark_kick_create(carom_newmark_kick *kick, const carom_model *model, double step, carom_state *state,
                                       carom_error *error);
void carom_newmark_kick_release(carom_newmark_kick *kick);

// Appends a part, or all parts that the model needs (kick_parts.c).
void carom_newmark_kick_add(carom_newmark_kick *kick, carom_kick_part part);
void carom_newmark_kick_add_parts(carom_newmark_kick *kick);

// Finds all forces at a time and at the positions of the state, except for mass damping. The first is for a kick: materials
// with history commit their new internal variables. The second evaluates only: as a trial, or with the variables as they were
// committed (CAROM_USE_READ).
void carom_newmark_kick_commit_forces(carom_newmark_kick *kick, carom_state *state, double time);
void carom_newmark_kick_find_forces(carom_newmark_kick *kick, const carom_state *state, double time, carom_use use);

// Forces of elements, gravity and loads at positions x and a time, without damping, restraints, springs and rigid bodies.
void carom_newmark_kick_force_at(carom_newmark_kick *kick, carom_state *state, double time, const double (*x)[3],
                                 double (*force)[3]);
// Sets the restrained components of velocities to those that are prescribed at a time.
void carom_newmark_kick_impose(carom_newmark_kick *kick, double time, double (*v)[3]);

// The nodes whose motion is in the arrays: all that this process owns, or those of the processor if the motion of the others
// stays on a device. Returns their number; *nodes is NULL if they are the first ones.
int carom_newmark_kick_nodes(const carom_newmark_kick *kick, const carom_state *state, const int **nodes);

// Sets the prescribed velocities of the drift that begins at `time`: those at its midpoint.
void carom_newmark_kick_drive(carom_newmark_kick *kick, double time);

// A kick of length h at the positions of the state at `time`: finds the forces (commit_forces) and applies them (push).
void carom_newmark_kick_run(carom_newmark_kick *kick, carom_state *state, double time, double h);
// Applies the forces found before: they change the velocities. `after` is the fraction of the kick that acts after `time`.
void carom_newmark_kick_push(carom_newmark_kick *kick, carom_state *state, double time, double h, double after);

// After the contact impulses of the kick: its parts, such as rigid bodies, adopt the changed velocities.
void carom_newmark_kick_settle(carom_newmark_kick *kick);

// Records the kick in the ledger, after the contact impulses. `after` is the fraction of it that acts after its time.
void carom_newmark_kick_book(carom_newmark_kick *kick, carom_state *state, double h, double after);

// The velocities of the state, v = w- + (1 - after) (w+ - w-), where `after` is the fraction of the kick that acts after its
// time: 1/2 between equal drifts. False if one is not finite.
bool carom_newmark_kick_velocities(const carom_newmark_kick *kick, carom_state *state, double after);

#endif
