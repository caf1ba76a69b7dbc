// SPDX-License-Identifier: MIT
// Parts shared by iterative solvers: the block-diagonal preconditioner, matrix-vector products and sums over pieces of fixed
// size.
#include "solver/iteration.h"

#include <math.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"

enum {
    PIECE = CAROM_ROWS_PIECE,
    PARALLEL_PIECES = 8, // below, starting threads costs more than it saves
};

// The block of `size` unknowns on the diagonal, filled up to three by the identity.
static void diagonal_block(const carom_sparse *matrix, int begin, int size, double a[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = i == j;
    for (int i = 0; i < size; i++)
        for (int64_t e = matrix->row_begin[begin + i]; e < matrix->row_begin[begin + i + 1]; e++) {
            int j = matrix->column[e] - begin;
            if (j >= 0 && j < size)
                a[i][j] = matrix->value[e];
        }
}

// The inverse of a block, or the identity if the block is singular. True if the block, taken as symmetric, is positive
// definite.
static bool invert(const carom_sparse *matrix, int begin, int size, double inverse[9]) {
    // cofactors
    double a[3][3], c[3][3];
    diagonal_block(matrix, begin, size, a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i][j] = a[(i + 1) % 3][(j + 1) % 3] * a[(i + 2) % 3][(j + 2) % 3] -
                      a[(i + 1) % 3][(j + 2) % 3] * a[(i + 2) % 3][(j + 1) % 3];
    double det = a[0][0] * c[0][0] + a[0][1] * c[0][1] + a[0][2] * c[0][2];
    bool good = isfinite(1 / det);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[3 * i + j] = good ? c[j][i] / det : i == j;
    // Sylvester: the leading minors are positive.
    return good && a[0][0] > 0 && c[2][2] > 0 && det > 0;
}

void carom_iteration_release(carom_iteration *k) {
    carom_product_release(&k->product);
    carom_arena_release(k->memory);
    *k = (carom_iteration){.product.rows = k->product.rows, .vector_count = k->vector_count};
}

static bool reserve(carom_iteration *k, int size) {
    carom_arena_release(k->memory);
    k->memory = carom_arena_create();
    bool ready = k->memory;
    k->piece_count = (k->product.block_count + PIECE - 1) / PIECE;
    k->inverse = carom_arena_reserve(k->memory, k->product.block_count, sizeof *k->inverse, &ready);
    k->sums = carom_arena_reserve(k->memory, k->piece_count, sizeof *k->sums, &ready);
    for (int i = 0; i < k->vector_count; i++)
        k->vectors[i] = carom_arena_reserve(k->memory, (int64_t)size + CAROM_PRODUCT_PADDING, sizeof *k->vectors[i], &ready);
    return ready;
}

// The pieces whose rows this process assembles, and the end of the blocks of a piece.
static int first_piece(const carom_iteration *k) {
    return k->product.rows ? k->product.rows->piece_begin : 0;
}

static int end_piece(const carom_iteration *k) {
    return k->product.rows ? k->product.rows->piece_end : k->piece_count;
}

static int end_of(const carom_iteration *k, int piece) {
    return (piece + 1) * PIECE < k->product.block_count ? (piece + 1) * PIECE : k->product.block_count;
}

carom_status carom_iteration_prepare(carom_iteration *k, const carom_sparse *matrix, bool rounded, carom_error *error) {
    int blocks = k->product.block_count, size = k->matrix ? k->product.block_begin[blocks] : 0;
    k->matrix = NULL;
    bool ready = rounded ? carom_product_prepare(&k->product, matrix, &k->finite)
                         : carom_product_locate(&k->product, matrix, &k->finite);
    if (ready && (k->product.block_count != blocks || matrix->size != size || !k->inverse))
        ready = reserve(k, matrix->size);
    if (!carom_rows_all(k->product.rows, ready)) {
        carom_iteration_release(k);
        return carom_no_memory(error, "the iterative solver");
    }
    k->matrix = matrix;
    const int *at = k->product.block_begin;
    bool definite = true;
#pragma omp parallel for schedule(static) reduction(&& : definite) if (k->piece_count > PARALLEL_PIECES)
    for (int b = first_piece(k) * PIECE; b < end_of(k, end_piece(k) - 1); b++)
        definite = invert(matrix, at[b], at[b + 1] - at[b], k->inverse[b]) && definite;
    k->definite = carom_rows_all(k->product.rows, definite);
    return CAROM_OK;
}

void carom_iteration_run(carom_iteration *k, const carom_pass *pass, carom_pass_piece *piece, double *whole,
                         double sum[CAROM_ITERATION_SUMS]) {
    if (whole)
        carom_rows_complete(k->product.rows, whole);
#pragma omp parallel for schedule(static) if (k->piece_count > PARALLEL_PIECES)
    for (int p = first_piece(k); p < end_piece(k); p++) {
        double part[CAROM_ITERATION_SUMS] = {0};
        piece(k, pass, p * PIECE, end_of(k, p), part);
        memcpy(k->sums[p], part, sizeof part);
    }
    if (!sum)
        return;
    carom_rows_complete_pieces(k->product.rows, k->sums[0], CAROM_ITERATION_SUMS);
    memset(sum, 0, CAROM_ITERATION_SUMS * sizeof *sum);
    for (int p = 0; p < k->piece_count; p++)
        for (int s = 0; s < CAROM_ITERATION_SUMS; s++)
            sum[s] += k->sums[p][s];
}

void carom_iteration_precondition(const carom_iteration *k, int first, int last, const double *x, double *y) {
    for (int b = first; b < last; b++) {
        int begin = k->product.block_begin[b], size = k->product.block_begin[b + 1] - begin;
        for (int i = 0; i < size; i++) {
            double sum = 0;
            for (int j = 0; j < size; j++)
                sum += k->inverse[b][3 * i + j] * x[begin + j];
            y[begin + i] = sum;
        }
    }
}
