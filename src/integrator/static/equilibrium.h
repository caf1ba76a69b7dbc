// SPDX-License-Identifier: MIT
// Equilibrium of a model at a load factor, by Newton's method.
//
// At the factor s, loads without a history of their own and gravity have s times their size, the others the factor of their
// history at the time s; restrained nodes are where their prescribed velocities lead them from time 0 to s.
#ifndef CAROM_INTEGRATOR_STATIC_EQUILIBRIUM_H
#define CAROM_INTEGRATOR_STATIC_EQUILIBRIUM_H

#include "base/profile.h"
#include "carom/arena.h"
#include "math/exact.h"
#include "model/forces/stiffness.h"
#include "solver/system.h"

// A part of the model that no element joins to the others: it must be in balance by itself, whatever forces act elsewhere.
typedef struct carom_equilibrium_part {
    double size;                   // distance of its farthest node from the origin
    double predicted;              // longest step of a node in the first iteration
    carom_exact left, force, load; // squares of what is not balanced, of internal and of external forces
    carom_exact stiff;             // of the diagonal of the stiffness
    double coming, moved;          // longest step still to come, and displacement
} carom_equilibrium_part;

typedef struct carom_equilibrium {
    const carom_model *model;
    carom_arena *memory; // of all arrays
    double tolerance;    // of the unbalanced force, relative to all forces
    int iterations;      // at most
    carom_unknowns unknowns;
    carom_sparse *matrix;
    carom_rows rows; // of the matrix that this process assembles
    carom_system *system;
    bool follows;       // a pressure follows its faces: the matrix is not symmetric
    bool is_factorised; // or prepared, for the positions `known`, if no pressure follows
    bool was_negative;  // the stiffness had negative eigenvalues in the last solution
    int most_negative;  // how many at most on the way to where it ended, that point itself left out
    bool is_first;      // iteration of a solution
    double size;        // of the model
    carom_flow flow;    // what laws with history are asked for; READ from the start
    int64_t evaluations, solves;

    // per node
    double (*force)[3];    // internal
    double (*load)[3];     // external
    double (*residual)[3]; // their sum: what is not balanced, reactions of restraints included
    double (*gap)[3];      // from where a restrained node is to where it must be
    double (*product)[3];  // stiffness times gap
    double (*step)[3], (*trial)[3], (*known)[3];
    int *part; // and per unknown:
    int *unknown_part;
    int part_count;
    carom_equilibrium_part *parts;
    double *slots;
    double (*path)[3];         // per restraint
    double *factors;           // per live load
    double *vector, *diagonal; // per unknown
    double *modes;             // rigid motions, for PETSc
    char trouble[256];         // why the last solution failed
    carom_profile *profile;    // of the stepper; may be NULL
} carom_equilibrium;

// Prepares; factorises the stiffness of the reference configuration, or finds another way to solve with it. Fails with
// CAROM_BAD_INPUT if a body or a node can move without resistance, by naming it. Release in any case.
carom_status carom_equilibrium_create(const carom_model *model, double tolerance, int iterations, carom_system_method solver,
                                      carom_equilibrium *eq, carom_error *error);
void carom_equilibrium_release(carom_equilibrium *eq);

// Assembles the stiffness at x without pressures that follow, and its product with `motion`, if that is not NULL, in
// eq->product.
carom_status carom_equilibrium_assemble(carom_equilibrium *eq, const double (*x)[3], const double (*motion)[3],
                                        carom_error *error);

// Forces, loads, what is not balanced and gaps at positions x and a load factor.
void carom_equilibrium_evaluate(carom_equilibrium *eq, double factor, const double (*x)[3]);

// Brings x to equilibrium at the load factor. CAROM_NUMERICAL if it does not converge: x is then as it was, and eq->trouble
// says what stalled.
carom_status carom_equilibrium_solve(carom_equilibrium *eq, double factor, double (*x)[3], carom_error *error);

// Looks at the equilibrium x that the last solution has reached from `before`, after carom_equilibrium_evaluate: how many
// eigenvalues of the stiffness are negative (with pressures that follow: 1 if the number is odd; at least 1 if it is singular),
// and whether a part has moved so much farther than the stiffness before it foretold that this is a jump. CAROM_NO_MEMORY.
carom_status carom_equilibrium_examine(carom_equilibrium *eq, const double (*before)[3], const double (*x)[3], int *negative,
                                       bool *jumps, carom_error *error);

// Ends an increment at its equilibrium x: laws with history keep what has flowed since the last one.
void carom_equilibrium_commit(carom_equilibrium *eq, const double (*x)[3]);

// Sets x to the reference positions plus the displacements of the linear model at the load factor; eq->force is minus the
// stiffness times the displacements. Returns the stored energy by *energy.
carom_status carom_equilibrium_solve_linear(carom_equilibrium *eq, double factor, double (*x)[3], double *energy,
                                            carom_error *error);

#endif
