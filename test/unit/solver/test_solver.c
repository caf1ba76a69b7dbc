// SPDX-License-Identifier: MIT
// Tests src/solver.
// The sparse matrix against a dense one, and the direct solver against the equations it solves.
#include "../../support.h"
#include "carom/threads.h"
#include "solver/linear.h"

enum { NODES = 40, PAIRS = 120, TRIPLES = 60 };

// A random system: cliques of two and three nodes, some directions eliminated.
typedef struct fixture {
    bool is_free[NODES][3];
    int unknown[NODES][3];
    int size;
    int pairs[PAIRS][2], triples[TRIPLES][3];
    carom_cliques sets[2];
    double pair_matrix[PAIRS][36], triple_matrix[TRIPLES][81];
    carom_sparse *sparse;
    double dense[3 * NODES][3 * NODES];
} fixture;

static int random_node(uint64_t *seed) {
    return (int)random_real(seed, 0, NODES);
}

static void add_dense(fixture *f, int n, const int *nodes, double factor, const double *matrix) {
    for (int i = 0; i < 3 * n; i++)
        for (int k = 0; k < 3 * n; k++) {
            int r = f->unknown[nodes[i / 3]][i % 3], c = f->unknown[nodes[k / 3]][k % 3];
            if (r >= 0 && c >= 0)
                f->dense[r][c] += factor * matrix[3 * n * i + k];
        }
}

// A dense matrix with a heavy diagonal, symmetric if wanted.
static void fill(uint64_t *seed, int dofs, bool symmetric, double *matrix) {
    for (int i = 0; i < dofs; i++)
        for (int k = 0; k < dofs; k++)
            matrix[dofs * i + k] = symmetric && k < i ? matrix[dofs * k + i] : random_real(seed, -1, 1) + (i == k ? 6 : 0);
}

static fixture *build(bool symmetric) {
    fixture *f = calloc(1, sizeof *f);
    uint64_t seed = 7;
    for (int k = 0; k < NODES; k++)
        for (int c = 0; c < 3; c++)
            f->is_free[k][c] = random_real(&seed, 0, 1) < 0.8;
    f->is_free[3][0] = f->is_free[3][1] = f->is_free[3][2] = false;
    f->size = carom_sparse_number(NODES, (const bool(*)[3])f->is_free, f->unknown);
    for (int e = 0; e < PAIRS; e++)
        for (int a = 0; a < 2; a++)
            f->pairs[e][a] = random_node(&seed);
    for (int e = 0; e < TRIPLES; e++)
        for (int a = 0; a < 3; a++)
            f->triples[e][a] = random_node(&seed);
    f->sets[0] = (carom_cliques){PAIRS, 2, f->pairs[0]};
    f->sets[1] = (carom_cliques){TRIPLES, 3, f->triples[0]};
    assert_ok(carom_sparse_create(NODES, (const int(*)[3])f->unknown, 2, f->sets, &f->sparse, error));
    for (int e = 0; e < PAIRS; e++)
        fill(&seed, 6, symmetric, f->pair_matrix[e]);
    for (int e = 0; e < TRIPLES; e++)
        fill(&seed, 9, symmetric, f->triple_matrix[e]);
    return f;
}

static void assemble(fixture *f) {
    memset(f->dense, 0, sizeof f->dense);
    carom_sparse_clear(f->sparse);
    carom_sparse_add(f->sparse, 0, 0, 50, f->pair_matrix[0]);
    carom_sparse_add(f->sparse, 0, 50, PAIRS, f->pair_matrix[50]);
    carom_sparse_add(f->sparse, 1, 0, TRIPLES, f->triple_matrix[0]);
    for (int e = 0; e < PAIRS; e++)
        add_dense(f, 2, f->pairs[e], 1, f->pair_matrix[e]);
    for (int e = 0; e < TRIPLES; e++)
        add_dense(f, 3, f->triples[e], 1, f->triple_matrix[e]);
    double mass[NODES];
    for (int k = 0; k < NODES; k++) {
        mass[k] = k + 1;
        for (int c = 0; c < 3; c++)
            if (f->unknown[k][c] >= 0)
                f->dense[f->unknown[k][c]][f->unknown[k][c]] += 0.25 * mass[k];
    }
    carom_sparse_add_diagonal(f->sparse, 0.25, mass);
}

static void release(fixture *f) {
    carom_sparse_release(f->sparse);
    free(f);
}

