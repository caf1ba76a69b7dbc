// SPDX-License-Identifier: MIT
// Tests src/solver/conjugate.c, src/solver/iteration.c, src/solver/product.c.
// Conjugate gradients: they agree with elimination, detect a matrix that is not positive definite, and have the same bits for
// any number of threads.
#include "../../lattice.h"
#include "carom/threads.h"
#include "solver/conjugate.h"
#include "solver/linear.h"

enum { MOST = 3000 };

static bool examine(const carom_sparse *matrix) {
    carom_iteration cg = {0};
    bool definite;
    assert_ok(carom_conjugate_prepare(&cg, matrix, error));
    assert_ok(carom_conjugate_examine(&cg, MOST, &definite, error));
    carom_iteration_release(&cg);
    return definite;
}

static int negative_pivots(const carom_sparse *matrix) {
    carom_linear_solver *direct;
    assert_ok(carom_linear_create(CAROM_LINEAR_SYMMETRIC, &direct, error));
    assert_ok(carom_linear_factorise(direct, matrix, error));
    int negative = carom_linear_information(direct).negative_pivots;
    carom_linear_release(direct);
    return negative;
}

static void agrees_with_elimination(void **state) {
    (void)state;
    const lattice_method cg = {CAROM_LINEAR_SYMMETRIC, carom_conjugate_prepare, carom_conjugate_solve, 1e-13, MOST};
    for (int trial = 0; trial < 3; trial++) {
        lattice l = lattice_make_symmetric(3 + 3 * trial, 0.1);
        lattice_check_method(&l, &cg, 1e-10);
        lattice_release(&l);
    }
}

// Matrices A - shift I with shifts of a thousandth above and below the least eigenvalue of A, which is found by bisection with
// the inertia of LDL^T. Then a singular matrix.
static void detects_indefinite_matrices(void **state) {
    (void)state;
    lattice l = lattice_make_symmetric(5, 0.5);
    double *diagonal = calloc((size_t)l.node_count, sizeof *diagonal), low = 0, high = 10;
    for (int k = 0; k < l.node_count; k++)
        diagonal[k] = 1;
    for (int step = 0; step < 40; step++) {
        double shift = 0.5 * (low + high);
        carom_sparse_add_diagonal(l.sparse, -shift, diagonal);
        *(negative_pivots(l.sparse) ? &high : &low) = shift;
        carom_sparse_clear(l.sparse);
        carom_sparse_add(l.sparse, 0, 0, l.cell_count, l.matrices[0]);
    }
    assert_true(low > 0.1);
    for (int side = -1; side <= 1; side += 2) {
        carom_sparse_clear(l.sparse);
        carom_sparse_add(l.sparse, 0, 0, l.cell_count, l.matrices[0]);
        carom_sparse_add_diagonal(l.sparse, -low * (1 + 1e-3 * side), diagonal);
        assert_int_equal(negative_pivots(l.sparse), side > 0);
        assert_int_equal(examine(l.sparse), side < 0);
    }
    free(diagonal);
    lattice_release(&l);

    // cells without stiffness against translations: the lattice can move along y
    l = lattice_make_symmetric(4, 0);
    for (int k = 0; k < l.node_count; k++)
        l.is_free[k][1] = true;
    carom_sparse_release(l.sparse);
    l.size = carom_sparse_number(l.node_count, (const bool(*)[3])l.is_free, l.unknown);
    carom_cliques set = {l.cell_count, 8, l.cells[0]};
    assert_ok(carom_sparse_create(l.node_count, (const int(*)[3])l.unknown, 1, &set, &l.sparse, error));
    for (int c = 0; c < l.cell_count; c++)
        for (int i = 0; i < 576; i++)
            // the Laplacian of the graph of the cell along each axis
            l.matrices[c][i] = i / 24 % 3 != i % 24 % 3 ? 0 : i / 24 == i % 24 ? 7 : -1;
    carom_sparse_add(l.sparse, 0, 0, l.cell_count, l.matrices[0]);
    assert_false(examine(l.sparse));
    lattice_release(&l);
}

// Too few iterations, a matrix of zeros, a negative one, and one that is not finite.
static void reports_of_failure(void **state) {
    (void)state;
    lattice l = lattice_make_symmetric(4, 0.1);
    double *x = calloc((size_t)l.size, sizeof *x);
    carom_iteration cg = {0};
    for (int trial = 0; trial < 4; trial++) {
        bool solved = true;
        for (int64_t e = 0; e < l.sparse->row_begin[l.size]; e++)
            l.sparse->value[e] *= trial == 1 ? -1 : trial == 2 ? 0 : 1;
        if (trial == 3)
            l.sparse->value[5] = NAN;
        for (int i = 0; i < l.size; i++)
            x[i] = 1 + i % 5;
        assert_ok(carom_conjugate_prepare(&cg, l.sparse, error));
        assert_ok(carom_conjugate_solve(&cg, 1e-12, trial ? MOST : 2, x, &solved, error));
        assert_false(solved);
        if (trial)
            assert_false(examine(l.sparse));
    }
    carom_iteration_release(&cg);
    free(x);
    lattice_release(&l);
}

static void same_bits_for_any_number_of_threads(void **state) {
    (void)state;
    const int threads[] = {1, 2, 3, 8};
    double *first = NULL;
    for (int t = 0; t < 4; t++) {
        carom_set_threads(threads[t]);
        lattice l = lattice_make_symmetric(12, 0.1);
        size_t bytes = (size_t)l.size * sizeof(double);
        double *x = malloc(bytes);
        for (int i = 0; i < l.size; i++)
            x[i] = sin(i);
        carom_iteration cg = {0};
        bool solved;
        assert_ok(carom_conjugate_prepare(&cg, l.sparse, error));
        assert_ok(carom_conjugate_solve(&cg, 1e-12, MOST, x, &solved, error));
        assert_true(solved);
        if (t == 0)
            first = memcpy(malloc(bytes), x, bytes);
        assert_memory_equal(first, x, bytes);
        carom_iteration_release(&cg);
        free(x);
        lattice_release(&l);
    }
    carom_set_threads(0);
    free(first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_elimination),
        cmocka_unit_test(detects_indefinite_matrices),
        cmocka_unit_test(reports_of_failure),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
