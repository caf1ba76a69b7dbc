// SPDX-License-Identifier: MIT
// Assembles and solves the linear equations of one iteration, of Newton's or the interior point method, for the contact forces
// of an island (linear.h). Small systems are dense and contain closed contacts only. Large ones are sparse and contain all
// contacts, so that the pattern, and with it the symbolic factorisation, stays the same while contacts open and close.
//
// Redundant contacts make the equations singular but consistent. A small multiple of the diagonal
// regularises them, and iterative refinement removes the error: it converges to the solution closest to the
// present forces.
#include "contact/cones/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "math/vec3.h"
#include "solver/dense.h"

enum {
    DENSE_MAX = 128, // number of unknowns up to which a dense factorisation is faster
    REFINEMENTS = 4  // number of refinement solves; each gains several digits
};
// Relative to the diagonal: above rounding of the factorisation, small enough for refinement to converge
// quickly.
static const double regularisation = 1e-10;

void carom_cones_linear_release(carom_cones_linear *linear) {
    free(linear->tangents);
    free(linear->dense);
    free(linear->pairs);
    free(linear->unknown);
    free(linear->right);
    free(linear->couplings);
    carom_sparse_release(linear->sparse);
    carom_linear_release(linear->solver);
    *linear = (carom_cones_linear){0};
}

// Block K_i W_ij, on the diagonal plus L_i and the regularisation; without the term of W for open contacts.
static void entry(const carom_cone_system *system, const carom_cone_tangent *tangents, int i, int j, const double W[3][3],
                  double out[3][3]) {
    static const double none[3][3] = {{0}};
    const carom_cone_row *row = &system->rows[i];
    const carom_cone_tangent *t = &tangents[i];
    const double(*block)[3] = t->closed ? W : none;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            out[a][b] = t->K[a][0] * block[0][b] + t->K[a][1] * block[1][b] + t->K[a][2] * block[2][b];
            if (i == j)
                out[a][b] += t->L[a][b];
        }
    for (int a = 0; a < row->size && i == j && t->closed; a++)
        out[a][a] += regularisation * t->K[a][a] * (a ? row->slip_compliance : row->block[0][0]);
}

// Assembles and factorises the dense matrix of the closed contacts.
static bool assemble_dense(carom_cones_linear *linear, const carom_cone_system *system, int n) {
    memset(linear->dense, 0, (size_t)n * n * sizeof(double));
    for (int i = 0; i < system->count; i++) {
        const carom_cone_tangent *t = &linear->tangents[i];
        for (int j = 0; j < system->count && t->closed; j++) {
            int first = linear->tangents[j].first;
            if (first < 0)
                continue;
            double W[3][3], part[3][3];
            carom_cone_system_block(system, i, j, W);
            entry(system, linear->tangents, i, j, (carom_const_vectors)W, part);
            for (int a = 0; a < system->rows[i].size; a++)
                for (int b = 0; b < system->rows[j].size; b++)
                    linear->dense[(int64_t)(t->first + a) * n + first + b] = part[a][b];
        }
    }
    return carom_dense_factorise(n, linear->dense, linear->dense + (int64_t)n * n);
}

// Lists pairs of contacts with a common node; *same becomes false if the list differs from the previous
// one.
static bool list_pairs(carom_cones_linear *linear, const carom_cone_system *system, bool *same) {
    int64_t count = 0;
    for (int i = 0; i < system->count; i++) {
        const carom_cone_row *row = &system->rows[i];
        for (int k = 0; k < row->count; k++)
            for (int m = system->begin[row->node[k]]; m < system->begin[row->node[k] + 1]; m++) {
                int j = system->by_node[m] - system->offset;
                if (j <= i || j >= system->count)
                    continue;
                if (count >= linear->pair_count || linear->pairs[count][0] != i || linear->pairs[count][1] != j)
                    *same = false;
                if (!carom_append(&linear->pairs, &count, &linear->pair_capacity, (int[]){i, j}, sizeof *linear->pairs))
                    return false;
            }
    }
    *same = *same && count == linear->pair_count;
    linear->pair_count = count;
    return true;
}

