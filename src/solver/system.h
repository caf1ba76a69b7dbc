// SPDX-License-Identifier: MIT
// Linear systems of implicit methods, solved by the method that the user selects: by elimination, or by an iteration, with
// elimination as the fallback where the iteration does not converge.
//
//     direct   elimination (linear.h)
//     cg       conjugate gradients where the matrix is symmetric (conjugate.h), else BiCGStab (krylov.h)
//     petsc    an iteration with multigrid, or as set by options of PETSc (linear_petsc.h); in carom-mpi only
//
// Processes may share the rows of a matrix (rows.h). Iterations multiply the rows where they are; for elimination they are sent
// to the first process, which broadcasts the solution. Bits are the same on any number of processes, but for
// petsc.
#ifndef CAROM_SOLVER_SYSTEM_H
#define CAROM_SOLVER_SYSTEM_H

#include "solver/linear.h"
#include "solver/rows.h"

typedef enum carom_system_method { CAROM_SYSTEM_DIRECT, CAROM_SYSTEM_CG, CAROM_SYSTEM_PETSC } carom_system_method;

typedef struct carom_system_def {
    carom_linear_kind kind;
    carom_system_method method;
    // The number of eigenvalues of each matrix that are not positive is required. Iterations can show for symmetric matrices
    // that there are none; all other matrices are factorised.
    bool inertia;
    int iterations;         // of one solution, at most
    const carom_rows *rows; // that are assembled here; kept by reference. NULL: all; required by petsc
    int mode_count;         // of petsc: the rigid motions, and
    const double *modes;    // as vectors of unknowns, one after another; kept by reference
} carom_system_def;

// The work done so far.
typedef struct carom_system_counts {
    int64_t factorisations;
    int64_t iterations; // of the iterative solver
    int64_t fallbacks;  // systems that were eliminated because it did not converge, or a matrix was not positive definite
    double factorising; // processor time of factorisations, seconds
} carom_system_counts;

typedef struct carom_system carom_system;

// CAROM_BAD_INPUT, with a sentence for users, if this program does not have the method.
carom_status carom_system_check(carom_system_method method, carom_error *error);

// For matrices of `size` unknowns at most.
carom_status carom_system_create(const carom_system_def *def, int size, carom_system **system, carom_error *error);
void carom_system_release(carom_system *system);

// Takes a matrix, which is kept by reference and must not change before the last solution with it. Errors are those of
// carom_linear_factorise, and CAROM_INTERRUPTED.
carom_status carom_system_prepare(carom_system *system, const carom_sparse *matrix, carom_error *error);

// Solves; x holds the right-hand side on entry. An iteration reduces the residual to at most the fraction `accuracy` of it.
carom_status carom_system_solve(carom_system *system, double accuracy, double *x, carom_error *error);

// Results of the factorisation of the present matrix; if it was not factorised, no negative and no null pivots.
carom_linear_info carom_system_information(const carom_system *system);

carom_system_counts carom_system_work(const carom_system *system);

#endif
