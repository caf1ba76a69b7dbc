// SPDX-License-Identifier: MIT
// Tests src/element/largest_eigenvalue.c, src/element/average/nodal_patch.c.
// The bound of an eigenvalue, and the steps that follow from it, scale exactly with units that are powers of two.
#include "element/largest_eigenvalue.h"

#include "../../blocks.h"
#include "element/average/nodal.h"
#include "element/body_step.h"
#include "model/model.h"

// A matrix with the eigenvalues 1, 2 and 5, of which the bound is at most n^(1/128) too large.
static void scaled_matrix(void **unused) {
    (void)unused;
    const double A[9] = {2, 0, 0, 0, 3, 2, 0, 2, 3};
    double first = 0;
    for (int k = -40; k <= 40; k++) {
        double scaled[9];
        for (int i = 0; i < 9; i++)
            scaled[i] = ldexp(A[i], k);
        double bound = ldexp(carom_largest_eigenvalue(scaled, 3), -k);
        first = k == -40 ? bound : first;
        assert_true(bound >= 5 && bound <= 5 * pow(3, 1 / 128.0) * (1 + 1e-9));
        assert_near(bound, first, 0);
    }
}

// The stable steps of the elements of one block, with the unit of length divided by 2^k: the modulus is a force per area.
static void find_steps(int k, double steps[], int most) {
    bench b;
    bench_start(&b);
    carom_nodal_params nodal = {.stabilisation = 0.05};
    carom_body_def *body = block_add(&b, VECTOR(0, 0, 0), VECTOR(ldexp(1, k), ldexp(1.3, k), ldexp(0.7, k)),
                                     (const int[3]){2, 1, 1}, VECTOR(0, 0, 0), "neo-hookean");
    b.materials[0] = (carom_elastic_params){ldexp(100, -k), 0.3, ldexp(1, -3 * k)};
    body->element = (carom_pick){carom_catalogue_find(carom_elements(), "nodal"), &nodal};
    bench_build(&b);
    int count = 0;
    for (int i = 0; i < b.model->block_count; i++) {
        const carom_block *block = &b.model->blocks[i];
        assert_true(count + block->count <= most);
        carom_block_stable_steps(block, (carom_const_vectors)b.model->X, steps + count);
        count += block->count;
    }
    assert_true(count > 2);
    bench_end(&b);
}

static void scaled_patches(void **unused) {
    (void)unused;
    enum { MOST = 64 };
    double first[MOST] = {0};
    find_steps(0, first, MOST);
    for (int k = -3; k <= 3; k++) {
        double steps[MOST] = {0};
        find_steps(k, steps, MOST);
        for (int i = 0; i < MOST; i++)
            assert_near(steps[i], first[i], 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scaled_matrix), cmocka_unit_test(scaled_patches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
