// SPDX-License-Identifier: MIT
// An upper bound, at most three percent too large, for the largest eigenvalue of a small symmetric matrix.
#ifndef CAROM_ELEMENT_LARGEST_EIGENVALUE_H
#define CAROM_ELEMENT_LARGEST_EIGENVALUE_H

// `size` at most 45; the matrix, row by row, is destroyed. Never below the largest |eigenvalue|, at most size^(1/128) times it.
double carom_largest_eigenvalue(double *matrix, int size);

#endif
