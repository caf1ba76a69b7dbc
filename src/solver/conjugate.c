// SPDX-License-Identifier: MIT
// Solves symmetric sparse systems A x = b, and tests whether A is positive definite, by conjugate gradients (conjugate.h; M. R.
// Hestenes, E. Stiefel, J. Res. Natl. Bur. Stand. 49 (1952) 409-436). With the preconditioner M, from x = 0, r = b and p = z =
// M r:
//
//     q = A p,  alpha = r.z/(p.q),  x += alpha p,  r' = r - alpha q,  z = M r',  p = z + (r'.z/r.z) p
//
// Test of positive definiteness: the residual after k iterations is r = P(A M) b with a polynomial of degree k, P(0) = 1, whose
// roots are the Ritz values. They are positive as long as every curvature p.q is, and then, for an eigenvalue l <= 0 of A M,
//
//     |P(l)| = product of |1 - l/root| >= 1 :
//
// the component of the residual along its eigenvector does not decrease. So if the residual converges to less than this
// component of b, and all curvatures are positive, there is no such eigenvalue. The right-hand side b of the test is made of
// pseudo-random numbers, always the same ones: each of the n components has about 1/n of the square of the norm, and the
// probability that it is smaller by a factor of CAROM_PROBE_OVERLOOKED^2 is about CAROM_PROBE_OVERLOOKED. (If b were the load,
// a mode that the load does not excite would not be detected, for example the buckling mode of a perfect column.)
#include "solver/conjugate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "solver/probe.h"

// The recurrence residual must fall below this multiple of the required true residual, so that both rarely disagree.
static const double residual_safety = 0.7;
// Iteration stops if a pass does not reduce the true residual to this fraction.
static const double stagnation_ratio = 0.5;
// A residual below this multiple of |diag(A) x| is as small as that of elimination, and is accepted.
static const double rounding = 8 * DBL_EPSILON;

enum { R, Z, P, Q, B, DIAGONAL, VECTORS };

// The sums of a pass: r.z or p.q; r.r; the square of the norm of diag(A) x.
enum { ENERGY, SQUARE, SIZE, SUMS = CAROM_ITERATION_SUMS };

carom_status carom_conjugate_prepare(carom_iteration *k, const carom_sparse *matrix, carom_error *error) {
    k->vector_count = VECTORS;
    carom_status status = carom_iteration_prepare(k, matrix, false, error);
    if (status)
        return status;
    carom_sparse_diagonal(matrix, k->vectors[DIAGONAL]);
    carom_rows_complete(k->product.rows, k->vectors[DIAGONAL]);
    return CAROM_OK;
}

// A value is not finite, or a block on the diagonal is not positive definite.
static bool is_unsolvable(const carom_iteration *k) {
    return !k->finite || !k->definite;
}

// The passes: the residual of x, the product, the update with its curvature, the next direction.
enum { RESIDUAL, PRODUCT, ADVANCE, TURN };

// One pass over the blocks [first, last). Adds the terms of these blocks to the sums of the pass.
static void pass_piece(carom_iteration *k, const carom_pass *pass, int first, int last, double *sum) {
    int begin = k->product.block_begin[first], end = k->product.block_begin[last];
    double *r = k->vectors[R], *z = k->vectors[Z], *p = k->vectors[P], *q = k->vectors[Q], *x = pass->x;
    const double *b = k->vectors[B], *d = k->vectors[DIAGONAL];
    switch (pass->which) {
    case RESIDUAL:
        // p holds x, with the padding that products require
        carom_product_full_rows(&k->product, k->matrix, first, last, p, q);
        for (int i = begin; i < end; i++) {
            r[i] = b[i] - q[i];
            sum[SQUARE] += r[i] * r[i];
            sum[SIZE] += d[i] * x[i] * (d[i] * x[i]);
        }
        carom_iteration_precondition(k, first, last, r, z);
        for (int i = begin; i < end; i++)
            sum[ENERGY] += r[i] * z[i];
        break;
    case PRODUCT:
        carom_product_full_rows(&k->product, k->matrix, first, last, p, q);
        for (int i = begin; i < end; i++)
            sum[ENERGY] += p[i] * q[i];
        break;
    case ADVANCE: // factor: alpha
        for (int i = begin; i < end; i++) {
            x[i] += pass->factor * p[i];
            r[i] -= pass->factor * q[i];
            sum[SQUARE] += r[i] * r[i];
        }
        carom_iteration_precondition(k, first, last, r, z);
        for (int i = begin; i < end; i++)
            sum[ENERGY] += r[i] * z[i];
        break;
    default: // TURN; factor: beta
        for (int i = begin; i < end; i++)
            p[i] = z[i] + pass->factor * p[i];
    }
}

