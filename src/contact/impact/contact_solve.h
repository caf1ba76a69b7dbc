// SPDX-License-Identifier: MIT
// Simultaneous solution of several contacts (a complementarity problem, LCP or with friction NCP): for all contacts of a list
//     g' >= target,   lambda >= 0,   lambda (g' - target) = 0,   |J_t| <= mu lambda,
// with the normal rate g' after the impulses, the normal impulse lambda, the tangential one J_t and the coefficient of friction
// mu, by projected Gauss-Seidel. Impulses are accumulated, so a later sweep can reduce an impulse that was too large.
// Frictionless problems of fixed contacts (ends on a line, nodes at planes) without rigid bodies are finished by conjugate
// gradients on the active set. The loss of kinetic energy is exactly the sum over contacts of -J.(u- + u+)/2 with the relative
// velocities u before and after all impulses.
#ifndef CAROM_CONTACT_IMPACT_CONTACT_SOLVE_H
#define CAROM_CONTACT_IMPACT_CONTACT_SOLVE_H

#include "contact/impact/sweep_body.h"
#include "contact/response.h"

typedef struct carom_solved_contact {
    carom_contact contact;
    int number;           // for use by the caller
    double friction;      // Coulomb coefficient
    double target;        // smallest admissible rate
    double rounding;      // of `target`; set by the caller after carom_solved_contact_start, which sets 0
    double plain;         // smallest admissible rate without bounce
    double softness;      // along the normal
    double softest;       // upper bound of the tangential softness; without restraints and rigid bodies it equals `softness`
    double reaction[4];   // velocity of each node by a unit impulse; 0 for nodes that do not move
    bool guided;          // a movable node is restrained in some directions, or a node belongs to a rigid body
    double before[3];     // relative velocity before
    double normal;        // lambda, accumulated
    double tangential[3]; // J_t, accumulated
    bool stops;           // for the caller: carom_hit.stops
    // the members from here on are not initialised by carom_solved_contact_start
    double start[4][3];       // velocities of its nodes at the start of the solve,
    double start_of[2][2][3]; // and of the rigid bodies of its sides: of the centre of mass, and angular
    double first[2][3];       // impulse of an earlier solve, and relative velocity after it (bounce_energy_cap.c)
    bool presses;             // belongs to the active set of the linear problem
    double residual;          // target rate less rate
    double search;            // direction of the conjugate gradients
} carom_solved_contact;

// The data of a contact that sweeps read and write (sweeps.h).
typedef struct carom_swept_contact {
    carom_plain_contact plain;
    double impulse;                     // lambda, accumulated
    double tangential[3];               // J_t, accumulated
    const carom_solved_contact *guided; // the contact, if its member `guided` is set; else NULL
    bool is_rigid;                      // only rigid bodies without joints move: there is a carom_rigid_contact
} carom_swept_contact;

// Additional data of a contact whose movable sides belong to rigid bodies without joints. With the sign s of a side, its arm a
// (which has that sign), mass M and J^-1 of its body, the rate is the sum of s n.V + (a x n).W, and a unit impulse changes V by
// s n/M and W by J^-1 (a x n).
typedef struct carom_rigid_contact {
    int body[2];             // -1: this side does not move
    double change_seen;      // sum of body_change of both when the contact was last updated
    int centre[2], turn[2];  // rows of V and W
    double sign[2], pull[2]; // s and s/M
    double lever[2][3];      // a x n
    double spin[2][3];       // J^-1 (a x n)
    double arm[2][3];
} carom_rigid_contact;

// Impulses of a contact in accelerated sweeps (nesterov_sweeps.h), the normal one first.
typedef struct carom_nesterov_contact {
    double sweep_start[4]; // before the last sweep
    double last[4];        // after the one before it
} carom_nesterov_contact;

// A list of contacts to be solved; start from {0}.
typedef struct carom_contact_solve {
    int count;
    int64_t capacity;
    carom_solved_contact *items;
    carom_swept_contact *swept; // scratch, in the order of the sweeps
    carom_rigid_contact *rigid; // the same, where there are rigid bodies
    carom_nesterov_contact *accelerated;
    double *body_change; // scratch, per rigid body: sum of the changes of rates by its contacts since the start of the solve
    int body_capacity;
    struct carom_newton_space *newton;   // scratch, where there are rigid bodies (newton_island.h)
    carom_arena *scratch;                // owns the scratch arrays
    int most;                            // limit of sweeps; 0: the limit depends on the kinds of contacts
    const struct carom_sweeper *sweeper; // sweeps over large groups instead of the threads (sweeps.h); NULL: threads do
} carom_contact_solve;

void carom_contact_solve_release(carom_contact_solve *solve);

// Adds a contact; false if memory is short. A contact none of whose nodes can move along the normal is skipped. `v_before` are
// the velocities before the impulses, by which their work is computed.
bool carom_contact_solve_add(carom_contact_solve *solve, const carom_contact *contact, carom_mobility mobility, double friction,
                             double target, const double (*v_before)[3]);

// The same in three steps, for threads: reserves capacity for `more` contacts at the end of the list, initialises one of them,
// and removes those from `begin` on none of whose nodes can move along the normal.
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

// True if only rigid bodies move at the contact.
static inline bool carom_solved_contact_is_rigid(const carom_solved_contact *one) {
    for (int k = 0; k < one->contact.count; k++)
        if (carom_solved_contact_moves(one, k))
            return false;
    return carom_contact_is_rigid(&one->contact);
}

// Groups with at most this number of contacts, all between rigid bodies, are solved by accelerated sweeps (nesterov_sweeps.h),
// which change all contacts. In larger heaps plain sweeps are faster, as they skip contacts whose bodies have not changed.
enum { CAROM_ACCELERATED_MAX = 512 };

// Colours of contacts: one bit of a 64-bit integer each. A node with more contacts is rare.
enum { CAROM_COLOURS = 64 };

// Some contacts of a list, in the order in which they are solved. Contacts of one colour have no movable node in common, so
// threads may solve them at the same time with the same result.
typedef struct carom_solve_group {
    const int *order; // their numbers; NULL: all of the list, in its order
    int first;        // index of its first contact in the scratch arrays, which all groups share
    int count;
    const int *colours; // colour c begins at index colours[c] of the order; contacts from colours[colour_count] on have none
    int colour_count;
    bool shared;         // threads share the contacts of a colour
    double newton_floor; // of Newton's method for rigid bodies (newton_island.h); 0: sweeps only
} carom_solve_group;

// As carom_contact_solve_run, for one group.
void carom_contact_solve_group(carom_contact_solve *solve, const carom_solve_group *group, carom_mobility mobility,
                               double floor, double (*v)[3]);

// Changes the velocities v until no rate is below its target by more than about `floor`; with friction, surfaces or rigid
// bodies, until a sweep changes no rate by more than that, or the limit of sweeps is reached. The impulses are applied once at
// the end, so velocities and impulses agree to rounding for any number of sweeps.
void carom_contact_solve_run(carom_contact_solve *solve, carom_mobility mobility, double floor, double (*v)[3]);

// The hit of one contact of a solved list: impulse, normal work (as restitution), friction work. Nodes are at x + t v with
// velocities v after the solve. `late` is the fraction of a kick that acts after its time.
carom_hit carom_contact_solve_hit(const carom_solved_contact *solved, carom_mobility mobility, const double (*x)[3],
                                  const double (*v)[3], double t, double late);

#endif
