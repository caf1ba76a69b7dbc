// SPDX-License-Identifier: MIT
// A direct solver of sparse linear systems A x = b: analyse the pattern once, factorise for every new set of values, solve for
// any number of right-hand sides. Implemented by linear_mumps.c with the library MUMPS, and by linear_none.c, which refuses, in
// builds without it; PETSc has an interface of its own (linear_petsc.h).
//
// Bits depend on the matrix alone: not on the number of threads, and not on what was solved before.
#ifndef CAROM_SOLVER_LINEAR_H
#define CAROM_SOLVER_LINEAR_H

#include "solver/sparse.h"

typedef enum carom_linear_kind {
    CAROM_LINEAR_UNSYMMETRIC,
    CAROM_LINEAR_SYMMETRIC, // not necessarily definite; only the upper triangle of values is read
} carom_linear_kind;

typedef struct carom_linear_solver carom_linear_solver;

// Results of the last factorisation.
typedef struct carom_linear_info {
    int negative_pivots;    // symmetric systems: the number of negative eigenvalues; others: 1 if the determinant is negative
    int null_count;         // unknowns whose pivots vanish: the matrix is singular
    const int *null_pivots; // their indices; valid until the next call on the solver
    int64_t analyses;       // since the solver was created
    int64_t factorisations;
} carom_linear_info;

carom_status carom_linear_create(carom_linear_kind kind, carom_linear_solver **solver, carom_error *error);
void carom_linear_release(carom_linear_solver *solver);

// Factorises; the unknowns are reordered when the pattern has changed. CAROM_NUMERICAL if a value is not finite or if the
// matrix is singular: pivots below 1e-15 of the size of the matrix (by rows scaled to one) vanish, and carom_linear_info names
// them. CAROM_NO_MEMORY if the factors do not fit. The matrix is not kept.
carom_status carom_linear_factorise(carom_linear_solver *solver, const carom_sparse *matrix, carom_error *error);

// Solves with the last factorisation that succeeded; x holds b on entry.
carom_status carom_linear_solve(carom_linear_solver *solver, double *x, carom_error *error);

carom_linear_info carom_linear_information(const carom_linear_solver *solver);

#endif
