// SPDX-License-Identifier: MIT
// A step of Newton's method on the projections that define the solution (P. Alart, A. Curnier, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353-375):
//     x0 = max(0, x0 - u0/q),   xt = the point of the disc |xt| <= mu x0 nearest to z = xt - ut/c,
// with q, c the softness of the contact itself. Which branch holds at x is read off, and its equations are
//     open     x = 0
//     stick    u = 0
//     slip     u0 = 0,   xt = mu x0 e,   e = z/|z|;     d(e)= (1 - e e^T) dz/|z|.
// Without friction this is the method of active sets that changes all contacts at once.
//
// Redundant contacts make the equations singular, yet consistent. A small part of the diagonal is added, and what that does wrong is taken back by repeated
// solves: the forces go no farther from x than they have to.
#include "contact/cones_newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"

enum { SMALL = 64, REPEATS = 4 };
static const double added_part = 1e-10;

// The linearised conditions of one contact: K (W dx) + L dx = b.
typedef struct carom_cone_tangent {
    double K[3][3], L[3][3], b[3];
    double x[3], u[3];     // before
    double dx[3], rest[3]; // the next change, and what the equations lack
    int first;             // of its unknowns in a small system; -1: it has none, being open
} carom_cone_tangent;

void carom_cones_newton_release(carom_cones_newton *newton) {
    free(newton->tangents);
    free(newton->dense);
    free(newton->pairs);
    free(newton->unknown);
    free(newton->right);
    carom_sparse_release(newton->sparse);
    carom_linear_release(newton->solver);
    *newton = (carom_cones_newton){0};
}

static carom_status no_memory(carom_error *error) {
    return carom_fail(error, CAROM_NO_MEMORY, "no memory for contacts");
}

// Room for `count` items of an array whose contents need not stay.
static bool make_room(void *array, int64_t *capacity, int64_t count, size_t size) {
    if (count <= *capacity)
        return true;
    void **at = array;
    free(*at);
    *capacity = count + count / 2;
    *at = carom_allocate(*capacity, size);
    if (!*at)
        *capacity = 0;
    return *at != NULL;
}

// ---- the conditions of one contact ----

static void set_slip(const carom_cone_row *row, const double z[2], double limit, carom_cone_tangent *t) {
    double size = hypot(z[0], z[1]), e[2] = {z[0] / size, z[1] / size}, part = limit / size;
    for (int a = 1; a < row->size; a++) {
        for (int b = 1; b < row->size; b++) {
            double across = row->size > 2 ? (a == b) - e[a - 1] * e[b - 1] : 0;
            t->K[a][b] = part * across;
            t->L[a][b] = row->grip * ((a == b) - part * across);
        }
        t->L[a][0] = -row->grip * row->friction * e[a - 1];
        t->b[a] = row->grip * (row->friction * row->x[0] * e[a - 1] - row->x[a]);
    }
}

static void set_tangent(const carom_cone_system *system, int i, carom_cone_tangent *t) {
    const carom_cone_row *row = &system->rows[i];
    *t = (carom_cone_tangent){.first = -1};
    carom_copy(row->x, t->x);
    carom_cone_system_value(system, i, t->u);
    double q = row->block[0][0], hoped = row->stuck ? 0 : row->x[0] - t->u[0] / q;
    if (!(hoped > 0)) {
        for (int a = 0; a < row->size; a++) {
            t->L[a][a] = row->stuck ? 1 : q;
            t->b[a] = -t->L[a][a] * row->x[a];
        }
        return;
    }
    t->first = 0;
    t->K[0][0] = 1;
    t->b[0] = -t->u[0];
    if (row->size == 1)
        return;
    double z[2] = {row->x[1] - t->u[1] / row->grip, row->size > 2 ? row->x[2] - t->u[2] / row->grip : 0};
    double limit = row->friction * hoped;
    if (hypot(z[0], z[1]) > limit) {
        set_slip(row, z, limit, t);
        return;
    }
    for (int a = 1; a < row->size; a++) {
        t->K[a][a] = 1;
        t->b[a] = -t->u[a];
    }
}

// K_i W_ij, on the diagonal with L and what is added.
static void entry(const carom_cone_system *system, const carom_cone_tangent *tangents, int i, int j, double out[3][3]) {
    const carom_cone_row *row = &system->rows[i];
    const carom_cone_tangent *t = &tangents[i];
    double block[3][3];
    if (t->first >= 0)
        carom_cone_system_block(system, i, j, block);
    else
        memset(block, 0, sizeof block);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            out[a][b] = t->K[a][0] * block[0][b] + t->K[a][1] * block[1][b] + t->K[a][2] * block[2][b];
            if (i == j)
                out[a][b] += t->L[a][b];
        }
    for (int a = 0; a < row->size && i == j && t->first >= 0; a++)
        out[a][a] += added_part * t->K[a][a] * (a ? row->grip : row->block[0][0]);
}

