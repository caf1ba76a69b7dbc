// SPDX-License-Identifier: MIT
// The preconditioner of the iterative solvers: the inverses of the blocks of nodes on the diagonal of a matrix.
#ifndef CAROM_SOLVER_JACOBI_H
#define CAROM_SOLVER_JACOBI_H

#include "solver/sparse.h"

// The inverse of the block of unknowns begin to begin + size - 1 (three at most), filled up to three by the identity; the
// identity where there is none. True if the block, taken as symmetric, is positive definite.
bool carom_jacobi_invert(const carom_sparse *matrix, int begin, int size, double inverse[9]);

// y = M x for the unknowns begin to end - 1 of one block.
static inline void carom_jacobi_apply(const double *inverse, int begin, int end, const double *x, double *y) {
    for (int i = 0; i < end - begin; i++) {
        double sum = 0;
        for (int j = 0; j < end - begin; j++)
            sum += inverse[3 * i + j] * x[begin + j];
        y[begin + i] = sum;
    }
}

#endif
