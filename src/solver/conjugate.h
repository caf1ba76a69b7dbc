// SPDX-License-Identifier: MIT
// Conjugate gradients for symmetric sparse systems A x = b, preconditioned by the blocks of nodes on the diagonal. All threads
// take part; sums over all unknowns are taken in pieces of fixed size and added in order, so that bits depend on the matrix
// alone.
#ifndef CAROM_SOLVER_CONJUGATE_H
#define CAROM_SOLVER_CONJUGATE_H

#include "solver/product.h"

// Start from {0}.
typedef struct carom_conjugate {
    const carom_sparse *matrix;
    carom_product product;
    bool hopeless; // a value is not finite, or a block on the diagonal is not positive definite
    double (*inverse)[9];
    double *diagonal;
    int piece_count;
    double (*sums)[3];  // per piece
    double *vectors[5]; // of the iteration
    int64_t iterations; // so far
} carom_conjugate;

void carom_conjugate_release(carom_conjugate *conjugate);

// Prepares for a matrix, which is kept by reference and must not change before the last solution.
carom_status carom_conjugate_prepare(carom_conjugate *conjugate, const carom_sparse *matrix, carom_error *error);

// Solves to |b - A x| <= tolerance |b|, or to rounding, in at most `most` iterations; x holds b on entry. *solved is false, and
// x is of no use, if that was not reached: the matrix is not finite, not positive definite, or too ill-conditioned.
// CAROM_INTERRUPTED.
carom_status carom_conjugate_solve(carom_conjugate *conjugate, double tolerance, int most, double *x, bool *solved,
                                   carom_error *error);

// Asks whether the matrix is positive definite, by at most `most` iterations. If *definite is true it is, but for one case in
// ten thousand of an eigenvalue that is not; if it is false the iteration could not tell. CAROM_INTERRUPTED.
carom_status carom_conjugate_examine(carom_conjugate *conjugate, int most, bool *definite, carom_error *error);

#endif