// Creates the matrix and its solver again if the pattern has changed.
static carom_status make_sparse(carom_cones_linear *linear, const carom_cone_system *system, carom_error *error) {
    bool same = linear->sparse && linear->unknown_count == system->count;
    if (system->count > linear->unknown_capacity)
        same = false;
    if (!carom_ensure_capacity(&linear->unknown, &linear->unknown_capacity, system->count, sizeof *linear->unknown))
        return carom_no_memory(error, "contacts");
    int size = 0;
    for (int i = 0; i < system->count; i++)
        for (int a = 0; a < 3; a++) {
            // contacts without friction have one unknown, others two or three
            int index = a < system->rows[i].size ? size++ : -1;
            same = same && linear->unknown[i][a] == index;
            linear->unknown[i][a] = index;
        }
    linear->unknown_count = system->count;
    if (!list_pairs(linear, system, &same) ||
        !carom_ensure_capacity(&linear->right, &linear->right_capacity, size, sizeof(double)))
        return carom_no_memory(error, "contacts");
    if (same)
        return CAROM_OK;
    carom_sparse_release(linear->sparse);
    linear->sparse = NULL;
    carom_cliques set = {(int)linear->pair_count, 2, linear->pairs[0]};
    carom_status status = carom_sparse_create(system->count, (const int(*)[3])linear->unknown, 1, &set, &linear->sparse, error);
    if (!status && !linear->solver)
        status = carom_linear_create(CAROM_LINEAR_UNSYMMETRIC, &linear->solver, error);
    return status;
}

// Stores the pattern and the off-diagonal blocks of W, which are constant while an island is solved.
static carom_status prepare_system(carom_cones_linear *linear, const carom_cone_system *system, carom_error *error) {
    if (linear->known)
        return CAROM_OK;
    carom_status status = make_sparse(linear, system, error);
    if (status)
        return status;
    const carom_sparse *sparse = linear->sparse;
    int64_t count = 0;
    for (int i = 0; i < system->count; i++) {
        // all rows of a contact have the same blocks, from left to right
        int64_t begin = sparse->row_begin[linear->unknown[i][0]], end = sparse->row_begin[linear->unknown[i][0] + 1];
        for (int64_t at = begin; at < end;) {
            int axis;
            carom_cone_coupling coupling = {.other = carom_sparse_node(sparse, sparse->column[at], &axis)};
            if (coupling.other != i)
                carom_cone_system_block(system, i, coupling.other, coupling.W);
            if (!carom_append(&linear->couplings, &count, &linear->coupling_capacity, &coupling, sizeof coupling))
                return carom_no_memory(error, "contacts");
            at += system->rows[coupling.other].size;
        }
    }
    linear->known = true;
    return CAROM_OK;
}

// Assembles and factorises the sparse matrix of all contacts.
static carom_status assemble_sparse(carom_cones_linear *linear, const carom_cone_system *system, carom_error *error) {
    carom_status status = prepare_system(linear, system, error);
    if (status)
        return status;
    carom_sparse *sparse = linear->sparse;
    carom_cone_coupling *coupling = linear->couplings;
    for (int i = 0; i < system->count; i++) {
        int64_t at = 0, length = sparse->row_begin[linear->unknown[i][0] + 1] - sparse->row_begin[linear->unknown[i][0]];
        for (; at < length; coupling++) {
            int j = coupling->other;
            double part[3][3];
            // springs of the proximal point method are on the diagonal
            if (i == j)
                carom_cone_system_block(system, i, i, coupling->W);
            entry(system, linear->tangents, i, j, (carom_const_vectors)coupling->W, part);
            for (int a = 0; a < system->rows[i].size; a++)
                for (int b = 0; b < system->rows[j].size; b++)
                    sparse->value[sparse->row_begin[linear->unknown[i][a]] + at + b] = part[a][b];
            at += system->rows[j].size;
        }
    }
    return carom_linear_factorise(linear->solver, sparse, error);
}

