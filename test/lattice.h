// SPDX-License-Identifier: MIT
// Matrices for the tests of linear solvers.
#ifndef CAROM_TEST_LATTICE_H
#define CAROM_TEST_LATTICE_H

#include "solver/iteration.h"
#include "solver/linear.h"
#include "support.h"

// A cube of nodes, each cell with a random matrix; some axes are eliminated.
typedef struct lattice {
    int side, node_count, cell_count, size;
    bool (*is_free)[3];
    int (*unknown)[3];
    int (*cells)[8];
    double (*matrices)[576];
    carom_sparse *sparse;
} lattice;

static inline lattice lattice_make(int side, double inertia) {
    lattice l = {.side = side, .node_count = side * side * side, .cell_count = (side - 1) * (side - 1) * (side - 1)};
    l.is_free = calloc((size_t)l.node_count, sizeof *l.is_free);
    l.unknown = calloc((size_t)l.node_count, sizeof *l.unknown);
    l.cells = calloc((size_t)l.cell_count, sizeof *l.cells);
    l.matrices = calloc((size_t)l.cell_count, sizeof *l.matrices);
    uint64_t seed = 17;
    for (int k = 0; k < l.node_count; k++)
        for (int c = 0; c < 3; c++)
            l.is_free[k][c] = k % 7 != 2 || c != k % 3;
    for (int c = 0; c < l.cell_count; c++) {
        for (int a = 0; a < 8; a++) {
            int i = c % (side - 1) + (a & 1), j = c / (side - 1) % (side - 1) + (a >> 1 & 1);
            l.cells[c][a] = i + side * (j + side * (c / ((side - 1) * (side - 1)) + (a >> 2)));
        }
        for (int i = 0; i < 576; i++)
            l.matrices[c][i] = random_real(&seed, -1, 1) + (i % 25 == 0 ? inertia : 0);
    }
    l.size = carom_sparse_number(l.node_count, (const bool(*)[3])l.is_free, l.unknown);
    carom_cliques set = {l.cell_count, 8, l.cells[0]};
    assert_ok(carom_sparse_create(l.node_count, (const int(*)[3])l.unknown, 1, &set, &l.sparse, error));
    carom_sparse_add(l.sparse, 0, 0, l.cell_count, l.matrices[0]);
    return l;
}

static inline void lattice_release(lattice *l) {
    carom_sparse_release(l->sparse);
    free(l->is_free);
    free(l->unknown);
    free(l->cells);
    free(l->matrices);
}

// The same with symmetric matrices of its cells: B^T B plus `shift` times the identity. Without a shift, eight of the 24
// eigenvalues of a cell are zero.
static inline lattice lattice_make_symmetric(int side, double shift) {
    lattice l = lattice_make(side, 0);
    uint64_t seed = 29;
    for (int c = 0; c < l.cell_count; c++) {
        double B[16][24];
        for (int i = 0; i < 16 * 24; i++)
            B[i / 24][i % 24] = random_real(&seed, -1, 1);
        for (int i = 0; i < 24; i++)
            for (int j = 0; j < 24; j++) {
                double sum = i == j ? shift : 0;
                for (int k = 0; k < 16; k++)
                    sum += B[k][i] * B[k][j];
                l.matrices[c][24 * i + j] = sum;
            }
    }
    carom_sparse_clear(l.sparse);
    carom_sparse_add(l.sparse, 0, 0, l.cell_count, l.matrices[0]);
    return l;
}

// An iterative method.
typedef struct lattice_method {
    carom_linear_kind kind;
    carom_status (*prepare)(carom_iteration *iteration, const carom_sparse *matrix, carom_error *error);
    carom_status (*solve)(carom_iteration *iteration, double tolerance, int most, double *x, bool *solved, carom_error *error);
    double tolerance;
    int most; // iterations
} lattice_method;

// The method finds the solution of elimination with the relative error `accuracy`, and makes no iteration for a zero right-hand
// side.
static inline void lattice_check_method(const lattice *l, const lattice_method *method, double accuracy) {
    double *x = calloc((size_t)l->size, sizeof *x), *y = calloc((size_t)l->size, sizeof *y);
    for (int i = 0; i < l->size; i++)
        x[i] = y[i] = cos(3 * i);
    carom_linear_solver *direct;
    assert_ok(carom_linear_create(method->kind, &direct, error));
    assert_ok(carom_linear_factorise(direct, l->sparse, error));
    assert_ok(carom_linear_solve(direct, x, error));
    carom_iteration iteration = {0};
    bool solved;
    assert_ok(method->prepare(&iteration, l->sparse, error));
    assert_ok(method->solve(&iteration, method->tolerance, method->most, y, &solved, error));
    assert_true(solved);
    double largest = 0, difference = 0;
    for (int i = 0; i < l->size; i++) {
        largest = fmax(largest, fabs(x[i]));
        difference = fmax(difference, fabs(x[i] - y[i]));
    }
    assert_near(difference, 0, accuracy * largest);
    // no iteration for a zero right-hand side
    int64_t before = iteration.iterations;
    memset(y, 0, (size_t)l->size * sizeof *y);
    assert_ok(method->solve(&iteration, method->tolerance, method->most, y, &solved, error));
    assert_true(solved && iteration.iterations == before && y[0] == 0);
    carom_iteration_release(&iteration);
    carom_linear_release(direct);
    free(x);
    free(y);
}

#endif
