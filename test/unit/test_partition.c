// SPDX-License-Identifier: MIT
// Tests src/model/partition.c.
// Owners: balanced, whole small bodies, any number of processes.
#include "../blocks.h"
#include "model/partition.h"

enum { NODES_MAX = 20000, PARTS_MAX = 64 };

static int owner[NODES_MAX];
static int64_t weight[NODES_MAX];

// Weights of all parts; their sum is the whole, which is returned.
static int64_t weigh_parts(const carom_model *model, int parts, int64_t *part) {
    int64_t whole = 0;
    memset(part, 0, (size_t)parts * sizeof *part);
    for (int k = 0; k < model->node_count; k++) {
        assert_in_range(owner[k], 0, parts - 1);
        part[owner[k]] += weight[k];
        whole += weight[k];
    }
    return whole;
}

// One box: every part has its share, up to a node or two.
static void shares_are_equal(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    block_add(&b, VECTOR(0, 0, 0), VECTOR(3, 2, 1), (const int[3]){18, 12, 6}, VECTOR(0, 0, 0), "neo-hookean");
    bench_build(&b);
    carom_error error;
    carom_partition_weigh(b.model, weight);
    for (int parts = 1; parts <= PARTS_MAX; parts += parts < 9 ? 1 : 11) {
        int64_t part[PARTS_MAX], whole;
        assert_int_equal(carom_partition_bisect(b.model, weight, parts, owner, &error), CAROM_OK);
        whole = weigh_parts(b.model, parts, part);
        for (int p = 0; p < parts; p++)
            assert_true(llabs(part[p] - whole / parts) < 3 * 9 * 6000);
    }
    bench_end(&b);
}

// Many small bodies beside a large one: the small ones are not cut, the large one is.
static void small_bodies_stay_whole(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    block_add(&b, VECTOR(0, 0, 0), VECTOR(3, 2, 1), (const int[3]){18, 12, 6}, VECTOR(0, 0, 0), "neo-hookean");
    for (int i = 0; i < 3; i++)
        block_add(&b, VECTOR(i, 0, 1.5), VECTOR(i + 0.5, 0.5, 2), (const int[3]){1, 1, 1}, VECTOR(0, 0, 0), "neo-hookean");
    bench_build(&b);
    carom_error error;
    carom_partition_weigh(b.model, weight);
    assert_int_equal(carom_partition_bisect(b.model, weight, 4, owner, &error), CAROM_OK);
    bool used[4] = {false};
    for (int body = 0; body < b.model->body_count; body++)
        for (int i = 0; i < b.model->bodies[body].node_count; i++) {
            int k = b.model->bodies[body].node_begin + i;
            used[owner[k]] = true;
            if (body > 0)
                assert_int_equal(owner[k], owner[b.model->bodies[body].node_begin]);
        }
    assert_true(used[0] && used[1] && used[2] && used[3]);
    bench_end(&b);
}

// More processes than nodes: some have none, and nobody fails. All nodes in one place: still dealt evenly.
static void few_nodes(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    block_add(&b, VECTOR(0, 0, 0), VECTOR(1, 1, 1), (const int[3]){1, 1, 1}, VECTOR(0, 0, 0), "neo-hookean");
    bench_build(&b);
    carom_error error;
    carom_partition_weigh(b.model, weight);
    for (int parts = 1; parts <= PARTS_MAX; parts++) {
        int64_t part[PARTS_MAX];
        assert_int_equal(carom_partition_bisect(b.model, weight, parts, owner, &error), CAROM_OK);
        weigh_parts(b.model, parts, part);
        int empty = 0;
        for (int p = 0; p < parts; p++)
            empty += part[p] == 0;
        assert_int_equal(empty, parts > 8 ? parts - 8 : 0);
    }
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_equal),
        cmocka_unit_test(small_bodies_stay_whole),
        cmocka_unit_test(few_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
