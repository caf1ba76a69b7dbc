// SPDX-License-Identifier: MIT
// An iterative solver of sparse linear systems A x = b that need not be symmetric: BiCGStab, preconditioned by the blocks of
// nodes on the diagonal. It suits systems that inertia dominates, takes no memory beyond a few vectors and half of the matrix,
// and works with all threads: sums over all unknowns are taken in pieces of fixed size and added in order, so that bits depend
// on the matrix alone.
#ifndef CAROM_SOLVER_KRYLOV_H
#define CAROM_SOLVER_KRYLOV_H

#include "solver/product.h"

// Start from {0}.
typedef struct carom_krylov {
    const carom_sparse *matrix;
    carom_product product;
    bool finite; // all values of the matrix are
    double (*inverse)[9];
    int piece_count;
    double (*sums)[2];  // per piece
    double *vectors[9]; // of the iteration
    int64_t iterations; // so far
} carom_krylov;

void carom_krylov_release(carom_krylov *krylov);

// Prepares for a matrix, which is kept by reference and must not change before the last solution.
carom_status carom_krylov_prepare(carom_krylov *krylov, const carom_sparse *matrix, carom_error *error);

// Solves to |b - A x| <= tolerance |b| in at most `most` iterations; x holds b on entry. *solved is false, and x is of no use,
// if that was not reached: the matrix is not finite, or far from one that inertia dominates. CAROM_INTERRUPTED.
carom_status carom_krylov_solve(carom_krylov *krylov, double tolerance, int most, double *x, bool *solved, carom_error *error);

#endif
