// SPDX-License-Identifier: MIT
// Cholesky factorisation of a matrix of 6 x 6 blocks within its envelope (block_envelope.h), row by row:
//     L_ij = (A_ij - sum_k L_ik L_jk^T) L_jj^-T,   L_ii L_ii^T = A_ii - sum_k L_ik L_ik^T,   k from first[i].
// Blocks left of the envelope stay zero.
#include "solver/block_envelope.h"

#include <math.h>

enum { N = CAROM_BLOCK };

// C -= A B^T
static void subtract_product(const double *A, const double *B, double *C) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += A[N * i + k] * B[N * j + k];
            C[N * i + j] -= sum;
        }
}

// Replaces A by L with A = L L^T, of which only the lower triangle is read and written.
static bool factorise_block(double *A) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double sum = A[N * i + j];
            for (int k = 0; k < j; k++)
                sum -= A[N * i + k] * A[N * j + k];
            if (j == i && !(sum > 0))
                return false;
            A[N * i + j] = j < i ? sum / A[N * j + j] : sqrt(sum);
        }
    return true;
}

// x = L^-1 x
static void forward(const double *L, double *x) {
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[N * i + k] * x[k];
        x[i] /= L[N * i + i];
    }
}

// x = L^-T x
static void backward(const double *L, double *x) {
    for (int i = N - 1; i >= 0; i--) {
        x[i] /= L[N * i + i];
        for (int k = 0; k < i; k++)
            x[k] -= L[N * i + k] * x[i];
    }
}

bool carom_block_envelope_factorise(const carom_block_envelope *A) {
    for (int i = 0; i < A->count; i++)
        for (int j = A->first[i]; j <= i; j++) {
            double *block = carom_block_at(A, i, j);
            for (int k = A->first[i] > A->first[j] ? A->first[i] : A->first[j]; k < j; k++)
                subtract_product(carom_block_at(A, i, k), carom_block_at(A, j, k), block);
            for (int row = 0; j < i && row < N; row++)
                forward(carom_block_at(A, j, j), block + N * row);
            if (j == i && !factorise_block(block))
                return false;
        }
    return true;
}

void carom_block_envelope_solve(const carom_block_envelope *L, double (*b)[N]) {
    for (int i = 0; i < L->count; i++) {
        for (int j = L->first[i]; j < i; j++)
            for (int r = 0; r < N; r++)
                for (int k = 0; k < N; k++)
                    b[i][r] -= carom_block_at(L, i, j)[N * r + k] * b[j][k];
        forward(carom_block_at(L, i, i), b[i]);
    }
    for (int i = L->count - 1; i >= 0; i--) {
        backward(carom_block_at(L, i, i), b[i]);
        for (int j = L->first[i]; j < i; j++)
            for (int r = 0; r < N; r++)
                for (int k = 0; k < N; k++)
                    b[j][k] -= carom_block_at(L, i, j)[N * r + k] * b[i][r];
    }
}
