// SPDX-License-Identifier: MIT
// Tests src/solver/krylov.c, src/solver/product.c, src/solver/sparse.c.
// The iterative solver: it agrees with the direct one, tells when it does not converge, and has the same bits for any number of
// threads; so has the assembly of matrices.
#include "../support.h"
#include "carom/threads.h"
#include "solver/krylov.h"
#include "solver/linear.h"

// A cube of nodes, each cell with a random matrix; some axes are eliminated.
typedef struct lattice {
    int side, node_count, cell_count, size;
    bool (*is_free)[3];
    int (*unknown)[3];
    int (*cells)[8];
    double (*matrices)[576];
    carom_sparse *sparse;
} lattice;

static lattice make_lattice(int side, double inertia) {
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

static void release(lattice *l) {
    carom_sparse_release(l->sparse);
    free(l->is_free);
    free(l->unknown);
    free(l->cells);
    free(l->matrices);
}

static void agrees_with_elimination(void **state) {
    (void)state;
    for (int trial = 0; trial < 3; trial++) {
        lattice l = make_lattice(3 + 2 * trial, 8);
        double *x = calloc((size_t)l.size, sizeof *x), *y = calloc((size_t)l.size, sizeof *y);
        for (int i = 0; i < l.size; i++)
            x[i] = y[i] = cos(3 * i);
        carom_linear_solver *direct;
        assert_ok(carom_linear_create(CAROM_LINEAR_UNSYMMETRIC, &direct, error));
        assert_ok(carom_linear_factorise(direct, l.sparse, error));
        assert_ok(carom_linear_solve(direct, x, error));
        carom_krylov krylov = {0};
        bool solved;
        assert_ok(carom_krylov_prepare(&krylov, l.sparse, error));
        assert_ok(carom_krylov_solve(&krylov, 1e-12, 500, y, &solved, error));
        assert_true(solved);
        double largest = 0, difference = 0;
        for (int i = 0; i < l.size; i++) {
            largest = fmax(largest, fabs(x[i]));
            difference = fmax(difference, fabs(x[i] - y[i]));
        }
        assert_near(difference, 0, 1e-9 * largest);
        // nothing to be solved takes no iteration
        int64_t before = krylov.iterations;
        memset(y, 0, (size_t)l.size * sizeof *y);
        assert_ok(carom_krylov_solve(&krylov, 1e-12, 500, y, &solved, error));
        assert_true(solved && krylov.iterations == before && y[0] == 0);
        carom_krylov_release(&krylov);
        carom_linear_release(direct);
        free(x);
        free(y);
        release(&l);
    }
}

// Rows in single precision, lane by lane as the kernel has them, to the last bit; units of any size; rows longer than what is
// gathered at a time.
static void products_in_single_precision(void **state) {
    (void)state;
    const double units[] = {1, 1e-30, 3e37, 0x1p-1000};
    lattice l = make_lattice(5, 8);
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
            // what is gathered at a time, 32 blocks of up to three, begins with lane 0 again
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
    release(&l);
}

// Too few iterations, a matrix of zeros, and one that is not finite.
static void tells_of_failure(void **state) {
    (void)state;
    lattice l = make_lattice(4, 8);
    double *x = calloc((size_t)l.size, sizeof *x);
    carom_krylov krylov = {0};
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
    carom_krylov_release(&krylov);
    free(x);
    release(&l);
}

// Large enough for threads to take part.
static void same_bits_for_any_number_of_threads(void **state) {
    (void)state;
    const int threads[] = {1, 2, 3, 8};
    double *first = NULL, *entries = NULL;
    for (int t = 0; t < 4; t++) {
        carom_set_threads(threads[t]);
        lattice l = make_lattice(16, 8);
        size_t length = (size_t)l.sparse->row_begin[l.size] * sizeof(double), bytes = (size_t)l.size * sizeof(double);
        double *x = malloc(bytes);
        for (int i = 0; i < l.size; i++)
            x[i] = sin(i);
        carom_krylov krylov = {0};
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
        carom_krylov_release(&krylov);
        free(x);
        release(&l);
    }
    carom_set_threads(0);
    free(first);
    free(entries);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_elimination),
        cmocka_unit_test(products_in_single_precision),
        cmocka_unit_test(tells_of_failure),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
