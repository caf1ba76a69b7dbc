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
//
// The products are those of a matrix A' in single precision (product.h). When the residual of that system is small enough, the
// one of A itself is computed, and the iteration goes on from there if it is not: A' differs from A by 6e-8 of its entries, so
// that one such pass gains many digits unless A is so ill-conditioned that the iteration would not converge at all.
#include "solver/krylov.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "solver/jacobi.h"

enum {
    PIECE = CAROM_ROWS_PIECE,
    PARALLEL_PIECES = 8, // below, starting threads costs more than it saves
    VECTORS = 9
};

// |q.r| below this part of |q||r|: directions have lost what they were built on.
static const double broken = 1e-12;

// The residual of A' goes this far below the one that is wanted of A, so that the two rarely fall on different sides of it.
static const double below_goal = 0.7;
// The part of a residual of A that is asked of A' at most; less would be lost in its rounding.
static const double pass_gain = 1e-5;
// A pass that does not reduce the residual of A to this part is not worth another one.
static const double least_gain = 0.5;

enum { R, Q, P, V, S, T, P_TILDE, S_TILDE, B };

void carom_krylov_release(carom_krylov *k) {
    carom_product_release(&k->product);
    free(k->inverse);
    free(k->sums);
    for (int i = 0; i < VECTORS; i++)
        free(k->vectors[i]);
    *k = (carom_krylov){.product.rows = k->product.rows};
}

static bool reserve(carom_krylov *k, int size) {
    k->piece_count = (k->product.block_count + PIECE - 1) / PIECE;
    k->inverse = carom_allocate(k->product.block_count, sizeof *k->inverse);
    k->sums = carom_allocate(k->piece_count, sizeof *k->sums);
    bool ready = k->inverse && k->sums;
    for (int i = 0; i < VECTORS; i++) {
        k->vectors[i] = carom_allocate((int64_t)size + CAROM_PRODUCT_PADDING, sizeof *k->vectors[i]);
        ready = ready && k->vectors[i];
    }
    return ready;
}

// Pieces whose rows are assembled here, and the block behind a piece.
static int first_piece(const carom_krylov *k) {
    return k->product.rows ? k->product.rows->piece_begin : 0;
}

static int end_piece(const carom_krylov *k) {
    return k->product.rows ? k->product.rows->piece_end : k->piece_count;
}

static int end_of(const carom_krylov *k, int piece) {
    return (piece + 1) * PIECE < k->product.block_count ? (piece + 1) * PIECE : k->product.block_count;
}

carom_status carom_krylov_prepare(carom_krylov *k, const carom_sparse *matrix, carom_error *error) {
    int blocks = k->product.block_count, size = k->matrix ? k->product.block_begin[blocks] : 0;
    k->matrix = NULL;
    bool ready = carom_product_prepare(&k->product, matrix, &k->finite);
    if (ready && (k->product.block_count != blocks || matrix->size != size || !k->inverse)) {
        carom_krylov all = *k;
        k->product = (carom_product){0};
        carom_krylov_release(k);
        k->product = all.product;
        k->finite = all.finite;
        k->iterations = all.iterations;
        ready = reserve(k, matrix->size);
    }
    if (!carom_rows_all(k->product.rows, ready)) {
        carom_krylov_release(k);
        return carom_fail(error, CAROM_NO_MEMORY, "no memory for the iterative solver");
    }
    k->matrix = matrix;
    const int *block_begin = k->product.block_begin;
#pragma omp parallel for schedule(static) if (k->piece_count > PARALLEL_PIECES)
    for (int b = first_piece(k) * PIECE; b < end_of(k, end_piece(k) - 1); b++)
        carom_jacobi_invert(matrix, block_begin[b], block_begin[b + 1] - block_begin[b], k->inverse[b]);
    return CAROM_OK;
}

// The passes of an iteration, and the one that finds the residual of A.
typedef enum pass { RESIDUAL, NEXT_P, PRODUCT_P, NEXT_S, PRODUCT_S, NEXT_X } pass;

// One row of A times x.
static inline double row_times(const carom_sparse *matrix, int row, const double *x) {
    double sum = 0;
    for (int64_t e = matrix->row_begin[row]; e < matrix->row_begin[row + 1]; e++)
        sum += matrix->value[e] * x[matrix->column[e]];
    return sum;
}

