// SPDX-License-Identifier: MIT
// Several contacts solved together, without bounce.
//
// For all contacts of a list
//     g' >= target,   lambda >= 0,   lambda (g' - target) = 0,   |J_t| <= mu lambda,
// by projected Gauss-Seidel with accumulated impulses, so that a push can be taken back, and without friction to the end by conjugate
// gradients on the contacts that press. The kinetic energy that the impulses take
// is exactly the sum over contacts of -J.(u- + u+)/2, with u the relative velocities before and after all of them.
#ifndef CAROM_CONTACT_IMPACT_CONTACT_SOLVE_H
#define CAROM_CONTACT_IMPACT_CONTACT_SOLVE_H

#include "contact/response.h"

typedef struct carom_solved_contact {
    carom_contact contact;
    int number;           // whatever the caller wants to remember
    double friction;      // Coulomb coefficient
    double target;        // smallest admissible rate
    double softness;      // along the normal
    double softest;       // no direction is softer; the same if nothing is restrained
    double before[3];     // relative velocity before
    double normal;        // accumulated impulse
    double tangential[3]; // likewise
    double start[4][3];   // velocities of its nodes when the solve began
    bool presses;         // scratch of the solve: belongs to the linear problem
    double residual, search;
} carom_solved_contact;

// A list to be solved; start from {0}.
typedef struct carom_contact_solve {
    int count;
    int64_t capacity;
    carom_solved_contact *items;
} carom_contact_solve;

void carom_contact_solve_release(carom_contact_solve *joints);

// Adds a contact; false if memory is short. A contact none of whose nodes can move along the normal is passed over. `v_before` are
// the velocities from which work is measured.
bool carom_contact_solve_add(carom_contact_solve *joints, const carom_contact *contact, carom_mobility mobility,
                             double friction, double target, const double (*v_before)[3]);

// Changes the velocities v until no rate lacks more than about `floor` (with friction: until a sweep changes none by more, 1000 sweeps at
// most). The impulses are applied once at the end, so that velocities and impulses agree to round-off however long it took.
void carom_contact_solve_run(carom_contact_solve *joints, carom_mobility mobility, double floor, double (*v)[3]);

// What one contact of a solved list did: impulse, normal work (as restitution), friction work; nodes at x + t v with velocities v
// after.
carom_hit carom_contact_solve_hit(const carom_solved_contact *joint, carom_mobility mobility, const double (*x)[3],
                                  const double (*v)[3], double t);

#endif