// Compares every entry with the dense matrix, and checks the order of columns.
static void check_entries(const fixture *f) {
    double(*found)[3 * NODES] = calloc(3 * NODES, sizeof *found);
    for (int r = 0; r < f->size; r++)
        for (int64_t i = f->sparse->row_begin[r]; i < f->sparse->row_begin[r + 1]; i++) {
            found[r][f->sparse->column[i]] = f->sparse->value[i];
            assert_true(i == f->sparse->row_begin[r] || f->sparse->column[i] > f->sparse->column[i - 1]);
        }
    double diagonal[3 * NODES];
    carom_sparse_diagonal(f->sparse, diagonal);
    for (int r = 0; r < f->size; r++) {
        assert_near(diagonal[r], f->dense[r][r], 1e-12);
        for (int c = 0; c < f->size; c++)
            assert_near(found[r][c], f->dense[r][c], 1e-12);
    }
    free(found);
}

static void assembles_what_a_dense_matrix_does(void **state) {
    (void)state;
    fixture *f = build(false);
    assert_int_equal(f->sparse->size, f->size);
    assemble(f);
    check_entries(f);
    release(f);
}

static void extends_its_pattern(void **state) {
    (void)state;
    fixture *f = build(false);
    uint64_t pattern = f->sparse->pattern;
    bool grown;
    // entries that exist already change nothing
    assert_ok(carom_sparse_extend(f->sparse, 1, &f->sets[1], &grown, error));
    assert_false(grown);
    assert_true(f->sparse->pattern == pattern);
    int contact[2][5] = {{0, 9, 17, 30, 39}, {3, 1, 4, 1, 5}};
    assert_ok(carom_sparse_extend(f->sparse, 1, &(carom_cliques){2, 5, contact[0]}, &grown, error));
    assert_true(grown);
    assert_true(f->sparse->pattern != pattern);
    assemble(f);
    double matrix[225];
    uint64_t seed = 3;
    fill(&seed, 15, false, matrix);
    for (int i = 0; i < 2; i++) {
        carom_sparse_add_one(f->sparse, 5, contact[i], -2, matrix);
        add_dense(f, 5, contact[i], -2, matrix);
    }
    check_entries(f);
    release(f);
}

// A matrix that was extended returns to the pattern it was made with.
static void returns_to_its_pattern(void **state) {
    (void)state;
    fixture *f = build(false);
    uint64_t pattern = f->sparse->pattern;
    int64_t entries = f->sparse->row_begin[f->size];
    for (int round = 0; round < 3; round++) {
        for (int part = 0; part < 2; part++) {
            int chain[4] = {0, 9 + part, 21 + round, 35 - part};
            carom_cliques cliques = {1, 4, chain};
            bool grown;
            assert_ok(carom_sparse_extend(f->sparse, 1, &cliques, &grown, error));
            assert_true(grown && f->sparse->pattern != pattern && f->sparse->row_begin[f->size] > entries);
        }
        assemble(f);
        check_entries(f);
        carom_sparse_reset(f->sparse);
        assert_true(f->sparse->pattern == pattern && f->sparse->row_begin[f->size] == entries);
        assemble(f);
        check_entries(f);
        // once more changes nothing
        carom_sparse_reset(f->sparse);
        check_entries(f);
    }
    // the same request leads to the same pattern, with room for the same entries; two sets at once are one request
    uint64_t extended[2] = {0};
    for (int round = 0; round < 6; round++) {
        int chain[4] = {0, 9, 21, 35}, pair[2] = {1, 30 + round / 4};
        carom_cliques both[2] = {{1, 4, chain}, {1, 2, pair}};
        bool grown;
        assert_ok(carom_sparse_extend(f->sparse, 2, both, &grown, error));
        assert_true(grown && (round % 4 == 0 || f->sparse->pattern == extended[round / 4]));
        extended[round / 4] = f->sparse->pattern;
        for (int64_t e = 0; e < f->sparse->row_begin[f->size]; e++)
            assert_true(f->sparse->value[e] == 0);
        assemble(f);
        check_entries(f);
        carom_sparse_reset(f->sparse);
        assert_true(f->sparse->pattern == pattern);
    }
    assert_true(extended[0] != extended[1] && extended[0] != pattern);
    release(f);
}

static void finds_node_of_unknown(void **state) {
    (void)state;
    fixture *f = build(false);
    for (int k = 0; k < NODES; k++)
        for (int c = 0; c < 3; c++) {
            int axis = -1;
            if (f->is_free[k][c]) {
                assert_int_equal(carom_sparse_node(f->sparse, f->unknown[k][c], &axis), k);
                assert_int_equal(axis, c);
            }
        }
    release(f);
}

static void multiply(const carom_sparse *sparse, const double *x, double *y) {
    for (int r = 0; r < sparse->size; r++) {
        y[r] = 0;
        for (int64_t i = sparse->row_begin[r]; i < sparse->row_begin[r + 1]; i++)
            y[r] += sparse->value[i] * x[sparse->column[i]];
    }
}