// ---- small systems: dense, closed contacts only ----

// In place, rows exchanged; pivots behind the matrix. False if it is singular.
static bool factorise(int n, double *A, double *pivots) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[(int64_t)i * n + k]) > fabs(A[(int64_t)best * n + k]))
                best = i;
        pivots[k] = best;
        double pivot = A[(int64_t)best * n + k];
        if (!(fabs(pivot) > 0) || !isfinite(pivot))
            return false;
        for (int j = 0; j < n && best != k; j++) {
            double swap = A[(int64_t)k * n + j];
            A[(int64_t)k * n + j] = A[(int64_t)best * n + j];
            A[(int64_t)best * n + j] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = A[(int64_t)i * n + k] / pivot;
            A[(int64_t)i * n + k] = factor;
            if (factor != 0)
                for (int j = k + 1; j < n; j++)
                    A[(int64_t)i * n + j] -= factor * A[(int64_t)k * n + j];
        }
    }
    return true;
}

static void substitute(int n, const double *A, const double *pivots, double *b) {
    for (int k = 0; k < n; k++) {
        int from = (int)pivots[k];
        double swap = b[k];
        b[k] = b[from];
        b[from] = swap;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] -= A[(int64_t)i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= A[(int64_t)i * n + j] * b[j];
        b[i] /= A[(int64_t)i * n + i];
    }
}

static bool assemble_dense(carom_cones_newton *newton, const carom_cone_system *system, int n) {
    memset(newton->dense, 0, (size_t)n * n * sizeof(double));
    for (int i = 0; i < system->count; i++) {
        const carom_cone_tangent *t = &newton->tangents[i];
        for (int j = 0; j < system->count && t->first >= 0; j++) {
            int first = newton->tangents[j].first;
            if (first < 0)
                continue;
            double part[3][3];
            entry(system, newton->tangents, i, j, part);
            for (int a = 0; a < system->rows[i].size; a++)
                for (int b = 0; b < system->rows[j].size; b++)
                    newton->dense[(int64_t)(t->first + a) * n + first + b] = part[a][b];
        }
    }
    return factorise(n, newton->dense, newton->dense + (int64_t)n * n);
}

// ---- large systems: sparse, with all contacts, so that the pattern stays ----

// Lists contacts that share a node; `*same`: as before.
static bool list_pairs(carom_cones_newton *newton, const carom_cone_system *system, bool *same) {
    int64_t count = 0;
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        for (int k = 0; k < row->count; k++)
            for (int m = system->begin[row->node[k]]; m < system->begin[row->node[k] + 1]; m++) {
                int j = system->by_node[m] - system->offset;
                if (j <= i || j >= system->count)
                    continue;
                if (count == newton->pair_capacity) {
                    int(*more)[2] = carom_grow(newton->pairs, count, &newton->pair_capacity, sizeof *more);
                    if (!more)
                        return false;
                    newton->pairs = more;
                }
                if (count >= newton->pair_count || newton->pairs[count][0] != i || newton->pairs[count][1] != j)
                    *same = false;
                newton->pairs[count][0] = i;
                newton->pairs[count++][1] = j;
            }
    }
    *same = *same && count == newton->pair_count;
    newton->pair_count = count;
    return true;
}

// The matrix and its solver, new if the pattern is.
static carom_status make_sparse(carom_cones_newton *newton, const carom_cone_system *system, carom_error *error) {
    bool same = newton->sparse && newton->unknown_count == system->count;
    if (system->count > newton->unknown_capacity)
        same = false;
    if (!make_room(&newton->unknown, &newton->unknown_capacity, system->count, sizeof *newton->unknown))
        return no_memory(error);
    int size = 0;
    for (int i = 0; i < system->count; i++)
        for (int a = 0; a < 3; a++) {
            int index = a < system->rows[i].size ? size++ : -1;
            same = same && newton->unknown[i][a] == index;
            newton->unknown[i][a] = index;
        }
    newton->unknown_count = system->count;
    if (!list_pairs(newton, system, &same) || !make_room(&newton->right, &newton->right_capacity, size, sizeof(double)))
        return no_memory(error);
    if (same)
        return CAROM_OK;
    carom_sparse_release(newton->sparse);
    newton->sparse = NULL;
    carom_cliques set = {(int)newton->pair_count, 2, newton->pairs[0]};
    carom_status status = carom_sparse_create(system->count, (const int(*)[3])newton->unknown, 1, &set, &newton->sparse, error);
    if (!status && !newton->solver)
        status = carom_linear_create(CAROM_LINEAR_UNSYMMETRIC, &newton->solver, error);
    return status;
}

