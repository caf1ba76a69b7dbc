// SPDX-License-Identifier: MIT
// Tests src/solver/krylov.c, src/solver/product.c, src/solver/sparse.c.
// The iterative solver agrees with the direct one, reports when it does not converge, and has the same bits for any number of
// threads; so has the assembly of matrices.
#include "../../lattice.h"
#include "carom/threads.h"
#include "solver/krylov.h"

static void agrees_with_elimination(void **state) {
    (void)state;
    const lattice_method krylov = {CAROM_LINEAR_UNSYMMETRIC, carom_krylov_prepare, carom_krylov_solve, 1e-12, 500};
    for (int trial = 0; trial < 3; trial++) {
        lattice l = lattice_make(3 + 2 * trial, 8);
        lattice_check_method(&l, &krylov, 1e-9);
        lattice_release(&l);
    }
}

// Products with matrices in single precision have the bits of a sum lane by lane in the order of the kernel; for units of any
// size; for rows longer than the part that is gathered at a time.
static void products_in_single_precision(void **state) {
    (void)state;
    const double units[] = {1, 1e-30, 3e37, 0x1p-1000};
    lattice l = lattice_make(5, 8);
    bool grown, finite;
    int many[40];
    for (int i = 0; i < 40; i++)
        many[i] = 3 * i;
    carom_cliques star = {1, 40, many};
    assert_ok(carom_sparse_extend(l.sparse, 1, &star, &grown, error));
    assert_true(grown);
    double *x = calloc((size_t)l.size + CAROM_PRODUCT_PADDING, sizeof *x), *y = calloc((size_t)l.size, sizeof *y);
    carom_product product = {0};
    for (int u = 0; u < 4; u++) {
        uint64_t seed = 3;
        for (int64_t e = 0; e < l.sparse->row_begin[l.size]; e++)
            l.sparse->value[e] = units[u] * random_real(&seed, -1, 1);
        for (int i = 0; i < l.size; i++)
            x[i] = random_real(&seed, -1, 1);
        assert_true(carom_product_prepare(&product, l.sparse, &finite) && finite);
        carom_product_rows(&product, 0, product.block_count, x, y);
        for (int r = 0; r < l.size; r++) {
            double s[8] = {0}, exact = 0;
            // each part that is gathered, 32 blocks of up to three, starts with lane 0
            int place = 0, gathered = 0, last = -1, axis;
            for (int64_t e = l.sparse->row_begin[r]; e < l.sparse->row_begin[r + 1]; e++) {
                int node = carom_sparse_node(l.sparse, l.sparse->column[e], &axis);
                if (node != last && gathered++ % 32 == 0)
                    place = 0;
                last = node;
                s[place++ % 8] += (double)(float)(l.sparse->value[e] / product.scale) * x[l.sparse->column[e]];
                exact += l.sparse->value[e] * x[l.sparse->column[e]];
            }
            assert_true(y[r] == product.scale * (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))));
            assert_near(y[r], exact, 1e-6 * units[u] * sqrt(l.size));
        }
    }
    l.sparse->value[7] = HUGE_VAL;
    assert_true(carom_product_prepare(&product, l.sparse, &finite) && !finite);
    carom_product_release(&product);
    free(x);
    free(y);
    lattice_release(&l);
}

// Too few iterations, a matrix of zeros, and one that is not finite.
static void reports_of_failure(void **state) {
    (void)state;
    lattice l = lattice_make(4, 8);
    double *x = calloc((size_t)l.size, sizeof *x);
    carom_iteration krylov = {0};
    for (int trial = 0; trial < 3; trial++) {
        bool solved = true;
        if (trial == 1)
            carom_sparse_clear(l.sparse);
        if (trial == 2)
            l.sparse->value[5] = NAN;
        for (int i = 0; i < l.size; i++)
            x[i] = 1 + i % 5;
        assert_ok(carom_krylov_prepare(&krylov, l.sparse, error));
        assert_ok(carom_krylov_solve(&krylov, 1e-12, trial ? 500 : 2, x, &solved, error));
        assert_false(solved);
    }
    carom_iteration_release(&krylov);
    free(x);
    lattice_release(&l);
}

// A system large enough to be divided among threads.
static void same_bits_for_any_number_of_threads(void **state) {
    (void)state;
    const int threads[] = {1, 2, 3, 8};
    double *first = NULL, *entries = NULL;
    for (int t = 0; t < 4; t++) {
        carom_set_threads(threads[t]);
        lattice l = lattice_make(16, 8);
        size_t length = (size_t)l.sparse->row_begin[l.size] * sizeof(double), bytes = (size_t)l.size * sizeof(double);
        double *x = malloc(bytes);
        for (int i = 0; i < l.size; i++)
            x[i] = sin(i);
        carom_iteration krylov = {0};
        bool solved;
        assert_ok(carom_krylov_prepare(&krylov, l.sparse, error));
        assert_ok(carom_krylov_solve(&krylov, 1e-10, 500, x, &solved, error));
        assert_true(solved);
        if (t == 0) {
            first = memcpy(malloc(bytes), x, bytes);
            entries = memcpy(malloc(length), l.sparse->value, length);
        }
        assert_memory_equal(entries, l.sparse->value, length);
        assert_memory_equal(first, x, bytes);
        carom_iteration_release(&krylov);
        free(x);
        lattice_release(&l);
    }
    carom_set_threads(0);
    free(first);
    free(entries);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_elimination),
        cmocka_unit_test(products_in_single_precision),
        cmocka_unit_test(reports_of_failure),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