static void solve_one(bool symmetric) {
    fixture *f = build(symmetric);
    assemble(f);
    carom_linear_solver *solver;
    assert_ok(carom_linear_create(symmetric ? CAROM_LINEAR_SYMMETRIC : CAROM_LINEAR_UNSYMMETRIC, &solver, error));
    double x[3 * NODES], b[3 * NODES], y[3 * NODES];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < f->size; i++)
            x[i] = b[i] = sin(i + round);
        assert_ok(carom_linear_factorise(solver, f->sparse, error));
        assert_ok(carom_linear_solve(solver, x, error));
        multiply(f->sparse, x, y);
        for (int i = 0; i < f->size; i++)
            assert_near(y[i], b[i], 1e-11);
        // other values, same pattern
        for (int64_t i = 0; i < f->sparse->row_begin[f->size]; i++)
            f->sparse->value[i] *= 1.5;
    }
    assert_int_equal(carom_linear_information(solver).analyses, 1);
    assert_int_equal(carom_linear_information(solver).factorisations, 3);

    // a pattern that has grown is analysed again
    bool grown;
    int contact[4] = {2, 11, 22, 33};
    assert_ok(carom_sparse_extend(f->sparse, 1, &(carom_cliques){1, 4, contact}, &grown, error));
    assert_true(grown);
    assemble(f);
    memcpy(x, b, sizeof x);
    assert_ok(carom_linear_factorise(solver, f->sparse, error));
    assert_ok(carom_linear_solve(solver, x, error));
    multiply(f->sparse, x, y);
    for (int i = 0; i < f->size; i++)
        assert_near(y[i], b[i], 1e-11);
    assert_int_equal(carom_linear_information(solver).analyses, 2);
    carom_linear_release(solver);
    release(f);
}

static void solves_symmetric_systems(void **state) {
    (void)state;
    solve_one(true);
}

static void solves_unsymmetric_systems(void **state) {
    (void)state;
    solve_one(false);
}

// The order of elimination contains every unknown once, for any positions of nodes, and does not change the solution.
static void orders_by_position(void **state) {
    (void)state;
    fixture *f = build(true);
    double places[3][NODES][3] = {{{0}}}, x[3 * NODES], first[3 * NODES];
    uint64_t seed = 23;
    int order[3 * NODES];
    bool given = true;
    assert_ok(carom_sparse_order(f->sparse, order, &given, error));
    assert_false(given);
    // all nodes at one position, in groups at few positions on a line, and at random positions
    for (int k = 0; k < NODES; k++)
        for (int i = 0; i < 3; i++) {
            places[1][k][i] = i == 0 ? k / 15 : 0;
            places[2][k][i] = random_real(&seed, 0, 1);
        }
    assemble(f);
    for (int p = -1; p < 3; p++) {
        if (p >= 0) {
            carom_sparse_locate(f->sparse, (const double(*)[3])places[p]);
            assert_ok(carom_sparse_order(f->sparse, order, &given, error));
            assert_true(given);
            bool seen[3 * NODES] = {0};
            for (int i = 0; i < f->size; i++) {
                assert_in_range(order[i], 0, f->size - 1);
                assert_false(seen[order[i]]);
                seen[order[i]] = true;
            }
        }
        carom_linear_solver *solver;
        assert_ok(carom_linear_create(CAROM_LINEAR_SYMMETRIC, &solver, error));
        for (int i = 0; i < f->size; i++)
            x[i] = sin(i);
        assert_ok(carom_linear_factorise(solver, f->sparse, error));
        assert_ok(carom_linear_solve(solver, x, error));
        for (int i = 0; i < f->size && p >= 0; i++)
            assert_near(x[i], first[i], 1e-12);
        if (p < 0)
            memcpy(first, x, sizeof x);
        carom_linear_release(solver);
    }
    release(f);
}

// A chain of springs: with both ends free it is singular, with one end fixed it is not; a negative spring to the ground
// makes one eigenvalue negative.
static carom_status chain(carom_linear_kind kind, bool held, double ground, carom_linear_solver **solver, carom_error *error) {
    enum { N = 6 };
    bool is_free[N][3] = {{0}};
    int unknown[N][3], links[N - 1][2];
    for (int k = 0; k < N; k++)
        is_free[k][0] = k > 0 || !held;
    for (int e = 0; e + 1 < N; e++) {
        links[e][0] = e;
        links[e][1] = e + 1;
    }
    carom_sparse_number(N, (const bool(*)[3])is_free, unknown);
    carom_sparse *sparse;
    carom_cliques set = {N - 1, 2, links[0]};
    assert_int_equal(carom_sparse_create(N, (const int(*)[3])unknown, 1, &set, &sparse, error), CAROM_OK);
    double spring[36] = {0};
    spring[0] = spring[21] = 1e9;
    spring[3] = spring[18] = -1e9;
    for (int e = 0; e + 1 < N; e++)
        carom_sparse_add(sparse, 0, e, e + 1, spring);
    double grounds[N] = {[N - 1] = ground};
    carom_sparse_add_diagonal(sparse, 1, grounds);
    carom_status status = carom_linear_create(kind, solver, error);
    if (!status)
        status = carom_linear_factorise(*solver, sparse, error);
    carom_sparse_release(sparse);
    return status;
}