static carom_status assemble_sparse(carom_cones_newton *newton, const carom_cone_system *system, carom_error *error) {
    carom_status status = make_sparse(newton, system, error);
    if (status)
        return status;
    carom_sparse *sparse = newton->sparse;
    for (int i = 0; i < system->count; i++) {
        // blocks from left to right
        int64_t at = 0, length = sparse->row_begin[newton->unknown[i][0] + 1] - sparse->row_begin[newton->unknown[i][0]];
        while (at < length) {
            int axis, j = carom_sparse_node(sparse, sparse->column[sparse->row_begin[newton->unknown[i][0]] + at], &axis);
            double part[3][3];
            entry(system, newton->tangents, i, j, part);
            for (int a = 0; a < system->rows[i].size; a++)
                for (int b = 0; b < system->rows[j].size; b++)
                    sparse->value[sparse->row_begin[newton->unknown[i][a]] + at + b] = part[a][b];
            at += system->rows[j].size;
        }
    }
    return carom_linear_factorise(newton->solver, sparse, error);
}

// ---- the step ----

// Solves for dx with `rest` on the right-hand side.
static carom_status correct(carom_cones_newton *newton, const carom_cone_system *system, int n, bool small,
                            carom_error *error) {
    double *right = small ? newton->dense + (int64_t)n * (n + 1) : newton->right;
    for (int i = 0; i < system->count; i++) {
        const carom_cone_tangent *t = &newton->tangents[i];
        int first = small ? t->first : newton->unknown[i][0];
        for (int a = 0; a < system->rows[i].size && first >= 0; a++)
            right[first + a] = t->rest[a];
    }
    if (small) {
        substitute(n, newton->dense, newton->dense + (int64_t)n * n, right);
    } else {
        carom_status status = carom_linear_solve(newton->solver, right, error);
        if (status)
            return status;
    }
    for (int i = 0; i < system->count; i++) {
        carom_cone_tangent *t = &newton->tangents[i];
        int first = small ? t->first : newton->unknown[i][0];
        for (int a = 0; a < system->rows[i].size; a++) {
            t->dx[a] = t->first < 0 ? 0 : right[first + a];
            if (!isfinite(t->dx[a]))
                return carom_fail(error, CAROM_NUMERICAL, "the equations of %d contacts are singular", system->count);
        }
    }
    return CAROM_OK;
}

// Adds dx, and finds what the equations still lack. Returns the largest.
static double advance(carom_cones_newton *newton, carom_cone_system *system) {
    double left = 0;
    for (int i = 0; i < system->count; i++)
        carom_cone_system_change(system, i, newton->tangents[i].dx);
    for (int i = 0; i < system->count; i++) {
        carom_cone_tangent *t = &newton->tangents[i];
        const carom_cone_row *row = &system->rows[i];
        double u[3];
        carom_cone_system_value(system, i, u);
        for (int a = 0; a < row->size; a++) {
            t->rest[a] = t->b[a];
            for (int b = 0; b < row->size; b++)
                t->rest[a] -= t->K[a][b] * (u[b] - t->u[b]) + t->L[a][b] * (row->x[b] - t->x[b]);
            left = fmax(left, fabs(t->rest[a]));
        }
    }
    return left;
}

carom_status carom_cones_newton_step(carom_cones_newton *newton, carom_cone_system *system, carom_error *error) {
    if (!make_room(&newton->tangents, &newton->tangent_capacity, system->count, sizeof *newton->tangents))
        return no_memory(error);
    int n = 0;
    for (int i = 0; i < system->count; i++) {
        carom_cone_tangent *t = &newton->tangents[i];
        set_tangent(system, i, t);
        if (t->first >= 0) {
            t->first = n;
            n += system->rows[i].size;
        }
    }
    bool small = system->W || n <= SMALL;
    carom_status status = CAROM_OK;
    if (small && !make_room(&newton->dense, &newton->dense_capacity, (int64_t)n * (n + 2), sizeof(double)))
        return no_memory(error);
    if (small && !assemble_dense(newton, system, n))
        status = carom_fail(error, CAROM_NUMERICAL, "the equations of %d contacts are singular", system->count);
    else if (!small)
        status = assemble_sparse(newton, system, error);

    // open contacts are known; the others follow, by repeated solves
    for (int i = 0; i < system->count; i++)
        for (int a = 0; a < 3; a++)
            newton->tangents[i].dx[a] = newton->tangents[i].first < 0 ? -system->rows[i].x[a] : 0;
    double left = status ? 0 : advance(newton, system), before = INFINITY;
    for (int repeat = 0; repeat < REPEATS && !status && left > 0 && left < 0.1 * before; repeat++) {
        before = left;
        status = correct(newton, system, n, small, error);
        if (!status)
            left = advance(newton, system);
    }
    for (int i = 0; i < system->count && status; i++)
        carom_copy(newton->tangents[i].x, system->rows[i].x);
    carom_cone_system_refresh(system);
    return status;
}