// Solves for dx with the residuals as right-hand sides; open contacts have dx = 0.
static carom_status correct(carom_cones_linear *linear, const carom_cone_system *system, carom_error *error) {
    bool small = linear->is_small;
    int n = linear->dense_size;
    // the right-hand side is stored after the pivots
    double *right = small ? linear->dense + (int64_t)n * (n + 1) : linear->right;
    for (int i = 0; i < system->count; i++) {
        const carom_cone_tangent *t = &linear->tangents[i];
        int first = small ? t->first : linear->unknown[i][0];
        for (int a = 0; a < system->rows[i].size && first >= 0; a++)
            right[first + a] = t->residual[a];
    }
    if (small) {
        carom_dense_substitute(n, linear->dense, linear->dense + (int64_t)n * n, right);
    } else {
        carom_status status = carom_linear_solve(linear->solver, right, error);
        if (status)
            return status;
    }
    for (int i = 0; i < system->count; i++) {
        carom_cone_tangent *t = &linear->tangents[i];
        int first = small ? t->first : linear->unknown[i][0];
        for (int a = 0; a < system->rows[i].size; a++) {
            t->dx[a] = !t->closed ? 0 : right[first + a];
            // a singular pivot is detected here
            if (!isfinite(t->dx[a]))
                return carom_fail(error, CAROM_NUMERICAL, "the equations of %d contacts are singular", system->count);
        }
    }
    return CAROM_OK;
}

// Adds dx to x and evaluates the residuals of the unregularised equations. Returns the largest.
static double advance(carom_cones_linear *linear, carom_cone_system *system) {
    double left = 0;
    for (int i = 0; i < system->count; i++)
        carom_cone_system_change(system, i, linear->tangents[i].dx);
    for (int i = 0; i < system->count; i++) {
        carom_cone_tangent *t = &linear->tangents[i];
        const carom_cone_row *row = &system->rows[i];
        double u[3];
        carom_cone_system_value(system, i, u);
        for (int a = 0; a < row->size; a++) {
            t->residual[a] = t->b[a];
            for (int b = 0; b < row->size; b++)
                t->residual[a] -= t->K[a][b] * (u[b] - t->u[b]) + t->L[a][b] * (row->x[b] - t->x[b]);
            left = fmax(left, fabs(t->residual[a]));
        }
    }
    return left;
}

void carom_cones_linear_begin(carom_cones_linear *linear) {
    linear->known = false;
}

bool carom_cones_linear_reserve(carom_cones_linear *linear, int count) {
    return carom_ensure_capacity(&linear->tangents, &linear->tangent_capacity, count, sizeof *linear->tangents);
}

bool carom_cones_linear_is_large(const carom_cone_system *system) {
    int n = 0;
    for (int i = 0; i < system->count && n <= DENSE_MAX; i++)
        n += system->rows[i].size;
    return !system->W && n > DENSE_MAX;
}

// Numbers the unknowns of closed contacts and chooses between a dense and a sparse matrix.
carom_status carom_cones_linear_factorise(carom_cones_linear *linear, const carom_cone_system *system, carom_error *error) {
    int n = 0;
    for (int i = 0; i < system->count; i++) {
        linear->tangents[i].first = linear->tangents[i].closed ? n : -1;
        n += linear->tangents[i].closed ? system->rows[i].size : 0;
    }
    linear->dense_size = n;
    // a dense W gives a dense matrix in any case
    linear->is_small = system->W || n <= DENSE_MAX;
    if (!linear->is_small)
        return assemble_sparse(linear, system, error);
    if (!carom_ensure_capacity(&linear->dense, &linear->dense_capacity, (int64_t)n * (n + 2), sizeof(double)))
        return carom_no_memory(error, "contacts");
    if (!assemble_dense(linear, system, n))
        return carom_fail(error, CAROM_NUMERICAL, "the equations of %d contacts are singular", system->count);
    return CAROM_OK;
}

// Iterative refinement with the exact equations as residual.
carom_status carom_cones_linear_move(carom_cones_linear *linear, carom_cone_system *system, carom_error *error) {
    // open contacts become zero at once; closed ones are solved by refinement
    for (int i = 0; i < system->count; i++)
        for (int a = 0; a < 3; a++)
            linear->tangents[i].dx[a] = linear->tangents[i].closed ? 0 : -system->rows[i].x[a];
    double left = advance(linear, system), before = INFINITY;
    // continues while each solve gains at least a digit
    for (int repeat = 0; repeat < REFINEMENTS && left > 0 && left < 0.1 * before; repeat++) {
        before = left;
        carom_status status = correct(linear, system, error);
        if (status) {
            // restore x
            for (int i = 0; i < system->count; i++)
                carom_copy(linear->tangents[i].x, system->rows[i].x);
            carom_cone_system_refresh(system);
            return status;
        }
        left = advance(linear, system);
    }
    return CAROM_OK;
}
