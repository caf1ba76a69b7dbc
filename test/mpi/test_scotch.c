// SPDX-License-Identifier: MIT
// Tests src/parallel/scotch.c.
// Parts of the graph of a box: as heavy as each other, the same each time, and joined by few edges.
#include "../blocks.h"
#include "model/node_graph.h"
#include "model/parts/owners.h"
#include "parallel/parallel.h"

enum { NODES_MAX = 4096, PARTS_MAX = 8 };

static int owner[NODES_MAX], again[NODES_MAX];
static int64_t weight[NODES_MAX];

// Edges between parts.
static int64_t cut_of(const carom_node_graph *graph, int count) {
    int64_t cut = 0;
    for (int k = 0; k < count; k++)
        for (int64_t i = graph->begin[k]; i < graph->begin[k + 1]; i++)
            cut += owner[k] != owner[graph->neighbour[i]];
    return cut / 2;
}

static void parts_are_good(void **state) {
    (void)state;
    bench b;
    bench_start(&b);
    block_add(&b, VECTOR(0, 0, 0), VECTOR(3, 2, 1), (const int[3]){18, 12, 6}, VECTOR(0, 0, 0), "neo-hookean");
    // a body that costs as much as the other one at a fifth of its nodes
    block_add(&b, VECTOR(4, 0, 0), VECTOR(5, 1, 1), (const int[3]){6, 6, 6}, VECTOR(0, 0, 0), "neo-hookean")
        ->damping.stiffness = 1e-3;
    bench_build(&b);
    carom_error error;
    carom_node_graph graph;
    int n = b.model->node_count;
    carom_partition_weigh(b.model, weight);
    assert_int_equal(carom_node_graph_create(b.model, &graph, &error), CAROM_OK);
    for (int parts = 1; parts <= PARTS_MAX; parts++) {
        int64_t part[PARTS_MAX] = {0}, whole = 0;
        assert_int_equal(carom_owners_by_weight(b.model, CAROM_PARTITION_SCOTCH, weight, parts, owner, &error), CAROM_OK);
        for (int k = 0; k < n; k++) {
            assert_in_range(owner[k], 0, parts - 1);
            part[owner[k]] += weight[k];
            whole += weight[k];
        }
        for (int p = 0; p < parts; p++)
            assert_true(llabs(part[p] - whole / parts) < 0.1 * (double)whole / parts);
        memcpy(again, owner, sizeof owner);
        assert_int_equal(carom_owners_by_weight(b.model, CAROM_PARTITION_SCOTCH, weight, parts, owner, &error), CAROM_OK);
        assert_memory_equal(again, owner, (size_t)n * sizeof *owner);
        int64_t cut = cut_of(&graph, n);
        assert_int_equal(carom_owners_by_weight(b.model, CAROM_PARTITION_BISECTION, weight, parts, owner, &error), CAROM_OK);
        // a library that serves all graphs may be a little worse than planes through a box
        assert_true((double)cut <= 1.3 * (double)cut_of(&graph, n));
    }
    carom_node_graph_release(&graph);
    bench_end(&b);
}

int main(void) {
    carom_error error;
    if (carom_parallel_start(&error))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_good)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    carom_parallel_stop();
    return failed;
}
