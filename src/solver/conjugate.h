// SPDX-License-Identifier: MIT
// Conjugate gradients for symmetric sparse systems A x = b, preconditioned by the blocks of nodes on the diagonal. All threads
// take part, with the same bits (iteration.h).
#ifndef CAROM_SOLVER_CONJUGATE_H
#define CAROM_SOLVER_CONJUGATE_H

#include "solver/iteration.h"

// Prepares for a matrix (carom_iteration_prepare).
carom_status carom_conjugate_prepare(carom_iteration *iteration, const carom_sparse *matrix, carom_error *error);

// Solves to |b - A x| <= tolerance |b|, or to rounding, in at most `most` iterations; x holds b on entry. *solved is false, and
// x is of no use, if that was not reached: the matrix is not finite, not positive definite, or too ill-conditioned. May return
// CAROM_INTERRUPTED.
carom_status carom_conjugate_solve(carom_iteration *iteration, double tolerance, int most, double *x, bool *solved,
                                   carom_error *error);

// Tests whether the matrix is positive definite, by at most `most` iterations. If *definite is true, it is, except that an
// eigenvalue that is not positive is missed with a probability of about CAROM_PROBE_OVERLOOKED; if it is false, the matrix may
// or may not be. May return CAROM_INTERRUPTED.
carom_status carom_conjugate_examine(carom_iteration *iteration, int most, bool *definite, carom_error *error);

#endif
