// SPDX-License-Identifier: MIT
// BiCGStab: H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631-644. With the preconditioner M, from x = 0 and
// r = q = b:
//
//     p = r + beta (p - omega v),  p~ = M p,  v = A p~,  alpha = rho/(q.v)
//     s = r - alpha v,             s~ = M s,  t = A s~,  omega = t.s/t.t
//     x += alpha p~ + omega s~,    r = s - omega t,      rho' = q.r,  beta = (rho'/rho) (alpha/omega)
//
// Each line is one pass over the unknowns, whose pieces are shared out among threads. q is the first residual; where rho nearly
// vanishes the iteration starts again from the residual it has.
#include "solver/krylov.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/interrupt.h"

enum {
    PIECE = 128,         // blocks of a piece: fixed, so that sums have one order. A product of that many rows takes 30 us
    PARALLEL_PIECES = 8, // below, starting threads costs more than it saves
    LISTEN_EVERY = 64,   // iterations between two looks for the wish to stop: less than a second each million unknowns
    VECTORS = 8
};

// |q.r| below this part of |q||r|: directions have lost what they were built on.
static const double broken = 1e-12;

enum { R, Q, P, V, S, T, P_TILDE, S_TILDE };

void carom_krylov_release(carom_krylov *k) {
    free(k->block_begin);
    free(k->inverse);
    free(k->sums);
    for (int i = 0; i < VECTORS; i++)
        free(k->vectors[i]);
    *k = (carom_krylov){0};
}

// Blocks of unknowns of the same node, which follow each other.
static bool find_blocks(carom_krylov *k, const carom_sparse *matrix) {
    int n = matrix->size;
    k->block_begin = carom_allocate((int64_t)n + 1, sizeof *k->block_begin);
    if (!k->block_begin)
        return false;
    int last = -1, axis;
    for (int i = 0; i < n; i++) {
        int node = carom_sparse_node(matrix, i, &axis);
        if (node != last)
            k->block_begin[k->block_count++] = i;
        last = node;
    }
    k->block_begin[k->block_count] = n;
    k->piece_count = (k->block_count + PIECE - 1) / PIECE;
    k->inverse = carom_allocate(k->block_count, sizeof *k->inverse);
    k->sums = carom_allocate(k->piece_count, sizeof *k->sums);
    bool ready = k->inverse && k->sums;
    for (int i = 0; i < VECTORS; i++) {
        k->vectors[i] = carom_allocate(n, sizeof *k->vectors[i]);
        ready = ready && k->vectors[i];
    }
    return ready;
}

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

// By cofactors; the identity where there is no inverse.
static void invert(const double a[3][3], double inverse[9]) {
    double c[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i][j] = a[(i + 1) % 3][(j + 1) % 3] * a[(i + 2) % 3][(j + 2) % 3] -
                      a[(i + 1) % 3][(j + 2) % 3] * a[(i + 2) % 3][(j + 1) % 3];
    double det = a[0][0] * c[0][0] + a[0][1] * c[0][1] + a[0][2] * c[0][2];
    bool good = isfinite(1 / det);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[3 * i + j] = good ? c[j][i] / det : i == j;
}

carom_status carom_krylov_prepare(carom_krylov *k, const carom_sparse *matrix, carom_error *error) {
    if (!k->block_begin || k->pattern != matrix->pattern || k->block_begin[k->block_count] != matrix->size) {
        int64_t iterations = k->iterations;
        carom_krylov_release(k);
        k->iterations = iterations;
        if (!find_blocks(k, matrix)) {
            carom_krylov_release(k);
            return carom_fail(error, CAROM_NO_MEMORY, "no memory for the iterative solver");
        }
        k->pattern = matrix->pattern;
    }
    k->matrix = matrix;
#pragma omp parallel for schedule(static) if (k->piece_count > PARALLEL_PIECES)
    for (int b = 0; b < k->block_count; b++) {
        double a[3][3];
        diagonal_block(matrix, k->block_begin[b], k->block_begin[b + 1] - k->block_begin[b], a);
        invert((const double(*)[3])a, k->inverse[b]);
    }
    return CAROM_OK;
}

// y = A x for the rows of one block, which have the same columns. Entries in even and in odd places are summed apart: the
// processor waits for no sum.
static inline void multiply_block(const carom_sparse *matrix, int begin, int size, const double *x, double *y) {
    int64_t first = matrix->row_begin[begin], count = matrix->row_begin[begin + 1] - first, e = 0;
    const int *column = matrix->column + first;
    const double *value = matrix->value + first;
    double even[3] = {0}, odd[3] = {0};
    for (; e + 1 < count; e += 2) {
        double u = x[column[e]], v = x[column[e + 1]];
        for (int i = 0; i < size; i++) {
            even[i] += value[i * count + e] * u;
            odd[i] += value[i * count + e + 1] * v;
        }
    }
    for (; e < count; e++)
        for (int i = 0; i < size; i++)
            even[i] += value[i * count + e] * x[column[e]];
    for (int i = 0; i < size; i++)
        y[begin + i] = even[i] + odd[i];
}

