// SPDX-License-Identifier: MIT
// Equilibrium of a model at a load factor, by Newton's method.
//
// At the factor s, loads without a history of their own and gravity have s times their size, the others the factor of their history at the time s;
// restrained nodes are where their prescribed velocities lead them from time 0 to s.
#ifndef CAROM_INTEGRATOR_EQUILIBRIUM_H
#define CAROM_INTEGRATOR_EQUILIBRIUM_H

#include "model/stiffness.h"
#include "solver/linear.h"

typedef struct carom_equilibrium {
    const carom_model *model;
    double tolerance; // of the unbalanced force, relative to all forces
    int iterations;   // at most
    carom_unknowns unknowns;
    carom_sparse *matrix;
    carom_linear_solver *solver;
    bool follows;       // a pressure follows its faces: the matrix is not symmetric
    bool is_factorised; // for the reference positions and no load, as after creation
    double size;        // of the model
    int64_t evaluations, solves;

    // per node
    double (*force)[3];    // internal
    double (*load)[3];     // external
    double (*residual)[3]; // their sum: what is not balanced, reactions of restraints included
    double (*gap)[3];      // from where a restrained node is to where it must be
    double (*product)[3];  // stiffness times gap
    double (*step)[3], (*trial)[3];
    double *slots;
    double (*path)[3];         // per restraint
    double *factors;           // per live load
    double *vector, *diagonal; // per unknown
    char trouble[256];         // why the last solution failed
} carom_equilibrium;

// Prepares; factorises the stiffness of the reference configuration. Fails with CAROM_BAD_INPUT if a body or a node can move without resistance, by
// naming it. Release in any case.
carom_status carom_equilibrium_create(const carom_model *model, double tolerance, int iterations, carom_equilibrium *eq,
                                      carom_error *error);
void carom_equilibrium_release(carom_equilibrium *eq);

// Forces, loads, what is not balanced and gaps at positions x and a load factor.
void carom_equilibrium_evaluate(carom_equilibrium *eq, double factor, const double (*x)[3]);

// Brings x to equilibrium at the load factor. CAROM_NUMERICAL if it does not converge: x is then as it was, and eq->trouble says what stalled.
carom_status carom_equilibrium_solve(carom_equilibrium *eq, double factor, double (*x)[3], carom_error *error);

// Sets x to the reference positions plus the displacements of the linear model at the load factor; eq->force is minus the stiffness times the
// displacements. Returns the stored energy by *energy.
carom_status carom_equilibrium_solve_linear(carom_equilibrium *eq, double factor, double (*x)[3], double *energy,
                                            carom_error *error);

#endif
