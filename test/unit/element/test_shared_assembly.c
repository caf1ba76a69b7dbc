// SPDX-License-Identifier: MIT
// Tests src/element/shared_assembly.c.
// Sums of forces divided among any number of units have the bits of one thread that adds element by element.
#include "../../solids.h"
#include "element/shared_assembly.h"

static void add_by_one(const carom_model *model, const double (*x)[3], double factor, double *sum) {
    for (int b = 0; b < model->block_count; b++) {
        const carom_block *block = &model->blocks[b];
        int n = block->node_count;
        double *slots = solid_reserve(carom_lanes_size(block->count, 3 * n), sizeof *slots);
        block->element->force(block, 0, block->count, x, (const double(*)[3])model->X, slots);
        for (int e = 0; e < block->count; e++)
            for (int i = 0; i < 3 * n; i++)
                sum[3 * block->nodes[n * e + i / 3] + i % 3] += factor * slots[carom_lane(e, i, 3 * n)];
        free(slots);
    }
}

static void compare(const solid_case *c, uint64_t *seed) {
    static const carom_elastic_params rubber = {.young = 1.3, .poisson = 0.3, .density = 0.7};
    static const double size[3] = {1.5, 1.2, 1};
    static const int cells[3] = {13, 12, 11};
    solid s;
    solid_start(&s, c, size, cells, "linear", rubber);
    bench_build(&s.b);
    const carom_model *model = s.b.model;
    int n = model->node_count;
    double(*x)[3] = solid_reserve(n, sizeof *x);
    double *expected = solid_reserve(3 * n, sizeof *expected), *found = solid_reserve(3 * n, sizeof *found);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = model->X[k][i] + random_real(seed, -1e-3, 1e-3);
    add_by_one(model, (const double(*)[3])x, -0.7, expected);
    const int units[] = {1, 2, 3, 7, 64, 100};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        carom_body_share share;
        assert_true(carom_body_share_create(&share, model->blocks, model->block_count, n, units[u]));
        assert_true(share.unit_count == (units[u] < 64 ? units[u] : 64));
        assert_true(units[u] > 1 ? share.shared_count > 0 : share.shared_count == 0);
        // twice: no scratch value remains from the first time
        for (int turn = 0; turn < 2; turn++) {
            memset(found, 0, 3 * (size_t)n * sizeof *found);
            carom_body_share_add_forces(&share, model->blocks, (const double(*)[3])x, (const double(*)[3])model->X, -0.7,
                                        found);
            assert_memory_equal(found, expected, 3 * (size_t)n * sizeof *found);
        }
        carom_body_share_release(&share);
    }
    free(x);
    free(expected);
    free(found);
    bench_end(&s.b);
}

static void units_agree(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int c = 0; c < SOLID_CASES; c++)
        if (!solid_cases[c].plane)
            compare(&solid_cases[c], &seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(units_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