static inline void multiply(const carom_sparse *matrix, int begin, int end, const double *x, double *y) {
    // constant sizes unroll the loops
    if (end - begin == 3)
        multiply_block(matrix, begin, 3, x, y);
    else if (end - begin == 2)
        multiply_block(matrix, begin, 2, x, y);
    else
        multiply_block(matrix, begin, 1, x, y);
}

static inline void precondition(const double *inverse, int begin, int end, const double *x, double *y) {
    for (int i = 0; i < end - begin; i++) {
        double sum = 0;
        for (int j = 0; j < end - begin; j++)
            sum += inverse[3 * i + j] * x[begin + j];
        y[begin + i] = sum;
    }
}

// The passes of an iteration.
typedef enum pass { NEXT_P, PRODUCT_P, NEXT_S, PRODUCT_S, NEXT_X, PASSES } pass;

// One pass over the unknowns of a block. Adds to sum[] what the pass is summed for.
static inline void pass_block(carom_krylov *k, pass which, int b, double factor, double other, double *x, double sum[2]) {
    int begin = k->block_begin[b], end = k->block_begin[b + 1];
    double *r = k->vectors[R], *q = k->vectors[Q], *p = k->vectors[P], *v = k->vectors[V], *s = k->vectors[S];
    double *t = k->vectors[T], *pt = k->vectors[P_TILDE], *st = k->vectors[S_TILDE];
    switch (which) {
    case NEXT_P: // beta, omega
        for (int i = begin; i < end; i++)
            p[i] = r[i] + factor * (p[i] - other * v[i]);
        precondition(k->inverse[b], begin, end, p, pt);
        break;
    case PRODUCT_P: // sum q.v
        multiply(k->matrix, begin, end, pt, v);
        for (int i = begin; i < end; i++)
            sum[0] += q[i] * v[i];
        break;
    case NEXT_S: // alpha
        for (int i = begin; i < end; i++)
            s[i] = r[i] - factor * v[i];
        precondition(k->inverse[b], begin, end, s, st);
        break;
    case PRODUCT_S: // sums t.s, t.t
        multiply(k->matrix, begin, end, st, t);
        for (int i = begin; i < end; i++) {
            sum[0] += t[i] * s[i];
            sum[1] += t[i] * t[i];
        }
        break;
    default: // alpha, omega; sums q.r, r.r
        for (int i = begin; i < end; i++) {
            x[i] += factor * pt[i] + other * st[i];
            r[i] = s[i] - other * t[i];
            sum[0] += q[i] * r[i];
            sum[1] += r[i] * r[i];
        }
    }
}

// A pass over all unknowns, piece by piece; the sums of the pieces are added in their order.
static void run_pass(carom_krylov *k, pass which, double factor, double other, double *x, double sum[2]) {
#pragma omp parallel for schedule(static) if (k->piece_count > PARALLEL_PIECES)
    for (int piece = 0; piece < k->piece_count; piece++) {
        int end = (piece + 1) * PIECE < k->block_count ? (piece + 1) * PIECE : k->block_count;
        double part[2] = {0, 0};
        for (int b = piece * PIECE; b < end; b++)
            pass_block(k, which, b, factor, other, x, part);
        memcpy(k->sums[piece], part, sizeof part);
    }
    sum[0] = sum[1] = 0;
    for (int piece = 0; piece < k->piece_count; piece++) {
        sum[0] += k->sums[piece][0];
        sum[1] += k->sums[piece][1];
    }
}

carom_status carom_krylov_solve(carom_krylov *k, double tolerance, int most, double *x, bool *solved, carom_error *error) {
    size_t bytes = (size_t)k->matrix->size * sizeof *x;
    double sum[2], square = 0, rho, beta = 0, omega = 0;
    *solved = true;
    memcpy(k->vectors[R], x, bytes);
    memcpy(k->vectors[Q], x, bytes);
    memset(k->vectors[P], 0, bytes);
    memset(k->vectors[V], 0, bytes);
    memset(x, 0, bytes);
    for (int i = 0; i < k->matrix->size; i++)
        square += k->vectors[R][i] * k->vectors[R][i];
    double least = tolerance * tolerance * square, q_square = square;
    rho = square;
    for (int n = 0; n < most && square > least; n++) {
        if (n % LISTEN_EVERY == 0 && carom_interrupt_is_wanted())
            return carom_interrupt_check(error);
        run_pass(k, NEXT_P, beta, omega, x, sum);
        run_pass(k, PRODUCT_P, 0, 0, x, sum);
        double alpha = rho / sum[0];
        run_pass(k, NEXT_S, alpha, 0, x, sum);
        run_pass(k, PRODUCT_S, 0, 0, x, sum);
        // t vanishes with s: the solution is then exact
        omega = sum[1] > 0 ? sum[0] / sum[1] : 0;
        run_pass(k, NEXT_X, alpha, omega, x, sum);
        k->iterations++;
        square = sum[1];
        beta = omega != 0 ? sum[0] / rho * (alpha / omega) : 0;
        rho = sum[0];
        if (!(fabs(rho) > broken * sqrt(q_square) * sqrt(square)) && square > least) {
            // start again from the residual
            memcpy(k->vectors[Q], k->vectors[R], bytes);
            rho = q_square = square;
            beta = 0;
        }
        if (!isfinite(square))
            break;
    }
    *solved = square <= least;
    return CAROM_OK;
}
