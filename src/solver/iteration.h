// SPDX-License-Identifier: MIT
// Parts shared by the iterative solvers: the product, the preconditioner by the inverses of the blocks of nodes on the
// diagonal, and passes over all unknowns. A pass is done in pieces of fixed size, which are distributed among threads; the sums
// of the pieces are added in order, so that bits depend on the matrix alone.
#ifndef CAROM_SOLVER_ITERATION_H
#define CAROM_SOLVER_ITERATION_H

#include "carom/arena.h"
#include "solver/product.h"

enum { CAROM_ITERATION_VECTORS = 9, CAROM_ITERATION_SUMS = 3 };

// Start from {0}, with the number of vectors.
typedef struct carom_iteration {
    const carom_sparse *matrix;
    carom_product product;
    carom_arena *memory; // of the arrays below
    bool finite;         // all values of the matrix are finite
    bool definite;       // all blocks on the diagonal, taken as symmetric, are positive definite
    double (*inverse)[9];
    int piece_count;
    double (*sums)[CAROM_ITERATION_SUMS]; // per piece
    int vector_count;
    double *vectors[CAROM_ITERATION_VECTORS]; // with the padding that products require
    int64_t iterations;                       // so far
} carom_iteration;

void carom_iteration_release(carom_iteration *iteration);

// Prepares for a matrix, which is kept by reference and must not change before the last solution. If `rounded`, products use
// the values of the matrix in single precision.
carom_status carom_iteration_prepare(carom_iteration *iteration, const carom_sparse *matrix, bool rounded, carom_error *error);

// One pass: its number, which the solver defines, its factors, and the solution.
typedef struct carom_pass {
    int which;
    double factor, other;
    double *x;
} carom_pass;

// Does a pass for the blocks [first, last) and adds its sums to sum[].
typedef void carom_pass_piece(carom_iteration *iteration, const carom_pass *pass, int first, int last, double *sum);

// A pass over all unknowns. `whole` is a vector that must be complete before it, or NULL. sum[] receives the sums of all
// pieces; NULL: nothing is summed.
void carom_iteration_run(carom_iteration *iteration, const carom_pass *pass, carom_pass_piece *piece, double *whole,
                         double sum[CAROM_ITERATION_SUMS]);

// y = M x for the blocks [first, last).
void carom_iteration_precondition(const carom_iteration *iteration, int first, int last, const double *x, double *y);

#endif
