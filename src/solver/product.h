// SPDX-License-Identifier: MIT
// Products of a sparse matrix with vectors, for iterative solvers. Their time is that of reading the matrix. If its values are
// rounded to single precision, this takes about half as long; sums are in double precision. A solver that needs the product of
// the exact matrix corrects the difference (krylov.c).
#ifndef CAROM_SOLVER_PRODUCT_H
#define CAROM_SOLVER_PRODUCT_H

#include "carom/arena.h"
#include "solver/rows.h"
#include "solver/sparse.h"

// Numbers beyond the end of a multiplied vector, which are read but have no effect.
enum { CAROM_PRODUCT_PADDING = 2 };

// Start from {0}.
typedef struct carom_product {
    const carom_rows *rows; // set by the user: those that are assembled here; NULL: all
    carom_arena *memory;    // of all arrays
    int block_count;
    int *block_begin; // block_count + 1; the unknowns of a block are those of one node, up to three
    int64_t *first;   // block_count + 1; the blocks that block b is coupled with are coupled[first[b]] ...
    int *coupled;
    int64_t *begin;   // block_count; the values of its rows begin there, one row after another
    float *value;     // NULL until they are requested
    uint64_t pattern; // of the matrix for which the blocks were found
    double scale;     // a power of two by which values were divided, so that they fit
} carom_product;

void carom_product_release(carom_product *product);

// Finds the blocks of a matrix, again if its pattern has changed. *finite is false if a value of the matrix is not finite.
// Returns false if memory is short.
bool carom_product_locate(carom_product *product, const carom_sparse *matrix, bool *finite);
// The same, and takes the values in single precision.
bool carom_product_prepare(carom_product *product, const carom_sparse *matrix, bool *finite);

// y = A x for the rows of blocks begin to end - 1; x has CAROM_PRODUCT_PADDING numbers beyond its end, which must be finite.
// With the values that were taken, or with those of the matrix itself.
void carom_product_rows(const carom_product *product, int begin, int end, const double *x, double *y);
void carom_product_full_rows(const carom_product *product, const carom_sparse *matrix, int begin, int end, const double *x,
                             double *y);

#endif
