// SPDX-License-Identifier: MIT
// Tests src/solver/system.c.
// The methods for linear systems give the same solution; if an iteration fails, elimination is used and reports its pivots.
#include "../../lattice.h"
#include "solver/system.h"

static double largest_difference(int size, const double *x, const double *y) {
    double largest = 0, difference = 0;
    for (int i = 0; i < size; i++) {
        largest = fmax(largest, fabs(x[i]));
        difference = fmax(difference, fabs(x[i] - y[i]));
    }
    return difference / largest;
}

static carom_system *make(const carom_sparse *matrix, carom_linear_kind kind, carom_system_method method, bool inertia,
                          int most) {
    carom_system *system;
    carom_system_def def = {.kind = kind, .method = method, .inertia = inertia, .iterations = most};
    assert_ok(carom_system_create(&def, matrix->size, &system, error));
    return system;
}

static void agree(const lattice *l, carom_linear_kind kind, bool inertia, bool iterates) {
    double *x[2];
    for (int i = 0; i < 2; i++) {
        x[i] = calloc((size_t)l->size, sizeof **x);
        for (int k = 0; k < l->size; k++)
            x[i][k] = sin(k);
        carom_system *system = make(l->sparse, kind, i ? CAROM_SYSTEM_CG : CAROM_SYSTEM_DIRECT, inertia, 3000);
        assert_ok(carom_system_prepare(system, l->sparse, error));
        assert_ok(carom_system_solve(system, 1e-12, x[i], error));
        carom_system_counts work = carom_system_work(system);
        assert_true(work.fallbacks == 0 && work.factorisations == !(i && iterates) && (work.iterations > 0) == (i && iterates));
        carom_linear_info info = carom_system_information(system);
        assert_true(info.null_count == 0 && (kind == CAROM_LINEAR_UNSYMMETRIC || info.negative_pivots == 0));
        carom_system_release(system);
    }
    assert_near(largest_difference(l->size, x[0], x[1]), 0, 1e-9);
    free(x[0]);
    free(x[1]);
}

static void methods_agree(void **state) {
    (void)state;
    lattice l = lattice_make_symmetric(5, 0.1);
    agree(&l, CAROM_LINEAR_SYMMETRIC, true, true);
    agree(&l, CAROM_LINEAR_SYMMETRIC, false, true);
    lattice_release(&l);
    l = lattice_make(5, 8);
    agree(&l, CAROM_LINEAR_UNSYMMETRIC, false, true);
    // the inertia of an unsymmetric matrix is found by elimination only
    agree(&l, CAROM_LINEAR_UNSYMMETRIC, true, false);
    lattice_release(&l);
}

// A matrix with negative eigenvalues is factorised, and its negative pivots are counted. A matrix that takes too many
// iterations is factorised too. The next matrix is iterated again.
static void gives_way(void **state) {
    (void)state;
    lattice l = lattice_make_symmetric(4, 0.1);
    double *diagonal = calloc((size_t)l.node_count, sizeof *diagonal), *x = calloc((size_t)l.size, sizeof *x);
    diagonal[9] = diagonal[30] = -1000;
    carom_system *system = make(l.sparse, CAROM_LINEAR_SYMMETRIC, CAROM_SYSTEM_CG, true, 3000);
    assert_ok(carom_system_prepare(system, l.sparse, error));
    assert_int_equal(carom_system_information(system).negative_pivots, 0);
    carom_sparse_add_diagonal(l.sparse, 1, diagonal);
    assert_ok(carom_system_prepare(system, l.sparse, error));
    assert_int_equal(carom_system_work(system).fallbacks, 1);
    // node 9 has two free axes, node 30 has two
    assert_int_equal(carom_system_information(system).negative_pivots, 4);
    x[0] = 1;
    assert_ok(carom_system_solve(system, 1e-12, x, error));
    assert_true(isfinite(x[0]) && x[0] != 1);
    carom_sparse_add_diagonal(l.sparse, -1, diagonal);
    assert_ok(carom_system_prepare(system, l.sparse, error));
    assert_int_equal(carom_system_work(system).fallbacks, 1);
    assert_int_equal(carom_system_information(system).negative_pivots, 0);
    carom_system_release(system);

    system = make(l.sparse, CAROM_LINEAR_SYMMETRIC, CAROM_SYSTEM_CG, true, 3);
    assert_ok(carom_system_prepare(system, l.sparse, error));
    assert_int_equal(carom_system_work(system).factorisations, 1);
    carom_system_release(system);
    system = make(l.sparse, CAROM_LINEAR_SYMMETRIC, CAROM_SYSTEM_CG, false, 3);
    assert_ok(carom_system_prepare(system, l.sparse, error));
    assert_int_equal(carom_system_work(system).factorisations, 0);
    x[0] = 1;
    assert_ok(carom_system_solve(system, 1e-12, x, error));
    assert_int_equal(carom_system_work(system).factorisations, 1);
    carom_system_release(system);
    free(diagonal);
    free(x);
    lattice_release(&l);
}

// A matrix that is singular, not finite, or empty.
static void odd_matrices(void **state) {
    (void)state;
    carom_error error;
    for (int method = CAROM_SYSTEM_DIRECT; method <= CAROM_SYSTEM_CG; method++) {
        lattice l = lattice_make_symmetric(3, 0.1);
        carom_system *system = make(l.sparse, CAROM_LINEAR_SYMMETRIC, (carom_system_method)method, true, 1000);
        // row and column 7 are zero
        for (int r = 0; r < l.size; r++)
            for (int64_t e = l.sparse->row_begin[r]; e < l.sparse->row_begin[r + 1]; e++)
                if (r == 7 || l.sparse->column[e] == 7)
                    l.sparse->value[e] = 0;
        assert_int_equal(carom_system_prepare(system, l.sparse, &error), CAROM_NUMERICAL);
        assert_non_null(strstr(error.message, "singular"));
        assert_int_equal(carom_system_information(system).null_count, 1);
        assert_int_equal(carom_system_information(system).null_pivots[0], 7);
        l.sparse->value[0] = NAN;
        assert_int_equal(carom_system_prepare(system, l.sparse, &error), CAROM_NUMERICAL);
        assert_non_null(strstr(error.message, "not finite"));
        carom_system_release(system);
        lattice_release(&l);

        static const bool held[2][3];
        static const int nodes[] = {0, 1};
        int unknown[2][3];
        carom_sparse *none;
        carom_cliques set = {1, 2, nodes};
        assert_int_equal(carom_sparse_number(2, held, unknown), 0);
        assert_int_equal(carom_sparse_create(2, (const int(*)[3])unknown, 1, &set, &none, &error), CAROM_OK);
        system = make(none, CAROM_LINEAR_SYMMETRIC, (carom_system_method)method, true, 1000);
        double x = 3;
        assert_int_equal(carom_system_prepare(system, none, &error), CAROM_OK);
        assert_int_equal(carom_system_solve(system, 1e-12, &x, &error), CAROM_OK);
        assert_true(x == 3);
        carom_system_release(system);
        carom_sparse_release(none);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(gives_way),
        cmocka_unit_test(odd_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
