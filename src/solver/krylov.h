// SPDX-License-Identifier: MIT
// An iterative solver of sparse linear systems A x = b that need not be symmetric: BiCGStab, preconditioned by the blocks of
// nodes on the diagonal. It suits systems dominated by inertia. In addition to the matrix it needs a few vectors and the values
// in single precision. All threads take part: sums over all unknowns are computed in pieces of fixed size and added in order,
// so that bits depend on the matrix alone.
#ifndef CAROM_SOLVER_KRYLOV_H
#define CAROM_SOLVER_KRYLOV_H

#include "solver/iteration.h"

// Prepares for a matrix (carom_iteration_prepare).
carom_status carom_krylov_prepare(carom_iteration *iteration, const carom_sparse *matrix, carom_error *error);

// Solves to |b - A x| <= tolerance |b| in at most `most` iterations; x holds b on entry. *solved is false, and x is of no use,
// if that was not reached: the matrix is not finite, or not dominated by inertia. May return CAROM_INTERRUPTED.
carom_status carom_krylov_solve(carom_iteration *iteration, double tolerance, int most, double *x, bool *solved,
                                carom_error *error);

#endif
