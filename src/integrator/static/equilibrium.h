// SPDX-License-Identifier: MIT
// Equilibrium of a model at a load factor, by Newton's method.
//
// At the load factor s, gravity and loads without a schedule have s times their size, other loads the factor of their schedule
// at the time s; restrained nodes have the displacements of their prescribed velocities from time 0 to s.
#ifndef CAROM_INTEGRATOR_STATIC_EQUILIBRIUM_H
#define CAROM_INTEGRATOR_STATIC_EQUILIBRIUM_H

#include "base/profile.h"
#include "carom/arena.h"
#include "math/exact.h"
#include "model/forces/stiffness.h"
#include "solver/system.h"

// A part of the model that is connected by elements: it must be in balance by itself, however large the forces on other parts.
typedef struct carom_equilibrium_part {
    double size;                   // distance of its farthest node from the origin
    double predicted;              // largest displacement of a node in the first iteration
    carom_exact left, force, load; // sums of squares of unbalanced, internal and external forces
    carom_exact stiff;             // sum of squares of the diagonal of the stiffness
    double remaining, moved;       // largest estimated error of displacements, and largest displacement
} carom_equilibrium_part;

typedef struct carom_equilibrium {
    const carom_model *model;
    carom_arena *memory; // of all arrays
    double tolerance;    // of the unbalanced force, relative to all forces on a part
    int iterations;      // largest number of iterations
    carom_unknowns unknowns;
    carom_sparse *matrix;
    carom_rows rows; // of the matrix that this process assembles
    carom_system *system;
    bool has_face_loads; // pressure on deforming faces: the matrix is not symmetric
    bool is_factorised;  // the matrix is factorised, or prepared, for the positions `known`; unused with loads on faces
    bool was_negative;   // the stiffness had negative eigenvalues during the last solution
    int most_negative;   // their largest number in iterations of the last solution, except at the equilibrium itself
    bool is_first;       // the present iteration is the first of a solution
    double size;         // largest distance of a node from the origin
    carom_flow flow;     // evaluation of materials with history; at first CAROM_USE_READ
    int64_t evaluations, solves;

    // per node
    double (*force)[3];    // internal
    double (*load)[3];     // external
    double (*residual)[3]; // their sum: unbalanced forces, including minus the reactions of restraints
    double (*gap)[3];      // prescribed displacement of a restrained node less the present one
    double (*product)[3];  // stiffness times gap
    double (*step)[3], (*trial)[3], (*known)[3];
    int *part;
    int *unknown_part; // per unknown
    int part_count;
    carom_equilibrium_part *parts;
    double *slots;
    double (*path)[3];         // per restraint: prescribed displacement
    double *factors;           // per live load
    double *vector, *diagonal; // per unknown
    double *modes;             // rigid motions, for PETSc
    char failure[256];         // reason for which the last solution failed
    carom_profile *profile;    // of the stepper; may be NULL
} carom_equilibrium;

// Factorises the stiffness of the reference configuration, or prepares an iterative solution with it. Fails with
// CAROM_BAD_INPUT, and names a node, if the model can move without resistance. carom_equilibrium_release must be called even
// after a failure.
carom_status carom_equilibrium_create(const carom_model *model, double tolerance, int iterations, carom_system_method solver,
                                      carom_equilibrium *eq, carom_error *error);
void carom_equilibrium_release(carom_equilibrium *eq);

// Assembles the stiffness at x without loads on faces, and its product with `motion`, if that is not NULL, in
// eq->product.
carom_status carom_equilibrium_assemble(carom_equilibrium *eq, const double (*x)[3], const double (*motion)[3],
                                        carom_error *error);

// Computes forces, loads, residual and gaps at positions x and a load factor.
void carom_equilibrium_evaluate(carom_equilibrium *eq, double factor, const double (*x)[3]);

// Brings x to equilibrium at the load factor. CAROM_NUMERICAL if it does not converge: x is then unchanged, and eq->failure is
// the reason.
carom_status carom_equilibrium_solve(carom_equilibrium *eq, double factor, double (*x)[3], carom_error *error);

// Examines the equilibrium x that the last solution has reached from `before`, after carom_equilibrium_evaluate: *negative
// becomes the number of negative eigenvalues of the stiffness (with loads on faces: 1 if it is odd; at least 1 if the stiffness
// is singular), *jumps whether a part has moved much farther than predicted by the stiffness at `before`. May fail with
// CAROM_NO_MEMORY.
carom_status carom_equilibrium_examine(carom_equilibrium *eq, const double (*before)[3], const double (*x)[3], int *negative,
                                       bool *jumps, carom_error *error);

// Ends an increment at its equilibrium x: materials commit their history.
void carom_equilibrium_commit(carom_equilibrium *eq, const double (*x)[3]);

// Sets x to the reference positions plus the displacements of the linear model at the load factor, eq->force to minus the
// stiffness times the displacements, and *energy to the stored energy.
carom_status carom_equilibrium_solve_linear(carom_equilibrium *eq, double factor, double (*x)[3], double *energy,
                                            carom_error *error);

#endif
