// SPDX-License-Identifier: MIT
// Solves unsymmetric sparse systems A x = b by BiCGStab (krylov.h; H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992)
// 631-644). With the preconditioner M, from x = 0 and r = q = b:
//
//     p = r + beta (p - omega v),  p~ = M p,  v = A p~,  alpha = rho/(q.v)
//     s = r - alpha v,             s~ = M s,  t = A s~,  omega = t.s/t.t
//     x += alpha p~ + omega s~,    r = s - omega t,      rho' = q.r,  beta = (rho'/rho) (alpha/omega)
//
// An iteration is five passes over the unknowns (p and p~; v; s and s~; t; x and r), each divided among threads. q is the first
// residual; where rho nearly vanishes the iteration starts again from the present residual.
//
// The products are those of a matrix A' in single precision (product.h). When the residual of the system with A' is small
// enough, the residual of A itself is computed; if that is too large, the iteration starts again from it (iterative
// refinement). A' differs from A by 6e-8 of its entries, so that one such round gains many digits unless A is so
// ill-conditioned that the iteration would not converge at all.
#include "solver/krylov.h"

#include <math.h>
#include <string.h>

// Breakdown: |q.r| below this fraction of |q||r|.
static const double breakdown_threshold = 1e-12;

// The residual of A' must fall below this multiple of the one required of A, so that both rarely disagree.
static const double residual_safety = 0.7;
// Largest reduction of the residual that a round with A' attempts; more would be lost in its rounding.
static const double round_reduction = 1e-5;
// Iteration stops if a round does not reduce the residual of A to this fraction.
static const double stagnation_ratio = 0.5;

enum { R, Q, P, V, S, T, P_TILDE, S_TILDE, B, VECTORS };
enum { SUMS = CAROM_ITERATION_SUMS };

carom_status carom_krylov_prepare(carom_iteration *k, const carom_sparse *matrix, carom_error *error) {
    k->vector_count = VECTORS;
    return carom_iteration_prepare(k, matrix, true, error);
}

// The passes of an iteration, and the one that finds the residual of A.
enum { RESIDUAL, NEXT_P, PRODUCT_P, NEXT_S, PRODUCT_S, NEXT_X };

// One row of A times x.
static inline double row_times(const carom_sparse *matrix, int row, const double *x) {
    double sum = 0;
    for (int64_t e = matrix->row_begin[row]; e < matrix->row_begin[row + 1]; e++)
        sum += matrix->value[e] * x[matrix->column[e]];
    return sum;
}

// One pass over the blocks [first, last). The cases name the two factors of the pass, and the sums that it adds to sum[].
static void pass_piece(carom_iteration *k, const carom_pass *pass, int first, int last, double *sum) {
    int begin = k->product.block_begin[first], end = k->product.block_begin[last];
    double factor = pass->factor, other = pass->other, *x = pass->x;
    double *r = k->vectors[R], *q = k->vectors[Q], *p = k->vectors[P], *v = k->vectors[V], *s = k->vectors[S];
    double *t = k->vectors[T], *pt = k->vectors[P_TILDE], *st = k->vectors[S_TILDE];
    switch (pass->which) {
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
        carom_iteration_precondition(k, first, last, p, pt);
        break;
    case PRODUCT_P: // sum q.v
        carom_product_rows(&k->product, first, last, pt, v);
        for (int i = begin; i < end; i++)
            sum[0] += q[i] * v[i];
        break;
    case NEXT_S: // alpha
        for (int i = begin; i < end; i++)
            s[i] = r[i] - factor * v[i];
        carom_iteration_precondition(k, first, last, s, st);
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

static void run_pass(carom_iteration *k, int which, double factor, double other, double *x, double sum[SUMS]) {
    // vectors to be multiplied must be complete
    double *whole = which == RESIDUAL    ? x
                    : which == PRODUCT_P ? k->vectors[P_TILDE]
                    : which == PRODUCT_S ? k->vectors[S_TILDE]
                                         : NULL;
    carom_iteration_run(k, &(carom_pass){which, factor, other, x}, pass_piece, whole,
                        which == NEXT_P || which == NEXT_S ? NULL : sum);
}

// Iterates with A' from the residual r, whose square is *square, down to `least`, and updates x; *most iterations are left.
static carom_status iterate(carom_iteration *k, double least, int *most, double *square, double *x, carom_error *error) {
    double sum[SUMS], rho = *square, q_square = *square, beta = 0, omega = 0;
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
        if (!(fabs(rho) > breakdown_threshold * sqrt(q_square) * sqrt(*square)) && *square > least) {
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

carom_status carom_krylov_solve(carom_iteration *k, double tolerance, int most, double *x, bool *solved, carom_error *error) {
    size_t bytes = (size_t)k->matrix->size * sizeof *x;
    *solved = false;
    if (!k->finite)
        return CAROM_OK;
    memcpy(k->vectors[B], x, bytes);
    memset(x, 0, bytes);
    double sum[SUMS], square, before = HUGE_VAL, goal;
    run_pass(k, RESIDUAL, 0, 0, x, sum);
    square = sum[1];
    goal = tolerance * tolerance * square;
    // The first round reaches the goal unless the goal is close to rounding.
    while (square > goal && square < stagnation_ratio * stagnation_ratio * before && most > 0) {
        before = square;
        double least = fmax(residual_safety * residual_safety * goal, round_reduction * round_reduction * square);
        carom_status status = iterate(k, least, &most, &square, x, error);
        if (status)
            return status;
        run_pass(k, RESIDUAL, 0, 0, x, sum);
        square = sum[1];
    }
    *solved = square <= goal;
    return CAROM_OK;
}
