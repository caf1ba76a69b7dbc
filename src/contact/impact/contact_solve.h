// SPDX-License-Identifier: MIT
// Several contacts solved together, without bounce.
//
// For all contacts of a list
//     g' >= target,   lambda >= 0,   lambda (g' - target) = 0,   |J_t| <= mu lambda,
// by projected Gauss-Seidel. Impulses are accumulated, so a later sweep can take back a push that was too strong. Frictionless
// problems are finished by conjugate gradients on the contacts that press. The kinetic energy that the impulses take is exactly
// the sum over contacts of -J.(u- + u+)/2, where u are the relative velocities before and after all of them.
#ifndef CAROM_CONTACT_IMPACT_CONTACT_SOLVE_H
#define CAROM_CONTACT_IMPACT_CONTACT_SOLVE_H

#include "contact/impact/sweep_body.h"
#include "contact/response.h"

typedef struct carom_solved_contact {
    carom_contact contact;
    int number;           // free for the caller
    double friction;      // Coulomb coefficient
    double target;        // smallest admissible rate
    double plain;         // the same without bounce
    double softness;      // along the normal
    double softest;       // upper bound of the softness in any direction; equal to it without restraints
    double reaction[4];   // velocity of each node by a unit impulse; 0 for nodes that do not move
    bool guided;          // a node that moves is restrained in some directions, or a body carries one
    double before[3];     // relative velocity before
    double normal;        // lambda, accumulated
    double tangential[3]; // J_t, accumulated
    bool stops;           // as of a hit; for the caller
    // from here on nothing is set before a solve needs it
    double start[4][3];       // velocities of its nodes when the solve began,
    double start_of[2][2][3]; // and of the bodies that carry its sides: of the centre, and angular
    double first[2][3];       // impulse and relative velocity after it of an earlier solve (bounce_energy_cap.c)
    bool presses;             // belongs to the active set of the linear problem
    double residual;          // target rate less rate
    double search;            // direction of the conjugate gradients
} carom_solved_contact;

// What sweeps read and write of a contact (sweeps.h).
typedef struct carom_swept_contact {
    carom_plain_contact plain;
    double impulse;                     // lambda, accumulated
    double tangential[3];               // J_t, accumulated
    const carom_solved_contact *guided; // NULL: no node that moves is restrained
    bool is_rigid;                      // by rigid bodies alone: there is a record of the next kind
} carom_swept_contact;

// The same of a contact whose sides that move are carried by rigid bodies without joints. With the sign s of a side, its arm a
// (which has that sign), mass M and J^-1 of its body, the rate is the sum of s n.V + (a x n).W, and a unit impulse changes V by
// s n/M and W by J^-1 (a x n).
typedef struct carom_rigid_contact {
    int body[2];             // -1: this side does not move
    double change_seen;      // how much these had been stirred when the contact was last relaxed
    int centre[2], turn[2];  // rows of V and W
    double sign[2], pull[2]; // s and s/M
    double lever[2][3];      // a x n
    double spin[2][3];       // J^-1 (a x n)
    double arm[2][3];
} carom_rigid_contact;

// Impulses of a contact whose sweeps are hastened (anderson_sweeps.h), the normal one first.
typedef struct carom_nesterov_contact {
    double sweep_start[4]; // before the last sweep
    double last[4];        // after the one before it
} carom_nesterov_contact;

// A list to be solved; start from {0}.
typedef struct carom_contact_solve {
    int count;
    int64_t capacity;
    carom_solved_contact *items;
    carom_swept_contact *swept; // scratch, in the order of the sweeps
    carom_rigid_contact *rigid; // the same, where there are rigid bodies
    carom_nesterov_contact *accelerated;
    double *body_change; // scratch, of each rigid body: the sum of the changes of rates that pushed it
    int body_capacity;
    carom_arena *scratch;                // has the scratch
    int most;                            // sweeps at most; 0: as many as its contacts need
    const struct carom_sweeper *sweeper; // who sweeps over large groups in place of the threads (sweeps.h); NULL: nobody
} carom_contact_solve;

void carom_contact_solve_release(carom_contact_solve *solve);

// Adds a contact; false if memory is short. A contact none of whose nodes can move along the normal is skipped. Work is
// measured from the velocities `v_before`.
bool carom_contact_solve_add(carom_contact_solve *solve, const carom_contact *contact, carom_mobility mobility, double friction,
                             double target, const double (*v_before)[3]);

// The same in steps, for threads: room for more contacts at the end of the list, what makes one of them, and the removal of
// those from `begin` on none of whose nodes can move along the normal.
bool carom_contact_solve_reserve(carom_contact_solve *solve, int more, carom_mobility mobility);
void carom_solved_contact_start(carom_solved_contact *one, const carom_contact *contact, carom_mobility mobility,
                                double friction, double target, const double (*v_before)[3]);
void carom_contact_solve_drop_stiff(carom_contact_solve *solve, int begin);

// True if impulses at the contact move its k-th node.
static inline bool carom_solved_contact_moves(const carom_solved_contact *one, int k) {
    return one->reaction[k] != 0;
}

// Applies an impulse at a contact, as carom_contact_push.
void carom_solved_contact_push(const carom_solved_contact *one, carom_mobility mobility, const double J[3], double (*v)[3]);

// True if all that moves at the contact are rigid bodies.
static inline bool carom_solved_contact_is_rigid(const carom_solved_contact *one) {
    for (int k = 0; k < one->contact.count; k++)
        if (carom_solved_contact_moves(one, k))
            return false;
    return carom_contact_is_rigid(&one->contact);
}

// Groups of up to so many contacts between rigid bodies alone are solved by hastened sweeps (anderson_sweeps.h), which look at
// all contacts. In large heaps sweeps that leave out what nothing has stirred are worth more.
enum { CAROM_ACCELERATED_MAX = 512 };

// Colours of contacts. These fit into the bits of a number; a node with more contacts is rare.
enum { CAROM_COLOURS = 64 };

// Some contacts of a list, in the order in which they are solved. Those of one colour have no node in common that moves, so
// that threads may solve them at the same time with the same result.
typedef struct carom_solve_group {
    const int *order; // their numbers; NULL: all of the list, in its order
    int first;        // place of the first one among those of all groups, which may be solved at the same time
    int count;
    const int *colours; // colour c begins at place colours[c] of the order; contacts from colours[colour_count] on have none
    int colour_count;
    bool shared; // threads share the contacts of a colour
} carom_solve_group;

// As carom_contact_solve_run, for a group alone.
void carom_contact_solve_group(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                               double floor, double (*v)[3]);

// Changes the velocities v until no rate is below its target by more than about `floor`; with friction, until a sweep changes
// no rate by more than that, or the limit of sweeps is reached. The impulses are applied once at the end, so velocities and
// impulses agree to rounding however long it took.
void carom_contact_solve_run(carom_contact_solve *solve, carom_mobility mobility, double floor, double (*v)[3]);

// The hit of one contact of a solved list: impulse, normal work (as restitution), friction work. Nodes are at x + t v with
// velocities v after the solve. `late` is the share of a kick that acts after its time.
carom_hit carom_contact_solve_hit(const carom_solved_contact *solved, carom_mobility mobility, const double (*x)[3],
                                  const double (*v)[3], double t, double late);

#endif
