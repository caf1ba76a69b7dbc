// SPDX-License-Identifier: MIT
// Sparse systems by PETSc: an iteration preconditioned by algebraic multigrid, or as set by PETSC_OPTIONS. Processes
// that share the rows of a matrix share the work. Bits may differ from run to run. `carom` contains linear_alone.c, which has
// no PETSc; `carom-mpi` contains linear_petsc.c.
#ifndef CAROM_SOLVER_LINEAR_PETSC_H
#define CAROM_SOLVER_LINEAR_PETSC_H

#include "solver/linear.h"
#include "solver/rows.h"

typedef struct carom_petsc carom_petsc;

// `modes` are vectors of unknowns, one after another: motions of almost no stiffness, such as those of a rigid body, for
// multigrid. Kept by reference, as the rows are.
typedef struct carom_petsc_def {
    carom_linear_kind kind;
    const carom_rows *rows;
    int mode_count;
    const double *modes;
} carom_petsc_def;

carom_status carom_petsc_create(const carom_petsc_def *def, carom_petsc **petsc, carom_error *error);
void carom_petsc_release(carom_petsc *petsc);

// Takes the values of a matrix.
carom_status carom_petsc_prepare(carom_petsc *petsc, const carom_sparse *matrix, carom_error *error);

// Solves to |b - A x| <= tolerance |b|, or to rounding, in at most `most` iterations; x holds b on entry. *solved is false, and
// x is of no use, if that was not reached. CAROM_INTERRUPTED.
carom_status carom_petsc_solve(carom_petsc *petsc, double tolerance, int most, double *x, bool *solved, carom_error *error);

// Tests whether a symmetric matrix is positive definite: by conjugate gradients as conjugate.h does, or by the pivots of a
// Cholesky factorisation. Other methods, which options may choose, cannot decide.
typedef enum carom_petsc_answer { CAROM_PETSC_INDEFINITE, CAROM_PETSC_DEFINITE, CAROM_PETSC_UNKNOWN } carom_petsc_answer;
carom_status carom_petsc_examine(carom_petsc *petsc, int most, carom_petsc_answer *answer, carom_error *error);

// Iterations so far.
int64_t carom_petsc_iterations(const carom_petsc *petsc);

#endif