// One pass over the blocks [first, last). Adds to sum[] what the pass is summed for.
static void pass_piece(carom_krylov *k, pass which, int first, int last, double factor, double other, double *x,
                       double sum[2]) {
    const int *at = k->product.block_begin;
    int begin = at[first], end = at[last];
    double *r = k->vectors[R], *q = k->vectors[Q], *p = k->vectors[P], *v = k->vectors[V], *s = k->vectors[S];
    double *t = k->vectors[T], *pt = k->vectors[P_TILDE], *st = k->vectors[S_TILDE];
    switch (which) {
    case RESIDUAL: // sum r.r
        for (int i = begin; i < end; i++) {
            q[i] = r[i] = k->vectors[B][i] - row_times(k->matrix, i, x);
            p[i] = v[i] = 0;
            sum[1] += r[i] * r[i];
        }
        break;
    case NEXT_P: // beta, omega
        for (int i = begin; i < end; i++)
            p[i] = r[i] + factor * (p[i] - other * v[i]);
        for (int b = first; b < last; b++)
            carom_jacobi_apply(k->inverse[b], at[b], at[b + 1], p, pt);
        break;
    case PRODUCT_P: // sum q.v
        carom_product_rows(&k->product, first, last, pt, v);
        for (int i = begin; i < end; i++)
            sum[0] += q[i] * v[i];
        break;
    case NEXT_S: // alpha
        for (int i = begin; i < end; i++)
            s[i] = r[i] - factor * v[i];
        for (int b = first; b < last; b++)
            carom_jacobi_apply(k->inverse[b], at[b], at[b + 1], s, st);
        break;
    case PRODUCT_S: // sums t.s, t.t
        carom_product_rows(&k->product, first, last, st, t);
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
    const carom_rows *rows = k->product.rows;
    // what is multiplied is needed as a whole
    if (which == RESIDUAL || which == PRODUCT_P || which == PRODUCT_S)
        carom_rows_complete(rows, which == RESIDUAL ? x : k->vectors[which == PRODUCT_P ? P_TILDE : S_TILDE]);
#pragma omp parallel for schedule(static) if (k->piece_count > PARALLEL_PIECES)
    for (int piece = first_piece(k); piece < end_piece(k); piece++) {
        double part[2] = {0, 0};
        pass_piece(k, which, piece * PIECE, end_of(k, piece), factor, other, x, part);
        memcpy(k->sums[piece], part, sizeof part);
    }
    sum[0] = sum[1] = 0;
    if (which == NEXT_P || which == NEXT_S)
        return;
    carom_rows_complete_pieces(rows, k->sums[0], 2);
    for (int piece = 0; piece < k->piece_count; piece++) {
        sum[0] += k->sums[piece][0];
        sum[1] += k->sums[piece][1];
    }
}

// Iterates with A' from the residual r, of the square *square, down to `least`; *most iterations are left. Takes x along.
static carom_status iterate(carom_krylov *k, double least, int *most, double *square, double *x, carom_error *error) {
    double sum[2], rho = *square, q_square = *square, beta = 0, omega = 0;
    for (; *most > 0 && *square > least; --*most) {
        // one iteration takes less than a second for ten million unknowns
        carom_status status = carom_rows_interrupt_iteration(k->product.rows, *most, error);
        if (status)
            return status;
        run_pass(k, NEXT_P, beta, omega, x, sum);
        run_pass(k, PRODUCT_P, 0, 0, x, sum);
        double alpha = rho / sum[0];
        run_pass(k, NEXT_S, alpha, 0, x, sum);
        run_pass(k, PRODUCT_S, 0, 0, x, sum);
        // t vanishes with s: the solution is then exact
        omega = sum[1] > 0 ? sum[0] / sum[1] : 0;
        run_pass(k, NEXT_X, alpha, omega, x, sum);
        k->iterations++;
        *square = sum[1];
        beta = omega != 0 ? sum[0] / rho * (alpha / omega) : 0;
        rho = sum[0];
        if (!(fabs(rho) > broken * sqrt(q_square) * sqrt(*square)) && *square > least) {
            // start again from the residual
            memcpy(k->vectors[Q], k->vectors[R], (size_t)k->matrix->size * sizeof *x);
            rho = q_square = *square;
            beta = 0;
        }
        if (!isfinite(*square))
            break;
    }
    return CAROM_OK;
}

carom_status carom_krylov_solve(carom_krylov *k, double tolerance, int most, double *x, bool *solved, carom_error *error) {
    size_t bytes = (size_t)k->matrix->size * sizeof *x;
    *solved = false;
    if (!k->finite)
        return CAROM_OK;
    memcpy(k->vectors[B], x, bytes);
    memset(x, 0, bytes);
    double sum[2], square, before = HUGE_VAL, goal;
    run_pass(k, RESIDUAL, 0, 0, x, sum);
    square = sum[1];
    goal = tolerance * tolerance * square;
    // The first pass reaches the goal unless it is close to rounding.
    while (square > goal && square < least_gain * least_gain * before && most > 0) {
        before = square;
        double least = fmax(below_goal * below_goal * goal, pass_gain * pass_gain * square);
        carom_status status = iterate(k, least, &most, &square, x, error);
        if (status)
            return status;
        run_pass(k, RESIDUAL, 0, 0, x, sum);
        square = sum[1];
    }
    *solved = square <= goal;
    return CAROM_OK;
}
