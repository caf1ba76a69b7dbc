// SPDX-License-Identifier: MIT
// Tests src/element/estimate.c.
// What kernels of forces tell in passing: the stress is that of the fields, the strain is no less than theirs, and forces have
// the same bits with estimates and without.
#include "../solids.h"
#include "element/estimate.h"

enum { STRESS, PRINCIPAL_STRAIN = 3 };

static void compare(const carom_block *block, const double (*x)[3], const double (*X)[3]) {
    int n = block->count, dofs = 3 * block->node_count;
    double *stress = solid_reserve(6 * n, sizeof *stress), *strain = solid_reserve(3 * n, sizeof *strain);
    double *told = solid_reserve(carom_lanes_size(n, CAROM_ESTIMATES), sizeof *told);
    double *plain = solid_reserve(carom_lanes_size(n, dofs), sizeof *plain);
    double *beside = solid_reserve(carom_lanes_size(n, dofs), sizeof *beside);
    block->element->field(block, 0, n, x, X, STRESS, stress);
    block->element->field(block, 0, n, x, X, PRINCIPAL_STRAIN, strain);
    block->element->force(block, 0, n, x, X, plain);
    carom_estimate_force(block, 0, n, x, X, beside, told);
    assert_memory_equal(plain, beside, (size_t)carom_lanes_size(n, dofs) * sizeof *plain);
    for (int e = 0; e < n; e++) {
        for (int c = 0; c < 6; c++)
            assert_near(told[carom_lane(e, c, CAROM_ESTIMATES)], stress[6 * e + c], 1e-13);
        // a bound, and not a distant one: strains are about 0.05
        double bound = told[carom_lane(e, CAROM_ESTIMATE_STRAIN, CAROM_ESTIMATES)];
        assert_true(bound >= strain[3 * e] - 1e-14);
        assert_true(bound <= strain[3 * e] + 0.1);
    }
    free(stress), free(strain), free(told), free(plain), free(beside);
}

static void estimates(void **state) {
    (void)state;
    static const char *const laws[] = {"linear", "st-venant-kirchhoff", "neo-hookean"};
    uint64_t seed = 7;
    for (int c = 0; c < SOLID_CASES; c++)
        for (int m = 0; m < 3; m++) {
            solid s = {0};
            int estimated = 0;
            solid_start(&s, &solid_cases[c], VECTOR(1, 1.2, 0.9), (const int[3]){3, 2, 2}, laws[m],
                        (carom_elastic_params){1, 0.3, 1});
            bench_build(&s.b);
            const carom_model *model = s.b.model;
            const double(*X)[3] = (carom_const_vectors)model->X;
            double(*x)[3] = solid_reserve(model->node_count, sizeof *x);
            for (int k = 0; k < model->node_count; k++)
                for (int i = 0; i < 3; i++)
                    x[k][i] = X[k][i] + 0.03 * X[k][(i + 1) % 3] + random_real(&seed, -0.01, 0.01);
            for (int b = 0; b < model->block_count; b++)
                if (model->blocks[b].element->field && carom_estimate_slope(&model->blocks[b], X) > 0) {
                    compare(&model->blocks[b], (carom_const_vectors)x, X);
                    estimated++;
                }
            // plane elements make none
            assert_true((estimated == 0) == solid_cases[c].plane);
            free(x);
            bench_end(&s.b);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(estimates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
