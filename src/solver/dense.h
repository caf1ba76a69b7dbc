// SPDX-License-Identifier: MIT
// Small dense systems A x = b by Gaussian elimination with partial pivoting.
#ifndef CAROM_SOLVER_DENSE_H
#define CAROM_SOLVER_DENSE_H

#include <stdbool.h>

// Replaces the n x n matrix, stored by rows, by its factors L U, with n pivots. False if it is singular.
bool carom_dense_factorise(int n, double *A, double *pivots);

// Solves with the factors; b becomes the solution.
void carom_dense_substitute(int n, const double *A, const double *pivots, double *b);

#endif
