// SPDX-License-Identifier: MIT
// Cholesky factorisation of a symmetric positive definite matrix of 6 x 6 blocks, within its envelope: block row i is stored
// from block column first[i], the leftmost that is not zero, to the diagonal. The order of operations depends on the envelope
// only.
#ifndef CAROM_SOLVER_BLOCK_ENVELOPE_H
#define CAROM_SOLVER_BLOCK_ENVELOPE_H

#include <stdbool.h>

enum { CAROM_BLOCK = 6 };

typedef double carom_block[CAROM_BLOCK * CAROM_BLOCK]; // by rows

typedef struct carom_block_envelope {
    int count;           // block rows
    const int *first;    // per block row: its first block column
    const int *diagonal; // per block row: index of its diagonal block; block (i, j) is blocks[diagonal[i] - (i - j)]
    carom_block *blocks;
} carom_block_envelope;

// Block (i, j), first[i] <= j <= i.
static inline double *carom_block_at(const carom_block_envelope *A, int i, int j) {
    return A->blocks[A->diagonal[i] - (i - j)];
}

// Replaces the matrix by its factor L, A = L L^T. False if it is not positive definite.
bool carom_block_envelope_factorise(const carom_block_envelope *A);

// Solves L L^T x = b; b becomes x.
void carom_block_envelope_solve(const carom_block_envelope *L, double (*b)[CAROM_BLOCK]);

#endif
