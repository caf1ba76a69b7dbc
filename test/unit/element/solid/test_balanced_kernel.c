// SPDX-License-Identifier: MIT
// Tests src/element/solid/balanced_kernel.c, src/element/solid/balanced.c.
// Energy-conserving forces and tangents in batches have the bits of those element by element.
#include "../../../support.h"
#include "element/solid/balanced.h"
#include "math/vec3.h"
#include "model/model.h"

enum { NODES = 512, ROOM = 8192 };

static void move(const carom_model *model, uint64_t *seed, double size, double (*x)[3]) {
    for (int k = 0; k < model->node_count; k++)
        for (int i = 0; i < 3; i++)
            x[k][i] = model->X[k][i] + random_real(seed, -size, size);
}

// Compares all slots of [begin, end) and their tangents to the last bit, except for the bits of NaN. Returns the number of
// elements without a finite result.
static int compare(const carom_block *block, int begin, int end, carom_const_vectors x0, carom_const_vectors x1,
                   carom_const_vectors X) {
    static double slots[2][ROOM], tangents[2][ROOM * 24];
    int dofs = 3 * block->node_count, inverted = 0;
    memset(slots, 0, sizeof slots);
    for (int with = 0; with < 2; with++) {
        carom_balanced_plain(block, begin, end, x0, x1, X, slots[0], with ? tangents[0] : NULL);
        carom_balanced_batches(block, begin, end, x0, x1, X, slots[1], with ? tangents[1] : NULL);
        for (int i = 0; i < ROOM; i++)
            assert_true(slots[0][i] == slots[1][i] || (isnan(slots[0][i]) && isnan(slots[1][i])));
    }
    for (int e = begin; e < end; e++) {
        bool answer = !isnan(slots[0][carom_lane(e, 0, dofs)]);
        inverted += !answer;
        size_t at = (size_t)(dofs * dofs) * (size_t)(e - begin);
        for (int i = 0; answer && i < dofs * dofs; i++)
            assert_true(tangents[0][at + (size_t)i] == tangents[1][at + (size_t)i]);
    }
    return inverted;
}

static void same_bits(void **state) {
    (void)state;
    static const char *const laws[] = {"neo-hookean", "st-venant-kirchhoff"};
    uint64_t seed = 8;
    int inverted = 0;
    for (int trial = 0; trial < 48; trial++) {
        bench b;
        bench_start(&b);
        bool bricks = trial % 4 < 2;
        carom_box_params box = {.to = {1, 1.3, 0.9},
                                .elements = {3, 3, 2},
                                .grading = {1, 1, 1},
                                .cells = bricks ? CAROM_SOLID_HEX8 : CAROM_SOLID_TET4};
        carom_body_def *body = bench_add(&b, "box", &box, VECTOR(0, 0, 0));
        b.materials[0] = (carom_elastic_params){100, 0.3, 1};
        body->element = (carom_pick){carom_catalogue_find(carom_elements(), bricks ? "hex8" : "tet4"), NULL};
        body->material = (carom_pick){carom_catalogue_find(carom_materials(), laws[trial % 2]), &b.materials[0]};
        bench_build(&b);
        const carom_block *block = &b.model->blocks[0];
        assert_true(carom_balanced_has_kernel(block) && b.model->node_count <= NODES);
        // displacements: none, small, large, and such that some elements are inverted
        static const double sizes[] = {0, 1e-9, 0.01, 0.05, 0.25};
        double x0[NODES][3], x1[NODES][3];
        move(b.model, &seed, sizes[trial % 5] * 0.5, x0);
        move(b.model, &seed, sizes[trial % 5], x1);
        carom_const_vectors X = (carom_const_vectors)b.model->X, from = (carom_const_vectors)x0, to = (carom_const_vectors)x1;
        int count = block->count < 18 ? block->count : 18;
        inverted += compare(block, 0, count, from, to, X);
        compare(block, 3, count - 1, from, to, X);
        compare(block, 8, 9, from, to, X);
        bench_end(&b);
    }
    assert_true(inverted > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