static void run_pass(carom_iteration *k, int which, double factor, double *x, double sum[SUMS]) {
    // vectors to be multiplied must be complete
    double *whole = which == RESIDUAL || which == PRODUCT ? k->vectors[P] : NULL;
    carom_iteration_run(k, &(carom_pass){which, factor, 0, x}, pass_piece, whole, which == TURN ? NULL : sum);
}

// The residual of x itself.
static void find_residual(carom_iteration *k, double *x, double sum[SUMS]) {
    memcpy(k->vectors[P], x, (size_t)k->matrix->size * sizeof *x);
    run_pass(k, RESIDUAL, 0, x, sum);
}

// Iterates from the residual of x until sum[judged] is at most `least`. *most is the largest number of iterations; those done
// are subtracted. *positive is false if a curvature was not positive.
static carom_status iterate(carom_iteration *k, int judged, double least, int *most, double sum[SUMS], double *x,
                            bool *positive, carom_error *error) {
    *positive = true;
    for (double beta = 0; *most > 0 && sum[judged] > least; --*most) {
        // one iteration takes less than a second for ten million unknowns
        carom_status status = carom_rows_interrupt_iteration(k->product.rows, *most, error);
        if (status)
            return status;
        double energy = sum[ENERGY];
        run_pass(k, TURN, beta, x, sum);
        run_pass(k, PRODUCT, 0, x, sum);
        k->iterations++;
        if (!(sum[ENERGY] > 0) || !(energy > 0)) {
            *positive = false;
            return CAROM_OK;
        }
        run_pass(k, ADVANCE, energy / sum[ENERGY], x, sum);
        beta = sum[ENERGY] / energy;
    }
    return CAROM_OK;
}

// Solves for the right-hand side in vectors[B] until sum[judged] has decreased to the fraction `part` of its first value.
static carom_status solve(carom_iteration *k, int judged, double part, int most, double *x, bool *solved, carom_error *error) {
    double sum[SUMS], before = HUGE_VAL;
    bool positive = true;
    memset(x, 0, (size_t)k->matrix->size * sizeof *x);
    find_residual(k, x, sum);
    double goal = part * sum[judged];
    *solved = sum[judged] <= goal;
    // The residual of the recurrence differs from that of x by rounding; usually the first pass suffices.
    while (positive && !*solved && sum[judged] < stagnation_ratio * stagnation_ratio * before && most > 0) {
        before = sum[judged];
        carom_status status = iterate(k, judged, residual_safety * residual_safety * goal, &most, sum, x, &positive, error);
        if (status)
            return status;
        find_residual(k, x, sum);
        *solved = positive && (sum[judged] <= goal || (judged == SQUARE && sum[SQUARE] <= rounding * rounding * sum[SIZE]));
    }
    carom_rows_complete(k->product.rows, x);
    return CAROM_OK;
}

carom_status carom_conjugate_solve(carom_iteration *k, double tolerance, int most, double *x, bool *solved,
                                   carom_error *error) {
    *solved = false;
    if (is_unsolvable(k))
        return CAROM_OK;
    memcpy(k->vectors[B], x, (size_t)k->matrix->size * sizeof *x);
    return solve(k, SQUARE, tolerance * tolerance, most, x, solved, error);
}

carom_status carom_conjugate_examine(carom_iteration *k, int most, bool *definite, carom_error *error) {
    *definite = false;
    if (is_unsolvable(k))
        return CAROM_OK;
    int n = k->matrix->size;
    double *x = carom_allocate(n, sizeof *x);
    if (!carom_rows_all(k->product.rows, x)) {
        free(x);
        return carom_no_memory(error, "the iterative solver");
    }
    // sqrt(diagonal) makes all components of the same size in the norm of M, in which the iteration converges
    for (int i = 0; i < n; i++)
        k->vectors[B][i] = sqrt(k->vectors[DIAGONAL][i]) * carom_probe_number((uint64_t)i);
    carom_status status =
        solve(k, ENERGY, n ? CAROM_PROBE_OVERLOOKED * CAROM_PROBE_OVERLOOKED / n : 1, most, x, definite, error);
    free(x);
    return status;
}
