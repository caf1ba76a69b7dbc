// SPDX-License-Identifier: MIT
// The balance of momentum of an implicit step, and Newton's method for it.
//
//     conserving, midpoint   (2/h) m (u/h - v0) + a m u/h = f + load + contact
//     newmark                m a1 + a m v1 = f(x1) + load + contact,   a1 = (u - h v0 - h^2 (1/2 - beta) a0)/(beta h^2)
//
// for the displacements u = x1 - x0 of the step, with element forces f balanced between x0 and x1 (conserving) or those of the
// middle positions (midpoint), and the mass damping a of the body.
#ifndef CAROM_INTEGRATOR_ENERGY_MOMENTUM_BALANCE_H
#define CAROM_INTEGRATOR_ENERGY_MOMENTUM_BALANCE_H

#include "base/profile.h"
#include "carom/arena.h"
#include "carom/integrator.h"
#include "integrator/energy_momentum/implicit_contact.h"
#include "model/forces/unknowns.h"
#include "solver/system.h"

typedef struct carom_balance_def {
    carom_energy_momentum_scheme scheme;
    double beta, gamma; // of Newmark's method
    double tolerance;   // of the residual, relative to the sum of the norms of its terms
    int iterations;     // largest number of Newton iterations
    carom_solver solver;
} carom_balance_def;

// Number of nodes in a piece of a sum of squares: fixed, so that sums have one order. Loops over fewer nodes use one thread.
enum { CAROM_BALANCE_PIECE = 4096 };

// Counts of work so far, for tests and benchmarks.
typedef struct carom_balance_counts {
    int64_t solves, iterations;
    carom_system_counts linear;
} carom_balance_counts;

// Start from {0}.
typedef struct carom_balance {
    const carom_model *model;
    carom_balance_def def;
    carom_implicit_contact *contact;
    carom_arena *memory; // of all arrays
    carom_sparse *matrix;
    carom_rows rows; // of the matrix that this process assembles
    carom_system *system;
    carom_unknowns unknowns;
    carom_restraints restraints; // restraints of the model, with the velocities of the present step
    carom_balance_counts counts;

    // the step
    double time, h;
    carom_flow flow; // evaluation of materials with history: trials of this step
    const double (*x0)[3], (*v0)[3];
    const double (*a0)[3]; // newmark: accelerations by the forces at x0, without restraints

    // its solution
    double (*u)[3];
    double (*x1)[3];
    double (*force)[3];     // on all nodes: of elements, loads and contact
    double (*live)[3];      // live loads: loads that change in time or act on deforming faces
    double (*residual)[3];  // inertia and damping less force
    double (*tie_force)[3]; // forces of ties on nodes; NULL: there are none

    double *slots, *tangents, *right, *step, *diagonal;
    double *point_tangents; // of up to POINTS contact points
    double *modes;          // rigid motions, for PETSc
    double (*trial)[3], (*middle)[3];
    int piece_count; // pieces of CAROM_BALANCE_PIECE nodes
    double (*pieces)[4];
    double rounding;        // residual by the rounding of positions
    char stalled[256];      // place of the largest residual of the last iteration that failed
    carom_profile *profile; // of the stepper; may be NULL
} carom_balance;

// The contact is kept by reference.
carom_status carom_balance_create(const carom_model *model, const carom_balance_def *def, carom_implicit_contact *contact,
                                  carom_balance *balance, carom_error *error);
void carom_balance_release(carom_balance *balance);

// Solves a step of length h that begins at `time`, from positions and velocities x0, v0 (and a0 of newmark), with at most
// `passes` passes of the augmented Lagrangian; CAROM_AUTO: only where overlap is deep. CAROM_NUMERICAL if the iteration does
// not converge; balance.stalled then names the place.
carom_status carom_balance_solve(carom_balance *balance, double time, double h, const double (*x0)[3], const double (*v0)[3],
                                 const double (*a0)[3], int passes, carom_error *error);

// Commits the histories and losses of materials at the solution that carom_balance_solve has found.
void carom_balance_commit(carom_balance *balance);

// For balance_newton.c: the norm of the residual at x0 + u along free directions, and in *scale the sum of the norms of its
// terms. Sets x1 and residual. Not finite where a material is not defined.
double carom_balance_residual(carom_balance *balance, const double (*u)[3], double *scale);
// Assembles the Jacobian at x1, and factorises it or prepares to solve with it.
carom_status carom_balance_factorise(carom_balance *balance, carom_error *error);
// Solves with it; x is the right-hand side on entry. The relative residual of an iterative solution is at most `accuracy`.
carom_status carom_balance_linear_solve(carom_balance *balance, double accuracy, double *x, carom_error *error);

// Forces of elements and loads at positions x, for the initial accelerations of newmark.
void carom_balance_forces_at(carom_balance *balance, double time, const double (*x)[3], double (*force)[3]);

#endif