static void reports_singular_systems(void **state) {
    (void)state;
    carom_linear_solver *solver = NULL;
    assert_refused(chain(CAROM_LINEAR_SYMMETRIC, false, 0, &solver, error), CAROM_NUMERICAL, "singular");
    assert_int_equal(carom_linear_information(solver).null_count, 1);
    assert_in_range(carom_linear_information(solver).null_pivots[0], 0, 5);
    double x[6] = {0};
    assert_refused(carom_linear_solve(solver, x, error), CAROM_NUMERICAL, "no factorisation");
    carom_linear_release(solver);
    assert_ok(chain(CAROM_LINEAR_SYMMETRIC, true, 0, &solver, error));
    assert_int_equal(carom_linear_information(solver).negative_pivots, 0);
    carom_linear_release(solver);
    assert_ok(chain(CAROM_LINEAR_SYMMETRIC, true, -1e9, &solver, error));
    assert_int_equal(carom_linear_information(solver).negative_pivots, 1);
    carom_linear_release(solver);
    assert_refused(chain(CAROM_LINEAR_SYMMETRIC, true, NAN, &solver, error), CAROM_NUMERICAL, "not finite");
    carom_linear_release(solver);
    // LU reports the sign of the determinant
    for (int negative = 0; negative < 2; negative++) {
        assert_ok(chain(CAROM_LINEAR_UNSYMMETRIC, true, negative ? -1e9 : 1e9, &solver, error));
        assert_int_equal(carom_linear_information(solver).negative_pivots, negative);
        carom_linear_release(solver);
    }
}

// A cube of nodes coupled with their neighbours: large enough for blocked elimination.
static void same_bits_for_any_number_of_threads(void **state) {
    (void)state;
    enum { SIDE = 9, N = SIDE * SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1) * (SIDE - 1) };
    bool(*is_free)[3] = calloc(N, sizeof *is_free);
    int(*unknown)[3] = calloc(N, sizeof *unknown), (*cells)[8] = calloc(CELLS, sizeof *cells);
    double *x = calloc(3 * N, sizeof *x), *first = calloc(3 * N, sizeof *first);
    for (int k = 0; k < N; k++)
        is_free[k][0] = is_free[k][1] = is_free[k][2] = true;
    for (int c = 0; c < CELLS; c++)
        for (int a = 0; a < 8; a++) {
            int i = c % (SIDE - 1) + (a & 1), j = c / (SIDE - 1) % (SIDE - 1) + (a >> 1 & 1);
            cells[c][a] = i + SIDE * (j + SIDE * (c / ((SIDE - 1) * (SIDE - 1)) + (a >> 2)));
        }
    int size = carom_sparse_number(N, (const bool(*)[3])is_free, unknown);
    carom_sparse *sparse;
    carom_cliques set = {CELLS, 8, cells[0]};
    assert_ok(carom_sparse_create(N, (const int(*)[3])unknown, 1, &set, &sparse, error));
    double matrix[576];
    uint64_t seed = 11;
    fill(&seed, 24, true, matrix);
    for (int c = 0; c < CELLS; c++)
        carom_sparse_add(sparse, 0, c, c + 1, matrix);
    const int threads[] = {1, 2, 3, 8};
    for (int kind = 0; kind < 2; kind++)
        for (int t = 0; t < 4; t++) {
            carom_set_threads(threads[t]);
            carom_linear_solver *solver;
            assert_ok(carom_linear_create((carom_linear_kind)kind, &solver, error));
            for (int i = 0; i < size; i++)
                x[i] = cos(i);
            assert_ok(carom_linear_factorise(solver, sparse, error));
            assert_ok(carom_linear_solve(solver, x, error));
            if (t == 0)
                memcpy(first, x, (size_t)size * sizeof *x);
            assert_memory_equal(first, x, (size_t)size * sizeof *x);
            carom_linear_release(solver);
        }
    carom_set_threads(0);
    carom_sparse_release(sparse);
    free(is_free);
    free(unknown);
    free(cells);
    free(x);
    free(first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assembles_what_a_dense_matrix_does),
        cmocka_unit_test(extends_its_pattern),
        cmocka_unit_test(returns_to_its_pattern),
        cmocka_unit_test(finds_node_of_unknown),
        cmocka_unit_test(solves_symmetric_systems),
        cmocka_unit_test(solves_unsymmetric_systems),
        cmocka_unit_test(orders_by_position),
        cmocka_unit_test(reports_singular_systems),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
